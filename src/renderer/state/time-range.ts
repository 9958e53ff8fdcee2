export const TIME_RANGES = ['all', 'today', 'week', 'month', 'days'] as const;

/** The time range that is shown: everything, the last days, or from one day to another. */
export type TimeRange =
  | { readonly kind: Exclude<(typeof TIME_RANGES)[number], 'days'> }
  | {
      readonly kind: 'days';
      /** `YYYY-MM-DD` in this computer's zone, or empty for no bound. */
      readonly first: string;
      readonly last: string;
    };

/** How many days before today the range begins. */
const DAYS_BACK = { today: 0, week: 6, month: 29 } as const;

/** The bounds of a range at local midnights, in milliseconds since the epoch; absent if open. */
export function spanOf(range: TimeRange, now: number): { from?: number; to?: number } {
  switch (range.kind) {
    case 'all':
      return {};
    case 'today':
    case 'week':
    case 'month':
      return { from: midnight(new Date(now), -DAYS_BACK[range.kind]) };
    case 'days': {
      const [from, to] = [midnightOf(range.first, 0), midnightOf(range.last, 1)];
      return { ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) };
    }
  }
}

/** Summer time makes days of 23 and 25 hours, so days are counted by the calendar. */
function midnight(day: Date, daysLater: number): number {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + daysLater).getTime();
}

function midnightOf(date: string, daysLater: number): number | null {
  const [year, month, day] = date.split('-').map(Number);
  if (year === undefined || month === undefined || day === undefined) return null;
  return midnight(new Date(year, month - 1, day), daysLater);
}
