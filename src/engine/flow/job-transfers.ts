import type { Collision } from '../../contract/batch.ts';
import type { Failure } from '../../contract/failure.ts';
import type { MessageName } from '../../contract/messages.ts';
import { userMessage, messageOf, type UserMessage } from '../../contract/user-message.ts';
import type { TransferSlot } from '../downloads/bandwidth.ts';
import { pathBelow } from '../downloads/naming.ts';
import type { DownloadOutcome, WaitingOutcome, WaitReason } from '../downloads/request.ts';
import { fileNameOf, type JobRow } from '../jobs/job-row.ts';
import { isIn } from '../../contract/job-states.ts';
import { isWriteRefusal, untilWritten } from '../jobs/transactions.ts';
import type { Link } from '../link.ts';
import type { DownloadLinks } from './download-links.ts';
import type { DownloadWaits } from './download-waits.ts';
import type { FlowContext } from './flow-context.ts';
import { isFileOfOther } from './saved-files.ts';

/** What it takes of a session. */
export type JobTransfersContext = Pick<
  FlowContext,
  | 'clock'
  | 'store'
  | 'deleteSaved'
  | 'download'
  | 'feed'
  | 'blockedServer'
  | 'pauses'
  | 'transfers'
  | 'wakeSignal'
>;

/** Downloads the files of jobs, and stores the outcomes. */
export class JobTransfers {
  readonly #context: JobTransfersContext;
  readonly #waits: DownloadWaits;
  readonly #links: DownloadLinks;

  constructor(context: JobTransfersContext, waits: DownloadWaits, links: DownloadLinks) {
    this.#context = context;
    this.#waits = waits;
    this.#links = links;
  }

  /**
   * Resolves once the outcome is stored.
   * @param own stops this transfer
   * @param stop stops all of them, and the wait for a disk that refuses the outcome
   */
  async run(
    job: JobRow,
    remoteId: string,
    link: Link,
    limits: TransferSlot['limits'],
    own: AbortSignal,
    stop: AbortSignal,
  ): Promise<void> {
    const { store, transfers, clock, feed, download } = this.#context;
    const since = clock.monotonic();
    const batch = store.batches.get(job.batchId);
    const signal = AbortSignal.any([own, stop]);
    const target = pathBelow(batch.folder, fileNameOf(job));
    let outcome: DownloadOutcome | null = null;
    let isWritten = false;
    const end = async (ended: DownloadOutcome): Promise<void> => {
      if (isWritten) return;
      transfers.end(job.id, ended.kind === 'saved' ? ended.bytes : null);
      if (ended.kind === 'saved') this.#reached(link, since);
      await this.#conclude(job, ended, stop);
      isWritten = true;
    };
    const transfer = (onCollision: Collision): Promise<DownloadOutcome> =>
      download({
        link,
        video: remoteId,
        target,
        onCollision,
        renewLink: (_cause, renewal) => this.#links.renew(remoteId, renewal),
        onProgress: (progress) => {
          if (progress.bytesPerSecond !== null) this.#reached(link, since);
          transfers.show(job.id, progress);
          feed.job(job.id);
        },
        onEvent: (event) => {
          if (event.kind === 'verifying') this.#showVerifying(job.id);
        },
        onSaved: end,
        signal,
        limits,
      });
    // A file that another job saved is never replaced or kept instead, whatever the batch's setting.
    const isOfOther = (): Promise<boolean> => isFileOfOther(target, job.id, store.files);
    try {
      outcome = await transfer((await isOfOther()) ? 'number' : batch.onCollision);
      if (isTargetBusy(outcome) || (outcome.kind === 'skipped' && (await isOfOther())))
        outcome = await transfer('number');
    } finally {
      await end(outcome ?? { kind: 'paused', receivedBytes: 0 });
    }
    if (outcome.kind === 'saved' && store.jobs.get(job.id).videoDeleted)
      await this.#context.deleteSaved?.(remoteId, outcome.sha256);
  }

