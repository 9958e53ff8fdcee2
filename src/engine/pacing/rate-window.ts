import { clockDiverged, clockOffset, DATE_RESOLUTION_MS, learnClock } from './server-clock.ts';
import { isPenalised, MARGIN_MS, nextSlot } from './next-slot.ts';
import { LONGEST_RETRY_MS, type RateHeaders } from './rate-headers.ts';
import { freshRateWindow } from './rate-window-state.ts';
import type { Charge, RateLimit, RateWindowState } from './rate-window-state.ts';
import { learnMeaning, showsWholeReset } from './reset-meaning.ts';
import { SendForecast } from './send-forecast.ts';

export { DOCUMENTED_LIMITS, rateWindowStateSchema } from './rate-window-state.ts';
export type { Charge, Endpoint, RateLimit, RateWindowState } from './rate-window-state.ts';

/** Longer waits than the window and this are not believed, unless a 429 asked for them. */
const WAIT_SLACK_MS = 60_000;

/** An account with a higher limit than documented (§8.5) has no more than this; memory is kept for it. */
const LARGEST_LIMIT = 10_000;

/** A response, as far as pacing cares. Moments are epoch ms by the local wall clock. */
export interface RateAnswer {
  status: number;
  headers: RateHeaders;
  sentAt: number;
  receivedAt: number;
}

/** What a user may be shown. Moments are epoch ms by the local wall clock. */
export interface RateView {
  limit: number;
  /** Null before the service has said anything. */
  remaining: number | null;
  resetAt: number | null;
  /** When the next request may be sent. */
  nextAt: number;
  penalised: boolean;
  /** False until a response has shown the service's clock, or after the local one jumped. */
  clockKnown: boolean;
}

/**
 * When requests to one endpoint of one account may be sent: as fast as the service allows, whatever
 * kind of window it keeps and whoever else shares it.
 *
 * 1. A request is written down (`reserve`) before it is sent. One that was never answered counts.
 * 2. While the service says that requests remain, they are sent at once, never spaced evenly.
 * 3. When none remain, one is sent when the next slot opens; its headers say how many may follow.
 *    The slot is the reset where that has proved steady; otherwise our own log or the bucket's rate
 *    tells it (`next-slot.ts`, `reset-meaning.ts`).
 * 4. Where others share a sliding window that does not name its next slot, or the local clock may
 *    have been set, one real attempt is made: its 429 tells the exact slot. At most one a slot.
 * 5. A 429 was not executed. `Retry-After` holds, even against a later reset: it names the next slot
 *    (§8.2), whereas a sliding window or a bucket may say when all are free, up to a window later.
 *    To have asked too early costs nothing, since a 429 is not executed, and happens once: a second
 *    in a row, after waiting as told, is met with the longest wait known and a strict log. The reset
 *    stands in where `Retry-After` is missing.
 * 6. Without usable headers a strict sliding log holds, which every kind of window accepts. A single
 *    answer without them (a proxy's) counts as a request, and what was known before still holds.
 * 7. The service's clock is known as an interval (`server-clock.ts`); waits end when it has surely
 *    reached the slot.
 *
 * Time only enters as arguments, and `state` is plain data to persist after every `reserve`.
 */
export class RateWindow {
  readonly #window: RateLimit;
  #state: RateWindowState;

