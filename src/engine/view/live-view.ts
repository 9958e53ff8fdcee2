import { STATE_GROUPS } from '../../contract/job-states.ts';
import type { Batch } from '../../contract/batch.ts';
import { jobSchema, type Job, type Wait } from '../../contract/job.ts';
import type { Summary, Update } from '../../contract/summary.ts';
import type { ResultsFiles } from '../flow/results-files.ts';
import type { FlowContext } from '../flow/flow-context.ts';
import { jobRowSchema, type JobRow } from '../jobs/job-row.ts';
import type { ChangeFeed } from './change-feed.ts';
import type { Forecasts } from './forecasts.ts';
import type { JobWaits } from './job-waits.ts';

const RATE_LIMITED = ['generate', 'status', 'download'] as const;

/** While a client watches, values that change with time are updated this often. */
const TICK_MS = 1000;

/** Rows whose estimated progress is updated; a page shows no more. */
const SHOWN_MOVING = 100;

interface ViewContext extends FlowContext {
  readonly serviceInfo: Summary['service'];
  readonly otherServices: () => Summary['others'];
  readonly defaultFolder: () => string;
  readonly forecasts: Forecasts;
  readonly waits: JobWaits;
  readonly results: Pick<ResultsFiles, 'of'>;
  readonly feed: ChangeFeed;
  /** Ends all updates. */
  readonly stop: AbortSignal;
}

/** The queue as its watchers see it: its status, and every change. */
export class LiveView {
  readonly #context: ViewContext;
  /** The waits of all rows that watchers were last sent. */
  #sentWaits: readonly (Wait | null)[] = [null, null];
  /** When limits and quota were to be reset, a tick ago. */
  #resets: readonly (number | null)[] = [];

  constructor(context: ViewContext) {
    this.#context = context;
  }

  /** Everything that a UI shows besides rows. */
  summary(): Summary {
    const context = this.#context;
    const { store, key, flow, limits, renders, renderTimes, quota } = context;
    const { transfers, pauses, forecasts } = context;
    return {
      service: context.serviceInfo,
      others: context.otherServices(),
      key: key.status,
      flow: flow.view(),
      counts: { ...store.jobs.counts.total },
      batches: store.batches
        .all()
        .filter(({ id }) => store.jobs.counts.has(id))
        .map(({ id, ...batch }): Batch => ({
          ...batch,
          id: String(id),
          counts: { ...store.jobs.counts.of(id) },
          savedBy: forecasts.savedBy(id),
          savedBetween: forecasts.savedBetween(id),
          wait: forecasts.waitOf(id),
          results: context.results.of(id),
        })),
      hasArchived: store.jobs.hasArchived,
      limits: {
        generate: limits.view('generate'),
        status: limits.view('status'),
        download: limits.view('download'),
        renders: renders.view(),
      },
      renderMs: renderTimes.latestMs,
      quota: quota.view(),
      balance: context.balance.view(),
      transfers: {
        active: transfers.active,
        bytesPerSecond: transfers.bytesPerSecond,
        paused: pauses.all,
      },
      nextSendAt: forecasts.nextSendAt,
      defaultFolder: context.defaultFolder(),
    };
  }

  /** A job as UIs see it: what is stored, and what is known only now. */
  job(row: JobRow): Job {
    const { forecasts, transfers, waits, flow, store } = this.#context;
    return {
      ...storedFields(row),
      id: String(row.id),
      batchId: String(row.batchId),
      batchName: store.batches.get(row.batchId).name,
      row: row.rowNumber,
      rowId: row.rowId === null ? null : String(row.rowId),
      stopsHere: flow.stopBefore === row.id,
      progress: this.#progressOf(row),
      transfer: transfers.of(row.id),
      wait: waits.of(row, () => forecasts.placeOf(row.id)),
      file: fileOf(row),
      forecast: forecasts.of(row.id),
    };
  }

  /** A job whose line in a list also stands for other jobs. */
  line(row: JobRow, others: readonly JobRow[]): Job {
    const job = this.job(row);
    if (others.length === 0) return job;
    const videos = [job, ...others.map((other) => this.job(other))];
    return {
      ...job,
      videos: videos.map(({ id, variant, state, progress, forecast, savedAt }) => ({
        ...{ id, variant, state, progress, forecast, savedAt },
      })),
    };
  }

  /**
   * Updates from `since` on, until `signal` is aborted or the engine stops.
   * @throws {FolderLostError} the rows are then another process's
   */
  async *updates(since: number | undefined, signal: AbortSignal): AsyncGenerator<Update, void> {
    const { feed, store, stop, lock } = this.#context;
    const ended = AbortSignal.any([signal, stop]);
    let changes = feed.since(since);
    for (;;) {
      if (ended.aborted) return;
      lock.assertOurs();
      const { seq, relist, jobs } = changes;
      const rows = store.jobs.pick(jobs);
      yield { seq, relist, summary: this.summary(), jobs: rows.map((row) => this.job(row)) };
      const next = await feed.next(seq, ended);
      if (!next) return;
      changes = next;
    }
  }

  /** Makes watchers list rows again when the reason that all rows wait for has changed. */
  waitsMoved(): void {
    const { flow, forecasts, feed } = this.#context;
    const waits = [flow.sendWait(), flow.readWait()];
    if (waits.every((wait, index) => isAsSent(wait, this.#sentWaits[index] ?? null))) return;
    this.#sentWaits = waits;
    forecasts.changed();
    forecasts.keepFresh();
    feed.rows();
  }

  #progressOf(row: JobRow): Job['progress'] {
    const { renderTimes, clock } = this.#context;
    if (row.state !== 'submitted' && row.state !== 'rendering') return null;
    if (row.progress !== null) return { fraction: row.progress, estimated: false };
    const age = clock.now() - (row.submittedAt ?? row.addedAt);
    return { fraction: renderTimes.progress(row.preset, age), estimated: true };
  }

  /** Whether a limit or the quota resets at another time than a tick ago. */
  #resetsMoved(): boolean {
    const { limits, quota } = this.#context;
    const ofLimits = RATE_LIMITED.map((endpoint) => limits.view(endpoint).resetAt);
    const resets = [...ofLimits, quota.view()?.resetAt ?? null];
    const moved = resets.some((at, index) => at !== this.#resets[index]);
    this.#resets = resets;
    return moved;
  }

  /** Sends watchers what changes with time alone, until the engine stops. */
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

/** Whether two waits read the same. A moment that is recalculated each time may differ a little. */
function isAsSent(wait: Wait | null, sent: Wait | null): boolean {
  if (wait === null || sent === null) return wait === sent;
  const difference = wait.until === sent.until ? 0 : (wait.until ?? 0) - (sent.until ?? 0);
  return wait.reason === sent.reason && Math.abs(difference) < TICK_MS;
}

/** Fields that the database and UIs know by the same name. Most are shown as they are stored. */
type StoredField = keyof Job & keyof JobRow;

const STORED_FIELDS = Object.keys(jobSchema.shape).filter(
  (field): field is StoredField => field in jobRowSchema.shape,
);

function storedFields(row: JobRow): Pick<JobRow, StoredField> {
  const entries = STORED_FIELDS.map((field) => [field, row[field]]);
  return Object.fromEntries(entries) as Pick<JobRow, StoredField>;
}

function fileOf(row: JobRow): Job['file'] {
  if (row.filePath === null || row.fileBytes === null || row.fileSha256 === null) return null;
  return {
    path: row.filePath,
    bytes: row.fileBytes,
    sha256: row.fileSha256,
    durationSeconds: row.fileSeconds,
  };
}
