import { chargesSince, MARGIN_MS } from './next-slot.ts';
import type { RateLimit, RateWindowState } from './rate-window-state.ts';

type Kind = 'whole' | 'sliding' | 'bucket';

/** Future requests, in order. */
export interface SendTimes {
  /** When the next one can leave, at or after `from`; it is counted as sent then. */
  next(from?: number): number;
  /** The same without counting it. */
  peek(from?: number): number;
}

interface ForecastStart {
  state: RateWindowState;
  window: RateLimit;
  /** Epoch ms by the local clock, and the same moment by the service's. */
  now: number;
  serverNow: number;
  /** When the rate window itself would admit the next request, by the local clock. */
  firstAt: number;
  /** The least time between two requests: the round trip, if they are sent one at a time. */
  gapMs: number;
  /** Requests of other clients per millisecond; 0 if none were observed. */
  othersPerMs: number;
}

/**
 * The moments at which a rate window will admit requests, assuming that other clients continue as
 * observed since the last response (`use-by-others.ts`): they may use some of the limit before the
 * next request. If no other client was observed, the first moment is the window's own, so that a
 * forecast cannot disagree with what is then done. Kinds of window that are not yet distinguished
 * are forecast as sliding, the slowest of them.
 *
 * Others only get what is free when they ask: a request of ours that waits takes the next slot
 * before them, so that every request gets a moment.
 *
 * Implemented as a queue of the moments at which slots become free; using one appends the moment at
 * which it will be free again. All kinds append in order, so each step costs the same however long
 * the plan is.
 */
export class SendForecast implements SendTimes {
  /** A ring buffer of the limit's length. */
  readonly #freeAt: Float64Array;
  readonly #kind: Kind;
  readonly #windowMs: number;
  readonly #gapMs: number;
  readonly #isFixed: boolean;
  /**
   * When a window that gives everything back at once does so; the next request begins another one.
   */
  #resetAt: number;
  #next = 0;
  #notBefore: number;
  /** Others make their requests evenly: when the next one is, and the time between two. */
  #othersAt: number;
  readonly #othersGapMs: number;

  constructor(start: ForecastStart) {
    const { state, window, now, serverNow, firstAt, gapMs, othersPerMs } = start;
    const isBucket = state.meaning === 'full' || state.namesToken;
    const isWhole = state.wholeReset || state.isFixed;
    this.#kind = isBucket ? 'bucket' : isWhole ? 'whole' : 'sliding';
    this.#windowMs = window.windowMs;
    this.#gapMs = gapMs;
    this.#notBefore = firstAt;
    // Without a reset it is unknown when a fixed window began: the next request begins one.
    this.#isFixed = state.isFixed && state.resetAt !== null;
    this.#resetAt = (state.resetAt ?? -Infinity) + (now - serverNow) + MARGIN_MS;

    const taken = takenUntil(this.#kind, start)
      .slice(-state.limit)
      .map((at) => at + (now - serverNow));
    this.#freeAt = new Float64Array(state.limit).fill(-Infinity);
    this.#freeAt.set(taken, state.limit - taken.length);
    // If the window and this model differ, the window is right about the next request.
    this.#freeAt[0] = Math.min(firstAt, this.#freeAt[0] ?? firstAt);
    const heardAt = Math.max(state.heardAt ?? serverNow, state.refusedAt ?? -Infinity);
    // More than one per millisecond would take many steps for each of ours, each too small to add
    // to a moment.
    this.#othersGapMs = Math.max(1, 1 / othersPerMs);
    this.#othersAt = heardAt + (now - serverNow) + this.#othersGapMs / 2;
  }

  peek(from = -Infinity): number {
    for (;;) {
      const at = Math.max(from, this.#notBefore, this.#nextFreeAt);
      if (this.#othersAt >= at || at === Infinity) return at;
      this.#letOthersAsk(at);
    }
  }

  next(from = -Infinity): number {
    const at = this.peek(from);
    this.#take(at);
    this.#notBefore = at + this.#gapMs;
    return at;
  }

  get #nextFreeAt(): number {
    return this.#freeAt[this.#next % this.#freeAt.length] ?? -Infinity;
  }

  #take(at: number): void {
    const index = this.#next++ % this.#freeAt.length;
    this.#freeAt[index] = this.#freeAgainAt(at);
  }

  /** Simulates their requests before `until`; one is refused when there is no room for it. */
  #letOthersAsk(until: number): void {
    const gapMs = this.#othersGapMs;
    // Their requests from more than two windows ago make no difference.
    const skipped = Math.floor((until - 2 * this.#windowMs - this.#othersAt) / gapMs);
    const at = this.#othersAt + Math.max(0, skipped) * gapMs;
    if (this.#nextFreeAt <= at) this.#take(at);
    this.#othersAt = at + gapMs;
  }

  #freeAgainAt(sentAt: number): number {
    switch (this.#kind) {
      case 'whole': {
        const late = sentAt - this.#resetAt;
        if (late >= 0) {
          this.#resetAt = this.#isFixed
            ? this.#resetAt + (Math.floor(late / this.#windowMs) + 1) * this.#windowMs
            : sentAt + this.#windowMs + MARGIN_MS;
        }
        return this.#resetAt;
      }
      case 'bucket': {
        const length = this.#freeAt.length;
        const lastFilled = this.#freeAt[(this.#next + length - 2) % length] ?? sentAt;
        return Math.max(lastFilled, sentAt) + this.#windowMs / length;
      }
      case 'sliding':
        return sentAt + this.#windowMs + MARGIN_MS;
    }
  }
}

/** When the slots that are in use become free, by the service's clock, in order. */
function takenUntil(kind: Kind, { state, window, serverNow }: ForecastStart): number[] {
  const { limit, resetAt, heardAt } = state;
  const remaining = state.remaining === null ? null : Math.min(state.remaining, limit);
  const { windowMs } = window;
  const unanswered = state.charges.filter((charge) => charge.seq > state.heardSeq).length;
  switch (kind) {
    case 'whole': {
      const taken = limit - Math.max(0, (remaining ?? limit) - unanswered);
      return new Array<number>(taken).fill((resetAt ?? serverNow) + MARGIN_MS);
    }
    case 'bucket': {
      const later = state.meaning === 'full' ? 0 : limit - (remaining ?? limit) - 1;
      const fullAt = (resetAt ?? serverNow) + ((unanswered + later) * windowMs) / limit + MARGIN_MS;
      return Array.from({ length: limit }, (_, k) => fullAt - ((limit - 1 - k) * windowMs) / limit);
    }
    case 'sliding': {
      const ours = state.charges.map((charge) => charge.at + windowMs + MARGIN_MS);
      if (remaining === null || heardAt === null) return ours;
      const counted = chargesSince(state, heardAt - windowMs).length - unanswered;
      const theirs = new Array<number>(Math.max(0, limit - remaining - counted));
      // It is not known when others sent theirs, so as late as possible; but the reset may be the
      // first.
      theirs.fill(heardAt + windowMs + MARGIN_MS);
      if (theirs.length > 0 && state.meaning === 'slot')
        theirs[0] = (resetAt ?? heardAt) + MARGIN_MS;
      const taken = [...ours, ...theirs].toSorted((a, b) => a - b);
      return taken.slice(Math.max(0, taken.length - (limit - remaining + unanswered)));
    }
  }
}
