import type { Failure } from '../../contract/failure.ts';
import type { Clock } from '../clock.ts';
import { pathBelow } from '../downloads/naming.ts';
import type {
  DownloadOutcome,
  DownloadRequest,
  LinkAnswer,
  WaitReason,
} from '../downloads/request.ts';
import type { JobRow } from '../jobs/job-row.ts';
import type { Store } from '../jobs/store.ts';
import type { Link, LinkOutcome, Service } from '../service/outcomes.ts';
import type { Bell } from './bell.ts';
import type { FlowControl } from './flow-control.ts';
import type { KeyRing } from './key-ring.ts';
import type { Outage } from './outage.ts';
import type { RateLimits } from './rate-limits.ts';
import type { TransferBoard } from './transfer-board.ts';

const LOOK_AGAIN_MS = 30_000;

/** A file that cannot be fetched now is tried again after 5 s, then twice as long, up to 10 min. */
const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 600_000;

export interface FetcherParts {
  readonly store: Store;
  readonly service: Pick<Service, 'link'>;
  readonly download: (request: DownloadRequest) => Promise<DownloadOutcome>;
  readonly limits: RateLimits;
  readonly flow: FlowControl;
  readonly key: KeyRing;
  readonly outage: Outage;
  readonly transfers: TransferBoard;
  /** Downloads at the same time. */
  readonly atOnce: number;
  readonly bell: Bell;
  readonly clock: Clock;
  /** A transfer's numbers changed; not on disk. */
  readonly onProgress: (jobId: number) => void;
  readonly onDefect: (error: unknown) => void;
}

interface Running {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/**
 * Fetches finished videos. A link is asked for only when a transfer is free to use it at once,
 * because it lives for one hour and costs one of thirty an hour (service-api.md §8.1, §8.5).
 */
export class Fetcher {
  readonly #parts: FetcherParts;
  readonly #running = new Map<number, Running>();
  /** Jobs to leave alone until a moment of the monotonic clock, and how often that happened. */
  readonly #pauses = new Map<number, { readonly until: number; readonly times: number }>();

  constructor(parts: FetcherParts) {
    this.#parts = parts;
  }

  /** Works until `stop` is aborted, which also stops transfers; their part files stay. */
  async run(stop: AbortSignal): Promise<void> {
    const { bell } = this.#parts;
    while (!stop.aborted) {
      const heard = bell.rings;
      const next = this.#next();
      if (next.kind === 'wait') {
        await bell.wait(heard, Math.min(next.ms, LOOK_AGAIN_MS), stop);
      } else {
        await this.#begin(next.job, stop);
      }
    }
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  /** Stops one job's transfer, if it has one, and waits for its end. */
  async stop(jobId: number): Promise<void> {
    const running = this.#running.get(jobId);
    running?.stop.abort();
    await running?.ended;
  }

  /** Stops all transfers until the queue is resumed; their part files stay. */
  async stopAll(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((id) => this.stop(id)));
  }

  /** Its owner wants it now. */
  hurry(jobId: number): void {
    this.#pauses.delete(jobId);
  }

  #next(): { kind: 'wait'; ms: number } | { kind: 'fetch'; job: JobRow } {
    const { store, flow, limits, atOnce, clock } = this.#parts;
    if (this.#running.size >= atOnce || store.jobs.counts.total.ready === 0) {
      return { kind: 'wait', ms: Infinity };
    }
    const now = clock.monotonic();
    const ready = store.jobs.first(['ready'], this.#pauses.size + 1);
    const job = ready.find(({ id }) => (this.#pauses.get(id)?.until ?? 0) <= now);
    if (!job) {
      const pauses = ready.map(({ id }) => (this.#pauses.get(id)?.until ?? now) - now);
      return { kind: 'wait', ms: Math.min(...pauses) };
    }
    const ms = Math.max(flow.waitToRead(), limits.wait('download'));
    return ms > 0 ? { kind: 'wait', ms } : { kind: 'fetch', job };
  }

  async #begin(job: JobRow, stop: AbortSignal): Promise<void> {
    const { store, clock, bell, onDefect } = this.#parts;
    const { remoteId } = job;
    if (remoteId === null) throw new Error(`Job ${job.id} is ready and has no id.`);
    const outcome = await this.#askForLink(remoteId, stop);
    // Its owner may have let it go while we asked.
    if (store.jobs.find(job.id)?.state !== 'ready') return;
    switch (outcome.kind) {
      case 'link': {
        store.jobs.move(job.id, 'download', clock.now(), { failure: null });
        const own = new AbortController();
        const ended = this.#transfer(job, remoteId, outcome.link, own, stop)
          .catch(onDefect)
          .finally(() => {
            this.#running.delete(job.id);
            bell.ring();
          });
        this.#running.set(job.id, { stop: own, ended });
        return;
      }
      case 'not-ready':
        store.transactions.write(() => {
          store.record.answer(job.id, outcome.answer.body, clock.now());
          store.jobs.move(job.id, 'notReady', clock.now());
        });
        this.#pause(job.id);
        return;
      case 'not-found':
        store.jobs.move(job.id, 'fetchFailed', clock.now(), { failure: outcome.failure });
        return;
      case 'rate-limited':
      case 'key-refused':
      case 'unreachable':
    }
  }

  async #askForLink(remoteId: string, signal: AbortSignal): Promise<LinkOutcome> {
    const { store, service, limits, outage, key } = this.#parts;
    const charge = store.transactions.write(() => limits.reserve('download'));
    const outcome = await service.link(remoteId, signal);
    store.transactions.write(() => limits.settle('download', charge, outcome.answer));
    switch (outcome.kind) {
      case 'unreachable':
        if (!signal.aborted) outage.failed(outcome.failure);
        break;
      case 'key-refused':
        outage.ended();
        key.heard('refused');
        break;
      default:
        outage.ended();
        key.heard('accepted');
    }
    this.#parts.bell.ring();
    return outcome;
  }

  async #transfer(
    job: JobRow,
    remoteId: string,
    link: Link,
    own: AbortController,
    stop: AbortSignal,
  ): Promise<void> {
    const { store, transfers, clock, onProgress } = this.#parts;
    const batch = store.batches.get(job.batchId);
    const signal = AbortSignal.any([own.signal, stop]);
    let outcome: DownloadOutcome | null = null;
    try {
      outcome = await this.#parts.download({
        link,
        target: pathBelow(batch.folder, job.fileName ?? `${job.id}.mp4`),
        onCollision: batch.onCollision,
        renewLink: (_cause, renewal) => this.#renewLink(remoteId, renewal),
        onProgress: (progress) => {
          transfers.show(job.id, progress);
          onProgress(job.id);
        },
        onEvent: (event) => {
          const isVerifying = event.kind === 'verifying';
          if (isVerifying && store.jobs.get(job.id).state === 'downloading') {
            store.jobs.move(job.id, 'verify', clock.now());
          }
        },
        signal,
      });
    } finally {
      transfers.end(job.id, outcome?.kind === 'saved' ? outcome.bytes : null);
      if (outcome) this.#conclude(job, outcome);
      else store.jobs.move(job.id, 'interrupt', clock.now());
    }
  }

