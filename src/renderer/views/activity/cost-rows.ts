/** Sums of costs as a table and a chart show them. */
import type { CostGroup } from '../../../contract/cost-groups.ts';
import type { CostSum, SpentSum } from '../../../contract/costs.ts';

/** More bars could not be told apart. */
const MAX_BARS = 53;

/** The sum of all sums. */
export function totalOf(sums: readonly CostSum[]): SpentSum {
  const amounts = new Map<string, SpentSum['amounts'][number]>();
  for (const each of sums.flatMap((sum) => sum.amounts)) {
    const key = `${each.unit} ${each.currency ?? ''}`;
    const before = amounts.get(key);
    amounts.set(key, {
      ...each,
      amount: (before?.amount ?? 0) + each.amount,
      estimated: each.estimated || before?.estimated === true,
    });
  }
  return {
    videos: sums.reduce((sum, { videos }) => sum + videos, 0),
    amounts: [...amounts.values()],
  };
}

/**
 * The latest sums in order, with those of weeks and months in which nothing was spent; at most
 * `MAX_BARS`.
 */
export function barsOf(sums: readonly CostSum[], by: CostGroup): readonly CostSum[] {
  const [first] = sums;
  const last = sums.at(-1);
  if (first === undefined || last === undefined || (by !== 'week' && by !== 'month'))
    return sums.slice(-MAX_BARS);
  const known = new Map(sums.map((sum) => [sum.key, sum]));
  const bars: CostSum[] = [];
  for (let key = last.key; key >= first.key && bars.length < MAX_BARS; key = before(key, by)) {
    bars.push(known.get(key) ?? { key, name: null, videos: 0, amounts: [] });
  }
  return bars.toReversed();
}

/** The first day of the previous week or month, both as `YYYY-MM-DD`. */
function before(key: string, by: 'week' | 'month'): string {
  const date = new Date(`${key}T00:00Z`);
  if (by === 'week') date.setUTCDate(date.getUTCDate() - 7);
  else date.setUTCMonth(date.getUTCMonth() - 1);
  return date.toISOString().slice(0, 10);
}

/** The height of a bar, 0 to 1: by money or units where all have them, else by videos. */
export function shareOf(sum: CostSum, bars: readonly CostSum[]): number {
  const valueOf = ({ videos, amounts }: CostSum): number =>
    isByAmount(bars) ? (amounts[0]?.amount ?? 0) : videos;
  const most = Math.max(...bars.map(valueOf));
  return most === 0 ? 0 : valueOf(sum) / most;
}

/** Whether all of them cost something in the same single unit. */
function isByAmount(bars: readonly CostSum[]): boolean {
  const spent = bars.filter(({ videos }) => videos > 0);
  const units = new Set(
    spent.map(({ amounts }) => amounts.map(({ unit, currency }) => currency ?? unit).join('+')),
  );
  return units.size === 1 && spent.every(({ amounts }) => amounts.length === 1);
}
