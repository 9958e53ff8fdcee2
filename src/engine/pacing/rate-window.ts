import {
  clockDiverged,
  clockOffset,
  DATE_RESOLUTION_MS,
  learnClock,
  type ClockOffset,
} from './server-clock.ts';
import { MARGIN_MS, nextSlot, type Slot } from './next-slot.ts';
import { credibleReset, MAX_RETRY_MS, reportedLimit, type RateHeaders } from './rate-headers.ts';
import {
  freshRateWindow,
  happenedAhead,
  shifted,
  withoutFuture,
  type Charge,
  type RateLimit,
  type RateWindowState,
} from './rate-window-state.ts';
import {
  hasFixedWindows,
  learnMeaning,
  namesNextToken,
  ROUNDED_MS,
  showsWholeReset,
} from './reset-meaning.ts';
import { SendForecast, type SendTimes } from './send-forecast.ts';
import { SharedForecast } from './shared-forecast.ts';
import { learnUseByOthers, othersPerMs, withRefusal } from './use-by-others.ts';

/** A limit above the documented one (§8.5) is not raised beyond this, which bounds memory. */
const MAX_LIMIT = 10_000;

/** This many are stored, however old they are. */
const MANY_CHARGES = 100;

/** A response, as pacing needs it. Moments are epoch ms by the local wall clock. */
export interface RateAnswer {
  status: number;
  headers: RateHeaders;
  sentAt: number;
  receivedAt: number;
}

/** What a user may be shown. Moments are epoch ms by the local wall clock. */
export interface RateView {
  limit: number;
  windowMs: number;
  /** Null before the first response. */
  remaining: number | null;
  resetAt: number | null;
  /** When the next request may be sent. */
  nextAt: number;
  /** Observed requests of others. */
  othersPerHour: number;
}

/**
 * When requests to one endpoint of one account may be sent: as fast as the service allows, whatever
 * kind of window it uses and which other clients share it.
 *
 * 1. A request is counted (`reserve`) before it is sent. One without a response counts.
 * 2. While the service says that requests remain, they are sent at once, never spaced evenly.
 * 3. When none remain, one is sent when the next slot opens; its headers say how many may follow.
 *    The slot is the reset if that has proved steady; otherwise it follows from our own log or the
 *    bucket's rate (`next-slot.ts`, `reset-meaning.ts`).
 * 4. If others share a sliding window that does not report its next slot, or the local clock may
 *    have been set, one early attempt is made: its 429 shows the exact slot. At most one per slot.
 * 5. A 429 was not executed. `Retry-After` applies, even against a later reset: it is the next slot
 *    (§8.2), whereas a sliding window or a bucket may report when all are free, up to a window
 *    later. Asking too early costs nothing, since a 429 is not executed, and happens once: after a
 *    second 429 in a row, to a request that waited as asked, the longest known wait and a strict
 *    log apply. The reset is used if `Retry-After` is missing.
 * 6. Without usable headers a strict sliding log applies, which every kind of window accepts. A
 *    single response without them (a proxy's) counts as a request, and earlier knowledge is kept.
 * 7. The service's clock is known as an interval (`server-clock.ts`); waits end when it has
 *    certainly reached the slot. A clock that was set back unnoticed makes no wait longer than the
 *    window (`withoutFuture`), or than a 429 asked for.
 *
 * Time is always an argument, and `state` is plain data to store after every `reserve`.
 */
export class RateWindow {
  readonly #window: RateLimit;
  #state: RateWindowState;

