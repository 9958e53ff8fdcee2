import { chargesSince } from './next-slot.ts';
import type { RateLimit, RateWindowState, ResetMeaning } from './rate-window-state.ts';

/** `Date` and `X-RateLimit-Reset` may each be cut to a second. */
const TOLERANCE_MS = 2000;
/** A window that resets with every request moves on by as much as the time between two. */
const STEADY_AFTER_MS = 3000;
const MOVED_MS = 1500;

/** The rate headers of an accepted request and when, by the service's clock, it was answered. */
export interface Reading {
  remaining: number;
  resetAt: number;
  at: number;
}

/**
 * Judges from one more reading what `X-RateLimit-Reset` means. A moment at which the next request
 * will be accepted stays where it is until it has passed; one that moves on before that is the
 * moment at which all will have been given back.
 */
export function learnMeaning(
  state: RateWindowState,
  window: RateLimit,
  reading: Reading,
): ResetMeaning | null {
  const { limit, meaning } = state;
  const ahead = reading.resetAt - reading.at;
  const looksEmpty = ahead >= window.windowMs - TOLERANCE_MS;
  const looksFull = ahead <= ((limit - reading.remaining) * window.windowMs) / limit + TOLERANCE_MS;

  if (state.resetAt !== null && state.heardAt !== null) {
    const moved = reading.resetAt - state.resetAt;
    const wasDue = state.resetAt - reading.at <= TOLERANCE_MS;
    if (!wasDue && moved >= MOVED_MS) {
      if (looksEmpty && looksFull) return meaning === 'full' ? 'full' : 'empty';
      if (looksEmpty) return 'empty';
      if (looksFull) return 'full';
    }
    if (!wasDue && moved < MOVED_MS && reading.at - state.heardAt >= STEADY_AFTER_MS) return 'slot';
  }

  // Charges that are not ours and not of this moment, and yet a whole window until the reset.
  const justNow = chargesSince(state, reading.at - STEADY_AFTER_MS).length;
  const others = limit - reading.remaining - justNow > 0;
  return meaning === null && looksEmpty && !looksFull && others ? 'empty' : meaning;
}

/** Whether this reading shows the whole limit back although a sliding window would hold charges. */
export function showsWholeReset(
  state: RateWindowState,
  { windowMs }: RateLimit,
  reading: Reading,
): boolean {
  const surelyInside = chargesSince(state, reading.at - windowMs + windowMs / 6);
  return reading.remaining === state.limit - 1 && surelyInside.length > 1;
}
