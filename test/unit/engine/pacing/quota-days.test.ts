import { expect, test } from 'vitest';
import { quotaDays } from '../../../../src/engine/pacing/quota.ts';

const START = Date.UTC(2026, 2, 28);
const HOUR = 3_600_000;

test('days run from the start of the cycle to today without gaps', () => {
  const units = [
    { at: START, state: 'charged' as const },
    { at: START + HOUR, state: 'charged' as const },
    { at: START + 49 * HOUR, state: 'held' as const },
  ];

  const days = quotaDays(units, START, START + 50 * HOUR, 'UTC');

  expect(days).toEqual([
    { date: '2026-03-28', from: START, charged: 2, held: 0 },
    { date: '2026-03-29', from: START + 24 * HOUR, charged: 0, held: 0 },
    { date: '2026-03-30', from: START + 48 * HOUR, charged: 0, held: 1 },
  ]);
});

test('days follow the time zone, and the first begins with the cycle', () => {
  // 28 March 01:00 in Berlin, whose clocks go forward on the 29th: that day has 23 hours.
  const units = [{ at: Date.UTC(2026, 2, 28, 23, 30), state: 'charged' as const }];

  const days = quotaDays(units, START, Date.UTC(2026, 2, 29, 22, 30), 'Europe/Berlin');

  expect(days).toEqual([
    { date: '2026-03-28', from: START, charged: 0, held: 0 },
    { date: '2026-03-29', from: Date.UTC(2026, 2, 28, 23), charged: 1, held: 0 },
    { date: '2026-03-30', from: Date.UTC(2026, 2, 29, 22), charged: 0, held: 0 },
  ]);
});

test('a moment at midnight belongs to the day that begins', () => {
  const midnight = START + 24 * HOUR;
  const units = [{ at: midnight, state: 'charged' as const }];
  const days = quotaDays(units, START, midnight, 'UTC');
  expect(days.map(({ charged }) => charged)).toEqual([0, 1]);
});
