/** Values that headers and error bodies contain. Each is untrusted; an invalid one is `null`. */

/** Longer than the longest monthly cycle: no legitimate service asks for more. */
export const MAX_RETRY_MS = 32 * 86_400_000;
const MAX_FIELD = 64;

/**
 * Distinguishes a moment from a duration: no reset is this far away, and every moment since 2001 is
 * later.
 */
const MIN_EPOCH_SECONDS = 1e9;
const MIN_EPOCH_MS = 1e12;

const UNIT_MS: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
};

/** A duration with units, such as `6m0s` or `1.5s`. */
export function parseDuration(text: unknown): number | null {
  const found = tidy(text);
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|[dhms])){1,5}$/.test(found)) return null;
  let ms = 0;
  for (const [, count, unit = ''] of found.matchAll(/([\d.]+)(ms|[dhms])/g)) {
    ms += Number(count) * (UNIT_MS[unit] ?? 0);
  }
  return withinReason(Math.ceil(ms));
}

/** ISO 8601 as documented (§8.2), or what other services send: epoch seconds or milliseconds. */
export function parseInstant(value: unknown): number | null {
  const number = parseNumber(value);
  if (number === null || number < MIN_EPOCH_SECONDS) return parseIsoInstant(value);
  return number < MIN_EPOCH_MS ? Math.ceil(number * 1000) : Math.ceil(number);
}

export function parseNumber(value: unknown): number | null {
  if (typeof value === 'number') return value < 1e14 ? value : null;
  const text = tidy(value);
  return /^\d{1,14}(?:\.\d{1,9})?$/.test(text) ? Number(text) : null;
}

export function parseCount(text: unknown): number | null {
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
export function parseHttpDate(text: unknown): number | null {
  const trimmed = tidy(text);
  return /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(trimmed)
    ? finite(Date.parse(trimmed))
    : null;
}

export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function tidy(text: unknown): string {
  return typeof text === 'string' && text.length <= MAX_FIELD ? text.trim() : '';
}

export function withinReason(ms: number): number | null {
  return ms <= MAX_RETRY_MS ? ms : null;
}

function finite(ms: number): number | null {
  return Number.isFinite(ms) ? ms : null;
}
