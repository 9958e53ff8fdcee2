import { z } from 'zod';

/** The least time between two attempts to get slots that others hold. */
const MIN_RETRY_MS = 5000;
/** The most time between them, while the service renders nothing of ours. */
const MAX_RETRY_MS = 600_000;
/** Each refusal in a row makes the next retry later by this factor. */
const GROWTH = 1.5;
/** A longer `Retry-After` is cut to this: no render takes longer. */
const MAX_RETRY_AFTER_MS = 3_600_000;

/** Moments are epoch milliseconds by the local wall clock. */
export const renderSlotsSchema = z.object({
  version: z.literal(1),
  /**
   * How many of ours were running when the service refused another one; `null` if it refuses none.
   */
  refusedAbove: z.int().nonnegative().nullable(),
  /** When one more than that is tried. */
  retryAt: z.number(),
  /** Nothing is sent before it, because the service said so. */
  notBefore: z.number().nullable(),
  refusedAt: z.number(),
  /** How often in a row. */
  refusals: z.int().nonnegative(),
});

export type RenderSlotsState = Readonly<z.infer<typeof renderSlotsSchema>>;

export const NO_REFUSAL: RenderSlotsState = {
  version: 1,
  refusedAbove: null,
  retryAt: 0,
  notBefore: null,
  refusedAt: 0,
  refusals: 0,
};

/** A refusal because too many videos are rendered at once. */
export interface SlotRefusal {
  /** How many of ours were running, without the one that was refused. */
  readonly underWay: number;
  readonly now: number;
  /** `Retry-After`; `null` when the service did not say. */
  readonly retryAfterMs: number | null;
  /** How long a render usually takes. */
  readonly renderMs: number;
}

/**
 * How many videos a service renders for one account at the same time. A slot is free while fewer
 * than that are running. Others may use the same account, which only a refusal shows: the number
 * that ran then is the most that we may have, until one more is accepted. A refused request was not
 * executed, and says nothing about rate windows.
 *
 * It does not know which videos are running: the caller counts them.
 */
export class RenderSlots {
  readonly limit: number;
  #state: RenderSlotsState;

  /** @param limit videos at a time, at least 1 */
  constructor(limit: number, state: RenderSlotsState = NO_REFUSAL) {
    this.limit = limit;
    this.#state = state;
  }

  get state(): RenderSlotsState {
    return this.#state;
  }

  /**
   * Milliseconds until another video may be sent while this many are running; `Infinity` until one
   * of them ends.
   */
  wait(underWay: number, now: number): number {
    if (underWay >= this.limit) return Infinity;
    const { refusedAbove, retryAt, notBefore } = this.#state;
    if (refusedAbove === null) return 0;
    const waitMs = notBefore === null ? 0 : this.#left(notBefore, now);
    return underWay < refusedAbove ? waitMs : Math.max(waitMs, this.#left(retryAt, now));
  }

  /** How many of our videos may run, as far as is known now. */
  get room(): number {
    return Math.min(this.limit, this.#state.refusedAbove ?? Infinity);
  }

  refused({ underWay, now, retryAfterMs, renderMs }: SlotRefusal): void {
    const { refusals } = this.#state;
    const others = Math.max(1, this.limit - underWay);
    const longest = underWay === 0 ? Math.max(renderMs, MIN_RETRY_MS) : MAX_RETRY_MS;
    // In that time, one render of the others ends, on average twice.
    const gapMs = (renderMs / others / 2) * GROWTH ** refusals;
    const ownMs = Math.min(Math.max(gapMs, MIN_RETRY_MS), Math.min(longest, MAX_RETRY_MS));
    const requestedMs = retryAfterMs === null ? 0 : Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
    this.#state = {
      ...this.#state,
      refusedAbove: underWay,
      retryAt: now + Math.max(ownMs, requestedMs),
      notBefore: requestedMs > 0 ? now + requestedMs : null,
      refusedAt: now,
      refusals: refusals + 1,
    };
  }

  /**
   * One more was accepted. Above the refused number, that shows that renders of others have ended,
   * perhaps more than one.
   * @param underWay how many of ours were running before
   */
  accepted(underWay: number): void {
    const { refusedAbove } = this.#state;
    if (refusedAbove !== null && underWay >= refusedAbove) this.#state = NO_REFUSAL;
  }

  /** A wait does not grow when the clock is set back. */
  #left(at: number, now: number): number {
    const { refusedAt } = this.#state;
    return Math.max(0, Math.min(at - now, at - refusedAt));
  }
}
