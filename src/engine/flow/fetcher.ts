import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import type { SlotTaker, TransferSlot } from '../downloads/bandwidth.ts';
import type { JobChange, JobRow, JobWait } from '../jobs/job-row.ts';
import type { HttpResponse, LinkOutcome } from '../service/outcomes.ts';
import { DownloadLinks } from './download-links.ts';
import type { DownloadWaits } from './download-waits.ts';
import type { FlowContext } from './flow-context.ts';
import { refuseAccepted } from './refusals.ts';
import { JobTransfers } from './job-transfers.ts';

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
  readonly #context: FlowContext;
  readonly #waits: DownloadWaits;
  readonly #links: DownloadLinks;
  readonly #transfers: JobTransfers;
  readonly #running = new Map<number, Running>();
  readonly #taker: SlotTaker;

  constructor(context: FlowContext, waits: DownloadWaits) {
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
      case 'not-ready':
        linkDelay.tooEarly(job.id);
        if (this.#endsWithoutLink(job, outcome.response)) return undefined;
        this.#askForStatus(job.id, { kind: 'not-ready' }, outcome.response);
        feed.rows();
        return undefined;
      case 'not-found':
      case 'expired':
        this.#noVideo(job.id, outcome);
        return undefined;
      case 'refused':
        store.transactions.write(() => {
          store.jobs.storeResponse(job.id, outcome.response.body, clock.now());
          store.jobs.move(job.id, 'notReady', clock.now());
          refuseAccepted(this.#context, job.id, { failure: outcome.failure });
        });
        return undefined;
      case 'no-link':
        if (this.#endsWithoutLink(job, outcome.response)) return undefined;
        this.#waitForService(job.id, outcome.response);
        return undefined;
      case 'unusable':
      case 'server-error':
        store.transactions.write(() => {
          if (outcome.response)
            store.jobs.storeResponse(job.id, outcome.response.body, clock.now());
          if (!stop.aborted) this.#waits.begin(job.id, { kind: 'service-error' });
        });
        return undefined;
      case 'rate-limited':
      case 'key-refused':
      case 'unreachable':
        return undefined;
    }
  }

  #waitForService(jobId: number, response: HttpResponse): void {
    const { store, clock } = this.#context;
    store.transactions.write(() => {
      store.jobs.storeResponse(jobId, response.body, clock.now());
      this.#waits.begin(jobId, { kind: 'service-error' });
    });
  }

  /** A video that has been finished for long and never had a link: asking on does not help. */
  #endsWithoutLink(job: JobRow, response: HttpResponse): boolean {
    const { store, clock, api } = this.#context;
    const now = clock.now();
    const patience = api.file.kind === 'link-endpoint' ? 'endpoint' : 'status';
    const isLate = now - (job.readyAt ?? now) >= WITHOUT_LINK_FOR_MS[patience];
    const isRepeated = WITHOUT_LINK.includes(job.waitReason?.kind);
    if (!isLate || !isRepeated || job.tries < MAX_LINKS_NOT_FOUND) return false;
    const failure = { code: 'file-not-offered', ...userMessage('finished-without-file') } as const;
    store.transactions.write(() => {
      store.jobs.storeResponse(job.id, response.body, now);
      store.jobs.move(job.id, 'downloadFailed', now, { failure }, failure);
    });
    return true;
  }

  /**
   * The service says that it does not have the video, although it said that it was finished. The
   * poller then requests the status, for which the limit is far higher than for links. If the
   * status still says that the video exists, its link is requested a few more times.
   */
  #noVideo(
    jobId: number,
    { failure, response }: Extract<LinkOutcome, { kind: 'not-found' | 'expired' }>,
  ): void {
    const { store, clock } = this.#context;
    const { waitReason: wait, tries } = store.jobs.get(jobId);
    if (wait?.kind === 'not-found' && tries >= MAX_LINKS_NOT_FOUND) {
      store.jobs.storeResponse(jobId, response.body, clock.now());
      store.jobs.move(jobId, 'downloadFailed', clock.now(), { failure }, failure);
      return;
    }
    this.#askForStatus(jobId, { kind: 'not-found' }, response, failure);
  }

  #askForStatus(jobId: number, wait: JobWait, response: HttpResponse, note?: UserMessage): void {
    const { store, clock } = this.#context;
    const now = clock.now();
    store.transactions.write(() => {
      store.jobs.storeResponse(jobId, response.body, now);
      store.jobs.move(jobId, 'notReady', now, this.#waits.next(jobId, wait), note);
    });
  }
}