  async #renewLink(remoteId: string, signal: AbortSignal): Promise<LinkAnswer> {
    const { limits, clock } = this.#parts;
    const wait = limits.wait('download');
    if (wait > 0) return { kind: 'wait', until: clock.now() + wait };
    const outcome = await this.#askForLink(remoteId, signal);
    switch (outcome.kind) {
      case 'link':
        return { kind: 'link', link: outcome.link };
      case 'not-found':
        return { kind: 'gone', message: outcome.failure.message };
      default:
        return {
          kind: 'wait',
          until: clock.now() + Math.max(FIRST_PAUSE_MS, limits.wait('download')),
        };
    }
  }

  #conclude(job: JobRow, outcome: DownloadOutcome): void {
    const { store, flow, clock } = this.#parts;
    const at = clock.now();
    switch (outcome.kind) {
      case 'saved':
        this.#pauses.delete(job.id);
        flow.fullDisk = null;
        store.transactions.write(() => {
          if (store.jobs.get(job.id).state === 'downloading') store.jobs.move(job.id, 'verify', at);
          store.jobs.move(job.id, 'save', at, {
            filePath: outcome.path,
            fileBytes: outcome.bytes,
            fileSha256: outcome.sha256,
            fileSeconds: outcome.durationSeconds,
            savedAt: at,
          });
        });
        return;
      case 'paused':
        store.jobs.move(job.id, 'interrupt', at);
        return;
      case 'waiting':
        this.#wait(job, outcome.reason, outcome.until);
        return;
      case 'skipped':
        this.#fail(job, {
          code: 'download-failed',
          message: `A file of this name was there already (${outcome.path}), and this batch keeps those.`,
        });
        return;
      case 'failed':
        this.#fail(job, {
          code: outcome.code === 'damaged' ? 'file-damaged' : 'download-failed',
          message: outcome.message,
        });
    }
  }

  #fail(job: JobRow, failure: Failure): void {
    const { store, clock } = this.#parts;
    store.jobs.move(job.id, 'fetchFailed', clock.now(), { failure }, failure.message);
  }

  /** The world's fault: it goes on by itself, and its neighbours do not wait for it. */
  #wait(job: JobRow, reason: WaitReason, until: number | null): void {
    const { store, flow, clock } = this.#parts;
    store.jobs.move(job.id, 'interrupt', clock.now(), {}, noteFor(reason));
    this.#pause(job.id, until);
    if (reason !== 'no-space') return;
    flow.fullDisk = {
      code: 'disk-full',
      message: 'The disk is full. Downloads go on by themselves once there is room.',
    };
  }

  #pause(jobId: number, until: number | null = null): void {
    const { clock } = this.#parts;
    const times = (this.#pauses.get(jobId)?.times ?? 0) + 1;
    const backoff = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (times - 1));
    const wait = until === null ? backoff : Math.max(1000, until - clock.now());
    this.#pauses.set(jobId, { until: clock.monotonic() + wait, times });
  }
}

function noteFor(reason: WaitReason): string {
  switch (reason) {
    case 'no-space':
      return 'The disk is full.';
    case 'link-limit':
      return 'No further download link may be asked for yet.';
    case 'server-busy':
      return 'The server asked for patience.';
    case 'unreachable':
      return 'The server could not be reached.';
  }
}
