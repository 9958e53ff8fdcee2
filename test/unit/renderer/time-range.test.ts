import { expect, it } from 'vitest';
import { spanOf } from '../../../src/renderer/state/time-range.ts';

const noon = new Date(2026, 2, 30, 12).getTime();
const day = (month: number, date: number): number => new Date(2026, month - 1, date).getTime();

it('has no bounds for any time', () => {
  expect(spanOf({ kind: 'all' }, noon)).toEqual({});
});

it('counts the last days from midnight, including today', () => {
  expect(spanOf({ kind: 'today' }, noon)).toEqual({ from: day(3, 30) });
  expect(spanOf({ kind: 'week' }, noon)).toEqual({ from: day(3, 24) });
  expect(spanOf({ kind: 'month' }, noon)).toEqual({ from: day(3, 1) });
});

it('includes both named days, and leaves a missing bound open', () => {
  expect(spanOf({ kind: 'days', first: '2026-03-28', last: '2026-03-29' }, noon)).toEqual({
    from: day(3, 28),
    to: day(3, 30),
  });
  expect(spanOf({ kind: 'days', first: '', last: '2026-03-29' }, noon)).toEqual({ to: day(3, 30) });
  expect(spanOf({ kind: 'days', first: '2026-03-28', last: '' }, noon)).toEqual({
    from: day(3, 28),
  });
});
