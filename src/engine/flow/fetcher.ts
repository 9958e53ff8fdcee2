import type { Failure } from '../../contract/failure.ts';
import type { MessageName } from '../../contract/messages.ts';
import { userMessage, messageOf, type UserMessage } from '../../contract/user-message.ts';
import type { Clock } from '../clock.ts';
import type { DownloadConnections } from '../downloads/connections.ts';
import type { Disks } from '../downloads/disk-room.ts';
import { pathBelow } from '../downloads/naming.ts';
import type { DownloadOutcome, DownloadRequest, WaitReason } from '../downloads/request.ts';
import type { JobRow } from '../jobs/job-row.ts';
import type { Store } from '../jobs/store.ts';
import { isWriteRefusal } from '../jobs/transactions.ts';
import type { Answer, Link, LinkOutcome } from '../service/outcomes.ts';
import { finiteMs, type Trace } from '../trace.ts';
import type { WakeSignal } from './wake-signal.ts';
import type { EndpointOutage } from './endpoint-outage.ts';
import { isFileOfOther } from './file-of-other.ts';
import type { FlowControl } from './flow-control.ts';
import type { LinkDelay } from './link-delay.ts';
import type { DownloadLinks } from './download-links.ts';
import type { RateLimits } from './rate-limits.ts';
import type { TransferProgress } from './transfer-progress.ts';
import type { TransferThrottle } from './transfer-limits.ts';
import type { TransferPauses } from './transfer-pauses.ts';
import type { TransferWaits } from './transfer-waits.ts';
import { untilWritten } from './until-written.ts';

const LOOK_AGAIN_MS = 30_000;

/** Attempts to get a link for a video that exists according to its status: ten minutes in all. */
const MAX_LINKS_NOT_FOUND = 7;

/** Room to look for when a disk was found full under a file of unknown size. */
const SOME_ROOM_BYTES = 16 * 1024 * 1024;

export interface FetcherParts {
  readonly store: Store;
  readonly links: DownloadLinks;
  readonly linkDelay: LinkDelay;
  readonly download: (request: DownloadRequest) => Promise<DownloadOutcome>;
  readonly limits: RateLimits;
  readonly flow: FlowControl;
  readonly endpoint: Pick<EndpointOutage, 'wait'>;
  readonly transfers: TransferProgress;
  readonly waits: TransferWaits;
  readonly pauses: TransferPauses;
  readonly throttle: TransferThrottle;
  readonly disks: Disks;
  readonly connections: Pick<DownloadConnections, 'isBlocked'>;
  readonly wakeSignal: WakeSignal;
  readonly clock: Clock;
  /** A transfer's numbers changed; not on disk. */
  readonly onProgress: (jobId: number) => void;
  /** The reason that holds up jobs without a wait changed; not on disk. */
  readonly onHold: () => void;
  readonly onDefect: (error: unknown) => void;
  readonly trace?: Trace | undefined;
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
  /** One at a time: the system's resolver has few threads, and the disk uses them too. */
  #isLookingUp = false;

  constructor(parts: FetcherParts) {
    this.#parts = parts;
  }

