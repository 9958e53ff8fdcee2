import { z } from 'zod';
import { ZoneCalendar } from './calendar.ts';

/** Videos a month by plan, `service-api.md §8.3`. Enterprise numbers are negotiated (§8.5). */
export const PLAN_QUOTAS = {
  free: 3,
  starter: 15,
  creator: 50,
  pro: 150,
  business: 500,
} as const;

/**
 * The date that monthly cycles are counted from: the billing date, or on the Free plan the sign-up
 * date (§8.3). Both count the same way; the kind is kept to say it in the user's words.
 */
export interface CycleAnchor {
  kind: 'billing' | 'signup';
  /** `YYYY-MM-DD`. */
  date: string;
}

/** Epoch milliseconds; `end` is the first moment of the next cycle. */
export interface Cycle {
  start: number;
  end: number;
}

/**
 * The monthly cycle that holds `now`. A day that a month lacks becomes the month's last one, and the
 * months after it go back to the anchor's own day (31 January, 28 February, 31 March).
 *
 * @param zone IANA name of the time zone in which a day begins; the API does not say, so UTC unless
 *   the user knows better
 * @throws RangeError for a zone that does not exist
 */
export function cycleOf(anchor: CycleAnchor, now: number, zone = 'UTC'): Cycle {
  const day = Number(anchor.date.slice(8, 10));
  const calendar = new ZoneCalendar(zone);
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
export const quotaLedgerSchema = z.object({
  /** Videos a cycle. */
  limit: z.int().nonnegative(),
  cycleStart: z.number(),
  cycleEnd: z.number(),
  /** Accepted by the service in this cycle. */
  used: z.int().nonnegative(),
  /** Reserved, on the way, or uncertain: counted as spent until it is known. */
  held: z.int().nonnegative(),
  /** Spent elsewhere, according to the user; negative when less was spent than was counted here. */
  correction: z.int(),
  /** The service has said that nothing is left. */
  refused: z.boolean(),
});
export type QuotaLedger = Readonly<z.infer<typeof quotaLedgerSchema>>;

export function openLedger(limit: number, cycle: Cycle): QuotaLedger {
  return {
    limit,
    cycleStart: cycle.start,
    cycleEnd: cycle.end,
    used: 0,
    held: 0,
    correction: 0,
    refused: false,
  };
}

/** Videos that can still be asked for in this cycle. */
export function quotaLeft(ledger: QuotaLedger): number {
  const left = ledger.limit - ledger.used - ledger.held - ledger.correction;
  return ledger.refused ? 0 : Math.max(0, left);
}

export function hold(ledger: QuotaLedger): QuotaLedger {
  return { ...ledger, held: ledger.held + 1 };
}

/** A hold ends because the service did not execute the request. */
export function releaseHold(ledger: QuotaLedger): QuotaLedger {
  return { ...ledger, held: Math.max(0, ledger.held - 1) };
}

/** A hold ends because the service accepted the request. */
export function chargeHold(ledger: QuotaLedger): QuotaLedger {
  return { ...releaseHold(ledger), used: ledger.used + 1 };
}

/** A render failed: only successful generations count (§4.1). */
export function refund(ledger: QuotaLedger): QuotaLedger {
  return { ...ledger, used: Math.max(0, ledger.used - 1) };
}

/** The user has looked it up: the account has used so many in this cycle. May end a refusal. */
export function correctQuota(ledger: QuotaLedger, used: number): QuotaLedger {
  const corrected = { ...ledger, correction: used - ledger.used, refused: false };
  return { ...corrected, refused: ledger.refused && quotaLeft(corrected) === 0 };
}

/** The service refused for want of quota: nothing is left until the cycle ends. */
export function refuseQuota(ledger: QuotaLedger): QuotaLedger {
  return { ...ledger, refused: true };
}

/** The plan changed. What was spent stays spent; more room ends a refusal. */
export function changeLimit(ledger: QuotaLedger, limit: number): QuotaLedger {
  return { ...ledger, limit, refused: ledger.refused && limit <= ledger.limit };
}

/**
 * The ledger for the cycle that holds `now`: itself, or an empty one that keeps only the holds.
 *
 * @param held how many of the holds are still to be sent; uncertain ones of the old cycle were
 *   spent there, if they were spent at all
 */
export function rollLedger(
  ledger: QuotaLedger,
  cycle: Cycle,
  held: number = ledger.held,
): QuotaLedger {
  return cycle.start <= ledger.cycleStart
    ? { ...ledger, cycleEnd: cycle.end }
    : { ...openLedger(ledger.limit, cycle), held };
}
