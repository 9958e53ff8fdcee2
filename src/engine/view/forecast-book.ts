import type { Forecast } from '../../contract/job.ts';
import type { JobState } from '../../contract/job-states.ts';
import type { Clock } from '../clock.ts';
import type { FlowControl } from '../flow/flow-control.ts';
import type { QuotaBook } from '../flow/quota-book.ts';
import type { RateLimits } from '../flow/rate-limits.ts';
import type { RenderTimeBook } from '../flow/render-time-book.ts';
import type { TransferBoard } from '../flow/transfer-board.ts';
import type { JobOutline } from '../jobs/job-row.ts';
import type { Store } from '../jobs/store.ts';
import { plan, STAGE } from '../pacing/planner.ts';

/** A forecast is not shown when it is older than this, even if nothing is known to have changed. */
const FRESH_MS = 10_000;

/** Rows beyond it are not planned one by one, whatever the quota. */
const PLANNED_JOBS = 10_000;

/** The furthest first, since what is nearly here is planned first. */
const ON_THEIR_WAY = [
  'downloading',
  'verifying',
  'ready',
  'rendering',
  'submitted',
  'sending',
] as const satisfies readonly JobState[];

/** A submission's typical round trip. */
const ROUND_TRIP_MS = 1000;

/** A forecast that moved by less is not worth an update. */
const WORTH_TELLING_MS = 5000;

const UNKNOWN: Forecast = { sendAt: null, readyAt: null, savedAt: null };

/** A row that does not exist yet, or one that does, as far as its forecast cares. */
export interface Prospect {
  readonly stage: keyof typeof STAGE;
  readonly preset: string;
  /** When it was accepted or finished; epoch milliseconds. */
  readonly since: number;
}

export interface ForecastParts {
  readonly store: Store;
  readonly flow: FlowControl;
  readonly limits: RateLimits;
  readonly quota: QuotaBook;
  readonly renderTimes: RenderTimeBook;
  readonly transfers: TransferBoard;
  readonly clock: Clock;
  /** These jobs will be saved at another time than was said before. */
  readonly onMoved: (jobIds: readonly number[]) => void;
}

/**
 * When each job will be sent, ready and saved. A change does not wait for its consequences to be
 * worked out: they follow as soon as there is time (`keepFresh`).
 */
export class ForecastBook {
  readonly #parts: ForecastParts;
  #forecasts = new Map<number, Forecast>();
  #savedBy = new Map<number, number>();
  #nextSendAt: number | null = null;
  #madeAt = -Infinity;
  #hasChanged = true;

  constructor(parts: ForecastParts) {
    this.#parts = parts;
  }

  /** Something happened that forecasts depend on. */
  changed(): void {
    this.#hasChanged = true;
  }

  of(jobId: number): Forecast {
    this.#refresh();
    return this.#forecasts.get(jobId) ?? UNKNOWN;
  }

  /** When a batch's last video will be saved; `null` when unknown or not in this quota cycle. */
  savedBy(batchId: number): number | null {
    this.#refresh();
    const at = this.#savedBy.get(batchId);
    return at === undefined || at === Infinity ? null : at;
  }

  /** When the next request will leave; `null` when none is waiting to. */
  get nextSendAt(): number | null {
    this.#refresh();
    return this.#nextSendAt;
  }

  /** What rows that are not in the queue would come to, were they put at its end now. */
  ofNewRows(prospects: readonly Prospect[]): Forecast[] {
    return this.#plan([...this.#jobs().map(prospectOf), ...prospects]).slice(-prospects.length);
  }

