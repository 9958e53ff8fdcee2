import type { Charge, RateLimit, RateWindowState } from './rate-window-state.ts';

/**
 * Added to the end of every wait: `X-RateLimit-Reset` and `Retry-After` may have been rounded down
 * to whole seconds.
 */
export const MARGIN_MS = 1000;
/** How long to wait for a response that may say more. */
const RESPONSE_MS = 1000;
/** The least and the most by which a reset may differ from a whole window and still mean one. */
const WINDOW_TOLERANCE_MS = { least: 4000, most: 60_000 };
/** A slot that is nearer than this is waited for, without an early attempt. */
const ATTEMPT_WORTH_MS = 60_000;

/** When the next request may leave, by the service's clock, and whether it is an early attempt. */
export interface Slot {
  at: number;
  attempt: boolean;
}

/** The service's clock is between these two moments now. */
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

/** Whether the slot is only our estimate, because others hold charges in a sliding window. */
function isOthersSlot(state: RateWindowState, window: RateLimit, now: number): boolean {
  return (
    mayNameTheEnd(state, window) &&
    state.remaining === 0 &&
    state.notBefore === null &&
    chargesSince(state, now - window.windowMs).length < state.limit
  );
}

/**
 * Whether the reset is, or may be, the moment when all charges are given back. A first response
 * shows that when its reset is a whole window away although others had used the limit up. It does
 * not yet show whether charges leave the window one by one or a bucket refills continuously.
 */
function mayNameTheEnd({ meaning, resetAt, heardAt }: RateWindowState, window: RateLimit): boolean {
  if (meaning !== null) return meaning === 'empty';
  return resetAt !== null && heardAt !== null && isNearlyWindow(resetAt - heardAt, window);
}

/**
 * Whether a reset this far ahead may be a whole window away: it may be rounded to seconds, and a
 * limiter may use another clock than it reports. The tolerance is smaller than the difference
 * between a window and a bucket.
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
  const unanswered = state.charges.filter((charge) => charge.seq > state.heardSeq);

  if (state.notBefore !== null) {
    if (now < state.notBefore) return state.notBefore;
    if (open) return now + RESPONSE_MS;
    const unsure = isPenalised(state, now) || unanswered.some((c) => c.seq > state.refusedSeq);
    return unsure ? logSlot(state, window.windowMs) : now;
  }
  if (isPenalised(state, now) || state.remaining === null) return logSlot(state, window.windowMs);
  if (state.remaining > unanswered.length) return now;
  if (open) return now + RESPONSE_MS;

  const token = nextToken(state, window, unanswered);
  if (token !== null) return token;
  const slot = usedUpSlot(state, window);
  if (unanswered.length === 0) return slot;
  // An unanswered request may have taken the slot that was waited for.
  return slotOfWholeReset(state, unanswered) ?? Math.max(slot, logSlot(state, window.windowMs));
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
      // When `nextToken` cannot tell, because too many requests have no response.
      return resetAt - ((state.limit - 1) * windowMs) / state.limit + MARGIN_MS;
    case 'empty':
      return Math.min(resetAt + MARGIN_MS, oldestLeaves(state, windowMs, heardAt));
    case null:
      return Math.min(resetAt + MARGIN_MS, logSlot(state, windowMs, Infinity));
  }
}

/**
 * When a bucket has a token if each request without a response took one; `null` if the service is
 * not known to be one, or if there were so many that some of them are no longer stored.
 */
function nextToken(
  { meaning, namesToken, remaining, resetAt, limit }: RateWindowState,
  { windowMs }: RateLimit,
  unanswered: readonly Charge[],
): number | null {
  if (resetAt === null || remaining === null || unanswered.length >= limit) return null;
  if (meaning !== 'full' && !namesToken) return null;
  const tokenMs = windowMs / limit;
  const fullAt = meaning === 'full' ? resetAt : resetAt + (limit - 1 - remaining) * tokenMs;
  const willBeFullAt = unanswered.reduce((at, charge) => Math.max(at, charge.at) + tokenMs, fullAt);
  return willBeFullAt - (limit - 1) * tokenMs + MARGIN_MS;
}

/**
 * When the whole limit is given back at once; `null` if the service is not known to do that, or if
 * requests without a response may have used it up again since then.
 */
function slotOfWholeReset(state: RateWindowState, unanswered: readonly Charge[]): number | null {
  const { limit, meaning, wholeReset, isFixed, resetAt } = state;
  if (!(wholeReset || isFixed) || meaning === 'empty' || meaning === 'full') return null;
  if (resetAt === null) return null;
  const sinceReset = unanswered.filter(({ at }) => at >= resetAt).length;
  return sinceReset < limit ? resetAt + MARGIN_MS : null;
}

/**
 * When our oldest charge that the window contained at `heardAt` leaves it: a slot is free by then.
 */
function oldestLeaves(state: RateWindowState, windowMs: number, heardAt: number): number {
  const oldest = chargesSince(state, heardAt - windowMs).slice(-state.limit)[0];
  return oldest === undefined ? heardAt + windowMs + MARGIN_MS : oldest.at + windowMs + MARGIN_MS;
}

/**
 * The strict sliding log: no more than `limit` charges in any period of the window's length, which
 * every kind of server accepts from a single client.
 */
function logSlot(state: RateWindowState, windowMs: number, whenFew = -Infinity): number {
  const oldest = state.charges.at(-state.limit);
  return oldest === undefined ? whenFew : oldest.at + windowMs + MARGIN_MS;
}
