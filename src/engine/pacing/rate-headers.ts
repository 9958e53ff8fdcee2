import { parseIetfRateLimit } from './ietf-rate-limit.ts';
import type { RateLimit } from './rate-window-state.ts';

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
  /** `Retry-After`: milliseconds from the moment of the response. */
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

/** Longer than the longest monthly cycle: no legitimate service asks for more. */
export const MAX_RETRY_MS = 32 * 86_400_000;
const MAX_FIELD = 64;

/**
 * Distinguishes a moment from a duration: no reset is this far away, and every moment since 2001 is
 * later.
 */
const MIN_EPOCH_SECONDS = 1e9;
const MIN_EPOCH_MS = 1e12;

/**
 * Reads the rate headers of one response.
 *
 * @param header looks up a response header by lower-case name
 * @param body the parsed JSON body, if there was one; only `details.resetAt` is looked at
 * @param names of the service's own headers
 * @param windowMs of the window that `names.limit` is the limit of
 */
export function parseRateHeaders(
  header: (name: string) => string | null | undefined,
  body?: unknown,
  names = DOCUMENTED_HEADERS,
  windowMs?: number,
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
    retryAfterMs:
      parseRetryAfterOf(names.retryAfter, header, date) ??
      parseRetryAfter(header('retry-after'), date),
    detailsResetAt: parseInstant(detailsResetAt(body)),
    date,
  };
}

/** Headers with such names are in milliseconds, as `retry-after-ms` is. */
const IN_MILLISECONDS = /[-_]ms$/;

function parseRetryAfterOf(
  names: readonly string[],
  header: (name: string) => string | null | undefined,
  date: number | null,
): number | null {
  for (const name of names) {
    const text = header(name);
    const ms = IN_MILLISECONDS.test(name) ? parseNumber(text) : null;
    const found =
      ms === null ? (parseDuration(text) ?? parseRetryAfter(text, date)) : withinReason(ms);
    if (found !== null) return found;
  }
  return null;
}

const UNIT_MS: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
};

/** The documented header is no duration (§8.2): such a value is invalid there. */
function durationIn(name: string, text: unknown): number | null {
  return DOCUMENTED_HEADERS.reset.includes(name) ? null : parseDuration(text);
}

/** A duration with units, such as `6m0s` or `1.5s`. */
function parseDuration(text: unknown): number | null {
  const found = tidy(text);
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|[dhms])){1,5}$/.test(found)) return null;
  let ms = 0;
  for (const [, count, unit = ''] of found.matchAll(/([\d.]+)(ms|[dhms])/g)) {
    ms += Number(count) * (UNIT_MS[unit] ?? 0);
  }
  return withinReason(Math.ceil(ms));
}

/** ISO 8601 as documented (§8.2), or what other services send: epoch seconds or milliseconds. */
function parseInstant(value: unknown): number | null {
  const number = parseNumber(value);
  if (number === null || number < MIN_EPOCH_SECONDS) return parseIsoInstant(value);
  return number < MIN_EPOCH_MS ? Math.ceil(number * 1000) : Math.ceil(number);
}

/** Milliseconds, of a reset that is relative. */
function parseSecondsLeft(text: unknown, ietfSeconds: number | null): number | null {
  const seconds = parseNumber(text) ?? ietfSeconds;
  return seconds === null ? null : withinReason(Math.ceil(seconds * 1000));
}

function parseNumber(value: unknown): number | null {
  if (typeof value === 'number') return value < 1e14 ? value : null;
  const text = tidy(value);
  return /^\d{1,14}(?:\.\d{1,9})?$/.test(text) ? Number(text) : null;
}

function parseCount(text: unknown): number | null {
  const trimmed = tidy(text);
  return /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : null;
}

/** An ISO 8601 instant. Without a zone it is read as UTC, not in the zone of this computer. */
function parseIsoInstant(text: unknown): number | null {
  const parts =
    /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-]\d\d):?(\d\d))?$/.exec(
      tidy(text),
    );
  if (parts === null) return null;
  const [, day = '', minute = '', second = '00', fraction = '0', hours, minutes = ''] = parts;
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  return finite(Date.parse(`${day}T${minute}:${second}.${fraction}${zone}`));
}

/** The one date format that HTTP senders may produce; the two obsolete ones are ignored. */
function parseHttpDate(text: unknown): number | null {
  const trimmed = tidy(text);
  return /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(trimmed)
    ? finite(Date.parse(trimmed))
    : null;
}

/** Seconds (§8.2), or an HTTP date as RFC 9110 §10.2.3 also allows, measured from `Date`. */
function parseRetryAfter(text: unknown, date: number | null): number | null {
  const seconds = parseCount(text);
  if (seconds !== null) return withinReason(seconds * 1000);
  const until = parseHttpDate(text);
  return until === null || date === null ? null : withinReason(Math.max(0, until - date));
}

function detailsResetAt(body: unknown): unknown {
  const details = field(body, 'details');
  return field(details, 'resetAt');
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function tidy(text: unknown): string {
  return typeof text === 'string' && text.length <= MAX_FIELD ? text.trim() : '';
}

function withinReason(ms: number): number | null {
  return ms <= MAX_RETRY_MS ? ms : null;
}

function finite(ms: number): number | null {
  return Number.isFinite(ms) ? ms : null;
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
