/**
 * One month of quota: from `startsAt` (inclusive) to `endsAt` (exclusive), in milliseconds since
 * the epoch.
 */
export interface BillingCycle {
  readonly startsAt: number;
  readonly endsAt: number;
}

/**
 * The cycle that contains `now`. Cycles begin at midnight UTC on the anchor's day of the month, or
 * on the last day of a shorter month: an anchor of 31 January gives 28 (29) February and then 31
 * March again (service-api.md §8.3 rules 2 and 3).
 *
 * @param anchor `YYYY-MM-DD`; only its day of the month matters.
 */
export function billingCycleAt(anchor: string, now: number): BillingCycle {
  const day = Number(anchor.slice(8, 10));
  const date = new Date(now);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  const thisMonth = resetIn(year, month, day);
  return now < thisMonth
    ? { startsAt: resetIn(year, month - 1, day), endsAt: thisMonth }
    : { startsAt: thisMonth, endsAt: resetIn(year, month + 1, day) };
}

function resetIn(year: number, month: number, day: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(day, lastDay));
}
