import type { RateHeaders } from './rate-headers.ts';
import type { RateLimit } from './rate-window-state.ts';

/** A reset further away than the window and this is not believed. */
const RESET_SLACK_MS = 60_000;

/**
 * When a response says that the limit resets, in epoch ms by the service's clock; `null` when that
 * cannot be used: a reset further away than the window is long belongs to another window, and a
 * moment means nothing while the service's clock is unknown.
 *
 * @param at the latest moment at which the response was written
 */
export function believableReset(
  { resetAt, resetAfterMs }: RateHeaders,
  { windowMs }: RateLimit,
  at: number,
  isClockKnown: boolean,
): number | null {
  const after = resetAfterMs === null ? null : at + resetAfterMs;
  const reported = isClockKnown ? (resetAt ?? after) : after;
  return reported !== null && reported - at <= windowMs + RESET_SLACK_MS ? reported : null;
}

/** The least that the account's limit can be, as far as a response shows it (§8.5). */
export function reportedLimit({ remaining, policy }: RateHeaders, window: RateLimit): number {
  const isOfThisWindow = policy?.windowMs === window.windowMs;
  return Math.max((remaining ?? 0) + 1, isOfThisWindow ? policy.limit : 0);
}
