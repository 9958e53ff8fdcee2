import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cycleOf, openLedger, quotaLeft } from '../../../../src/engine/pacing/quota.ts';
import type { CycleAnchor } from '../../../../src/engine/pacing/quota.ts';

const DAY = 86_400_000;
const billing = (date: string): CycleAnchor => ({ per: 'month', date });
const utc = (text: string): number => Date.parse(`${text}Z`);

describe('cycleOf', () => {
  it.each([
    ['2026-01-15', '2026-05-14T23:59', '2026-04-15T00:00', '2026-05-15T00:00'],
    ['2026-01-15', '2026-05-15T00:00', '2026-05-15T00:00', '2026-06-15T00:00'],
    ['2026-01-31', '2026-02-10T00:00', '2026-01-31T00:00', '2026-02-28T00:00'],
    ['2026-01-31', '2026-03-01T00:00', '2026-02-28T00:00', '2026-03-31T00:00'],
    ['2026-01-31', '2028-02-29T12:00', '2028-02-29T00:00', '2028-03-31T00:00'],
    ['2028-02-29', '2029-02-28T12:00', '2029-02-28T00:00', '2029-03-29T00:00'],
    ['2026-01-30', '2026-12-31T00:00', '2026-12-30T00:00', '2027-01-30T00:00'],
    ['2026-08-20', '2026-03-03T00:00', '2026-02-20T00:00', '2026-03-20T00:00'],
  ])('anchored on %s, at %s, runs from %s to %s', (anchor, now, start, end) => {
    expect(cycleOf(billing(anchor), utc(now))).toEqual({ start: utc(start), end: utc(end) });
  });

  it.each([
    // The clocks go forward at midnight: the day begins at 01:00 (UTC+3 there).
    ['Asia/Beirut', '2024-03-31', '2024-04-02T00:00', '2024-03-30T22:00'],
    ['America/Los_Angeles', '2026-07-01', '2026-07-10T00:00', '2026-07-01T07:00'],
    ['Pacific/Kiritimati', '2026-01-01', '2026-03-31T12:00', '2026-03-31T10:00'],
    // Samoa left out 30 December 2011; the cycle begins with the day that came instead.
    ['Pacific/Apia', '2011-01-30', '2012-01-02T00:00', '2011-12-30T10:00'],
  ])('in %s, anchored on %s, at %s, began at %s', (zone, anchor, now, start) => {
    expect(cycleOf(billing(anchor), utc(now), zone).start).toBe(utc(start));
  });

  it.each([
    ['UTC', '2026-03-29T00:00', '2026-03-29T00:00', '2026-03-30T00:00'],
    ['UTC', '2026-03-29T23:59', '2026-03-29T00:00', '2026-03-30T00:00'],
    // The clocks go forward: the day has 23 hours.
    ['Europe/Berlin', '2026-03-29T12:00', '2026-03-28T23:00', '2026-03-29T22:00'],
    ['Europe/Berlin', '2026-03-28T23:30', '2026-03-28T23:00', '2026-03-29T22:00'],
  ])('of a day in %s, at %s, runs from %s to %s', (zone, now, start, end) => {
    const daily = { per: 'day', date: '2026-01-15' } as const;
    expect(cycleOf(daily, utc(now), zone)).toEqual({ start: utc(start), end: utc(end) });
  });

  it('refuses a zone that does not exist', () => {
    expect(() => cycleOf(billing('2026-01-01'), 0, 'Mars/Olympus')).toThrow(RangeError);
  });

  const anchors = fc
    .integer({ min: utc('1990-01-01T00:00') / DAY, max: utc('2040-12-31T00:00') / DAY })
    .map((days) => billing(new Date(days * DAY).toISOString().slice(0, 10)));
  const moments = fc.integer({ min: utc('1990-01-01T00:00'), max: utc('2040-12-31T00:00') });
  const zones = fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'America/St_Johns',
    'Asia/Kathmandu',
    'Pacific/Apia',
    'America/Sao_Paulo',
    'Australia/Lord_Howe',
  );

  it('contains the given moment, and adjoins its neighbours, over 50 years', () => {
    fc.assert(
      fc.property(anchors, moments, zones, (anchor, now, zone) => {
        const cycle = cycleOf(anchor, now, zone);
        expect(cycle.start).toBeLessThanOrEqual(now);
        expect(cycle.end).toBeGreaterThan(now);
        expect((cycle.end - cycle.start) / DAY).toBeGreaterThan(26.9);
        expect((cycle.end - cycle.start) / DAY).toBeLessThan(32.1);
        expect(cycleOf(anchor, cycle.start, zone)).toEqual(cycle);
        expect(cycleOf(anchor, cycle.end - 1, zone)).toEqual(cycle);
        expect(cycleOf(anchor, cycle.end, zone).start).toBe(cycle.end);
        expect(cycleOf(anchor, cycle.start - 1, zone).end).toBe(cycle.start);
      }),
      { numRuns: 500 },
    );
  });

  it('begins on the anchor day, or on the last day of a month without it, on every day of 50 years', () => {
    for (const day of ['01', '15', '28', '29', '30', '31']) {
      const anchor = billing(`1990-01-${day}`);
      for (let now = utc('1990-01-01T12:00'); now < utc('2040-01-01T00:00'); now += DAY) {
        const start = new Date(cycleOf(anchor, now).start);
        const nextDay = new Date(start.getTime() + DAY).getUTCDate();
        const expected = start.getUTCDate() === Number(day) || nextDay === 1;
        if (!expected) expect.fail(`${start.toISOString()} for day ${day}`);
      }
    }
  });
});

describe('the quota that is left', () => {
  const open = openLedger(15, { start: utc('2026-05-01T00:00'), end: utc('2026-06-01T00:00') });

  it('is the whole limit at first', () => {
    expect(quotaLeft(open)).toBe(15);
  });

  it('counts reserved units as spent', () => {
    expect(quotaLeft({ ...open, used: 4, held: 2 })).toBe(9);
  });

  it('applies the user’s correction for use elsewhere, in either direction', () => {
    expect(quotaLeft({ ...open, used: 4, correction: 5 })).toBe(6);
    expect(quotaLeft({ ...open, used: 4, correction: -4 })).toBe(15);
  });

  it('is 0 once the service has refused, whatever was counted', () => {
    expect(quotaLeft({ ...open, refused: true })).toBe(0);
  });

  it('is never negative', () => {
    expect(quotaLeft({ ...open, correction: 99 })).toBe(0);
  });
});
