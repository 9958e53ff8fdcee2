import { expect, it } from 'vitest';
import type { CostSum } from '../../../src/contract/costs.ts';
import { barsOf, shareOf, totalOf } from '../../../src/renderer/views/activity/cost-rows.ts';

const sum = (key: string, videos: number, euros?: number): CostSum => ({
  ...{ key, name: null, videos },
  amounts:
    euros === undefined
      ? []
      : [{ unit: 'money', currency: 'EUR', amount: euros, estimated: euros > 5 }],
});

it('has a bar for each week and month, also where nothing was spent', () => {
  expect(
    barsOf([sum('2026-10-26', 1), sum('2026-11-16', 2)], 'week').map(({ key }) => key),
  ).toEqual(['2026-10-26', '2026-11-02', '2026-11-09', '2026-11-16']);
  expect(
    barsOf([sum('2025-12-01', 1), sum('2026-02-01', 2)], 'month').map(({ key }) => key),
  ).toEqual(['2025-12-01', '2026-01-01', '2026-02-01']);
  const years = barsOf([sum('2019-01-07', 1), sum('2026-11-16', 2)], 'week');
  expect(years).toHaveLength(53);
  expect(years.at(-1)?.key).toBe('2026-11-16');
});

it('draws bars by money where all have it, and by videos otherwise', () => {
  const paid = [sum('a', 10, 2), sum('b', 1, 4)];
  expect(paid.map((each) => shareOf(each, paid))).toEqual([0.5, 1]);
  const mixed = [sum('a', 10), sum('b', 1, 4)];
  expect(mixed.map((each) => shareOf(each, mixed))).toEqual([1, 0.1]);
});

it('adds up amounts of one currency, as an estimate if one of them is', () => {
  expect(totalOf([sum('a', 1, 2), sum('b', 2, 6), sum('c', 3)])).toEqual({
    videos: 6,
    amounts: [{ unit: 'money', currency: 'EUR', amount: 8, estimated: true }],
  });
});
