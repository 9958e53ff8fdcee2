import { z } from 'zod';
import type { RateLimit } from './account.ts';

/**
 * How requests are counted; service-api.md §8.5 leaves it open. A *fixed* window opens with the
 * first request and releases all requests when it ends. A *sliding* one releases each request one
 * window after it was made.
 */
export type WindowType = 'fixed' | 'sliding';

/** The stored state between requests. Times are milliseconds since the epoch. */
export const windowStateSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('fixed'), startedAt: z.int(), used: z.int().min(0) }),
  z.object({ type: z.literal('sliding'), charges: z.array(z.int()) }),
]);
export type WindowState = z.infer<typeof windowStateSchema>;

/** What a caller has left of one limit, as in the headers of service-api.md §8.2. */
export interface RateLimitStatus {
  readonly remaining: number;
  /**
   * When requests are released: all of them in a fixed window, the oldest one in a sliding window.
   * From then on a request is accepted. Milliseconds since the epoch, rounded up to a whole second.
   */
  readonly resetAt: number;
}

/** Whether a request was accepted, and the state to store. */
export interface Consumption {
  readonly kind: 'accepted' | 'refused';
  /** The same object as the stored state if nothing has changed. */
  readonly state: WindowState;
  readonly status: RateLimitStatus;
}

/** The caller's status at `now`; counts no request. */
export function rateLimitStatusAt(
  type: WindowType,
  stored: WindowState | undefined,
  limit: RateLimit,
  now: number,
): RateLimitStatus {
  return statusOf(currentState(type, stored, limit, now), limit, now);
}

/** Counts one request at `now`, if the limit allows it. A refused request is not counted. */
export function consume(
  type: WindowType,
  stored: WindowState | undefined,
  limit: RateLimit,
  now: number,
): Consumption {
  const before = currentState(type, stored, limit, now);
  if (usedIn(before) >= limit.requests) {
    return { kind: 'refused', state: before, status: statusOf(before, limit, now) };
  }
  const state: WindowState =
    before.type === 'fixed'
      ? { ...before, used: before.used + 1 }
      : { ...before, charges: [...before.charges, now] };
  return { kind: 'accepted', state, status: statusOf(state, limit, now) };
}

/**
 * The stored state at `now`, without expired requests. Discards a state of the other window type.
 * Times in the future (the clock was set back) count as now, so that no caller is locked out for
 * longer than one window.
 */
function currentState(
  type: WindowType,
  stored: WindowState | undefined,
  limit: RateLimit,
  now: number,
): WindowState {
  const windowMs = limit.windowSeconds * 1000;
  if (stored?.type !== type) {
    return type === 'fixed' ? { type, startedAt: now, used: 0 } : { type, charges: [] };
  }
  switch (stored.type) {
    case 'fixed':
      if (stored.startedAt > now) return { ...stored, startedAt: now };
      return stored.startedAt + windowMs > now ? stored : { ...stored, startedAt: now, used: 0 };
    case 'sliding': {
      const counts = (at: number): boolean => at <= now && at + windowMs > now;
      if (stored.charges.every(counts)) return stored;
      const charges = stored.charges.map((at) => Math.min(at, now)).filter(counts);
      return { ...stored, charges };
    }
  }
}

function statusOf(state: WindowState, limit: RateLimit, now: number): RateLimitStatus {
  const startedAt = state.type === 'fixed' ? state.startedAt : oldestCounted(state.charges, limit);
  return {
    remaining: Math.max(0, limit.requests - usedIn(state)),
    resetAt: wholeSecond((startedAt ?? now) + limit.windowSeconds * 1000),
  };
}

/** The oldest of the latest `limit.requests` requests: more are stored if the limit was lowered. */
function oldestCounted(charges: readonly number[], limit: RateLimit): number | undefined {
  return charges[Math.max(0, charges.length - limit.requests)];
}

function usedIn(state: WindowState): number {
  return state.type === 'fixed' ? state.used : state.charges.length;
}

/** Rounds up, so that `Retry-After` in whole seconds is exact. */
export function wholeSecond(ms: number): number {
  return Math.ceil(ms / 1000) * 1000;
}
