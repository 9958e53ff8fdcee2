import { z } from 'zod';
import type { QuotaDays } from '../../contract/quota-days.ts';
import type { Quota } from '../../contract/summary.ts';
import { userMessage } from '../../contract/user-message.ts';
import { backoff } from '../backoff.ts';
import type { Clock } from '../clock.ts';
import { NotPossibleNowError } from '../engine-error.ts';
import type { KeyValueStore } from '../jobs/key-value-store.ts';
import type { Ledger } from '../jobs/ledger.ts';
import type { Store } from '../jobs/store.ts';
import { HORIZON, type PlanQuota } from '../pacing/planner.ts';
import {
  cycleOf,
  openLedger,
  PLAN_QUOTAS,
  quotaDays,
  quotaLeft,
  quotaUncounted,
  type Cycle,
  type CycleAnchor,
  type QuotaLedger,
} from '../pacing/quota.ts';
import { headerNamesOf, type ServiceLimits, type ServiceQuota } from '../pacing/service-limits.ts';
import { MAX_RETRY_MS } from '../pacing/header-values.ts';
import { parseRateHeaders, type RateHeaderNames } from '../pacing/rate-headers.ts';
import { parseForeignJson } from '../../contract/json-text.ts';
import type { HttpResponse } from '../service/outcomes.ts';
import type { RateLimits } from './rate-limits.ts';

/** Margin after the end of a cycle by the service's clock, after which it has certainly ended. */
const BOUNDARY_MARGIN_MS = 5000;

/**
 * The longest wait until the next attempt, because the plan may have changed and the assumed cycle
 * may be wrong.
 */
const MAX_WAIT_MS = 86_400_000;
/** A larger offset between the clocks is ignored: no time zone explains it. */
const MAX_CLOCK_OFFSET_MS = 86_400_000;
/** A cycle may begin this much late at the service; refusals until then say nothing about later. */
const LATE_RESET_MS = 120_000;
/** A quota that returns this soon is not reported as used up. */
const SOON_MS = 10 * 60_000;

/** The account's plan (service-api.md §8.3). */
export interface PlanOptions {
  readonly name: string;
  /** Videos a month; the named plan's own number when left out. */
  readonly limit?: number;
  /** A day on which the quota resets (Free: the sign-up day), milliseconds since the epoch. */
  readonly anchor: number;
  /** IANA name of the time zone in which billing days begin; UTC when left out. */
  readonly zone?: string;
}

/** What the user or the service has said about one cycle; meaningless in the next. */
const stateSchema = z.object({
  cycleStart: z.number(),
  /** Used elsewhere, according to the user; negative when less was used than was counted here. */
  correction: z.int(),
  refused: z.boolean(),
  /** How often in a row. */
  refusals: z.int().nonnegative().default(0),
  /** When the next request is tried; epoch ms by the local wall clock. */
  retryAt: z.number().default(0),
  /** When there is quota again, as the service said; by the same clock. */
  refusedUntil: z.number().nullable().default(null),
});

const NOTE = 'quota';

/** For a service without a quota: a refusal is remembered until it accepts a request again. */
const ENDLESS: Cycle = { start: 0, end: Infinity };

const NO_CYCLE: Cycle = { start: Infinity, end: -Infinity };

const planLimits: Readonly<Record<string, number>> = PLAN_QUOTAS;

type ServiceClock = Pick<RateLimits, 'serviceAheadMs' | 'likelyAheadMs'>;

/**
 * The quota of the present cycle: what the ledger counted, what the user corrected and what the
 * service refused, combined for pacing.
 *
 * Requests depend on the earliest time that the service's clock can show. What is displayed,
 * forecast and entered depends on the likeliest: after sleep the two differ until the service
 * answers.
 *
 * For a service without a quota it knows only whether the service said that nothing is left.
 */
export class QuotaTracker {
  #plan: PlanOptions;
  readonly #source: ServiceQuota;
  readonly #headers: RateHeaderNames;
  /** The cycle that was computed last. */
  #cycle: Cycle = NO_CYCLE;
  readonly #ledger: Ledger;
  readonly #notes: KeyValueStore;
  readonly #clock: Clock;
  readonly #limits: ServiceClock;

