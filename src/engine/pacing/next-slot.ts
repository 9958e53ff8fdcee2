import type { Charge, RateLimit, RateWindowState } from './rate-window-state.ts';

/**
 * Added to every moment that a wait is for: `X-RateLimit-Reset` and `Retry-After` may have been cut
 * to whole seconds.
 */
export const MARGIN_MS = 1000;
/** While the answer that will say more is on its way. */
const ANSWER_MS = 1000;
/** The least and the most by which a reset may miss a whole window and still mean one. */
const WINDOW_TOLERANCE_MS = { least: 4000, most: 60_000 };
/** A slot this near is waited for rather than asked about. */
const ATTEMPT_WORTH_MS = 60_000;

/** When the next request may leave, by the service's clock, and whether it goes as an attempt. */
export interface Slot {
  at: number;
  attempt: boolean;
}

/** Between which two moments the service's clock is now. */
export interface ServiceNow {
  earliest: number;
  latest: number;
}

export function nextSlot(state: RateWindowState, window: RateLimit, clock: ServiceNow): Slot {
  const now = clock.earliest;
  const at = settledSlot(state, window, now);
  const attempt =
    at - now > ATTEMPT_WORTH_MS &&
    !state.attempted &&
    !isPenalised(state, now) &&
    !state.charges.some((charge) => charge.open) &&
    (isOthersSlot(state, window, now) || settledSlot(state, window, clock.latest) <= clock.latest);
  return attempt ? { at: now, attempt } : { at: Math.max(at, now), attempt };
}

/** Whether the slot waited for is our own guess, because others hold charges in a sliding window. */
function isOthersSlot(state: RateWindowState, window: RateLimit, now: number): boolean {
  return (
    mayNameTheEnd(state, window) &&
    state.remaining === 0 &&
    state.notBefore === null &&
    chargesSince(state, now - window.windowMs).length < state.limit
  );
}

/**
 * Whether the reset is, or may be, the moment when all charges are given back. A first answer shows
 * that when its reset is a whole window away although others had used the limit up. It does not yet
 * show whether charges slide out of the window or tokens trickle in.
 */
function mayNameTheEnd({ meaning, resetAt, heardAt }: RateWindowState, window: RateLimit): boolean {
  if (meaning !== null) return meaning === 'empty';
  return resetAt !== null && heardAt !== null && isNearlyWindow(resetAt - heardAt, window);
}

/**
 * Whether a reset so far ahead may be a whole window away: it may be in whole seconds, and a limiter
 * may keep another time than it reports. By less, though, than tells the window from a bucket.
 */
export function isNearlyWindow(aheadMs: number, { limit, windowMs }: RateLimit): boolean {
  const { least, most } = WINDOW_TOLERANCE_MS;
  const toleranceMs = Math.max(least, Math.min(most, windowMs / limit / 4));
  return aheadMs >= windowMs - toleranceMs;
}

export function isPenalised(state: RateWindowState, now: number): boolean {
  return state.penalisedUntil !== null && now < state.penalisedUntil;
}

export function chargesSince(state: RateWindowState, since: number): readonly Charge[] {
  return state.charges.filter((charge) => charge.at > since);
}

function settledSlot(state: RateWindowState, window: RateLimit, now: number): number {
  const open = state.charges.some((charge) => charge.open);
  const unheard = state.charges.filter((charge) => charge.seq > state.heardSeq);

  if (state.notBefore !== null) {
    if (now < state.notBefore) return state.notBefore;
    if (open) return now + ANSWER_MS;
    const unsure = isPenalised(state, now) || unheard.some((c) => c.seq > state.refusedSeq);
    return unsure ? logSlot(state, window.windowMs) : now;
  }
  if (isPenalised(state, now) || state.remaining === null) return logSlot(state, window.windowMs);
  if (state.remaining > unheard.length) return now;
  if (open) return now + ANSWER_MS;

  const token = nextToken(state, window, unheard);
  if (token !== null) return token;
  const slot = usedUpSlot(state, window);
  if (unheard.length === 0) return slot;
  // An unanswered request may have taken the slot that was waited for.
  return slotOfWholeReset(state, unheard) ?? Math.max(slot, logSlot(state, window.windowMs));
}

/** When the next request will be accepted after `remaining` was 0. */
function usedUpSlot(state: RateWindowState, { windowMs }: RateLimit): number {
  const { resetAt, heardAt } = state;
  if (heardAt === null) return -Infinity;
  if (resetAt === null) return oldestLeaves(state, windowMs, heardAt);
  switch (state.meaning) {
    case 'slot':
      return resetAt + MARGIN_MS;
    case 'full':
      // Where too many requests had no answer for `nextToken` to tell.
      return resetAt - ((state.limit - 1) * windowMs) / state.limit + MARGIN_MS;
    case 'empty':
      return Math.min(resetAt + MARGIN_MS, oldestLeaves(state, windowMs, heardAt));
    case null:
      return Math.min(resetAt + MARGIN_MS, logSlot(state, windowMs, Infinity));
  }
}

/**
 * When a bucket has a token if each request without an answer took one; `null` where the service is
 * not known to be one, or where there were so many that a part of them is not remembered.
 */
function nextToken(
  { meaning, namesToken, remaining, resetAt, limit }: RateWindowState,
  { windowMs }: RateLimit,
  unheard: readonly Charge[],
): number | null {
  if (resetAt === null || remaining === null || unheard.length >= limit) return null;
  if (meaning !== 'full' && !namesToken) return null;
  const tokenMs = windowMs / limit;
  const fullAt = meaning === 'full' ? resetAt : resetAt + (limit - 1 - remaining) * tokenMs;
  const willBeFullAt = unheard.reduce((at, charge) => Math.max(at, charge.at) + tokenMs, fullAt);
  return willBeFullAt - (limit - 1) * tokenMs + MARGIN_MS;
}

/**
 * When the whole limit comes back at once; `null` where the service is not known to do that, or where
 * requests without an answer, which may have been counted since then, may have used it up again.
 */
function slotOfWholeReset(state: RateWindowState, unheard: readonly Charge[]): number | null {
  const { limit, meaning, wholeReset, isFixed, resetAt } = state;
  if (!(wholeReset || isFixed) || meaning === 'empty' || meaning === 'full') return null;
  if (resetAt === null) return null;
  const sinceReset = unheard.filter(({ at }) => at >= resetAt).length;
  return sinceReset < limit ? resetAt + MARGIN_MS : null;
}

/** When our oldest charge that the window held at `heardAt` leaves it: a slot is free by then. */
function oldestLeaves(state: RateWindowState, windowMs: number, heardAt: number): number {
  const oldest = chargesSince(state, heardAt - windowMs).slice(-state.limit)[0];
  return oldest === undefined ? heardAt + windowMs + MARGIN_MS : oldest.at + windowMs + MARGIN_MS;
}

/**
 * The strict sliding log: no more than `limit` charges in any stretch as long as the window, which
 * every kind of server accepts from a client that is alone.
 */
function logSlot(state: RateWindowState, windowMs: number, whenFew = -Infinity): number {
  const oldest = state.charges.at(-state.limit);
  return oldest === undefined ? whenFew : oldest.at + windowMs + MARGIN_MS;
}
