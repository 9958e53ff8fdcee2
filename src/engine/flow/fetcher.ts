import type { Failure } from '../../contract/failure.ts';
import type { SentenceName } from '../../contract/sentences.ts';
import { tell, toldBy } from '../../contract/told.ts';
import type { Clock } from '../clock.ts';
import type { Disks } from '../downloads/disk-room.ts';
import { pathBelow } from '../downloads/naming.ts';
import type { DownloadOutcome, DownloadRequest, WaitReason } from '../downloads/request.ts';
import type { JobRow } from '../jobs/job-row.ts';
import type { Store } from '../jobs/store.ts';
import { isWriteRefusal } from '../jobs/transactions.ts';
import type { Link } from '../service/outcomes.ts';
import type { Bell } from './bell.ts';
import type { FlowControl } from './flow-control.ts';
import type { LinkDesk } from './link-desk.ts';
import type { RateLimits } from './rate-limits.ts';
import type { TransferBoard } from './transfer-board.ts';
import type { TransferThrottle } from './transfer-limits.ts';
import type { TransferPauses } from './transfer-pauses.ts';
import type { TransferWaits } from './transfer-waits.ts';
import { untilWritten } from './until-written.ts';

const LOOK_AGAIN_MS = 30_000;

/** Room to look for when a disk was found full under a file of unknown size. */
const SOME_ROOM_BYTES = 16 * 1024 * 1024;

export interface FetcherParts {
  readonly store: Store;
  readonly links: LinkDesk;
  readonly download: (request: DownloadRequest) => Promise<DownloadOutcome>;
  readonly limits: RateLimits;
  readonly flow: FlowControl;
  readonly transfers: TransferBoard;
  readonly waits: TransferWaits;
  readonly pauses: TransferPauses;
  readonly throttle: TransferThrottle;
  readonly disks: Disks;
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
    const { store, flow, limits, throttle, waits } = this.#parts;
    if (this.#running.size >= throttle.parallel || store.jobs.counts.total.ready === 0) {
      return { kind: 'wait', ms: Infinity };
    }
    const wanted = this.#wanted();
    const next = wanted.find((id) => waits.left(id) === 0);
    if (next === undefined) {
      return { kind: 'wait', ms: Math.min(...wanted.map((id) => waits.left(id))) };
    }
    const ms = Math.max(flow.waitToRead(), limits.wait('download'));
    return ms > 0 ? { kind: 'wait', ms } : { kind: 'fetch', job: store.jobs.get(next) };
  }

  /** Jobs whose video is to be fetched, in queue order; enough of them that one need not wait. */
  #wanted(): number[] {
    const { store, waits, pauses } = this.#parts;
    const enough = pauses.all ? -1 : waits.size + pauses.exceptions + 1;
    return store.jobs.ids('ready', enough).filter((id) => !pauses.has(id));
  }

  async #begin(job: JobRow, stop: AbortSignal): Promise<void> {
    const { store, links, waits, pauses, flow, clock, bell, onDefect } = this.#parts;
    const { remoteId } = job;
    if (remoteId === null) throw new Error(`Job ${job.id} is ready and has no id.`);
    if (!(await this.#isWorthALink(job))) return;
    const outcome = await links.ask(remoteId, stop);
    // Its owner may have let it go or paused it while we asked.
    if (store.jobs.find(job.id)?.state !== 'ready') return;
    if (pauses.has(job.id) || flow.paused === 'everything') return;
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
        waits.begin(job.id, 'not-ready', null);
        return;
      case 'not-found':
        store.jobs.move(job.id, 'fetchFailed', clock.now(), { failure: outcome.failure });
        return;
      case 'rate-limited':
      case 'key-refused':
      case 'unreachable':
    }
  }

  /** A job that waits for its disk spends no link before the disk would take the file. */
  async #isWorthALink(job: JobRow): Promise<boolean> {
    const { waits, disks, onProgress } = this.#parts;
    const wait = waits.of(job.id);
    const required = wait?.room?.required;
    if (required !== undefined) {
      const free = await this.#free(job);
      if (free >= required) return true;
      waits.beginForRoom(job.id, free, required);
      onProgress(job.id);
      return false;
    }
    if (wait?.reason !== 'cannot-write' || (await disks.canWrite(this.#folderOf(job)))) return true;
    waits.begin(job.id, 'cannot-write', null);
    return false;
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
    const { store, links, transfers, throttle, onProgress } = this.#parts;
    const batch = store.batches.get(job.batchId);
    const signal = AbortSignal.any([own.signal, stop]);
    const limits = throttle.begin();
    let outcome: DownloadOutcome | null = null;
    try {
      outcome = await this.#parts.download({
        link,
        video: remoteId,
        target: pathBelow(batch.folder, job.fileName ?? `${job.id}.mp4`),
        onCollision: batch.onCollision,
        renewLink: (_cause, renewal) => links.renew(remoteId, renewal),
        onProgress: (progress) => {
          transfers.show(job.id, progress);
          onProgress(job.id);
        },
        onEvent: (event) => {
          if (event.kind === 'verifying') this.#showVerifying(job.id);
        },
        signal,
        limits,
      });
    } finally {
      throttle.end(limits);
      transfers.end(job.id, outcome?.kind === 'saved' ? outcome.bytes : null);
      await this.#conclude(job, outcome ?? { kind: 'paused', receivedBytes: 0 }, stop);
    }
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
        store.jobs.move(job.id, 'interrupt', at, {}, tell(NOTES[outcome.reason]));
        return;
      case 'skipped':
        this.#fail(job, {
          code: 'download-failed',
          ...tell('file-here-already', { path: outcome.path }),
        });
        return;
      case 'failed':
        this.#fail(job, {
          code: outcome.code === 'damaged' ? 'file-damaged' : 'download-failed',
          ...toldBy(outcome),
        });
    }
  }

  #fail(job: JobRow, failure: Failure): void {
    const { store, clock } = this.#parts;
    store.jobs.move(job.id, 'fetchFailed', clock.now(), { failure }, failure);
  }

  /** The world's fault: it goes on by itself, and its neighbours do not wait for it. */
  async #wait(
    job: JobRow,
    { reason, until, neededBytes }: Extract<DownloadOutcome, { kind: 'waiting' }>,
  ): Promise<void> {
    const { waits } = this.#parts;
    if (reason === 'no-space') {
      waits.beginForRoom(job.id, await this.#free(job), neededBytes ?? SOME_ROOM_BYTES);
    } else {
      waits.begin(job.id, reason, until);
    }
  }
}

/** What a job's history says of a wait. */
const NOTES = {
  'no-space': 'disk-was-full',
  'cannot-write': 'folder-was-unwritable',
  'link-limit': 'link-limit-reached',
  'server-busy': 'download-server-busy',
  unreachable: 'download-server-unreachable',
} as const satisfies Record<WaitReason, SentenceName>;
