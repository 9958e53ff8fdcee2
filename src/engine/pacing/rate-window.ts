import {
  clockDiverged,
  clockOffset,
  DATE_RESOLUTION_MS,
  learnClock,
  type ClockOffset,
} from './server-clock.ts';
import { nextSlot, type Slot } from './next-slot.ts';
import { afterResponse, afterRefusal, chargesWithout, settled } from './rate-responses.ts';
import { MAX_RETRY_MS } from './header-values.ts';
import type { RateHeaders } from './rate-headers.ts';
import {
  freshRateWindow,
  happenedAhead,
  shifted,
  withoutFuture,
  type Charge,
  type RateLimit,
  type RateWindowState,
} from './rate-window-state.ts';
import { SendForecast, type SendTimes } from './send-forecast.ts';
import { SharedForecast } from './shared-forecast.ts';
import { othersPerMs } from './use-by-others.ts';

/** A response, as pacing needs it. Moments are epoch ms by the local wall clock. */
export interface RateResponse {
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
 *    second 429 in a row, to a request that waited as asked, the longest known wait, one that
 *    grows with each 429, and a strict log apply. The reset is used if `Retry-After` is missing.
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
      charges: chargesWithout(this.#state, charge),
      attempted: this.#state.attempted && !charge.attempt,
    });
  }

  /**
   * No response will come, or not in time: the request counts as made, at the latest `now`. Needed
   * because as long as a request is open, the next one waits for its response.
   */
  unanswered(charge: Charge, now: number): void {
    const at = this.#serverLatest(now);
    this.#state = settled(this.#state, this.#window, { ...charge, unsure: true }, at);
  }

  /**
   * Learns from the response to a reserved request.
   * @param isRefusal whether it is a 429 of this window, which takes the charge back (rule 5)
   */
  answered(charge: Charge, response: RateResponse, isRefusal = response.status === 429): void {
    this.learnTime(response);
    const { date } = response.headers;
    const received = this.#serverLatest(response.receivedAt);
    const at = date === null ? received : Math.min(received, date + DATE_RESOLUTION_MS);
    this.#state = isRefusal
      ? afterRefusal(this.#state, this.#window, charge, response.headers, at)
      : afterResponse(
          this.#state,
          this.#window,
          charge,
          response.headers,
          { from: date ?? at, to: at },
          response.status < 300,
        );
  }

  /** Learns the service's clock from a response of any endpoint. */
  learnTime({ headers: { date }, sentAt, receivedAt }: RateResponse): void {
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

  #update(change: Partial<RateWindowState>): void {
    this.#state = { ...this.#state, ...change };
  }
}
