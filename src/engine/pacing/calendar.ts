/** A day of the Gregorian calendar; months count from 1. */
export interface CalendarDay {
  year: number;
  month: number;
  day: number;
}

/** No zone is further from UTC. */
const WIDEST_OFFSET_MS = 15 * 3_600_000;
/** No zone is anything but whole minutes from UTC, since Liberia set its clocks in 1972. */
const MINUTE_MS = 60_000;

/** Calendars by zone: a plan asks for thousands of days, and each takes a search. */
const calendars = new Map<string, ZoneCalendar>();

/** @throws RangeError for a zone that does not exist */
export function calendarOf(zone: string): ZoneCalendar {
  const calendar = calendars.get(zone) ?? new ZoneCalendar(zone);
  calendars.set(zone, calendar);
  return calendar;
}

/** The beginnings of days in one time zone. */
export class ZoneCalendar {
  readonly #format: Intl.DateTimeFormat | null;
  /** Beginnings of days that were asked for, by their UTC midnights. */
  readonly #starts = new Map<number, number>();

  /**
   * @param zone IANA name
   * @throws RangeError for a zone that does not exist
   */
  constructor(zone: string) {
    this.#format =
      zone === 'UTC'
        ? null
        : new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
            timeZone: zone,
            year: 'numeric',
            month: 'numeric',
            day: 'numeric',
          });
  }

  /** The calendar day at a moment, in epoch milliseconds. */
  dayAt(at: number): CalendarDay {
    const date = new Date(this.#format === null ? at : dayIn(this.#format, at));
    return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
  }

  /**
   * The moment at which a day begins, in epoch milliseconds. Found by bisection instead of by
   * offset, so that days that begin at 01:00 (the clocks went forward at midnight) and days that a
   * zone left out (it moved across the date line) need no special rule.
   */
  startOfDay({ year, month, day }: CalendarDay): number {
    const midnight = Date.UTC(year, month - 1, day);
    const start = this.#starts.get(midnight) ?? this.#search(midnight);
    this.#starts.set(midnight, start);
    return start;
  }

  #search(midnight: number): number {
    if (this.#format === null) return midnight;
    let before = midnight - WIDEST_OFFSET_MS;
    let after = midnight + WIDEST_OFFSET_MS;
    while (after - before > MINUTE_MS) {
      const middle = before + Math.floor((after - before) / (2 * MINUTE_MS)) * MINUTE_MS;
      if (dayIn(this.#format, middle) >= midnight) after = middle;
      else before = middle;
    }
    return after;
  }
}

export function dayAfter({ year, month, day }: CalendarDay): CalendarDay {
  const date = new Date(Date.UTC(year, month - 1, day + 1));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** The local date at a moment, written as the UTC midnight of that date to be comparable. */
function dayIn(format: Intl.DateTimeFormat, at: number): number {
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(parts.get('year') ?? NaN, (parts.get('month') ?? NaN) - 1, parts.get('day'));
}

/** As `YYYY-MM-DD`. A day before the first of its month is one of the month before. */
export function isoDate({ year, month, day }: CalendarDay): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}
