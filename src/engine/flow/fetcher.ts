import type { Failure } from '../../contract/failure.ts';
import type { MessageName } from '../../contract/messages.ts';
import { userMessage, messageOf, type UserMessage } from '../../contract/user-message.ts';
import type { SlotTaker, TransferSlot } from '../downloads/bandwidth.ts';
import { pathBelow } from '../downloads/naming.ts';
import type { DownloadOutcome, WaitReason } from '../downloads/request.ts';
import type { JobChange, JobRow, JobWait } from '../jobs/job-row.ts';
import { isWriteRefusal, untilWritten } from '../jobs/transactions.ts';
import type { Link } from '../link.ts';
import type { Answer, LinkOutcome } from '../service/outcomes.ts';
import { DownloadLinks } from './download-links.ts';
import type { DownloadWaits } from './download-waits.ts';
import type { FlowContext } from './flow-context.ts';
import { isFileOfOther } from './saved-files.ts';

/** Attempts to get a link for a video that exists according to its status: ten minutes in all. */
const MAX_LINKS_NOT_FOUND = 7;

/** Ends a wait. The number of failures is kept until the file is saved. */
const STARTED: JobChange = { failure: null, nextTryAt: null, waitReason: null };

interface Running {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/**
 * Downloads finished videos. A link is requested only when a transfer can use it at once, because
 * it is valid for one hour and counts against 30 an hour (service-api.md §8.1, §8.5).
 */
export class Fetcher {
  readonly #context: FlowContext;
  readonly #waits: DownloadWaits;
  readonly #links: DownloadLinks;
  readonly #running = new Map<number, Running>();
  readonly #taker: SlotTaker;

  constructor(context: FlowContext, waits: DownloadWaits) {
    this.#context = context;
    this.#waits = waits;
    this.#links = new DownloadLinks(context, waits);
    this.#taker = { wake: () => context.wakeSignal.notify() };
  }