  /** Works until `stop` is aborted, which also stops transfers; their part files stay. */
  async run(stop: AbortSignal): Promise<void> {
    const { wakeSignal } = this.#parts;
    while (!stop.aborted) {
      const heard = wakeSignal.version;
      const next = this.#next();
      if (next.kind === 'wait') {
        await wakeSignal.wait(heard, Math.min(next.ms, LOOK_AGAIN_MS), stop);
      } else {
        await this.#begin(next.job, stop);
      }
    }
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  /**
   * Stops these jobs' transfers and waits until none of them has any: while one is being stopped,
   * another may have begun anew. Their part files stay.
   */
  async stop(jobIds: readonly number[]): Promise<void> {
    for (;;) {
      const running = jobIds.flatMap((id) => this.#running.get(id) ?? []);
      if (running.length === 0) return;
      for (const { stop } of running) stop.abort();
      await Promise.all(running.map(({ ended }) => ended));
    }
  }

  /** Stops all transfers that run. */
  stopAll(): Promise<void> {
    return this.stop([...this.#running.keys()]);
  }

  /** Stops those that their owner has paused. */
  stopPaused(): Promise<void> {
    const { pauses } = this.#parts;
    return this.stop([...this.#running.keys()].filter((id) => pauses.has(id)));
  }

  #next(): { kind: 'wait'; ms: number } | { kind: 'fetch'; job: JobRow } {
    const { store, flow, endpoint, limits, throttle } = this.#parts;
    if (this.#running.size >= throttle.parallel || store.jobs.counts.total.ready === 0) {
      return { kind: 'wait', ms: Infinity };
    }
    const wanted = this.#wanted();
    const next = wanted.find((id) => this.#timeLeft(id) === 0);
    if (next === undefined) {
      return { kind: 'wait', ms: Math.min(...wanted.map((id) => this.#timeLeft(id))) };
    }
    const limitMs = limits.wait('download');
    const ms = Math.max(flow.waitToRead(), endpoint.wait(), limitMs);
    this.#parts.trace?.(
      {
        ...{ of: 'download', waitMs: finiteMs(ms), job: next, limitMs: finiteMs(limitMs) },
        ...{ transfers: this.#running.size, limit: limits.view('download') },
      },
      'decision',
    );
    return ms > 0 ? { kind: 'wait', ms } : { kind: 'fetch', job: store.jobs.get(next) };
  }

  /** Milliseconds until a job may be tried. Look-ups run one at a time. */
  #timeLeft(jobId: number): number {
    const { waits } = this.#parts;
    const isToLookUp = typeof waits.of(jobId)?.host === 'string';
    return isToLookUp && this.#isLookingUp ? Infinity : waits.left(jobId);
  }

  /** Jobs whose video is to be fetched, in queue order; enough of them that one need not wait. */
  #wanted(): number[] {
    const { store, waits, pauses } = this.#parts;
    const enough = pauses.all ? -1 : waits.size + pauses.exceptions + 1;
    return store.jobs.ids('ready', enough).filter((id) => !pauses.has(id));
  }

  async #begin(job: JobRow, stop: AbortSignal): Promise<void> {
    const { store, links, linkDelay, waits, pauses, flow, clock, wakeSignal } = this.#parts;
    const { onProgress, onHold, onDefect } = this.#parts;
    const { remoteId } = job;
    if (remoteId === null) throw new Error(`Job ${job.id} is ready and has no id.`);
    if (!(await this.#isWorthALink(job, stop))) return;
    if (!waits.of(job.id) && waits.beginProbe()) onHold();
    const outcome = await links.ask(remoteId, stop);
    this.#parts.trace?.({ of: 'download', job: job.id, outcome: outcome.kind }, 'outcome');
    // Its owner may have let it go or paused it while we asked.
    if (store.jobs.find(job.id)?.state !== 'ready') return;
    if (pauses.has(job.id) || flow.paused === 'everything') return;
    switch (outcome.kind) {
      case 'link': {
        linkDelay.given(job.id);
        store.jobs.move(job.id, 'download', clock.now(), { failure: null });
        const own = new AbortController();
        const ended = this.#transfer(job, remoteId, outcome.link, own, stop)
          .catch(onDefect)
          .finally(() => {
            this.#running.delete(job.id);
            wakeSignal.notify();
          });
        this.#running.set(job.id, { stop: own, ended });
        return;
      }
      case 'not-ready':
        linkDelay.tooEarly(job.id);
        this.#askForStatus(job.id, outcome.answer);
        waits.begin(job.id, 'not-ready', null);
        return;
      case 'not-found':
      case 'expired':
        this.#noVideo(job.id, outcome);
        return;
      case 'unusable':
        if (outcome.answer) store.jobs.keepAnswer(job.id, outcome.answer.body, clock.now());
        if (!stop.aborted) waits.begin(job.id, 'service-error', null);
        onProgress(job.id);
        return;
      case 'rate-limited':
      case 'key-refused':
      case 'unreachable':
    }
  }

  /**
   * The service says that it does not have the video, although it said that it was finished. The
   * poller then asks for the status, which the service allows far more often than links. If the
   * status still says that the video exists, its link is requested a few more times.
   */
  #noVideo(
    jobId: number,
    { failure, answer }: Extract<LinkOutcome, { kind: 'not-found' | 'expired' }>,
  ): void {
    const { store, waits, clock } = this.#parts;
    const wait = waits.of(jobId);
    if (wait?.reason === 'not-found' && wait.times >= MAX_LINKS_NOT_FOUND) {
      store.jobs.keepAnswer(jobId, answer.body, clock.now());
      this.#fail(jobId, failure);
      return;
    }
    this.#askForStatus(jobId, answer, failure);
    waits.begin(jobId, 'not-found', null);
  }

  #askForStatus(jobId: number, answer: Answer, note?: UserMessage): void {
    const { store, clock } = this.#parts;
    store.transactions.write(() => {
      store.jobs.keepAnswer(jobId, answer.body, clock.now());
      store.jobs.move(jobId, 'notReady', clock.now(), {}, note);
    });
  }

  /**
   * Whether to spend a link on a job now. Not while the service has no links yet, while the disk has
   * no space for the file, or while DNS gives its server an address that is not allowed.
   */
  async #isWorthALink(job: JobRow, stop: AbortSignal): Promise<boolean> {
    const { waits, disks, linkDelay, onProgress } = this.#parts;
    const wait = waits.of(job.id);
    const early = linkDelay.left(job.id);
    if (early > 0 && (wait === undefined || wait.reason === 'not-ready')) {
      waits.postpone(job.id, early);
      onProgress(job.id);
      return false;
    }
    const required = wait?.room?.required;
    if (required !== undefined) {
      const free = await this.#free(job);
      if (free >= required) return true;
      waits.beginForRoom(job.id, free, required);
      onProgress(job.id);
      return false;
    }
    if (wait && wait.host !== null) {
      this.#lookUp(job.id, wait.host, stop);
      return false;
    }
    if (wait?.reason !== 'cannot-write' || (await disks.canWrite(this.#folderOf(job)))) return true;
    waits.begin(job.id, 'cannot-write', null);
    return false;
  }

  /** In the background, so that a slow resolver does not hold up other jobs. */
  #lookUp(jobId: number, host: string, stop: AbortSignal): void {
    const { waits, connections, wakeSignal, onProgress, onDefect } = this.#parts;
    const wait = waits.of(jobId);
    this.#isLookingUp = true;
    connections
      .isBlocked(host)
      .then((isBlocked) => {
        // The user may have allowed the address, or cancelled the job, meanwhile.
        if (stop.aborted || waits.of(jobId) !== wait) return;
        if (isBlocked) waits.beginForAddress(jobId, host);
        else waits.unblock(jobId);
        onProgress(jobId);
      })
      .catch(onDefect)
      .finally(() => {
        this.#isLookingUp = false;
        wakeSignal.notify();
      });
  }

  /** Bytes on the disk that the job's file goes to; none, when it does not say. */
  async #free(job: JobRow): Promise<number> {
    try {
      return await this.#parts.disks.free(this.#folderOf(job));
    } catch {
      return 0;
    }
  }

  #folderOf({ batchId }: JobRow): string {
    return this.#parts.store.batches.get(batchId).folder;
  }

  async #transfer(
    job: JobRow,
    remoteId: string,
    link: Link,
    own: AbortController,
    stop: AbortSignal,
  ): Promise<void> {
    const { store, links, transfers, throttle, clock, onProgress } = this.#parts;
    const since = clock.monotonic();
    const batch = store.batches.get(job.batchId);
    const signal = AbortSignal.any([own.signal, stop]);
    const target = pathBelow(batch.folder, job.fileName ?? `${job.id}.mp4`);
    const limits = throttle.begin();
    let outcome: DownloadOutcome | null = null;
    let isWritten = false;
    const end = async (ended: DownloadOutcome): Promise<void> => {
      if (isWritten) return;
      transfers.end(job.id, ended.kind === 'saved' ? ended.bytes : null);
      if (ended.kind === 'saved') this.#reached(link, since);
      await this.#conclude(job, ended, stop);
      isWritten = true;
    };
    try {
      outcome = await this.#parts.download({
        link,
        video: remoteId,
        target,
        // A file that another job saved is never replaced, whatever the batch's setting.
        onCollision: (await isFileOfOther(target, job.id, store.files))
          ? 'number'
          : batch.onCollision,
        renewLink: (_cause, renewal) => links.renew(remoteId, renewal),
        onProgress: (progress) => {
          if (progress.bytesPerSecond !== null) this.#reached(link, since);
          transfers.show(job.id, progress);
          onProgress(job.id);
        },
        onEvent: (event) => {
          if (event.kind === 'verifying') this.#showVerifying(job.id);
        },
        onSaved: end,
        signal,
        limits,
      });
    } finally {
      throttle.end(limits);
      await end(outcome ?? { kind: 'paused', receivedBytes: 0 });
    }
  }

  #reached(link: Link, since: number): void {
    const { waits, wakeSignal, onHold } = this.#parts;
    if (!waits.reached(new URL(link.url).hostname, since)) return;
    onHold();
    wakeSignal.notify();
  }

  /** A step that is only shown: `save` makes it too, if the disk does not take it now. */
  #showVerifying(jobId: number): void {
    const { store, clock } = this.#parts;
    try {
      if (store.jobs.get(jobId).state !== 'downloading') return;
      store.jobs.move(jobId, 'verify', clock.now());
    } catch (error) {
      if (!isWriteRefusal(error)) throw error;
    }
  }

