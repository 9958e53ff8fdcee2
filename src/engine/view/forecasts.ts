import type { EndRange } from '../../contract/batch.ts';
import type { JobState } from '../../contract/job-states.ts';
import type { Forecast, Wait } from '../../contract/job.ts';
import { isForecast, isForQuota } from '../../contract/wait.ts';
import type { FlowContext } from '../flow/flow-context.ts';
import type { JobOutline } from '../jobs/job-row.ts';
import { endRangeOf } from '../pacing/end-range.ts';
import { plan, STAGE } from '../pacing/planner.ts';
import type { Poller } from '../flow/poller.ts';
import type { JobWaits, PlanPlace } from './job-waits.ts';

/** What it takes of a session. */
type ForecastsContext = Pick<
  FlowContext,
  'clock' | 'store' | 'feed' | 'limits' | 'renders' | 'quota' | 'transfers' | 'renderTimes' | 'flow'
>;

/** The maximum age of a forecast, even if nothing is known to have changed. */
const FRESH_MS = 10_000;

/** Rows beyond this number are not planned one by one, whatever the quota. */
const PLANNED_JOBS = 10_000;

/** The furthest first, since jobs that are nearly done are planned first. */
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

/** When more rows than this change, views list their rows again. */
const MAX_ANNOUNCED = 100;

/** A smaller change of a forecast is not announced. */
const MIN_CHANGE_MS = 5000;

const UNKNOWN: Forecast = { sendAt: null, readyAt: null, savedAt: null };

const NO_MOMENT: PlanPlace = { kind: 'turn', sendAt: null };

const NOT_PLANNED: Planned = { forecast: UNKNOWN, place: null, savedBetween: null };

/** A row that may be added, or a job, as its forecast needs it. */
export interface Prospect {
  readonly stage: keyof typeof STAGE;
  readonly preset: string;
  /** When it was accepted or finished; epoch milliseconds. */
  readonly since: number;
}

interface Planned {
  readonly forecast: Forecast;
  /** `null` for a row that has been sent. */
  readonly place: PlanPlace | null;
  /** `null` where other things than renders decide when it is saved. */
  readonly savedBetween: EndRange | null;
}

/** The forecast of a row that is not in the queue. */
export interface NewRowForecast {
  readonly forecast: Forecast;
  readonly savedBetween: EndRange | null;
  /** `null` for a row that would not be sent. */
  readonly wait: Wait | null;
}

/**
 * When each job will be sent, ready and saved. A change is not recalculated immediately, but as
 * soon as there is time (`keepFresh`).
 */
export class Forecasts {
  readonly #context: ForecastsContext;
  readonly #waits: JobWaits;
  readonly #poller: Pick<Poller, 'startOf'>;
  #planned = new Map<number, Planned>();
  /** Why rows of the queue were left out of the plan; `null` when none was. */
  #beyond: 'years-away' | 'not-planned' | null = null;
  #savedBy = new Map<number, number>();
  #savedBetween = new Map<number, EndRange | null>();
  #batchWaits = new Map<number, Wait>();
  #nextSendAt: number | null = null;
  #lastInCycle: number | null | undefined = undefined;
  #madeAt = -Infinity;
  #hasChanged = true;

  constructor(context: ForecastsContext, waits: JobWaits, poller: Pick<Poller, 'startOf'>) {
    this.#context = context;
    this.#waits = waits;
    this.#poller = poller;
  }

  /** Something changed that forecasts depend on. */
  changed(): void {
    this.#hasChanged = true;
  }

  of(jobId: number): Forecast {
    this.#refresh();
    return this.#planned.get(jobId)?.forecast ?? UNKNOWN;
  }

  /** The place in the plan of a job that has not been sent. */
  placeOf(jobId: number): PlanPlace {
    this.#refresh();
    const place = this.#planned.get(jobId)?.place;
    if (place) return place;
    // The next plan includes a row that was added after this plan was made, if there is room.
    return this.#beyond === null ? NO_MOMENT : { kind: this.#beyond };
  }