  /** @param state as persisted; requests that were open then will not be answered any more */
  constructor(window: RateLimit, state: RateWindowState = freshRateWindow(window)) {
    this.#window = window;
    this.#state = {
      ...state,
      limit: Math.max(state.limit, window.limit),
      charges: state.charges.map((charge) => ({ ...charge, open: false })),
    };
  }

  /** A new object after every change, so that it may be kept. */
  get state(): RateWindowState {
    return this.#state;
  }

  /**
   * Milliseconds until a request may be sent; 0 is now. To be asked again on waking: more may have
   * been learned meanwhile.
   */
  wait(now: number): number {
    const wait = this.#slot(now).at - this.#serverNow(now);
    const { notBefore } = this.#state;
    // A service whose clock is set may leave behind a moment that nobody asked for.
    const told =
      notBefore === null ? 0 : Math.min(notBefore - this.#serverNow(now), LONGEST_RETRY_MS);
    return Math.max(0, Math.min(wait, Math.max(told, this.#window.windowMs + WAIT_SLACK_MS)));
  }

  /** Writes down a request that is about to be sent. Persist `state` before the first byte leaves. */
  reserve(now: number): Charge {
    const { nextSeq } = this.#state;
    const { attempt } = this.#slot(now);
    const charge = { seq: nextSeq, at: this.#serverLatest(now), open: true, attempt };
    this.#update({
      nextSeq: nextSeq + 1,
      charges: [...this.#state.charges, charge],
      attempted: this.#state.attempted || attempt,
    });
    return charge;
  }

  /** The request provably never left: nothing was counted. */
  release(charge: Charge): void {
    this.#update({
      charges: this.#without(charge),
      attempted: this.#state.attempted && !charge.attempt,
    });
  }

  /**
   * No answer will come, or not in time: it counts as made, at the latest `now`. Needed because as
   * long as a request is open, the next one waits for what its answer will say.
   */
  unanswered(charge: Charge, now: number): void {
    this.#settle(charge, this.#serverLatest(now));
  }

  /** Learns from the answer to a reserved request. A 429 takes the charge back (rule 5). */
  answered(charge: Charge, answer: RateAnswer): void {
    this.learnTime(answer);
    const { date } = answer.headers;
    const received = this.#serverLatest(answer.receivedAt);
    const at = date === null ? received : Math.min(received, date + DATE_RESOLUTION_MS);
    if (answer.status === 429) {
      this.#refused(charge, answer.headers, at);
    } else {
      this.#settle(charge, at);
      this.#counted(charge, answer.headers, date ?? at);
    }
  }

  /** Learns the service's clock from a response of any endpoint. */
  learnTime({ headers: { date }, sentAt, receivedAt }: RateAnswer): void {
    if (date === null) return;
    const first = clockOffset(this.#state.clock) === null;
    const clock = learnClock(this.#state.clock, { date, sentAt, receivedAt });
    const shift = first ? (clockOffset(clock)?.high ?? 0) : 0;
    // Until now local time stood in for the service's.
    const charges = this.#state.charges.map((charge) => ({ ...charge, at: charge.at + shift }));
    const notBefore = this.#state.notBefore === null ? null : this.#state.notBefore + shift;
    this.#update({ clock, charges, notBefore });
  }

  /**
   * The wall clock has moved `byMs` more than the monotonic clock: it was set, or the computer
   * slept. Until the next response, waits allow for either; when that makes one long, a real attempt
   * finds out, as in rule 4.
   */
  clockDiverged(byMs: number): void {
    this.#update({ clock: clockDiverged(this.#state.clock, byMs), attempted: false });
  }

  view(now: number): RateView {
    const { limit, remaining, resetAt, charges, heardSeq } = this.#state;
    const unheard = charges.filter((charge) => charge.seq > heardSeq).length;
    const offset = clockOffset(this.#state.clock);
    return {
      limit,
      remaining: remaining === null ? null : Math.max(0, remaining - unheard),
      resetAt: resetAt === null ? null : resetAt - (offset?.low ?? 0),
      nextAt: now + this.wait(now),
      penalised: isPenalised(this.#state, this.#serverNow(now)),
      clockKnown: offset !== null && offset.high - offset.low <= WAIT_SLACK_MS,
    };
  }

  /** The sends to come, if nobody else shares the window, `gapMs` apart at the least. */
  forecast(now: number, gapMs: number): SendForecast {
    return new SendForecast({
      state: this.#state,
      window: this.#window,
      serverNow: this.#serverNow(now),
      now,
      firstAt: now + this.wait(now),
      gapMs,
    });
  }

  #slot(now: number): { at: number; attempt: boolean } {
    const clock = { earliest: this.#serverNow(now), latest: this.#serverLatest(now) };
    return nextSlot(this.#state, this.#window, clock);
  }

  /** The earliest that the service's clock can show. */
  #serverNow(now: number): number {
    return now + (clockOffset(this.#state.clock)?.low ?? 0);
  }

  #serverLatest(now: number): number {
    return now + (clockOffset(this.#state.clock)?.high ?? 0);
  }

  /** @param remaining null on a response that did not come from the limiter: it tells nothing */
  #counted(charge: Charge, { remaining, ...headers }: RateHeaders, at: number): void {
    const state = this.#state;
    if (remaining === null) return;
    if (charge.seq > state.refusedSeq) {
      this.#update({ notBefore: null, refusals: 0, attempted: false });
    }
    if (charge.seq < state.heardSeq) {
      // Requests overtook each other: of two answers about one window the lower count is newer.
      if (state.remaining !== null && headers.resetAt === state.resetAt) {
        this.#update({ remaining: Math.min(remaining, state.remaining) });
      }
      return;
    }
    const resetAt = this.#believable(headers.resetAt, at);
    const heard = { remaining, resetAt, heardSeq: charge.seq, heardAt: at };
    const limit = Math.max(state.limit, Math.min(remaining + 1, LARGEST_LIMIT));
    if (resetAt === null) {
      this.#update({ ...heard, limit });
      return;
    }
    const reading = { remaining, resetAt, at };
    this.#update({
      ...heard,
      limit,
      meaning: learnMeaning({ ...this.#state, limit }, this.#window, reading),
      wholeReset: state.wholeReset || showsWholeReset(this.#state, this.#window, reading),
    });
  }

  #refused(charge: Charge, headers: RateHeaders, at: number): void {
    const state = this.#state;
    const { windowMs } = this.#window;
    const resetAt = this.#believable(headers.detailsResetAt ?? headers.resetAt, at);
    const retryAt = headers.retryAfterMs === null ? null : at + headers.retryAfterMs;
    const blindly = at + windowMs / state.limit;

    const asTold = charge.seq > state.refusedSeq && !charge.attempt;
    const refusals = state.refusals + (asTold ? 1 : 0);
    const penalised = refusals >= 2;
    const notBefore =
      MARGIN_MS +
      (penalised
        ? Math.max(retryAt ?? blindly, resetAt ?? blindly, blindly)
        : (retryAt ?? resetAt ?? blindly));
    this.#update({
      charges: this.#without(charge),
      remaining: 0,
      heardSeq: Math.max(state.heardSeq, charge.seq),
      refusals,
      refusedSeq: state.nextSeq - 1,
      notBefore: Math.max(notBefore, state.notBefore ?? notBefore),
      penalisedUntil: penalised ? notBefore + windowMs : state.penalisedUntil,
    });
  }

  /**
   * A reset further away than the window is long is no reset of this window, and without the
   * service's clock it is no moment at all.
   */
  #believable(resetAt: number | null, at: number): number | null {
    if (resetAt === null || clockOffset(this.#state.clock) === null) return null;
    return resetAt - at <= this.#window.windowMs + WAIT_SLACK_MS ? resetAt : null;
  }

  #settle(charge: Charge, at: number): void {
    const settled = { ...charge, at, open: false };
    const charges = [...this.#without(charge), settled].toSorted((a, b) => a.at - b.at);
    const closed = charges.filter(({ open }) => !open).slice(-this.#state.limit);
    this.#update({ charges: charges.filter((each) => each.open || closed.includes(each)) });
  }

  #without(charge: Charge): Charge[] {
    return this.#state.charges.filter(({ seq }) => seq !== charge.seq);
  }

  #update(change: Partial<RateWindowState>): void {
    this.#state = { ...this.#state, ...change };
  }
}