  /** @param state as stored; requests that were open then will get no response any more */
  constructor(window: RateLimit, state: RateWindowState = freshRateWindow(window)) {
    this.#window = window;
    this.#state = {
      ...state,
      limit: Math.max(state.limit, window.limit),
      charges: state.charges.map((charge) => ({
        ...charge,
        open: false,
        unsure: charge.unsure || charge.open,
      })),
    };
  }

  get windowMs(): number {
    return this.#window.windowMs;
  }

  /** A new object after every change, so that it may be kept. */
  get state(): RateWindowState {
    return this.#state;
  }

  /**
   * Milliseconds until a request may be sent; 0 is now. Call it again after the wait: more may have
   * been learned meanwhile.
   */
  wait(now: number): number {
    const wait = this.#slot(now).at - this.#serverNow(now);
    return Math.max(0, Math.min(wait, MAX_RETRY_MS));
  }

  /** Counts a request that is about to be sent. Store `state` before the first byte leaves. */
  reserve(now: number): Charge {
    const { nextSeq } = this.#state;
    const { attempt } = this.#slot(now);
    const charge = {
      seq: nextSeq,
      at: this.#serverLatest(now),
      open: true,
      attempt,
      unsure: false,
    };
    this.#update({
      nextSeq: nextSeq + 1,
      charges: [...this.#state.charges, charge],
      attempted: this.#state.attempted || attempt,
    });
    return charge;
  }

  /** The request certainly never left: nothing was counted. */
  release(charge: Charge): void {
    this.#update({
      charges: this.#without(charge),
      attempted: this.#state.attempted && !charge.attempt,
    });
  }

  /**
   * No response will come, or not in time: the request counts as made, at the latest `now`. Needed
   * because as long as a request is open, the next one waits for its response.
   */
  unanswered(charge: Charge, now: number): void {
    this.#settle({ ...charge, unsure: true }, this.#serverLatest(now));
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
      const { charges } = this.#state;
      this.#settle({ ...charge, unsure: answer.headers.remaining === null }, at);
      this.#counted(charge, answer.headers, { from: date ?? at, to: at }, charges);
    }
  }

  /** Learns the service's clock from a response of any endpoint. */
  learnTime({ headers: { date }, sentAt, receivedAt }: RateAnswer): void {
    if (date === null) return;
    const first = clockOffset(this.#state.clock) === null;
    const clock = learnClock(this.#state.clock, { date, sentAt, receivedAt });
    const shift = first ? (clockOffset(clock)?.high ?? 0) : 0;
    // Until now the local clock was used for the service's.
    this.#update({ ...shifted(this.#state, shift), clock });
    // The service's clock was set back, or the previous one was not the service's.
    this.#forgetFuture(receivedAt);
  }

  /**
   * The wall clock has moved `byMs` more than the monotonic clock: it was set, or the computer
   * slept. Until the next response, waits allow for either; if that makes one long, an early
   * attempt finds out, as in rule 4.
   */
  clockDiverged(byMs: number): void {
    this.#update({ clock: clockDiverged(this.#state.clock, byMs), attempted: false });
  }

  /** Bounds of the service's clock minus the local one; null before the first response. */
  get clockOffset(): ClockOffset | null {
    return clockOffset(this.#state.clock);
  }

  view(now: number): RateView {
    const { limit, remaining, resetAt, charges, heardSeq } = this.#state;
    const unanswered = charges.filter((charge) => charge.seq > heardSeq).length;
    const offset = clockOffset(this.#state.clock);
    return {
      limit,
      windowMs: this.windowMs,
      remaining: remaining === null ? null : Math.max(0, remaining - unanswered),
      resetAt: resetAt === null ? null : resetAt - (offset?.high ?? 0),
      nextAt: now + this.wait(now),
      othersPerHour: 3_600_000 * this.#othersPerMs(now),
    };
  }

  /** The future sends, if others use as much as was observed, at least `gapMs` apart. */
  forecast(now: number, gapMs: number): SendTimes {
    const firstAt = now + this.wait(now);
    const start = {
      state: this.#state,
      window: this.#window,
      // If the local clock went ahead of the timers, the computer probably slept.
      serverNow: this.#serverLatest(now),
      now,
      firstAt,
      gapMs,
    };
    const unshared = new SendForecast({ ...start, othersPerMs: 0 });
    const othersPerMs = this.#othersPerMs(now);
    if (othersPerMs === 0) return unshared;
    return new SharedForecast(unshared, new SendForecast({ ...start, othersPerMs }), now, gapMs);
  }

  #othersPerMs(now: number): number {
    const { others, limit } = this.#state;
    return othersPerMs(others, { ...this.#window, limit }, this.#serverLatest(now));
  }

  #slot(now: number): Slot {
    this.#detectSetBack(now);
    const clock = { earliest: this.#serverNow(now), latest: this.#serverLatest(now) };
    return nextSlot(this.#state, this.#window, clock);
  }

  /** A recorded event in the future means that the local clock was set back unnoticed. */
  #detectSetBack(now: number): void {
    const aheadMs = happenedAhead(this.#state, this.#serverLatest(now));
    if (aheadMs === 0) return;
    if (clockOffset(this.#state.clock) === null) this.#forgetFuture(now);
    else this.#update({ clock: clockDiverged(this.#state.clock, -aheadMs) });
  }

  #forgetFuture(now: number): void {
    this.#state = withoutFuture(this.#state, this.#serverLatest(now));
  }

  /** The earliest that the service's clock can show. */
  #serverNow(now: number): number {
    return now + (clockOffset(this.#state.clock)?.low ?? 0);
  }

  #serverLatest(now: number): number {
    return now + (clockOffset(this.#state.clock)?.high ?? 0);
  }

  /** @param charges as they were before this one was settled */
  #counted(
    charge: Charge,
    headers: RateHeaders,
    at: { from: number; to: number },
    charges: readonly Charge[],
  ): void {
    const state = this.#state;
    const { remaining } = headers;
    // The response did not come from the limiter, so it says nothing about it.
    if (remaining === null) return;
    if (charge.seq > state.refusedSeq) {
      this.#update({ notBefore: null, refusedAt: null, refusals: 0, attempted: false });
    }
    const resetAt = this.#reset(headers, at.to);
    const isRounded = headers.resetAt === null;
    if (charge.seq < state.heardSeq) {
      // Requests overtook each other: of two responses about one window the lower count is newer.
      const apart = Math.abs((resetAt ?? 0) - (state.resetAt ?? 0));
      if (state.remaining !== null && apart <= (isRounded ? ROUNDED_MS : 0)) {
        this.#update({ remaining: Math.min(remaining, state.remaining) });
      }
      return;
    }
    const latest = { remaining, resetAt, heardSeq: charge.seq, heardAt: at.from };
    const limit = Math.max(state.limit, Math.min(reportedLimit(headers, this.#window), MAX_LIMIT));
    if (resetAt === null) {
      this.#update({ ...latest, limit });
      this.#learnUseByOthers(charge, headers, null);
      return;
    }
    const reading = { remaining, resetAt, at: at.from, isRounded };
    const settled = { ...this.#state, limit };
    const unsettled = { ...settled, charges: [...charges] };
    this.#update({
      ...latest,
      limit,
      meaning: learnMeaning(settled, this.#window, reading),
      wholeReset: state.wholeReset || showsWholeReset(settled, this.#window, reading),
      isFixed: hasFixedWindows(unsettled, this.#window, reading),
      namesToken: namesNextToken(unsettled, this.#window, reading),
    });
    this.#learnUseByOthers(charge, headers, resetAt);
  }

  #refused(charge: Charge, headers: RateHeaders, at: number): void {
    const state = this.#state;
    const { windowMs } = this.#window;
    const { detailsResetAt } = headers;
    const read = detailsResetAt === null ? headers : { ...headers, resetAt: detailsResetAt };
    const resetAt = this.#reset(read, at);
    const retryAt = headers.retryAfterMs === null ? null : at + headers.retryAfterMs;
    const blindly = at + windowMs / state.limit;

    const hadWaited = charge.seq > state.refusedSeq && !charge.attempt;
    const refusals = state.refusals + (hadWaited ? 1 : 0);
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
      refusedAt: at,
      penalisedUntil: penalised ? notBefore + windowMs : state.penalisedUntil,
    });
    this.#learnUseByOthers(charge, headers, resetAt);
    this.#update({ others: withRefusal(this.#state.others, at) });
  }

  /** For forecasts only: when requests are sent depends on what the service says. */
  #learnUseByOthers(
    { seq }: Charge,
    { date, remaining }: RateHeaders,
    resetAt: number | null,
  ): void {
    const { meaning, wholeReset, isFixed, namesToken, charges, ...state } = this.#state;
    // Without `Date`, a clock that was set could make our own requests look like those of others.
    if (date === null || remaining === null || seq < state.heardSeq) return;
    const isWhole = (wholeReset || isFixed) && !namesToken && (meaning ?? 'slot') === 'slot';
    const others = learnUseByOthers(state.others, {
      ...this.#window,
      at: date,
      remaining,
      endsAt: isWhole ? resetAt : null,
      isFixed,
      maxLimit: state.limit,
      ours: charges.map(({ at }) => at),
    });
    this.#update({ others });
  }

  #reset(headers: RateHeaders, at: number): number | null {
    return credibleReset(headers, this.#window, at, clockOffset(this.#state.clock) !== null);
  }

  #settle(charge: Charge, at: number): void {
    const settled = { ...charge, at, open: false };
    const charges = [...this.#without(charge), settled].toSorted((a, b) => a.at - b.at);
    const closed = this.#worthKeeping(charges.filter(({ open }) => !open)).slice(
      -this.#state.limit,
    );
    this.#update({ charges: charges.filter((each) => each.open || closed.includes(each)) });
  }

  /**
   * In a window with a high limit, charges that left it long ago are dropped, because all are
   * stored.
   */
  #worthKeeping(charges: readonly Charge[]): readonly Charge[] {
    if (charges.length <= MANY_CHARGES) return charges;
    const newest = charges.at(-1)?.at ?? 0;
    return charges.filter(({ at }) => newest - at <= 2 * this.#window.windowMs);
  }

  #without(charge: Charge): Charge[] {
    return this.#state.charges.filter(({ seq }) => seq !== charge.seq);
  }

  #update(change: Partial<RateWindowState>): void {
    this.#state = { ...this.#state, ...change };
  }
}
