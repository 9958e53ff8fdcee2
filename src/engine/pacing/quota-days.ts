import type { QuotaDays } from '../../contract/quota-days.ts';
import { ZoneCalendar, type CalendarDay } from './calendar.ts';

/** A unit of quota that is spent, and when it was taken (milliseconds since the epoch). */
export interface SpentUnit {
  readonly at: number;
  readonly state: 'held' | 'charged';
}

/**
 * What was spent of a cycle, by the days of `zone`, from the cycle's first day to today.
 *
 * @param units oldest first, none before `start`
 * @param start the cycle's first moment, @param now the present; milliseconds since the epoch
 * @throws RangeError for a zone that does not exist
 */
export function quotaDays(
  units: readonly SpentUnit[],
  start: number,
  now: number,
  zone: string,
): QuotaDays['days'] {
  const calendar = new ZoneCalendar(zone);
  const days: QuotaDays['days'] = [];
  let next = 0;
  for (let from = start; from <= now;) {
    const today = calendar.dayAt(from);
    const end = calendar.startOfDay(dayAfter(today));
    const day = { date: isoDate(today), from, charged: 0, held: 0 };
    for (let unit = units[next]; unit && unit.at < end; unit = units[++next]) day[unit.state] += 1;
    days.push(day);
    from = end;
  }
  return days;
}

function dayAfter({ year, month, day }: CalendarDay): CalendarDay {
  const date = new Date(Date.UTC(year, month - 1, day + 1));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function isoDate({ year, month, day }: CalendarDay): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}