  /** A transfer that ended has ended, even if the disk that it filled takes no word of it now. */
  async #conclude(job: JobRow, outcome: DownloadOutcome, stop: AbortSignal): Promise<void> {
    if (outcome.kind === 'waiting') await this.#wait(job, outcome);
    await untilWritten(() => this.#write(job, outcome), this.#parts.clock, stop);
  }

  #write(job: JobRow, outcome: DownloadOutcome): void {
    const { store, waits, pauses, clock } = this.#parts;
    const at = clock.now();
    switch (outcome.kind) {
      case 'saved':
        waits.end(job.id);
        store.transactions.write(() => {
          if (store.jobs.get(job.id).state === 'downloading') store.jobs.move(job.id, 'verify', at);
          store.jobs.move(job.id, 'save', at, {
            filePath: outcome.path,
            fileBytes: outcome.bytes,
            fileSha256: outcome.sha256,
            fileSeconds: outcome.durationSeconds,
            savedAt: at,
          });
          pauses.forget(job.id);
        });
        return;
      case 'paused':
        store.jobs.move(job.id, 'interrupt', at);
        return;
      case 'waiting':
        store.jobs.move(job.id, 'interrupt', at, {}, noteOf(outcome));
        return;
      case 'skipped':
        this.#fail(job.id, {
          code: 'download-failed',
          ...userMessage('file-here-already', { path: outcome.path }),
        });
        return;
      case 'failed':
        this.#fail(job.id, {
          code: outcome.code === 'damaged' ? 'file-damaged' : 'download-failed',
          ...messageOf(outcome),
        });
    }
  }

  #fail(jobId: number, failure: Failure): void {
    const { store, clock } = this.#parts;
    store.jobs.move(jobId, 'fetchFailed', clock.now(), { failure }, failure);
  }

  /** The world's fault: it goes on by itself, and its neighbours do not wait for it. */
  async #wait(job: JobRow, outcome: Waiting): Promise<void> {
    const { waits, onHold } = this.#parts;
    switch (outcome.reason) {
      case 'no-space': {
        const needed = outcome.neededBytes ?? SOME_ROOM_BYTES;
        waits.beginForRoom(job.id, await this.#free(job), needed);
        return;
      }
      case 'address-blocked':
        waits.foundBlocked(job.id, outcome.host);
        onHold();
        return;
      default:
        waits.begin(job.id, outcome.reason, outcome.until);
    }
  }
}

type Waiting = Extract<DownloadOutcome, { kind: 'waiting' }>;

/** What a job's history says of a wait. */
function noteOf(outcome: Waiting): UserMessage {
  return outcome.reason === 'address-blocked'
    ? userMessage('download-address-blocked', { host: outcome.host })
    : userMessage(NOTES[outcome.reason]);
}

const NOTES = {
  'no-space': 'disk-was-full',
  'cannot-write': 'folder-was-unwritable',
  'link-limit': 'link-limit-reached',
  'no-link': 'no-new-link',
  'server-busy': 'download-server-busy',
  unreachable: 'download-server-unreachable',
} as const satisfies Record<Exclude<WaitReason, 'address-blocked'>, MessageName>;
