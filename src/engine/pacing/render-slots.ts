import { z } from 'zod';

/** Others who hold slots are not asked for them more often than that. */
const MIN_RETRY_MS = 5000;
/** Nor less often, as long as the service renders nothing of ours meanwhile. */
const MAX_RETRY_MS = 600_000;
/** Each refusal in a row makes the next retry later by this factor. */
const GROWTH = 1.5;
/** No render takes longer than a service may ask to wait for one. */
const MAX_TOLD_MS = 3_600_000;

/** Moments are epoch milliseconds by the local wall clock. */
export const renderSlotsSchema = z.object({
  version: z.literal(1),
  /** So many of ours were under way when the service refused one more; `null` if it refuses none. */
  refusedAbove: z.int().nonnegative().nullable(),
  /** When one more than that is tried. */
  retryAt: z.number(),
  /** Before it nothing is sent at all, because the service said so. */
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
  /** How many of ours were under way, without the one that was refused. */
  readonly underWay: number;
  readonly now: number;
  /** `Retry-After`; `null` when the service did not say. */
  readonly retryAfterMs: number | null;
  /** How long a render usually takes. */
  readonly renderMs: number;
}

/**
 * How many videos a service renders for one account at the same time. A slot is free while fewer than
 * that are under way. Others may use the same account, which only a refusal shows: what was under
 * way then is as much as we may have, until one more is accepted. A refused request was not executed,
 * and says nothing about rate windows.
 *
 * It does not know which videos are under way: the caller counts them.
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
   * Milliseconds until another video may be sent while so many are under way; `Infinity` until one
   * of them ends.
   */
  wait(underWay: number, now: number): number {
    if (underWay >= this.limit) return Infinity;
    const { refusedAbove, retryAt, notBefore } = this.#state;
    if (refusedAbove === null) return 0;
    const waitMs = notBefore === null ? 0 : this.#left(notBefore, now);
    return underWay < refusedAbove ? waitMs : Math.max(waitMs, this.#left(retryAt, now));
  }

  /** How many videos we may have under way, as far as is known now. */
  get room(): number {
    return Math.min(this.limit, this.#state.refusedAbove ?? Infinity);
  }

  refused({ underWay, now, retryAfterMs, renderMs }: SlotRefusal): void {
    const { refusals } = this.#state;
    const others = Math.max(1, this.limit - underWay);
    const longest = underWay === 0 ? Math.max(renderMs, MIN_RETRY_MS) : MAX_RETRY_MS;
    // One of the others' renders ends in that time, on average twice.
    const gapMs = (renderMs / others / 2) * GROWTH ** refusals;
    const ownMs = Math.min(Math.max(gapMs, MIN_RETRY_MS), Math.min(longest, MAX_RETRY_MS));
    const toldMs = retryAfterMs === null ? 0 : Math.min(retryAfterMs, MAX_TOLD_MS);
    this.#state = {
      ...this.#state,
      refusedAbove: underWay,
      retryAt: now + Math.max(ownMs, toldMs),
      notBefore: toldMs > 0 ? now + toldMs : null,
      refusedAt: now,
      refusals: refusals + 1,
    };
  }

  /**
   * One more was accepted. Above what was refused before, that shows that others have ended theirs,
   * and perhaps more than one.
   * @param underWay how many of ours were under way before
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
