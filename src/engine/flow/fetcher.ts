import type { SlotTaker, TransferSlot } from '../downloads/bandwidth.ts';
import type { JobChange, JobRow, JobWait } from '../jobs/job-row.ts';
import type { LinkOutcome } from '../service/outcomes.ts';
import { DownloadLinks, type DownloadLinksContext } from './download-links.ts';
import type { DownloadWaits } from './download-waits.ts';
import type { FlowContext } from './flow-context.ts';
import { JobTransfers, type JobTransfersContext } from './job-transfers.ts';

/** What it takes of a session. */
type FetcherContext = Pick<
  FlowContext,
  | 'clock'
  | 'store'
  | 'api'
  | 'throttle'
  | 'feed'
  | 'limits'
  | 'blockedServer'
  | 'linkDelay'
  | 'pauses'
  | 'wakeSignal'
  | 'onDefect'
  | 'trace'
  | 'flow'
> &
  DownloadLinksContext &
  JobTransfersContext;

/** Attempts to get a link for a video that exists according to its status: ten minutes in all. */
const MAX_LINKS_NOT_FOUND = 7;

/**
 * After this time without a link, the user decides about a video that is said to be finished. An
 * endpoint for links may be out of order; a status that says so belongs to a service that works.
 */
const WITHOUT_LINK_FOR_MS = { endpoint: 86_400_000, status: 7_200_000 };

/** Waits of a video whose last link was no link either. */
const WITHOUT_LINK: readonly (JobWait['kind'] | undefined)[] = [
  'not-ready',
  'service-error',
  'no-link',
];

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
  readonly #context: FetcherContext;
  readonly #waits: DownloadWaits;
  readonly #links: DownloadLinks;
  readonly #transfers: JobTransfers;
  readonly #running = new Map<number, Running>();
  readonly #taker: SlotTaker;

  constructor(context: FetcherContext, waits: DownloadWaits) {
    this.#context = context;
    this.#waits = waits;
    this.#links = new DownloadLinks(context, waits);
    this.#transfers = new JobTransfers(context, waits, this.#links);
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
      throttle.stopWaiting(this.#taker);
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
    if (typeof next === 'number') throttle.stopWaiting(this.#taker);
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
    const { store, linkDelay, blockedServer, clock, feed, wakeSignal, onDefect } = this.#context;
    const { remoteId } = job;
    if (remoteId === null) throw new Error(`Job ${job.id} is ready and has no id.`);
    if (!(await this.#waits.isOver(job, stop))) return undefined;
    if (job.waitReason === null && blockedServer.beginProbe()) feed.rows();
    const outcome = await this.#links.ask(remoteId, stop, (answer) =>
      this.#waitsForLink(job.id) ? this.#given(job.id, answer) : null,
    );
    this.#context.trace?.({ of: 'download', job: job.id, outcome: outcome.kind }, 'outcome');
    if (outcome.kind !== 'link' || !this.#waitsForLink(job.id)) return undefined;
    linkDelay.given(job.id);
    store.jobs.move(job.id, 'download', clock.now(), STARTED);
    const own = new AbortController();
    const ended = this.#transfers
      .run(job, remoteId, outcome.link, limits, own.signal, stop)
      .catch(onDefect)
      .finally(() => {
        this.#running.delete(job.id);
        wakeSignal.notify();
      });
    const running = { stop: own, ended };
    this.#running.set(job.id, running);
    return running;
  }

  /** The user may have abandoned or paused it while its link was requested. */
  #waitsForLink(jobId: number): boolean {
    const { store, pauses, flow } = this.#context;
    const isReady = store.jobs.find(jobId)?.state === 'ready';
    return isReady && !pauses.has(jobId) && flow.paused !== 'everything';
  }

  /** The job that a response is about, and whether another request would not help. */
  #given(jobId: number, { kind }: LinkOutcome): { jobId: number; isGivenUp: boolean } {
    const job = this.#context.store.jobs.get(jobId);
    switch (kind) {
      case 'not-ready':
        this.#context.linkDelay.tooEarly(jobId);
        this.#context.feed.rows();
        return { jobId, isGivenUp: this.#isWithoutLink(job) };
      case 'no-link':
        return { jobId, isGivenUp: this.#isWithoutLink(job) };
      case 'not-found':
      case 'expired': {
        const isRepeated = job.waitReason?.kind === 'not-found';
        return { jobId, isGivenUp: isRepeated && job.tries >= MAX_LINKS_NOT_FOUND };
      }
      default:
        return { jobId, isGivenUp: false };
    }
  }

  /** A video that has been finished for long and never had a link: asking on does not help. */
  #isWithoutLink({ readyAt, waitReason, tries }: JobRow): boolean {
    const { clock, api } = this.#context;
    const now = clock.now();
    const source = api.file.kind === 'link-endpoint' ? 'endpoint' : 'status';
    const isLate = now - (readyAt ?? now) >= WITHOUT_LINK_FOR_MS[source];
    return isLate && WITHOUT_LINK.includes(waitReason?.kind) && tries >= MAX_LINKS_NOT_FOUND;
  }
}
