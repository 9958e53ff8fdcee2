import type { QuotaDays } from '../../contract/quota-days.ts';
import type { Quota } from '../../contract/summary.ts';
import { calendarOf, dayAfter, isoDate, type ZoneCalendar } from './calendar.ts';

/** Videos a month by plan, `service-api.md §8.3`. Enterprise numbers are negotiated (§8.5). */
export const PLAN_QUOTAS = {
  free: 3,
  starter: 15,
  creator: 50,
  pro: 150,
  business: 500,
} as const;

/**
 * The plan that is assumed until the user selects one: a small one, so that no estimate is too
 * high.
 */
export const DEFAULT_PLAN = 'starter' satisfies keyof typeof PLAN_QUOTAS;

export interface CycleAnchor {
  per: Quota['per'];
  /**
   * What monthly cycles are counted from: the billing date, or on the Free plan the sign-up date
   * (§8.3). `YYYY-MM-DD`.
   */
  date: string;
}

/** The anchor, in epoch ms, for a user who has not entered a billing date. */
export const FIRST_OF_MONTH = Date.UTC(2026, 0, 1);

/** Epoch milliseconds; `end` is the first moment of the next cycle. */
export interface Cycle {
  start: number;
  end: number;
}

/**
 * The cycle that contains `now`, monthly unless the anchor is daily. A day that a month lacks
 * becomes the month's last one, and later months return to the anchor's own day (31 January, 28
 * February, 31 March).
 * @param zone IANA name of the time zone in which a day begins; the API does not say, so UTC unless
 *   the user knows better
 * @throws RangeError for a zone that does not exist
 */
export function cycleOf(anchor: CycleAnchor, now: number, zone = 'UTC'): Cycle {
  const day = Number(anchor.date.slice(8, 10));
  const calendar = calendarOf(zone);
  if (anchor.per === 'day') return dayOf(now, calendar);
  const today = new Date(now);
  const month = today.getUTCFullYear() * 12 + today.getUTCMonth();
  const middle = cycleStart(month, day, calendar);
  if (now < middle) return { start: cycleStart(month - 1, day, calendar), end: middle };
  const end = cycleStart(month + 1, day, calendar);
  // A zone ahead of UTC may already be in the next month.
  return now < end
    ? { start: middle, end }
    : { start: end, end: cycleStart(month + 2, day, calendar) };
}

function dayOf(now: number, calendar: ZoneCalendar): Cycle {
  const today = calendar.dayAt(now);
  return { start: calendar.startOfDay(today), end: calendar.startOfDay(dayAfter(today)) };
}

/** @param month counted from the year 0 */
function cycleStart(month: number, day: number, calendar: ZoneCalendar): number {
  const year = Math.floor(month / 12);
  const lastDay = new Date(Date.UTC(year, (month % 12) + 1, 0)).getUTCDate();
  return calendar.startOfDay({ year, month: (month % 12) + 1, day: Math.min(day, lastDay) });
}

/**
 * What has been spent of one cycle, as far as this computer knows: the web studio shares the quota
 * (§8.3), so the user can correct it and a refusal by the service overrides it.
 */
export interface QuotaLedger {
  /** Videos a cycle. */
  readonly limit: number;
  /** By the service's clock. */
  readonly cycleStart: number;
  readonly cycleEnd: number;
  /** Accepted by the service in this cycle. */
  readonly used: number;
  /** Reserved, sending, or uncertain: counted as spent until the outcome is known. */
  readonly held: number;
  /** Spent elsewhere, according to the user; negative when less was spent than was counted here. */
  readonly correction: number;
  /** The service has said that nothing is left. */
  readonly refused: boolean;
  /**
   * When the service said that the quota returns, in epoch ms by the local clock; null if it did
   * not.
   */
  readonly refusedUntil: number | null;
}

export function openLedger(limit: number, cycle: Cycle): QuotaLedger {
  return {
    limit,
    cycleStart: cycle.start,
    cycleEnd: cycle.end,
    used: 0,
    held: 0,
    correction: 0,
    refused: false,
    refusedUntil: null,
  };
}

/** Videos that can still be requested in this cycle. */
export function quotaLeft(ledger: QuotaLedger): number {
  return ledger.refused ? 0 : quotaUncounted(ledger);
}

/** The same by our own count, ignoring refusals. */
export function quotaUncounted({ limit, used, held, correction }: QuotaLedger): number {
  return Math.max(0, limit - used - held - correction);
}

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
  const calendar = calendarOf(zone);
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
