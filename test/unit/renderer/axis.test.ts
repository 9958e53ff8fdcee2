import { expect, it } from 'vitest';
import { axisOf, fitOf, ZOOMS } from '../../../src/renderer/views/timeline/axis.ts';
import { marksOf } from '../../../src/renderer/views/timeline/track.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

it('fits the axis to what is planned, from two minutes to a month', () => {
  expect(fitOf([], null, 0)).toBe(2 * MINUTE);
  expect(fitOf([30_000], null, 0)).toBe(2 * MINUTE);
  const hour = fitOf([50 * MINUTE], null, 0);
  expect(hour).toBeGreaterThan(50 * MINUTE);
  expect(hour).toBeLessThan(80 * MINUTE);
  expect(fitOf([50 * MINUTE], 20 * DAY, 0)).toBeGreaterThan(20 * DAY);
  expect(fitOf([90 * DAY], null, 0)).toBe(31 * DAY);
});

it('does not move the axis with every second', () => {
  const end = 50 * MINUTE;
  expect(fitOf([end], null, 1000)).toBe(fitOf([end], null, 0));
});

it.each([2 * MINUTE, ...Object.values(ZOOMS)])('has a few marks on an axis of %i ms', (length) => {
  const { step } = axisOf(length);
  const marks = marksOf(
    { from: Date.UTC(2026, 2, 18, 10), to: Date.UTC(2026, 2, 18, 10) + length },
    step,
  );
  expect(marks.length).toBeGreaterThan(0);
  expect(marks.length).toBeLessThan(11);
});
