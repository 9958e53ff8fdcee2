/** A day of the Gregorian calendar; months count from 1. */
export interface CalendarDay {
  year: number;
  month: number;
  day: number;
}

/** No zone is further from UTC. */
const WIDEST_OFFSET_MS = 15 * 3_600_000;

/**
 * The moment at which a day begins in a zone, in epoch milliseconds. Looked for by bisection instead
 * of by offset, so that days that begin at 01:00 (the clocks went forward at midnight) and days that
 * a zone left out (it moved across the date line) need no rule of their own.
 *
 * @throws RangeError for a zone that does not exist
 */
export function startOfDay({ year, month, day }: CalendarDay, zone: string): number {
  const midnight = Date.UTC(year, month - 1, day);
  if (zone === 'UTC') return midnight;
  const format = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  });
  let before = midnight - WIDEST_OFFSET_MS;
  let after = midnight + WIDEST_OFFSET_MS;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayIn(format, middle) >= midnight) after = middle;
    else before = middle;
  }
  return after;
}

/** The local date at a moment, written as the UTC midnight of that date to be comparable. */
function dayIn(format: Intl.DateTimeFormat, at: number): number {
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(parts.get('year') ?? NaN, (parts.get('month') ?? NaN) - 1, parts.get('day'));
}