  /** For whoever has the time: works out anew what has changed since it was worked out last. */
  keepFresh(): void {
    if (this.#hasChanged) this.#make();
  }

  #refresh(): void {
    if (this.#parts.clock.monotonic() - this.#madeAt >= FRESH_MS) this.#make();
  }

  #make(): void {
    this.#madeAt = this.#parts.clock.monotonic();
    this.#hasChanged = false;
    const jobs = this.#jobs();
    const forecasts = this.#plan(jobs.map(prospectOf));
    const before = this.#forecasts;
    this.#forecasts = new Map();
    this.#savedBy = new Map();
    this.#nextSendAt = null;
    jobs.forEach((job, index) => {
      const forecast = forecasts[index] ?? UNKNOWN;
      this.#forecasts.set(job.id, forecast);
      const savedBy = Math.max(
        this.#savedBy.get(job.batchId) ?? -Infinity,
        forecast.savedAt ?? Infinity,
      );
      this.#savedBy.set(job.batchId, savedBy);
      this.#nextSendAt ??= forecast.sendAt;
    });
    this.#markUnplanned(jobs);
    const moved = jobs.filter(({ id }) => isElsewhere(before.get(id), this.#forecasts.get(id)));
    if (moved.length > 0) this.#parts.onMoved(moved.map(({ id }) => id));
  }

  /** Batches with more rows in the queue than were planned have no end that can be told. */
  #markUnplanned(planned: readonly JobOutline[]): void {
    const { store } = this.#parts;
    const queued = new Map<number, number>();
    for (const { batchId, state } of planned) {
      if (state === 'queued') queued.set(batchId, (queued.get(batchId) ?? 0) + 1);
    }
    for (const { id } of store.batches.all()) {
      if (store.jobs.counts.of(id).queued > (queued.get(id) ?? 0)) this.#savedBy.set(id, Infinity);
    }
  }

  /** Jobs that are on their way, and those that this quota cycle has room for. */
  #jobs(): JobOutline[] {
    const { store, quota } = this.#parts;
    const room = Math.min(quota.left, PLANNED_JOBS);
    return [
      ...ON_THEIR_WAY.flatMap((state) => store.jobs.outlines(state, PLANNED_JOBS)),
      ...(room === 0 ? [] : store.jobs.outlines('queued', room)),
    ];
  }

  /** One forecast a row, in order. Rows that cannot be sent now or in this cycle have no times. */
  #plan(rows: readonly Prospect[]): Forecast[] {
    const { flow, limits, quota, renderTimes, transfers, clock } = this.#parts;
    const now = clock.now();
    const presets = [...new Set(rows.map(({ preset }) => preset))];
    const indexOf = new Map(presets.map((preset, index) => [preset, index]));
    const planned = plan(
      {
        jobs: {
          stage: Uint8Array.from(rows, ({ stage }) => STAGE[stage]),
          preset: Uint16Array.from(rows, ({ preset }) => indexOf.get(preset) ?? 0),
          since: Float64Array.from(rows, ({ since }) => since),
          bytes: new Float64Array(rows.length).fill(transfers.typicalBytes),
        },
        generate: limits.generate,
        download: limits.download,
        quota: quota.quota,
        renderTimes: presets.map((preset) => renderTimes.of(preset)),
        sendFrom: now + flow.pauseBeforeSending(),
        roundTripMs: ROUND_TRIP_MS,
        bytesPerSecond: transfers.typicalSpeed,
      },
      now,
    );
    const canSend = !flow.isStopped;
    const canFetch = flow.paused !== 'everything';
    return rows.map(({ stage }, index) => {
      const isToSend = stage === 'toSend';
      if ((isToSend && !canSend) || !canFetch || (planned.cycle[index] ?? 0) > 0) return UNKNOWN;
      return {
        sendAt: isToSend ? moment(planned.sendAt[index]) : null,
        readyAt: moment(planned.readyAt[index]),
        savedAt: moment(planned.savedAt[index]),
      };
    });
  }
}

function isElsewhere(before = UNKNOWN, now = UNKNOWN): boolean {
  if (before.savedAt === null || now.savedAt === null) return before.savedAt !== now.savedAt;
  return Math.abs(before.savedAt - now.savedAt) > WORTH_TELLING_MS;
}

function moment(at: number | undefined): number | null {
  return at !== undefined && Number.isFinite(at) ? Math.round(at) : null;
}

function prospectOf({ state, preset, since }: JobOutline): Prospect {
  switch (state) {
    case 'submitted':
    case 'rendering':
      return { stage: 'rendering', preset, since };
    case 'ready':
    case 'downloading':
    case 'verifying':
      return { stage: 'ready', preset, since };
    default:
      return { stage: 'toSend', preset, since };
  }
}
