import type { Job } from '../../contract/job.ts';
import type { Summary, Update } from '../../contract/summary.ts';
import type { Clock } from '../clock.ts';
import type { RateLimits } from '../flow/rate-limits.ts';
import type { JobRow } from '../jobs/job-row.ts';
import { AT_SERVICE } from '../jobs/lifecycle.ts';
import type { Store } from '../jobs/store.ts';
import type { ChangeFeed } from './change-feed.ts';
import type { ForecastBook } from './forecast-book.ts';
import type { JobView } from './job-view.ts';
import type { SummaryView } from './summary-view.ts';

/** While somebody watches, what changes with time alone is shown this often. */
const TICK_MS = 1000;

/** Rows whose guessed progress is shown moving; more do not fit a page. */
const SHOWN_MOVING = 100;

export interface LiveViewParts {
  readonly store: Store;
  readonly feed: ChangeFeed;
  readonly forecasts: ForecastBook;
  readonly limits: RateLimits;
  readonly jobView: JobView;
  readonly summaryView: SummaryView;
  readonly clock: Clock;
  /** Ends all updates. */
  readonly stop: AbortSignal;
}

/** The queue as its watchers see it: where it stands, and whatever changes, as it changes. */
export class LiveView {
  readonly #parts: LiveViewParts;

  constructor(parts: LiveViewParts) {
    this.#parts = parts;
  }

  summary(): Summary {
    return this.#parts.summaryView.show();
  }

  job(row: JobRow): Job {
    return this.#parts.jobView.show(row);
  }

  /** Updates from `since` on, until `signal` is aborted or the engine stops. */
  async *updates(since: number | undefined, signal: AbortSignal): AsyncGenerator<Update, void> {
    const { feed, store, stop } = this.#parts;
    const ended = AbortSignal.any([signal, stop]);
    let changes = feed.since(since);
    for (;;) {
      if (ended.aborted) return;
      const { seq, relist, jobs } = changes;
      const rows = store.list.pick(jobs);
      yield { seq, relist, summary: this.summary(), jobs: rows.map((row) => this.job(row)) };
      const next = await feed.next(seq, ended);
      if (!next) return;
      changes = next;
    }
  }

  /** When the whole queue moves, whoever shows rows had better list those that it shows. */
  forecastsMoved(jobIds: readonly number[]): void {
    const { feed } = this.#parts;
    if (jobIds.length > SHOWN_MOVING) feed.rows();
    else for (const id of jobIds) feed.job(id);
  }

  /** Tells watchers of what changes with time alone, until the engine stops. */
  async run(): Promise<void> {
    const { store, feed, forecasts, limits, clock, stop } = this.#parts;
    const { jobs } = store;
    let linksWereOut = false;
    while (!stop.aborted) {
      await clock.sleep(TICK_MS, stop).catch(() => undefined);
      if (!feed.isWatched) continue;
      forecasts.keepFresh();
      const linksAreOut = limits.wait('download') > 0;
      if (linksAreOut !== linksWereOut) {
        for (const id of jobs.ids('ready', SHOWN_MOVING)) feed.job(id);
      }
      linksWereOut = linksAreOut;
      if (jobs.counts.sum([...AT_SERVICE, 'downloading', 'queued']) > 0) feed.summary();
      for (const job of jobs.first(AT_SERVICE, SHOWN_MOVING)) {
        if (job.progress === null) feed.job(job.id);
      }
    }
  }
}
