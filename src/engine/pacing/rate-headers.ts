import {
  field,
  parseCount,
  parseDuration,
  parseHttpDate,
  parseInstant,
  parseNumber,
  withinReason,
} from './header-values.ts';
import { parseIetfRateLimit } from './ietf-rate-limit.ts';
import type { RateLimit } from './rate-window-state.ts';
import { readRetryAfter } from './retry-after.ts';

/**
 * What a response says about its rate limit and about the service's clock (`service-api.md §8.2`).
 * Every field is untrusted text; a missing or invalid value becomes `null`, never a guess, so that
 * the rate window can use its own log instead.
 */
export interface RateHeaders {
  /** `X-RateLimit-Remaining`, or the IETF's `r`: requests left in the current window. */
  remaining: number | null;
  /** A reset that is a moment: epoch milliseconds by the service's clock. */
  resetAt: number | null;
  /** A reset that is relative to the response, or the IETF's `t`: milliseconds, ± one second. */
  resetAfterMs: number | null;
  /** `RateLimit-Policy`, for the same limit. */
  policy: RateLimit | null;
  /** `Retry-After`, or what the body of a 429 says: milliseconds from the moment of the response. */
  retryAfterMs: number | null;
  /** `details.resetAt` of a 429 body (§2.4): epoch milliseconds by the service's clock. */
  detailsResetAt: number | null;
  /**
   * `Date`: epoch milliseconds by the service's clock, rounded down to a second (RFC 9110 §6.6.1).
   */
  date: number | null;
}

/**
 * Which headers describe a limit, names in lower case. The IETF's fields, `Retry-After` and `Date`
 * are read on any service.
 */
export interface RateHeaderNames {
  readonly limit: readonly string[];
  readonly remaining: readonly string[];
  readonly reset: readonly string[];
  readonly retryAfter: readonly string[];
}

/** `service-api.md §8.2`. */
export const DOCUMENTED_HEADERS: RateHeaderNames = {
  limit: [],
  remaining: ['x-ratelimit-remaining'],
  reset: ['x-ratelimit-reset'],
  retryAfter: [],
};

/** A response without rate headers. */
export const NO_RATE_HEADERS: RateHeaders = {
  remaining: null,
  resetAt: null,
  resetAfterMs: null,
  policy: null,
  retryAfterMs: null,
  detailsResetAt: null,
  date: null,
};

/** How to read the rate headers of a response. */
interface RateReading {
  /** The service's own headers. */
  readonly names?: RateHeaderNames;
  /** Of the window that `names.limit` is the limit of. */
  readonly windowMs?: number | undefined;
  /** Epoch milliseconds by the local clock, for a response without `Date`. */
  readonly receivedAt?: number;
}

/**
 * Reads the rate headers of one response.
 *
 * @param header looks up a response header by lower-case name
 * @param body the parsed JSON body of a refusal, if there was one
 */
export function parseRateHeaders(
  header: (name: string) => string | null | undefined,
  body?: unknown,
  { names = DOCUMENTED_HEADERS, windowMs, receivedAt }: RateReading = {},
): RateHeaders {
  const date = parseHttpDate(header('date'));
  const ietf = parseIetfRateLimit(header);
  const nameIn = (of: readonly string[]): string =>
    of.find((name) => (header(name) ?? null) !== null) ?? '';
  const said = (of: readonly string[]): string | null | undefined => header(nameIn(of));
  const resetName = nameIn(names.reset);
  const reset = header(resetName);
  const resetAt = parseInstant(reset);
  const limit = parseCount(said(names.limit)) ?? 0;
  const ownPolicy = limit > 0 && windowMs !== undefined ? { limit, windowMs } : null;
  return {
    remaining: parseCount(said(names.remaining)) ?? ietf.remaining,
    resetAt,
    resetAfterMs:
      resetAt === null
        ? (durationIn(resetName, reset) ?? parseSecondsLeft(reset, ietf.resetSeconds))
        : null,
    policy: ownPolicy ?? ietf.policy,
    retryAfterMs: readRetryAfter(
      header,
      [...names.retryAfter.filter((name) => name !== 'retry-after'), ...RETRY_HEADERS],
      body,
      date ?? receivedAt ?? null,
    ),
    detailsResetAt: parseInstant(detailsResetAt(body)),
    date,
  };
}

/** Read on any service, the more exact one first. */
const RETRY_HEADERS = ['retry-after-ms', 'retry-after'];

/** The documented header is no duration (§8.2): such a value is invalid there. */
function durationIn(name: string, text: unknown): number | null {
  return DOCUMENTED_HEADERS.reset.includes(name) ? null : parseDuration(text);
}

/** Milliseconds, of a reset that is relative. */
function parseSecondsLeft(text: unknown, ietfSeconds: number | null): number | null {
  const seconds = parseNumber(text) ?? ietfSeconds;
  return seconds === null ? null : withinReason(Math.ceil(seconds * 1000));
}

function detailsResetAt(body: unknown): unknown {
  const details = field(body, 'details');
  return field(details, 'resetAt');
}

/** A reset that is further away than the window and this is ignored. */
const RESET_SLACK_MS = 60_000;

/**
 * When the limit resets according to a response, in epoch ms by the service's clock; `null` when
 * the value is useless: a reset further away than the window's length belongs to another window,
 * and a moment means nothing while the service's clock is unknown.
 *
 * @param at the latest moment at which the response was written
 */
export function credibleReset(
  { resetAt, resetAfterMs }: RateHeaders,
  { windowMs }: RateLimit,
  at: number,
  isClockKnown: boolean,
): number | null {
  const after = resetAfterMs === null ? null : at + resetAfterMs;
  const reported = isClockKnown ? (resetAt ?? after) : after;
  return reported !== null && reported - at <= windowMs + RESET_SLACK_MS ? reported : null;
}

/** The account's limit is at least this, as far as a response shows it (§8.5). */
export function reportedLimit({ remaining, policy }: RateHeaders, window: RateLimit): number {
  const isOfThisWindow = policy?.windowMs === window.windowMs;
  return Math.max((remaining ?? 0) + 1, isOfThisWindow ? policy.limit : 0);
}
