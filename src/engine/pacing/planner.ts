import type { CycleAnchor, QuotaLedger } from './quota.ts';
import { cycleOf, quotaLeft, quotaUncounted } from './quota.ts';
import { medianOfLast, type OpenRender } from './last-of-many.ts';
import type { LogNormal } from './render-times.ts';
import type { SendTimes } from './send-forecast.ts';
import { SlotForecast } from './slot-forecast.ts';

/**
 * The stage of a job, as far as the plan needs it: `accepted` waits for its turn at the service, if
 * that is known. Numbers, to fit a column of 100,000 rows.
 */
export const STAGE = { toSend: 0, rendering: 1, ready: 2, accepted: 3 } as const;

/** The jobs of a plan as columns of equal length, in the order in which they are to be sent. */
export interface PlanJobs {
  /** One of `STAGE`. */
  stage: Uint8Array;
  /** Index into `PlanInput.renderTimes`. */
  preset: Uint16Array;
  /**
   * When it was accepted or, if known, began to be rendered (rendering), or was finished (ready);
   * epoch ms, unread in other stages.
   */
  since: Float64Array;
  /** Expected size of the file, or of the part that is still missing. */
  bytes: Float64Array;
}

/** The quota as the plan needs it; null on a service without one (§8.3). */
export interface PlanQuota {
  ledger: QuotaLedger;
  anchor: CycleAnchor;
  zone: string;
  /** From the end of a cycle by the service's clock to the first request by the local one. */
  boundaryDelayMs: number;
}

/** A limit of requests to an endpoint, as a plan needs it. */
export interface PlanLimit {
  /** The future requests, at least `gapMs` apart. */
  forecast(now: number, gapMs: number): SendTimes;
}

/** A limit of the videos that are rendered at the same time. */
export interface PlanSlots {
  /** Our videos at the same time; a fraction if others take slots now and then. At least 1. */
  limit: number;
  /**
   * Of these, how many the service renders, in the order in which it accepted them; `null` if that is
   * unknown, so that render times include the wait at the service.
   */
  renderedAtOnce: number | null;
  /** When videos of unknown outcome will have ended; they are not in the plan. */
  othersEndAt: readonly number[];
  /** Nothing is sent before it, whatever is free; epoch ms. */
  notBefore: number;
  /** Average render times, for each of `PlanInput.renderTimes`. */
  averages: readonly LogNormal[];
}

export interface PlanInput {
  jobs: PlanJobs;
  generate: PlanLimit;
  download: PlanLimit;
  /** `null` for a service without such a limit. */
  slots: PlanSlots | null;
  quota: PlanQuota | null;
  renderTimes: readonly LogNormal[];
  /** Nothing is sent before this moment, whatever the windows allow; epoch ms. */
  sendFrom: number;
  /** Typical round trip of a submission; they are sent one at a time. */
  roundTripMs: number;
  /** Sum over all transfers. */
  bytesPerSecond: number;
}

/** The predicted times, one entry per job. Moments are epoch ms by the local wall clock. */
export interface Plan {
  /** NaN for a job that has been sent; Infinity beyond the planned horizon. */
  sendAt: Float64Array;
  readyAt: Float64Array;
  savedAt: Float64Array;
  /** Quota cycles from now until it is sent: 0 fits this one. */
  cycle: Uint16Array;
  /** When the cycles that have jobs begin, by the service's clock; empty without a quota. */
  cycleStart: number[];
  /**
   * How uncertain the time from now until it is saved is: the standard deviation of its logarithm.
   * `null` unless only render times decide it.
   */
  deviation: Float64Array | null;
}

/** Cycles that are planned ahead: five years. */
export const HORIZON = { month: 60, day: 1826 };

/**
 * When every job will be sent, ready and saved, if render times and the use by other clients stay
 * as learned. It begins with the same waits of the rate window and the quota as the scheduler, so
 * that forecast and execution agree.
 */
export function plan(input: PlanInput, now: number): Plan {
  const { startAt, ...sends } = planSends(input, now);
  const readyAt = planReady(input, startAt, now);
  const savedAt = planSaves(input, readyAt, now);
  if (input.slots !== null) {
    const last = lastSent(sends.sendAt);
    if (last !== null) savedAt[last] = planEnd(input, startAt, readyAt, savedAt, now);
  }
  return { ...sends, readyAt, savedAt, deviation: deviationsIn(input) };
}