  /** Works until `stop` is aborted, which also stops transfers; their part files stay. */
  async run(stop: AbortSignal): Promise<void> {
    const { wakeSignal, throttle } = this.#context;
    try {
      await wakeSignal.repeat(async () => {
        this.#waits.followClock();
        const next = this.#next();
        if (typeof next === 'number') return next;
        await this.#fetch(next, stop);
        return 0;
      }, stop);
    } finally {
      throttle.withdraw(this.#taker);
    }
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  /**
   * Stops these jobs' transfers and waits until none of them is running: while one is being
   * stopped, another may have started again. Their part files stay.
   */
  async stop(jobIds: readonly number[]): Promise<void> {
    for (;;) {
      const running = jobIds.flatMap((id) => this.#running.get(id) ?? []);
      if (running.length === 0) return;
      for (const { stop } of running) stop.abort();
      await Promise.all(running.map(({ ended }) => ended));
    }
  }

  stopAll(): Promise<void> {
    return this.stop([...this.#running.keys()]);
  }

  /** Stops the transfers that the user has paused. */
  stopPaused(): Promise<void> {
    const { pauses } = this.#context;
    return this.stop([...this.#running.keys()].filter((id) => pauses.has(id)));
  }

  /** The job that may be downloaded now, or the milliseconds until there may be one. */
  #next(): JobRow | number {
    const { store, throttle } = this.#context;
    const isAny = store.jobs.counts.total.ready > 0;
    const slotMs = isAny ? throttle.requestSlot(this.#taker) : 0;
    // Keeps its place in the queue for a slot.
    if (slotMs > 0) return slotMs;
    const next = isAny ? this.#nextWithSlot() : Infinity;
    if (typeof next === 'number') throttle.withdraw(this.#taker);
    return next;
  }

  #nextWithSlot(): JobRow | number {
    const { store, flow, limits, trace } = this.#context;
    const waiting = new Map(store.jobs.waiting().map((job) => [job.id, job]));
    const wanted = this.#wanted(waiting.size);
    const left = wanted.map((id) => this.#waits.left(id, waiting.get(id)));
    const next = this.#links.first(wanted.filter((_id, index) => left[index] === 0));
    if (next === null) return Math.min(...left);
    const { jobId, ms: limitMs } = next;
    const waitMs = Math.max(flow.waitToRead(), limitMs);
    const transfers = this.#running.size;
    const limit = limits.view('download');
    trace?.({ of: 'download', waitMs, job: jobId, limitMs, transfers, limit }, 'decision');
    return waitMs > 0 ? waitMs : store.jobs.get(jobId);
  }

  /**
   * Jobs whose video is to be downloaded, in queue order; enough of them that one is not waiting.
   * @param waiting number of jobs with a wait
   */
  #wanted(waiting: number): number[] {
    const { store, pauses, linkDelay } = this.#context;
    const isAnyLate = pauses.all || linkDelay.delays;
    const ids = store.jobs.ids('ready', isAnyLate ? -1 : waiting + pauses.exceptions + 1);
    return ids.filter((id) => !pauses.has(id));
  }

  /**
   * Takes a slot before it requests the link, so that no other service takes the slot meanwhile.
   */
  async #fetch(job: JobRow, stop: AbortSignal): Promise<void> {
    const slot = this.#context.throttle.takeSlot(this.#taker);
    let transfer: Running | undefined;
    try {
      transfer = await this.#begin(job, slot, stop);
    } finally {
      if (!transfer) slot.release();
    }
    void transfer?.ended.then(() => slot.release());
  }

  async #begin(
    job: JobRow,
    { limits }: TransferSlot,
    stop: AbortSignal,
  ): Promise<Running | undefined> {
    const { store, linkDelay, blockedServer, pauses, flow, clock, feed } = this.#context;
    const { wakeSignal, onDefect } = this.#context;
    const { remoteId } = job;
    if (remoteId === null) throw new Error(`Job ${job.id} is ready and has no id.`);
    if (!(await this.#waits.isOver(job, stop))) return undefined;
    if (job.waitReason === null && blockedServer.beginProbe()) feed.rows();
    const outcome = await this.#links.ask(remoteId, stop);
    this.#context.trace?.({ of: 'download', job: job.id, outcome: outcome.kind }, 'outcome');
    // The user may have abandoned or paused it meanwhile.
    if (store.jobs.find(job.id)?.state !== 'ready') return undefined;
    if (pauses.has(job.id) || flow.paused === 'everything') return undefined;
    switch (outcome.kind) {
      case 'link': {
        linkDelay.given(job.id);
        store.jobs.move(job.id, 'download', clock.now(), STARTED);
        const own = new AbortController();
        const ended = this.#transfer(job, remoteId, outcome.link, limits, own, stop)
          .catch(onDefect)
          .finally(() => {
            this.#running.delete(job.id);
            wakeSignal.notify();
          });
        const running = { stop: own, ended };
        this.#running.set(job.id, running);
        return running;
      }
      case 'not-ready':
        linkDelay.tooEarly(job.id);
        this.#askForStatus(job.id, { kind: 'not-ready' }, outcome.answer);
        feed.rows();
        return undefined;
      case 'not-found':
      case 'expired':
        this.#noVideo(job.id, outcome);
        return undefined;
      case 'unusable':
      case 'server-error':
        store.transactions.write(() => {
          if (outcome.answer) store.jobs.keepAnswer(job.id, outcome.answer.body, clock.now());
          if (!stop.aborted) this.#waits.begin(job.id, { kind: 'service-error' });
        });
        return undefined;
      case 'rate-limited':
      case 'key-refused':
      case 'unreachable':
        return undefined;
    }
  }

  /**
   * The service says that it does not have the video, although it said that it was finished. The
   * poller then requests the status, for which the limit is far higher than for links. If the
   * status still says that the video exists, its link is requested a few more times.
   */
  #noVideo(
    jobId: number,
    { failure, answer }: Extract<LinkOutcome, { kind: 'not-found' | 'expired' }>,
  ): void {
    const { store, clock } = this.#context;
    const { waitReason: wait, tries } = store.jobs.get(jobId);
    if (wait?.kind === 'not-found' && tries >= MAX_LINKS_NOT_FOUND) {
      store.jobs.keepAnswer(jobId, answer.body, clock.now());
      this.#fail(jobId, failure);
      return;
    }
    this.#askForStatus(jobId, { kind: 'not-found' }, answer, failure);
  }

  #askForStatus(jobId: number, wait: JobWait, answer: Answer, note?: UserMessage): void {
    const { store, clock } = this.#context;
    const now = clock.now();
    store.transactions.write(() => {
      store.jobs.keepAnswer(jobId, answer.body, now);
      store.jobs.move(jobId, 'notReady', now, this.#waits.next(jobId, wait), note);
    });
  }

  async #transfer(
    job: JobRow,
    remoteId: string,
    link: Link,
    limits: TransferSlot['limits'],
    own: AbortController,
    stop: AbortSignal,
  ): Promise<void> {
    const { store, transfers, clock, feed } = this.#context;
    const since = clock.monotonic();
    const batch = store.batches.get(job.batchId);
    const signal = AbortSignal.any([own.signal, stop]);
    const target = pathBelow(batch.folder, job.fileName ?? `${job.id}.mp4`);
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
      outcome = await this.#context.download({
        link,
        video: remoteId,
        target,
        // A file that another job saved is never replaced, whatever the batch's setting.
        onCollision: (await isFileOfOther(target, job.id, store.files))
          ? 'number'
          : batch.onCollision,
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
    } finally {
      await end(outcome ?? { kind: 'paused', receivedBytes: 0 });
    }
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
    const { store, pauses, clock, feed } = this.#context;
    const at = clock.now();
    switch (outcome.kind) {
      case 'saved':
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
      case 'waiting': {
        const wait = this.#waits.afterTransfer(job.id, outcome, free);
        store.jobs.move(job.id, 'interrupt', at, wait, noteOf(outcome));
        if (outcome.reason === 'address-blocked') feed.rows();
        return;
      }
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
    const { store, clock } = this.#context;
    store.jobs.move(jobId, 'downloadFailed', clock.now(), { failure }, failure);
  }
}

type Waiting = Extract<DownloadOutcome, { kind: 'waiting' }>;

/** The note about a wait in a job's history. */
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
} as const satisfies Record<WaitReason, MessageName>;
