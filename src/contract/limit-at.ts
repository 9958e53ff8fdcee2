import type { Limit } from './summary.ts';

/**
 * A limit at `now`, by its last report: after its reset, all of it is available. This file imports
 * no schema, so that a page can use it without loading the library.
 * @param now milliseconds since the epoch, by the clock of `resetAt`
 */
export function limitAt(limit: Limit, now: number): Limit {
  if (limit.resetAt !== null && limit.resetAt > now) return limit;
  return { ...limit, remaining: limit.limit, resetAt: null };
}
