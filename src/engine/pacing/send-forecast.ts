import { chargesSince, MARGIN_MS } from './next-slot.ts';
import type { RateLimit, RateWindowState } from './rate-window-state.ts';

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
}

/**
 * The moments at which a rate window will let requests go, supposing that nobody else uses it.
 * The first is the window's own answer, so a forecast cannot disagree with what is then done. Kinds
 * of window that have not been told apart yet are forecast as sliding, the slowest of them.
 *
 * A queue of the moments at which slots come free; using one appends the moment at which it will be
 * free again. All kinds append in order, so each step costs the same however long the plan is.
 */
export class SendForecast {
  /** As long as the limit, used as a ring. */
  readonly #freeAt: Float64Array;
  readonly #kind: 'whole' | 'sliding' | 'bucket';
  readonly #windowMs: number;
  readonly #gapMs: number;
  readonly #resetAt: number;
  #next = 0;
  #notBefore: number;

  constructor({ state, window, now, serverNow, firstAt, gapMs }: ForecastStart) {
    const { limit } = state;
    const toLocal = now - serverNow;
    this.#kind = state.meaning === 'full' ? 'bucket' : state.wholeReset ? 'whole' : 'sliding';
    this.#windowMs = window.windowMs;
    this.#gapMs = gapMs;
    this.#notBefore = firstAt;
    this.#resetAt = Math.max(firstAt, (state.resetAt ?? serverNow) + toLocal + MARGIN_MS);

    const unheard = state.charges.filter((charge) => charge.seq > state.heardSeq).length;
    const inside = chargesSince(state, serverNow - window.windowMs);
    const known = state.remaining ?? limit - inside.length;
    const free = Math.max(firstAt > now ? 0 : 1, Math.min(limit, known - unheard));
    this.#freeAt = new Float64Array(limit).fill(firstAt);
    const taken = limit - free;
    const ours = inside.slice(-taken || limit);
    for (let index = 0; index < taken; index++) {
      const chargedAt = (ours[index]?.at ?? state.heardAt ?? serverNow) + toLocal;
      this.#freeAt[free + index] = Math.max(firstAt, this.#takenSlotFreeAt(index, chargedAt));
    }
  }

  /** When the earliest request at or after `from` can go; it is counted as sent then. */
  next(from = -Infinity): number {
    const index = this.#next++ % this.#freeAt.length;
    const at = Math.max(from, this.#notBefore, this.#freeAt[index] ?? -Infinity);
    this.#freeAt[index] = this.#freeAgainAt(at);
    this.#notBefore = at + this.#gapMs;
    return at;
  }

  /** @param index of the slot among those taken now, in the order in which they come free */
  #takenSlotFreeAt(index: number, chargedAt: number): number {
    switch (this.#kind) {
      case 'whole':
        return this.#resetAt;
      case 'bucket':
        return this.#notBefore + index * (this.#windowMs / this.#freeAt.length);
      case 'sliding':
        return index === 0 ? this.#notBefore : chargedAt + this.#windowMs + MARGIN_MS;
    }
  }

  #freeAgainAt(sentAt: number): number {
    switch (this.#kind) {
      case 'whole': {
        const period = this.#windowMs + MARGIN_MS;
        const windows = Math.floor((sentAt - this.#resetAt) / period) + 1;
        return this.#resetAt + Math.max(0, windows) * period;
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
