import { chargesSince, isNearlyWindow } from './next-slot.ts';
import type { RateLimit, RateWindowState, ResetMeaning } from './rate-window-state.ts';

/** `Date` and `X-RateLimit-Reset` may each be rounded down to a second. */
const TOLERANCE_MS = 2000;
/** If the window restarts with every request, its reset moves by the time between two requests. */
const STEADY_AFTER_MS = 3000;
const MOVED_MS = 1500;

/** Times of charges are known to a round trip, and services use another clock than they report. */
const EARLY_MS = 60_000;

/** The rate headers of an accepted request and when, by the service's clock, it was answered. */
export interface Reading {
  remaining: number;
  resetAt: number;
  at: number;
  /** `resetAt` came as seconds from a moment that is itself known to a second only. */
  isRounded: boolean;
}

export const ROUNDED_MS = 2000;

/**
 * Learns from one more reading what `X-RateLimit-Reset` means. A moment at which the next request
 * will be accepted stays the same until it has passed; one that moves before that is the moment at
 * which all charges will have been given back.
 */
export function learnMeaning(
  state: RateWindowState,
  window: RateLimit,
  reading: Reading,
): ResetMeaning | null {
  const { limit } = state;
  const roundedMs = reading.isRounded ? ROUNDED_MS : 0;
  const toleranceMs = TOLERANCE_MS + roundedMs;
  const movedMs = MOVED_MS + roundedMs;
  const steadyAfterMs = STEADY_AFTER_MS + 2 * roundedMs;
  const ahead = reading.resetAt - reading.at;
  const looksEmpty = ahead >= window.windowMs - toleranceMs;
  const looksFull = ahead <= ((limit - reading.remaining) * window.windowMs) / limit + toleranceMs;
  // An empty bucket is full a window later as well.
  const isEither = looksFull && isNearlyWindow(ahead, window);
  // A bucket never takes longer to refill than the tokens that it lacks.
  const meaning = state.meaning === 'full' && !looksFull ? null : state.meaning;

  if (state.resetAt !== null && state.heardAt !== null) {
    const moved = reading.resetAt - state.resetAt;
    const wasDue = state.resetAt - reading.at <= toleranceMs;
    if (!wasDue && moved >= movedMs) {
      if (looksEmpty && looksFull) return meaning === 'full' ? 'full' : 'empty';
      if (looksEmpty) return 'empty';
      if (looksFull && !isEither) return 'full';
    }
    if (!wasDue && moved < movedMs && reading.at - state.heardAt >= steadyAfterMs) return 'slot';
  }

  // There are charges that are neither ours nor recent, and yet the reset is a whole window away.
  const justNow = chargesSince(state, reading.at - STEADY_AFTER_MS).length;
  const others = limit - reading.remaining - justNow > 0;
  return meaning === null && looksEmpty && !looksFull && others ? 'empty' : meaning;
}

/**
 * Whether this reading shows the whole limit back although a sliding window would contain charges.
 */
export function showsWholeReset(
  state: RateWindowState,
  window: RateLimit,
  reading: Reading,
): boolean {
  return (
    reading.remaining === state.limit - 1 &&
    !mayBeToken(state, window, reading) &&
    surelyInside(state, window, reading).length > 1
  );
}

/**
 * Whether windows begin at fixed moments: they end too early to have begun with a request, or one
 * follows less than a window after the requests of the last, or ends exactly a window after it. A
 * reset that is soon may be a bucket's token, unless only this request is counted and the reset is
 * earlier than a token. Never true of windows of a few seconds.
 * @param state with the request of this reading still open, besides as many others as the limit
 */
export function hasFixedWindows(
  state: RateWindowState,
  window: RateLimit,
  reading: Reading,
): boolean {
  if (isTooShortToTell(window, reading)) return false;
  const { limit } = state;
  const isNew = reading.remaining === limit - 1;
  if (!mayBeToken(state, window, reading)) {
    if (endsEarly(state, window, reading)) return true;
    if (isNew && surelyInside(state, window, reading).length > limit) return true;
    if (isWholeWindowsLater(state, window, reading)) return true;
  } else if (isNew && reading.resetAt < reading.at + window.windowMs / limit - EARLY_MS) {
    return true;
  }
  return isOnSchedule(state, window, reading);
}

