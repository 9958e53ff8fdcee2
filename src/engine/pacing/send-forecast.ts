import { chargesSince, MARGIN_MS } from './next-slot.ts';
import type { RateLimit, RateWindowState } from './rate-window-state.ts';

type Kind = 'whole' | 'sliding' | 'bucket';

/** Requests to come, in order. */
export interface SendTimes {
  /** When the next one can go, at or after `from`; it is counted as sent then. */
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
  /** When the rate window itself would let the next request go, by the local clock. */
  firstAt: number;
  /** The least time between two requests: the round trip, where they go one at a time. */
  gapMs: number;
  /** Requests of other clients in a millisecond; 0 where none were seen. */
  othersPerMs: number;
}

/**
 * The moments at which a rate window will let requests go, supposing that other clients go on as they
 * were seen to (`use-by-others.ts`), from the last answer on: some of the limit may be used up before the
 * next request. Where nobody was seen to use it, the first moment is the window's own answer, so
 * that a forecast cannot disagree with what is then done. Kinds of window that are not distinguished yet are
 * forecast as sliding, the slowest of them.
 *
 * Others only get what is free when they ask: a request that waits takes the next slot before
 * them, so that every request gets a moment.
 *
 * A queue of the moments at which slots come free; using one appends the moment at which it will be
 * free again. All kinds append in order, so each step costs the same however long the plan is.
 */
export class SendForecast implements SendTimes {
  /** As long as the limit, used as a ring. */
  readonly #freeAt: Float64Array;
  readonly #kind: Kind;
  readonly #windowMs: number;
  readonly #gapMs: number;
  readonly #isFixed: boolean;
  /** When a window that gives all back at once does so; another one begins with the next request. */
  #resetAt: number;
  #next = 0;
  #notBefore: number;
  /** Others make their requests evenly; the next one, and from one to the next. */
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
    // Where the window and this model differ, the window is right about the next request.
    this.#freeAt[0] = Math.min(firstAt, this.#freeAt[0] ?? firstAt);
    const heardAt = Math.max(state.heardAt ?? serverNow, state.refusedAt ?? -Infinity);
    // More than one in a millisecond would be many steps for each of ours, too small to add to a moment.
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

  /** One of their requests before `until`, which is refused when there is no room for it. */
  #letOthersAsk(until: number): void {
    const gapMs = this.#othersGapMs;
    // What they did longer ago than two windows makes no difference.
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

/** Until when the slots that are taken stay so, by the service's clock, in order. */
function takenUntil(kind: Kind, { state, window, serverNow }: ForecastStart): number[] {
  const { limit, resetAt, heardAt } = state;
  const remaining = state.remaining === null ? null : Math.min(state.remaining, limit);
  const { windowMs } = window;
  const unheard = state.charges.filter((charge) => charge.seq > state.heardSeq).length;
  switch (kind) {
    case 'whole': {
      const taken = limit - Math.max(0, (remaining ?? limit) - unheard);
      return new Array<number>(taken).fill((resetAt ?? serverNow) + MARGIN_MS);
    }
    case 'bucket': {
      const later = state.meaning === 'full' ? 0 : limit - (remaining ?? limit) - 1;
      const fullAt = (resetAt ?? serverNow) + ((unheard + later) * windowMs) / limit + MARGIN_MS;
      return Array.from({ length: limit }, (_, k) => fullAt - ((limit - 1 - k) * windowMs) / limit);
    }
    case 'sliding': {
      const ours = state.charges.map((charge) => charge.at + windowMs + MARGIN_MS);
      if (remaining === null || heardAt === null) return ours;
      const counted = chargesSince(state, heardAt - windowMs).length - unheard;
      const theirs = new Array<number>(Math.max(0, limit - remaining - counted));
      // It is not known when others charged, so as late as can be; but the reset may name the first.
      theirs.fill(heardAt + windowMs + MARGIN_MS);
      if (theirs.length > 0 && state.meaning === 'slot')
        theirs[0] = (resetAt ?? heardAt) + MARGIN_MS;
      const taken = [...ours, ...theirs].toSorted((a, b) => a - b);
      return taken.slice(Math.max(0, taken.length - (limit - remaining + unheard)));
    }
  }
}