  /** @param service what limits the videos of a cycle; the plan applies to the quota `plan` only */
  constructor(
    plan: PlanOptions,
    { ledger, notes }: Pick<Store, 'ledger' | 'notes'>,
    limits: ServiceClock,
    clock: Clock,
    service: Pick<ServiceLimits, 'quota' | 'headers'>,
  ) {
    this.#plan = plan;
    this.#source = service.quota;
    this.#headers = headerNamesOf(service, 'generate');
    this.#ledger = ledger;
    this.#notes = notes;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Applies at once; the present cycle of the new plan is counted again from the ledger. */
  set plan(plan: PlanOptions) {
    this.#plan = plan;
    this.#cycle = NO_CYCLE;
    this.tryNow();
  }

  /** The unit of the quota; `null` without a quota. */
  get per(): Quota['per'] | null {
    if (this.#source === null) return null;
    return this.#source === 'plan' ? 'month' : this.#source.per;
  }

  /** For the planner. */
  get quota(): PlanQuota | null {
    if (this.#source === null) return null;
    return {
      ledger: this.#likely(),
      anchor: this.#anchor(),
      zone: this.#zone(),
      boundaryDelayMs: this.#boundaryDelayMs(this.#likelyAheadMs()),
    };
  }

  /** Videos that can still be requested in this cycle. */
  get left(): number {
    return quotaLeft(this.#current());
  }

  /** Videos to plan in this cycle: more than are left, if the service said when it accepts them. */
  get room(): number {
    if (this.#source === null) return Infinity;
    const ledger = this.#likely();
    const { refusedUntil, cycleEnd } = ledger;
    const endsAt = cycleEnd + this.#boundaryDelayMs(this.#likelyAheadMs());
    const isLifted = refusedUntil !== null && refusedUntil < endsAt;
    return isLifted ? quotaUncounted(ledger) : quotaLeft(ledger);
  }

  /** Videos that fit in the cycles that are planned ahead. */
  get roomAhead(): number {
    const { per } = this;
    return per === null ? Infinity : this.room + HORIZON[per] * this.#likely().limit;
  }

  /**
   * Milliseconds until a video may be requested; 0 is now. After a refusal, Spool tries again when
   * the service said, and daily: the refusal may have been about the last cycle, or the plan has
   * changed.
   */
  wait(): number {
    const ledger = this.#current();
    const now = this.#clock.now();
    const untilReset = Math.max(1, ledger.cycleEnd + this.#boundaryDelayMs() - now);
    if (quotaUncounted(ledger) === 0) return untilReset;
    const { retryAt } = this.#stateOf(ledger.cycleStart);
    if (!ledger.refused) return 0;
    return Math.max(0, Math.min(retryAt - now, untilReset, MAX_WAIT_MS));
  }

  /** Nothing can be requested, and the service did not say that this ends in a few minutes. */
  get isUsedUp(): boolean {
    const ledger = this.#likely();
    if (quotaLeft(ledger) > 0) return false;
    return !this.#isSoon(ledger);
  }

  /** Whether a clock that is wrong by hours could make a request count in another cycle. */
  get dependsOnTime(): boolean {
    if (this.#source === null) return false;
    const ledger = this.#current();
    const now = this.serviceNow();
    const { cycleStart, cycleEnd } = ledger;
    const isNearEdge =
      now - cycleStart < MAX_CLOCK_OFFSET_MS || cycleEnd - now < MAX_CLOCK_OFFSET_MS;
    return isNearEdge || quotaLeft(ledger) === 0;
  }

  view(): Quota | null {
    const { per } = this;
    if (per === null) return null;
    const ledger = this.#likely();
    const { limit, used, held, correction, cycleEnd } = ledger;
    const refused = ledger.refused && !this.#isSoon(ledger);
    return {
      plan: this.#source === 'plan' ? this.#plan.name : null,
      per,
      limit,
      used: Math.max(0, used + correction),
      held,
      resetAt: cycleEnd,
      refused,
    };
  }

  /** The service said that nothing is left; that overrides our count. */
  refuse(response: HttpResponse): void {
    const now = this.#clock.now();
    const { refused, cycleStart } = this.#current();
    if (!refused) this.#ledger.record({ at: now, used: null, difference: 0 });
    const isLate = this.serviceNow() - cycleStart < LATE_RESET_MS;
    const refusals = refused && !isLate ? this.#stateOf(cycleStart).refusals + 1 : 1;
    const until = this.#refusedUntil(response);
    // Each broken promise of a service that keeps promising quota soon adds to the wait.
    const notBefore = now + (refusals > 1 ? backoff('quota', refusals - 1) : 0);
    const refusedUntil = until === null ? null : Math.max(until, notBefore);
    const retryAt = Math.min(refusedUntil ?? now + backoff('quota', refusals), now + MAX_WAIT_MS);
    this.#update({ refused: true, refusals, retryAt, refusedUntil });
  }

  /** The service accepted a request, so earlier refusals no longer apply. */
  accepted(): void {
    if (this.#current().refused) this.#update(NOT_REFUSED);
  }

  /** The user retries now, to see whether the service still refuses. */
  tryNow(): void {
    if (this.#current().refused) this.#update({ retryAt: this.#clock.now() });
  }

  /**
   * The user has looked up the number. Ends a refusal, if it leaves any quota.
   * @throws {NotPossibleNowError} without a quota
   */
  correct(used: number): void {
    if (this.#source === null) throw new NotPossibleNowError(userMessage('no-quota'));
    const now = this.#likely();
    const correction = used - now.used;
    this.#ledger.record({ at: this.#clock.now(), used, difference: correction - now.correction });
    const isStillRefused = now.refused && used + now.held >= now.limit;
    this.#update({ correction, ...(isStillRefused ? {} : NOT_REFUSED) }, now);
  }

  /** The earliest that the service's clock can show now, if it is known; epoch milliseconds. */
  serviceNow(): number {
    return this.#clock.now() + this.#serviceAheadMs();
  }

  /**
   * The present cycle day by day; `null` without a quota.
   * @param zone IANA name of the zone in which days are counted
   */
  days(zone: string): QuotaDays | null {
    if (this.#source === null) return null;
    const { limit, cycleStart: start, cycleEnd: end } = this.#likely();
    const aheadMs = this.#likelyAheadMs();
    const words = this.#ledger.recorded(start - aheadMs, end - aheadMs);
    const units = this.#ledger.spentUnits(start, end);
    const serviceNow = Math.min(Math.max(start, this.#clock.now() + aheadMs), end - 1);
    return {
      cycle: { start, end },
      limit,
      days: quotaDays(units, start, serviceNow, zone),
      corrections: words.flatMap(({ at, used, difference }) =>
        used === null ? [] : [{ at, used, difference }],
      ),
      refusedAt: words.find(({ used }) => used === null)?.at ?? null,
    };
  }

  #anchor(): CycleAnchor {
    const date = new Date(this.#plan.anchor).toISOString().slice(0, 10);
    return { per: this.per ?? 'month', date };
  }

  #zone(): string {
    return this.#plan.zone ?? 'UTC';
  }

  #serviceAheadMs(): number {
    return credibleOffset(this.#limits.serviceAheadMs);
  }

  #likelyAheadMs(): number {
    return credibleOffset(this.#limits.likelyAheadMs);
  }

  #boundaryDelayMs(aheadMs = this.#serviceAheadMs()): number {
    return BOUNDARY_MARGIN_MS - aheadMs;
  }

  #likely(): QuotaLedger {
    return this.#current(this.#likelyAheadMs());
  }

  #current(aheadMs = this.#serviceAheadMs()): QuotaLedger {
    if (this.#source === null) {
      const { refused, refusedUntil } = this.#stateOf(ENDLESS.start);
      return { ...openLedger(Infinity, ENDLESS), refused, refusedUntil };
    }
    const turnedAt = this.#clock.now() - this.#boundaryDelayMs(aheadMs);
    const cycle = this.#cycleAt(turnedAt);
    const limit = this.#source === 'plan' ? this.#planLimit() : this.#source.count;
    const { charged, held } = this.#ledger.spent(cycle.start, cycle.end);
    const { correction, refused, refusedUntil } = this.#stateOf(cycle.start);
    const ledger = { ...openLedger(limit, cycle), used: charged, held, correction };
    return { ...ledger, refused, refusedUntil };
  }

  #planLimit(): number {
    return this.#plan.limit ?? planLimits[this.#plan.name] ?? PLAN_QUOTAS.free;
  }

  /** Cached, because time zone calendars are slow and the cycle is needed often. */
  #cycleAt(at: number): Cycle {
    const { start, end } = this.#cycle;
    if (at < start || at >= end) this.#cycle = cycleOf(this.#anchor(), at, this.#zone());
    return this.#cycle;
  }

  #stateOf(cycleStart: number): State {
    const state = this.#notes.read(NOTE, stateSchema);
    return state?.cycleStart === cycleStart ? state : { ...NOT_REFUSED, cycleStart, correction: 0 };
  }

  #update(news: Partial<State>, { cycleStart } = this.#current()): void {
    this.#notes.write(NOTE, { ...this.#stateOf(cycleStart), ...news });
  }

  /** When the quota returns, as the service said, by the local clock. */
  #refusedUntil({ headers, body, receivedAt }: HttpResponse): number | null {
    const now = this.#clock.now();
    const reading = { names: this.#headers, receivedAt };
    const rate = parseRateHeaders((name) => headers[name], parseForeignJson(body), reading);
    const resetAt =
      rate.detailsResetAt === null ? 0 : rate.detailsResetAt + this.#boundaryDelayMs();
    const retryAt = rate.retryAfterMs === null ? 0 : now + rate.retryAfterMs;
    const until = Math.max(resetAt, retryAt);
    return until > now && until - now <= MAX_RETRY_MS ? until : null;
  }

  #isSoon({ refusedUntil, ...ledger }: QuotaLedger): boolean {
    if (refusedUntil === null || quotaUncounted({ ...ledger, refusedUntil }) === 0) return false;
    return refusedUntil - this.#clock.now() <= SOON_MS;
  }
}

type State = z.infer<typeof stateSchema>;

const NOT_REFUSED = { refused: false, refusals: 0, retryAt: 0, refusedUntil: null };

function credibleOffset(aheadMs: number): number {
  return Math.abs(aheadMs) <= MAX_CLOCK_OFFSET_MS ? aheadMs : 0;
}