  #reached(link: Link, since: number): void {
    const { blockedServer, wakeSignal, feed } = this.#context;
    if (!blockedServer.reached(new URL(link.url).hostname, since)) return;
    feed.rows();
    wakeSignal.notify();
  }

  /** Only shown: `save` makes this move too, in case the disk refuses it now. */
  #showVerifying(jobId: number): void {
    const { store, clock } = this.#context;
    try {
      if (store.jobs.get(jobId).state !== 'downloading') return;
      store.jobs.move(jobId, 'verify', clock.now());
    } catch (error) {
      if (!isWriteRefusal(error)) throw error;
    }
  }

  /** The transfer counts as ended even if its full disk refuses to store that now. */
  async #conclude(job: JobRow, outcome: DownloadOutcome, stop: AbortSignal): Promise<void> {
    const isDiskFull = outcome.kind === 'waiting' && outcome.reason === 'no-space';
    const free = isDiskFull ? await this.#waits.findSpace(job) : 0;
    await untilWritten(() => this.#write(job, outcome, free), this.#context.clock, stop);
  }

  #write(job: JobRow, outcome: DownloadOutcome, free: number): void {
    const { store, pauses, clock, feed, deleteSaved } = this.#context;
    const at = clock.now();
    switch (outcome.kind) {
      case 'saved':
        store.transactions.write(() => {
          if (store.jobs.get(job.id).state === 'downloading') store.jobs.move(job.id, 'verify', at);
          const notice = this.#sameFileNotice(job, outcome.sha256);
          const change = {
            filePath: outcome.path,
            fileBytes: outcome.bytes,
            fileSha256: outcome.sha256,
            fileSeconds: outcome.durationSeconds,
            savedAt: at,
            ...(notice && { notice }),
          };
          store.jobs.move(job.id, 'save', at, change, notice ?? undefined);
          if (deleteSaved && job.remoteId !== null) this.#markDeleted(job.remoteId);
          pauses.forget(job.id);
        });
        return;
      case 'paused':
        store.jobs.move(job.id, 'interrupt', at);
        return;
      case 'waiting': {
        const wait = this.#waits.afterTransfer(job.id, outcome, free);
        store.jobs.move(job.id, 'interrupt', at, wait, noteOf(outcome));
        if (outcome.reason === 'address-blocked') feed.rows();
        return;
      }
      case 'skipped':
        this.#fail(job.id, {
          code: 'download-failed',
          ...userMessage('target-file-exists', { path: outcome.path }),
        });
        return;
      case 'failed':
        this.#fail(job.id, {
          code: outcome.code === 'damaged' ? 'file-damaged' : 'download-failed',
          ...messageOf(outcome),
        });
    }
  }

  /**
   * Marks a video that the service is told to delete next, unless another job needs it. In the
   * transaction that saves the file, so that no row is added meanwhile that counts on the video. If
   * the process is killed before the service is told, the service keeps it for its retention time.
   */
  #markDeleted(remoteId: string): void {
    const { jobs } = this.#context.store;
    const sharing = jobs.withRemoteId(remoteId);
    if (!sharing.every(({ state }) => isIn('saved', state))) return;
    for (const { id } of sharing) jobs.change(id, { videoDeleted: true });
  }

  /** Different requests do not give equal files: one of the two videos may be the wrong one. */
  #sameFileNotice({ bodySha256 }: JobRow, sha256: string): UserMessage | null {
    const other = this.#context.store.jobs.withFile(sha256, bodySha256);
    return other && userMessage('file-same-as', { title: other.title });
  }

  #fail(jobId: number, failure: Failure): void {
    const { store, clock } = this.#context;
    store.jobs.move(jobId, 'downloadFailed', clock.now(), { failure }, failure);
  }
}

/** Another download has the job's name. */
function isTargetBusy(outcome: DownloadOutcome): boolean {
  return outcome.kind === 'failed' && outcome.code === 'target-busy';
}

/** The note about a wait in a job's history. */
function noteOf(outcome: WaitingOutcome): UserMessage {
  switch (outcome.reason) {
    case 'address-blocked':
      return userMessage('download-address-blocked', { host: outcome.host });
    case 'proxy-failed':
      return outcome.why;
    default:
      return userMessage(NOTES[outcome.reason]);
  }
}

const NOTES = {
  'no-space': 'disk-was-full',
  'cannot-write': 'folder-was-unwritable',
  'too-many-files': 'too-many-open-files',
  'link-limit': 'link-limit-reached',
  'no-link': 'no-new-link',
  'server-busy': 'download-server-busy',
  unreachable: 'download-server-unreachable',
} as const satisfies Record<WaitReason, MessageName>;