/**
 * Whether at least half of all moments would pass for a whole number of windows after another one,
 * so that no reset shows when windows begin. Treating them as not fixed costs a few seconds' wait
 * at most.
 */
function isTooShortToTell({ windowMs }: RateLimit, reading: Reading): boolean {
  return windowMs <= 4 * toleranceOf(reading);
}

/** Whether windows are known to begin at fixed moments, and this one ends at such a moment. */
function isOnSchedule(
  { isFixed, resetAt }: RateWindowState,
  { windowMs }: RateLimit,
  reading: Reading,
): boolean {
  if (!isFixed || resetAt === null) return false;
  const beyond = Math.abs(reading.resetAt - resetAt) % windowMs;
  return Math.min(beyond, windowMs - beyond) <= toleranceOf(reading);
}

/**
 * Whether a window ends so exactly after the last one that no request can have begun it: ours are
 * sent a second after the reset (`MARGIN_MS`) at the earliest.
 */
function isWholeWindowsLater(state: RateWindowState, { windowMs }: RateLimit, reading: Reading) {
  if (reading.isRounded || state.resetAt === null || state.meaning === 'full') return false;
  const later = reading.resetAt - state.resetAt;
  return later > 0 && later % windowMs === 0;
}

/**
 * Whether a bucket reports its next token: less than a window after the one before, which no fixed
 * or anchored window does, and too early for a sliding one. The first request to a full bucket
 * shows it as well: the reset is as far away as a single token takes.
 * @param state as for `hasFixedWindows`
 */
export function namesNextToken(
  state: RateWindowState,
  window: RateLimit,
  reading: Reading,
): boolean {
  if (!mayBeToken(state, window, reading)) return false;
  if (reading.remaining === state.limit - 1 && isOneTokenAway(state, window, reading)) {
    // A window that begins at a fixed moment may end at the same distance.
    return state.namesToken || !isOnSchedule(state, window, reading);
  }
  const moved = reading.resetAt - (state.resetAt ?? reading.resetAt);
  const toleranceMs = toleranceOf(reading);
  const isOneOfMany = moved > toleranceMs && moved < window.windowMs - toleranceMs;
  return state.namesToken || (isOneOfMany && endsEarly(state, window, reading));
}

/** Whether the reset is as far away as a full bucket's is after one request. */
function isOneTokenAway({ limit }: RateWindowState, { windowMs }: RateLimit, reading: Reading) {
  const tokenMs = windowMs / limit;
  const toleranceMs = toleranceOf(reading);
  const isNear = Math.abs(reading.resetAt - reading.at - tokenMs) <= toleranceMs;
  return isNear && tokenMs > 2 * toleranceMs;
}

/**
 * Whether the reset is less than a window after the oldest of as many charges of ours as the window
 * counts. Anchored and sliding windows keep the oldest request that they count for a whole window,
 * also one of another client.
 */
function endsEarly({ charges, limit }: RateWindowState, { windowMs }: RateLimit, reading: Reading) {
  const oldest = charges.filter(({ unsure }) => !unsure).at(reading.remaining - limit);
  return oldest !== undefined && reading.resetAt < oldest.at + windowMs - EARLY_MS;
}

/** Whether the reset is as near as a bucket's next token always is. */
function mayBeToken(
  { limit }: RateWindowState,
  { windowMs }: RateLimit,
  reading: Reading,
): boolean {
  return reading.resetAt - reading.at <= windowMs / limit + toleranceOf(reading);
}

function toleranceOf({ isRounded }: Reading): number {
  return TOLERANCE_MS + (isRounded ? ROUNDED_MS : 0);
}

/** Charges that a sliding window certainly contains, although their times are not exact. */
function surelyInside(state: RateWindowState, { windowMs }: RateLimit, { at }: Reading) {
  return chargesSince(state, at - windowMs + windowMs / 6).filter(({ unsure }) => !unsure);
}
