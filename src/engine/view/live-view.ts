import { STATE_GROUPS } from '../../contract/job-states.ts';
import type { Job, Wait } from '../../contract/job.ts';
import type { Summary, Update } from '../../contract/summary.ts';
import type { JobRow } from '../jobs/job-row.ts';
import type { ChangeFeed } from './change-feed.ts';
import { showJob, type JobViewContext } from './job-view.ts';
import { resetTimes, showSummary, type SummaryViewContext } from './summary-view.ts';

/** While a client watches, what changes with time alone is shown this often. */
const TICK_MS = 1000;

/** Rows whose guessed progress is shown moving; more do not fit a page. */
const SHOWN_MOVING = 100;

export interface ViewContext extends JobViewContext, SummaryViewContext {
  readonly feed: ChangeFeed;
  /** Ends all updates. */
  readonly stop: AbortSignal;
}

/** The queue as its watchers see it: where it stands, and whatever changes, as it changes. */
export class LiveView {
  readonly #context: ViewContext;
  /** The waits of all rows that watchers last got. */
  #toldWaits: readonly (Wait | null)[] = [null, null];
  /** When limits and quota were to be reset, a tick ago. */
  #resets: readonly (number | null)[] = [];

  constructor(context: ViewContext) {
    this.#context = context;
  }

  summary(): Summary {
    return showSummary(this.#context);
  }

  job(row: JobRow): Job {
    return showJob(row, this.#context);
  }

  /** Updates from `since` on, until `signal` is aborted or the engine stops. */
  async *updates(since: number | undefined, signal: AbortSignal): AsyncGenerator<Update, void> {
    const { feed, store, stop } = this.#context;
    const ended = AbortSignal.any([signal, stop]);
    let changes = feed.since(since);
    for (;;) {
      if (ended.aborted) return;
      const { seq, relist, jobs } = changes;
      const rows = store.jobs.pick(jobs);
      yield { seq, relist, summary: this.summary(), jobs: rows.map((row) => this.job(row)) };
      const next = await feed.next(seq, ended);
      if (!next) return;
      changes = next;
    }
  }

  /** Has watchers list rows again when the reason that all rows wait for has changed. */
  waitsMoved(): void {
    const { flow, forecasts, feed } = this.#context;
    const waits = [flow.sendWait(), flow.readWait()];
    if (waits.every((wait, index) => isAsSent(wait, this.#toldWaits[index] ?? null))) return;
    this.#toldWaits = waits;
    forecasts.changed();
    forecasts.keepFresh();
    feed.rows();
  }

  #resetsMoved(): boolean {
    const resets = resetTimes(this.#context);
    const moved = resets.some((at, index) => at !== this.#resets[index]);
    this.#resets = resets;
    return moved;
  }

  /** Tells watchers of what changes with time alone, until the engine stops. */
  async run(): Promise<void> {
    const { store, feed, forecasts, limits, clock, stop } = this.#context;
    const { jobs } = store;
    let linksWereOut = false;
    while (!stop.aborted) {
      await feed.watched(stop);
      await clock.sleep(TICK_MS, stop).catch(() => undefined);
      if (!feed.isWatched) continue;
      forecasts.keepFresh();
      this.waitsMoved();
      const linksAreOut = limits.wait('download') > 0;
      if (linksAreOut !== linksWereOut) {
        for (const id of jobs.ids('ready', SHOWN_MOVING)) feed.job(id);
      }
      linksWereOut = linksAreOut;
      const moves = jobs.counts.sum([...STATE_GROUPS.atService, 'downloading', 'queued']) > 0;
      if (this.#resetsMoved() || moves) feed.summary();
      for (const job of jobs.first(STATE_GROUPS.atService, SHOWN_MOVING)) {
        if (job.progress === null) feed.job(job.id);
      }
    }
  }
}

/** Whether two waits read the same. A moment that is computed each time may differ by little. */
function isAsSent(wait: Wait | null, sent: Wait | null): boolean {
  if (wait === null || sent === null) return wait === sent;
  const difference = wait.until === sent.until ? 0 : (wait.until ?? 0) - (sent.until ?? 0);
  return wait.reason === sent.reason && Math.abs(difference) < TICK_MS;
}
