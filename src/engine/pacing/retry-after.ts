/** How long a refusal asks to wait: in headers, in the fields of its body, or in its words. */

import {
  field,
  parseDuration,
  parseHttpDate,
  parseInstant,
  parseNumber,
  withinReason,
} from './header-values.ts';

/** Headers and fields with such names are in milliseconds. */
const IN_MILLISECONDS = /(?:[-_]ms|[a-z]Ms)$/;

/**
 * Milliseconds from the moment of the response; `null` when it does not say.
 *
 * @param names headers, the first one with a usable value counts
 * @param body the parsed JSON body of the refusal, if there was one
 * @param now the moment of the response, for a header that is a date; `null` when it is not known
 */
export function readRetryAfter(
  header: (name: string) => string | null | undefined,
  names: readonly string[],
  body: unknown,
  now: number | null,
): number | null {
  for (const name of names) {
    const found = parseRetryAfter(name, header(name), now);
    if (found !== null) return found;
  }
  return retryAfterIn(body) ?? waitInWords(body);
}

/** Seconds (service-api.md §8.2), as a fraction too, a duration with units, or a moment. */
function parseRetryAfter(name: string, value: unknown, now: number | null): number | null {
  const number = parseNumber(value);
  if (IN_MILLISECONDS.test(name) && number !== null) return withinReason(Math.ceil(number));
  const moment = parseInstant(value) ?? parseHttpDate(value);
  if (moment !== null) return now === null ? null : withinReason(Math.max(0, moment - now));
  if (number !== null) return number < 0 ? null : withinReason(Math.ceil(number * 1000));
  return parseDuration(value);
}

const RETRY_FIELDS = ['retry_after', 'retryAfter', 'retry_after_ms', 'retryAfterMs'] as const;
/** The body itself, and the objects in it that errors have their values in. */
const PLACES = ['error', 'details', 'parameters', 'data', 'response'] as const;

function retryAfterIn(body: unknown): number | null {
  for (const place of placesIn(body)) {
    for (const name of RETRY_FIELDS) {
      const value = field(place, name);
      // A moment would need a clock that is known to be the service's.
      const found = parseRetryAfter(name, value, null);
      if (found !== null) return found;
    }
  }
  return null;
}

const MESSAGE_FIELDS = ['message', 'detail', 'error', 'hint', 'description'] as const;
const MAX_READ = 500;

/** “Your rate limit resets in ~12s.”, “Please try again in 1 minute.” */
const WAIT_IN_WORDS =
  /\b(?:resets?|retry|again|available|wait)\b[^\d.]{0,30}?(\d{1,9}(?:\.\d{1,9})?) ?(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b/i;
/** The same with several units: “6m0s”. */
const DURATION_IN_WORDS =
  /\b(?:resets?|retry|again|available|wait)\b[^\d.]{0,30}?((?:\d{1,9}(?:\.\d{1,9})?[hms]){2,3})\b/i;

function waitInWords(body: unknown): number | null {
  for (const place of placesIn(body)) {
    for (const name of MESSAGE_FIELDS) {
      const text = field(place, name);
      if (typeof text !== 'string') continue;
      const read = text.slice(0, MAX_READ);
      const several = DURATION_IN_WORDS.exec(read)?.[1];
      const [, count = '', unit = ''] = WAIT_IN_WORDS.exec(read) ?? [];
      const found = parseDuration(several ?? count + shortUnit(unit));
      if (found !== null) return found;
    }
  }
  return null;
}

function placesIn(body: unknown): unknown[] {
  return [body, ...PLACES.map((name) => field(body, name))];
}

function shortUnit(unit: string): string {
  const folded = unit.toLowerCase();
  return folded.startsWith('mil') || folded === 'ms' ? 'ms' : folded.slice(0, 1);
}