  /** When a batch's last video will be saved; `null` when unknown. */
  savedBy(batchId: number): number | null {
    this.#refresh();
    const at = this.#savedBy.get(batchId);
    const isKnown = isForecast(this.#batchWaits.get(batchId) ?? null);
    return at === undefined || at === Infinity || !isKnown ? null : at;
  }

  /** How uncertain `savedBy` is; `null` when it is unknown or other things than renders decide it. */
  savedBetween(batchId: number): EndRange | null {
    return this.savedBy(batchId) === null ? null : (this.#savedBetween.get(batchId) ?? null);
  }

  /** See `Batch.wait`. */
  waitOf(batchId: number): Wait | null {
    this.#refresh();
    return this.#batchWaits.get(batchId) ?? null;
  }

  /**
   * The last queued job, in the queue's order, that this quota cycle has room for; `null` when there
   * is none. `undefined` when all have room.
   */
  get lastInCycle(): number | null | undefined {
    this.#refresh();
    return this.#lastInCycle;
  }

  /** When the next request will leave; `null` when none is waiting for its turn. */
  get nextSendAt(): number | null {
    this.#refresh();
    return this.#nextSendAt;
  }

  /** The forecasts of rows that are not in the queue, if they were added at its end now. */
  ofNewRows(prospects: readonly Prospect[]): NewRowForecast[] {
    const jobs = this.#jobs();
    const planned = this.#plan(
      [...jobs.map((job) => prospectOf(job, this.#poller)), ...prospects],
      this.#pausePointIn(jobs),
    );
    const beyond = this.#beyondOf(jobs);
    return planned.slice(jobs.length).map(({ forecast, place, savedBetween }) => {
      if (place === null) return { forecast, savedBetween, wait: null };
      return beyond === null
        ? { forecast, savedBetween, wait: this.#waits.ofUnsent(place) }
        : { forecast: UNKNOWN, savedBetween: null, wait: this.#waits.ofUnsent({ kind: beyond }) };
    });
  }

  /** Call it when idle: recalculates what has changed since. */
  keepFresh(): void {
    if (this.#hasChanged) this.#make();
  }

  #refresh(): void {
    if (this.#context.clock.monotonic() - this.#madeAt >= FRESH_MS) this.#make();
  }

  #make(): void {
    this.#madeAt = this.#context.clock.monotonic();
    this.#hasChanged = false;
    const jobs = this.#jobs();
    const planned = this.#plan(
      jobs.map((job) => prospectOf(job, this.#poller)),
      this.#pausePointIn(jobs),
    );
    const before = this.#planned;
    this.#beyond = this.#beyondOf(jobs);
    this.#planned = new Map();
    this.#savedBy = new Map();
    this.#savedBetween = new Map();
    this.#batchWaits = new Map();
    this.#nextSendAt = null;
    jobs.forEach((job, index) => {
      const one = planned[index] ?? NOT_PLANNED;
      const { forecast, place } = one;
      this.#planned.set(job.id, one);
      const savedAt = forecast.savedAt ?? Infinity;
      if (savedAt >= (this.#savedBy.get(job.batchId) ?? -Infinity)) {
        this.#savedBy.set(job.batchId, savedAt);
        this.#savedBetween.set(job.batchId, one.savedBetween);
      }
      const wait = this.#waits.of(job, () => place ?? NO_MOMENT);
      // Rows further down the queue wait longer.
      if (wait && (!isForecast(wait) || isForQuota(wait))) this.#batchWaits.set(job.batchId, wait);
      if (wait?.reason === 'turn' || wait?.reason === 'render-slot')
        this.#nextSendAt ??= forecast.sendAt;
    });
    this.#lastInCycle = this.#lastInCycleOf(jobs);
    this.#markUnplanned(jobs);
    const moved = jobs.filter(({ id }) => isElsewhere(before.get(id), this.#planned.get(id)));
    this.#announce(moved);
  }

  /** The forecasts of these jobs have changed. */
  #announce(moved: readonly JobOutline[]): void {
    const { feed } = this.#context;
    if (moved.length > MAX_ANNOUNCED) feed.rows();
    else for (const { id } of moved) feed.job(id);
  }

  /** Batches with more rows in the queue than were planned have no known end. */
  #markUnplanned(planned: readonly JobOutline[]): void {
    if (this.#beyond === null) return;
    const { store } = this.#context;
    const wait = this.#waits.ofUnsent({ kind: this.#beyond });
    const queued = new Map<number, number>();
    for (const { batchId, state } of planned) {
      if (state === 'queued') queued.set(batchId, (queued.get(batchId) ?? 0) + 1);
    }
    for (const { id } of store.batches.all()) {
      if (store.jobs.counts.of(id).queued > (queued.get(id) ?? 0)) this.#batchWaits.set(id, wait);
    }
  }

  #lastInCycleOf(jobs: readonly JobOutline[]): number | null | undefined {
    const inCycle = jobs.filter(({ id, state }) => {
      return state === 'queued' && !isBeyondCycle(this.#planned.get(id)?.place);
    });
    const areAll = this.#beyond === null && inCycle.length === queuedIn(jobs);
    return areAll ? undefined : (inCycle.at(-1)?.id ?? null);
  }

  /** Why the queue has more rows than these; `null` when it has none. */
  #beyondOf(jobs: readonly JobOutline[]): 'years-away' | 'not-planned' | null {
    const { store } = this.#context;
    const planned = queuedIn(jobs);
    if (store.jobs.counts.total.queued <= planned) return null;
    return planned < PLANNED_JOBS ? 'years-away' : 'not-planned';
  }

  /** Index of the job that sending pauses before; `Infinity` when it is none of these. */
  #pausePointIn(jobs: readonly JobOutline[]): number {
    const { stopBefore } = this.#context.flow;
    const index = stopBefore === null ? -1 : jobs.findIndex(({ id }) => id === stopBefore);
    return index === -1 ? Infinity : index;
  }

  /** Jobs in progress, and those that the quota has room for within the planned time. */
  #jobs(): JobOutline[] {
    const { store, quota } = this.#context;
    const room = Math.min(quota.roomAhead, PLANNED_JOBS);
    return [
      ...ON_THEIR_WAY.flatMap((state) => store.jobs.outlines(state, PLANNED_JOBS)),
      ...(room === 0 ? [] : store.jobs.outlines('queued', room)),
    ];
  }

  /**
   * In the order of the rows. Those that cannot be sent before something other than time changes
   * have no times.
   * @param pausePoint index of the row before which sending pauses
   */
  #plan(rows: readonly Prospect[], pausePoint: number): Planned[] {
    const { flow, limits, renders, quota, renderTimes, transfers, clock } = this.#context;
    const now = clock.now();
    const slots = renders.plan;
    const isHere = renders.renderedAtOnce !== null;
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
        slots: slots && {
          ...slots,
          averages: presets.map((preset) => renderTimes.averageOf(preset)),
        },
        quota: quota.quota,
        renderTimes: presets.map((preset) => renderTimes.of(preset)),
        sendFrom: now + flow.pauseBeforeSending(),
        // On the computer of a service that says what it renders, only renders take time.
        roundTripMs: isHere ? 0 : ROUND_TRIP_MS,
        bytesPerSecond: isHere ? Infinity : transfers.typicalSpeed,
      },
      now,
    );
    const canSend = !flow.isStopped;
    const canSendLater = flow.sendWait() === null;
    const canFetch = flow.paused !== 'everything';
    return rows.map(({ stage }, index) => {
      const isToSend = stage === 'toSend';
      const sendAt = isToSend ? moment(planned.sendAt[index]) : null;
      const cycle = planned.cycle[index] ?? 0;
      const resetAt = cycle === 0 ? null : (planned.cycleStart[cycle] ?? null);
      const isPausedAt = index >= pausePoint;
      const place = isToSend ? placeOf(resetAt, isPausedAt, sendAt) : null;
      const isSent =
        place === null ||
        (place.kind === 'turn' && canSend) ||
        (place.kind === 'quota' && canSendLater && !isPausedAt);
      if (!isSent || !canFetch) return { place, forecast: UNKNOWN, savedBetween: null };
      const readyAt = moment(planned.readyAt[index]);
      const savedAt = moment(planned.savedAt[index]);
      const deviation = planned.deviation?.[index];
      const isKnown = savedAt === null || deviation === undefined;
      const savedBetween = isKnown ? null : endRangeOf(savedAt, deviation, now);
      return { place, forecast: { sendAt, readyAt, savedAt }, savedBetween };
    });
  }
}

/** @param resetAt when the row's quota cycle begins; `null` for the present one */
function placeOf(resetAt: number | null, isPausedAt: boolean, sendAt: number | null): PlanPlace {
  if (resetAt !== null && sendAt === null) return { kind: 'years-away' };
  if (resetAt !== null) return { kind: 'quota', until: resetAt };
  return isPausedAt ? { kind: 'pause-point' } : { kind: 'turn', sendAt };
}

function isBeyondCycle(place: PlanPlace | null | undefined): boolean {
  return place?.kind === 'quota' || place?.kind === 'years-away';
}

function queuedIn(jobs: readonly JobOutline[]): number {
  return jobs.reduce((count, { state }) => count + (state === 'queued' ? 1 : 0), 0);
}

function isElsewhere(before = NOT_PLANNED, now = NOT_PLANNED): boolean {
  if (before.place?.kind !== now.place?.kind) return true;
  const [was, is] = [before.forecast.savedAt, now.forecast.savedAt];
  return was === null || is === null ? was !== is : Math.abs(was - is) > MIN_CHANGE_MS;
}

function moment(at: number | undefined): number | null {
  return at !== undefined && Number.isFinite(at) ? Math.round(at) : null;
}

function prospectOf(
  { id, state, preset, since }: JobOutline,
  poller: Pick<Poller, 'startOf'>,
): Prospect {
  switch (state) {
    case 'submitted':
    case 'rendering': {
      const startedAt = poller.startOf(id);
      if (startedAt === null) return { stage: 'accepted', preset, since };
      return { stage: 'rendering', preset, since: startedAt ?? since };
    }
    case 'ready':
    case 'downloading':
    case 'verifying':
      return { stage: 'ready', preset, since };
    default:
      return { stage: 'toSend', preset, since };
  }
}