function planSends(input: PlanInput, now: number) {
  const { jobs, generate, quota, sendFrom, roundTripMs } = input;
  const sendAt = new Float64Array(jobs.stage.length).fill(NaN);
  const cycle = new Uint16Array(jobs.stage.length);
  const cycleStart = quota === null ? [] : [quota.ledger.cycleStart];
  /** When their renders begin. */
  const startAt = new Float64Array(jobs.stage.length).fill(NaN);
  const slots = input.slots === null ? NO_SLOT_LIMIT : new Slots(input, input.slots, now);
  for (const i of startAt.keys()) {
    if (jobs.stage[i] === STAGE.accepted) startAt[i] = slots.take(now, jobs.preset[i] ?? 0);
  }
  const requests = generate.forecast(now, roundTripMs);
  const next = (from: number): number => requests.next(Math.max(from, slots.opensAt()));
  let cycles = 0;
  let left = quota === null ? Infinity : quotaLeft(quota.ledger);
  let from = Math.max(now, sendFrom);
  const horizon = HORIZON[quota?.anchor.per ?? 'month'];
  const delayMs = quota?.boundaryDelayMs ?? 0;
  let end = (quota?.ledger.cycleEnd ?? Infinity) + delayMs;
  const refusedUntil = quota?.ledger.refusedUntil ?? null;
  if (quota !== null && refusedUntil !== null && refusedUntil < end) {
    from = Math.max(from, refusedUntil);
    left = quotaUncounted(quota.ledger);
  }

  for (const i of sendAt.keys()) {
    if (jobs.stage[i] !== STAGE.toSend) continue;
    let at = left > 0 ? next(from) : Infinity;
    while (quota !== null && at >= end && cycles < horizon) {
      cycles++;
      from = end;
      cycleStart.push(end - delayMs);
      left = quota.ledger.limit;
      end = cycleOf(quota.anchor, end - delayMs, quota.zone).end + delayMs;
      if (at === Infinity && left > 0) at = next(from);
    }
    if (at >= end) at = Infinity;
    sendAt[i] = at;
    cycle[i] = cycles;
    left--;
    startAt[i] = at === Infinity ? at : slots.take(at, jobs.preset[i] ?? 0);
  }
  return { sendAt, startAt, cycle, cycleStart };
}

/** Slots of the service, assigned to the jobs of a plan one after the other. */
class Slots {
  readonly #forecast: SlotForecast;
  /** `null` if every accepted video is rendered at once, as far as is known. */
  readonly #renders: SlotForecast | null;
  /** For each preset, how long a video occupies a slot, for a spread of videos. */
  readonly #holdMs: readonly Float64Array[];
  readonly #notBefore: number;
  #taken = 0;

