import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { QuotaDays } from '../../../src/contract/quota-days.ts';
import {
  dayMarks,
  leftFromNow,
  leftSoFar,
  outlookOf,
  Scale,
} from '../../../src/renderer/views/limits/burn-down.ts';

const DAY = 24 * 3_600_000;
const START = Date.UTC(2026, 10, 1);
const day = (number: number): number => START + number * DAY;

function cycle(charged: readonly number[], rest: Partial<QuotaDays> = {}): QuotaDays {
  return {
    cycle: { start: START, end: day(30) },
    limit: 20,
    days: charged.map((count, index) => ({
      date: new Date(day(index)).toISOString().slice(0, 10),
      from: day(index),
      charged: count,
      held: 0,
    })),
    corrections: [],
    refusedAt: null,
    ...rest,
  };
}

const noSends = { at: [], isCut: false };

describe('the quota left so far', () => {
  it('starts at the limit and falls at the end of each day, and now for today', () => {
    expect(leftSoFar(cycle([3, 0, 2]), day(2.5))).toEqual([
      { at: day(0), left: 20 },
      { at: day(1), left: 17 },
      { at: day(2), left: 17 },
      { at: day(2.5), left: 15 },
    ]);
  });

  it('counts reserved units as used', () => {
    const held = cycle([1]);
    const days = held.days.map((each) => ({ ...each, held: 4 }));
    expect(leftSoFar({ ...held, days }, day(0.5)).at(-1)?.left).toBe(15);
  });

  it('drops at once where the user corrected the count, and rises when they entered less', () => {
    const corrections = [
      { at: day(1.5), used: 10, difference: 7 },
      { at: day(1.6), used: 4, difference: -6 },
    ];
    expect(leftSoFar(cycle([3, 0], { corrections }), day(1.8))).toEqual([
      { at: day(0), left: 20 },
      { at: day(1), left: 17 },
      { at: day(1.5), left: 17 },
      { at: day(1.5), left: 10 },
      { at: day(1.6), left: 10 },
      { at: day(1.6), left: 16 },
      { at: day(1.8), left: 16 },
    ]);
  });

  it('drops to 0 when the service reports the quota used up, whatever was counted', () => {
    const line = leftSoFar(cycle([3, 1], { refusedAt: day(1.2) }), day(1.5));
    expect(line.slice(-3)).toEqual([
      { at: day(1.2), left: 17 },
      { at: day(1.2), left: 0 },
      { at: day(1.5), left: 0 },
    ]);
  });

  it('never falls below 0', () => {
    expect(leftSoFar(cycle([50]), day(0.5)).at(-1)?.left).toBe(0);
  });
});

describe('the quota left from now on', () => {
  it('falls with each video sent, then stays level until the cycle ends', () => {
    const sends = { at: [day(2), day(3), day(31)], isCut: false };
    const line = leftFromNow(15, sends, day(1), day(30));
    expect(line.map(({ left }) => left)).toEqual([15, 14, 13, 13]);
    expect(outlookOf(line, day(30))).toEqual({ kind: 'lasts', takes: 2, left: 13 });
  });

  it('ends with the last video that the quota allows', () => {
    const sends = { at: [day(2), day(3), day(4)], isCut: false };
    const line = leftFromNow(2, sends, day(1), day(30));
    expect(line.at(-1)).toEqual({ at: day(3), left: 0 });
    expect(outlookOf(line, day(30))).toEqual({ kind: 'runs-out', at: day(3), takes: 2 });
  });

  it('ends at the last known send, with an open outlook, when the list of sends is cut', () => {
    const line = leftFromNow(15, { at: [day(2)], isCut: true }, day(1), day(30));
    expect(line.at(-1)).toEqual({ at: day(2), left: 14 });
    expect(outlookOf(line, day(30))).toEqual({ kind: 'open' });
  });

  it('ends with the cycle if the list of sends is cut after it', () => {
    const line = leftFromNow(15, { at: [day(2), day(30)], isCut: true }, day(1), day(30));
    expect(outlookOf(line, day(30))).toEqual({ kind: 'lasts', takes: 1, left: 14 });
  });

  it('counts a send whose time has passed as sent now', () => {
    expect(leftFromNow(5, { at: [day(1)], isCut: false }, day(2), day(30))[1]?.at).toBe(day(2));
  });

  it('reports that it is used up', () => {
    expect(outlookOf(leftFromNow(0, noSends, day(1), day(30)), day(30))).toEqual({
      kind: 'used-up',
    });
  });
});

describe('the scale', () => {
  const frame = { left: 10, right: 310, top: 0, bottom: 100 };
  const scale = new Scale(frame, cycle([]).cycle, 20);

  it('puts the cycle from left to right and the quota from the bottom to the top', () => {
    expect([scale.x(day(0)), scale.x(day(15)), scale.x(day(30))]).toEqual([10, 160, 310]);
    expect([scale.y(0), scale.y(5), scale.y(20)]).toEqual([100, 75, 0]);
  });

  it('draws nothing outside the frame', () => {
    expect([scale.x(day(-5)), scale.x(day(99)), scale.y(-3), scale.y(99)]).toEqual([
      10, 310, 100, 0,
    ]);
  });

  it('returns finite coordinates for an empty cycle and a quota of 0', () => {
    const odd = new Scale(frame, { start: START, end: START }, 0);
    expect(Number.isFinite(odd.x(START)) && Number.isFinite(odd.y(0))).toBe(true);
  });

  it('joins points by lines, and forecasts by stairs', () => {
    const points = [
      { at: day(0), left: 20 },
      { at: day(15), left: 10 },
    ];
    expect(scale.line(points)).toBe('M10 0L160 50');
    expect(scale.stairs(points)).toBe('M10 0H160V50');
    expect(scale.area(points)).toBe('M10 0L160 50V100H10Z');
    expect(scale.area([])).toBe('');
    expect(scale.stairs([])).toBe('');
  });
});

it('marks days at midnight after a day without one', () => {
  vi.stubEnv('TZ', 'Africa/Cairo');
  onTestFinished(() => void vi.unstubAllEnvs());
  const month = { start: new Date(2026, 3, 20).getTime(), end: new Date(2026, 3, 27).getTime() };
  const hours = dayMarks(month, 3000, 60).map((mark) => new Date(mark).getHours());
  expect(hours).toEqual([0, 0, 0, 0, 1, 0, 0]);
});

it('marks as many days as fit', () => {
  const { cycle: month } = cycle([]);
  expect(dayMarks(month, 600, 60).length).toBeLessThanOrEqual(11);
  expect(dayMarks(month, 3000, 60).length).toBeGreaterThanOrEqual(30);
  expect(dayMarks(month, 50, 60).length).toBeGreaterThanOrEqual(1);
});