  constructor({ jobs, roundTripMs }: PlanInput, slots: PlanSlots, now: number) {
    const { averages } = slots;
    const endsAt = [...slots.othersEndAt];
    const { renderedAtOnce } = slots;
    for (const [i, stage] of jobs.stage.entries()) {
      if (stage !== STAGE.rendering) continue;
      const since = jobs.since[i] ?? now;
      const share = SPREAD[endsAt.length % SPREAD.length] ?? 0.5;
      endsAt.push(since + (averages[jobs.preset[i] ?? 0]?.quantileBeyond(now - since, share) ?? 0));
    }
    const limit = Math.max(1, Math.ceil(slots.limit));
    // A slot that others take now and then is modelled as one that each video occupies for longer.
    const share = limit / Math.max(1, slots.limit);
    this.#forecast = new SlotForecast(limit, endsAt);
    this.#renders = renderedAtOnce === null ? null : new SlotForecast(renderedAtOnce, endsAt);
    // Where accepted videos wait for their turn, a request delays no render.
    const sendMs = renderedAtOnce === null ? roundTripMs : 0;
    this.#holdMs = averages.map((average) => {
      const spread = SPREAD.map((part) => average.quantile(part));
      const mean = spread.reduce((sum, ms) => sum + ms, 0) / spread.length;
      const scale = (share * average.meanMs) / mean;
      return Float64Array.from(spread, (ms) => sendMs + scale * ms);
    });
    this.#notBefore = slots.notBefore;
  }

  opensAt(): number {
    return Math.max(this.#notBefore, this.#forecast.opensAt());
  }

  /** @returns when its render begins */
  take(at: number, preset: number): number {
    const holdMs = this.#holdMs[preset]?.[this.#taken++ % SPREAD.length] ?? 0;
    const startAt = Math.max(at, this.#renders?.opensAt() ?? at);
    this.#renders?.take(startAt + holdMs);
    this.#forecast.take(startAt + holdMs);
    return startAt;
  }
}

/**
 * Quantiles of renders, evenly spread for any number of consecutive ones (van der Corput). If all
 * renders took the mean time, they would end together and free all slots at once.
 */
const SPREAD = Array.from({ length: 64 }, (_, index) => {
  let [share, part] = [0, 0.5];
  for (let rest = index + 1; rest > 0; rest >>= 1, part /= 2) share += (rest & 1) * part;
  return share + 1 / 128;
});

const NO_SLOT_LIMIT: Pick<Slots, 'opensAt' | 'take'> = {
  opensAt: () => -Infinity,
  take: (at) => at,
};

function planReady({ jobs, slots, renderTimes }: PlanInput, startAt: Float64Array, now: number) {
  // Without the waits at the service, render times differ little from one video to the next.
  const isKnown = slots !== null && slots.renderedAtOnce !== null;
  const times = isKnown ? slots.averages : renderTimes;
  const medians = Float64Array.from(times, (time) => time.quantile(0.5));
  const readyAt = new Float64Array(startAt.length);
  for (const i of readyAt.keys()) {
    const preset = jobs.preset[i] ?? 0;
    const since = jobs.since[i] ?? now;
    switch (jobs.stage[i]) {
      case STAGE.ready:
        readyAt[i] = since;
        break;
      case STAGE.rendering:
        readyAt[i] = since + (times[preset]?.quantileBeyond(now - since, 0.5) ?? 0);
        break;
      default:
        readyAt[i] = (startAt[i] ?? now) + (medians[preset] ?? 0);
    }
  }
  return readyAt;
}

/**
 * Files are downloaded in the order in which they are ready; a link is requested when it is used.
 */
function planSaves(
  { jobs, download, bytesPerSecond }: PlanInput,
  readyAt: Float64Array,
  now: number,
) {
  const savedAt = new Float64Array(readyAt.length);
  const links = download.forecast(now, 0);
  let pipeFreeAt = now;
  for (const i of orderOf(readyAt)) {
    const startAt = links.next(Math.max(readyAt[i] ?? Infinity, pipeFreeAt));
    pipeFreeAt = startAt + ((jobs.bytes[i] ?? 0) / bytesPerSecond) * 1000;
    savedAt[i] = pipeFreeAt;
  }
  return savedAt;
}

/** The row that is sent last within the horizon; `null` if none is sent. */
function lastSent(sendAt: Float64Array): number | null {
  for (let i = sendAt.length - 1; i >= 0; i--) if (Number.isFinite(sendAt[i] ?? NaN)) return i;
  return null;
}

/**
 * When all videos are saved. The row that is sent last gets this time, since a batch is as late as
 * its last video, which need not be that one. If rate windows cause the waits, hours hide the
 * difference; if renders do, it is a considerable part of a short batch.
 */
function planEnd(
  { jobs, slots }: PlanInput,
  startAt: Float64Array,
  readyAt: Float64Array,
  savedAt: Float64Array,
  now: number,
): number {
  const open: OpenRender[] = [];
  let last = -Infinity;
  for (const [i, saved] of savedAt.entries()) {
    const renderTime = slots?.averages[jobs.preset[i] ?? 0];
    if (!Number.isFinite(saved)) continue;
    last = Math.max(last, saved);
    if (jobs.stage[i] === STAGE.ready || renderTime === undefined) continue;
    const isSent = jobs.stage[i] === STAGE.rendering;
    const since = (isSent ? jobs.since[i] : startAt[i]) ?? now;
    const ageMs = isSent ? Math.max(0, now - since) : 0;
    open.push({ since, ageMs, renderTime, afterMs: saved - (readyAt[i] ?? saved) });
  }
  return Math.max(last, medianOfLast(open));
}

/**
 * Each job is done once the renders of all jobs up to it are. Their times differ from each other,
 * which evens out over those of one slot, and from what is known about them, which does not.
 */
function deviationsIn({ jobs, slots }: PlanInput): Float64Array | null {
  if (typeof slots?.renderedAtOnce !== 'number') return null;
  const { averages, renderedAtOnce } = slots;
  let count = 0;
  let total = 0;
  let shared = 0;
  let variance = 0;
  return Float64Array.from(jobs.preset, (preset, i) => {
    const renderTime = averages[preset];
    if (jobs.stage[i] !== STAGE.ready && renderTime !== undefined) {
      const { meanMs, deviation, meanDeviation } = renderTime;
      count += 1;
      total += meanMs;
      shared += meanMs * meanDeviation;
      variance += (meanMs * deviation) ** 2;
    }
    const atOnce = Math.min(renderedAtOnce, count);
    return total === 0 ? 0 : Math.sqrt(shared ** 2 + atOnce * variance) / total;
  });
}

/** Indices in ascending order of their values; equal ones stay in the order they are in. */
function orderOf(values: Float64Array): Uint32Array {
  const order = Uint32Array.from(values.keys());
  return order.sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b);
}
