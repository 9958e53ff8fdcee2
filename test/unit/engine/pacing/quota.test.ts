import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changeLimit,
  chargeHold,
  correctQuota,
  cycleOf,
  hold,
  openLedger,
  quotaLedgerSchema,
  quotaLeft,
  refund,
  refuseQuota,
  releaseHold,
  rollLedger,
} from '../../../../src/engine/pacing/quota.ts';
import type { CycleAnchor } from '../../../../src/engine/pacing/quota.ts';

const DAY = 86_400_000;
const billing = (date: string): CycleAnchor => ({ kind: 'billing', date });
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

  it('counts a free plan from its sign-up date in the same way', () => {
    const now = utc('2026-03-01T00:00');
    const signup: CycleAnchor = { kind: 'signup', date: '2026-01-31' };
    expect(cycleOf(signup, now)).toEqual(cycleOf(billing('2026-01-31'), now));
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

  it('holds the moment it was asked for, and joins its neighbours, over 50 years', () => {
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

describe('the quota ledger', () => {
  const may = { start: utc('2026-05-01T00:00'), end: utc('2026-06-01T00:00') };
  const june = { start: may.end, end: utc('2026-07-01T00:00') };
  const open = openLedger(15, may);

  it('counts a hold as spent until it is released', () => {
    expect(quotaLeft(hold(open))).toBe(14);
    expect(quotaLeft(releaseHold(hold(open)))).toBe(15);
  });

  it('turns a hold into a charge, and gives it back when the render fails', () => {
    const charged = chargeHold(hold(open));
    expect(charged).toMatchObject({ used: 1, held: 0 });
    expect(quotaLeft(refund(charged))).toBe(15);
  });

  it('believes the user about what was spent elsewhere, and counts on from there', () => {
    const corrected = correctQuota(chargeHold(hold(open)), 9);
    expect(quotaLeft(corrected)).toBe(6);
    expect(quotaLeft(hold(corrected))).toBe(5);
    expect(quotaLeft(correctQuota(corrected, 0))).toBe(15);
  });

  it('has nothing left once the service has refused, until the cycle resets', () => {
    const refused = refuseQuota(open);
    expect(quotaLeft(refused)).toBe(0);
    expect(quotaLeft(rollLedger(refused, may))).toBe(0);
    expect(quotaLeft(rollLedger(refused, june))).toBe(15);
  });

  it('takes up again after a refusal when the user or a bigger plan says that there is more', () => {
    expect(quotaLeft(correctQuota(refuseQuota(open), 10))).toBe(5);
    expect(quotaLeft(correctQuota(refuseQuota(open), 15))).toBe(0);
    expect(quotaLeft(changeLimit(refuseQuota(open), 50))).toBe(50);
    expect(quotaLeft(changeLimit(refuseQuota(open), 15))).toBe(0);
  });

  it('starts a new cycle with only the requests that are still to be sent', () => {
    const spent = correctQuota(hold(hold(chargeHold(hold(open)))), 7);
    expect(rollLedger(spent, june)).toEqual({ ...openLedger(15, june), held: 2 });
    expect(rollLedger(spent, june, 1).held).toBe(1);
  });

  it('never has less than nothing left', () => {
    expect(quotaLeft(correctQuota(open, 99))).toBe(0);
  });

  it('never loses count: what is left, held, used and corrected makes up the limit', () => {
    const steps = fc.array(fc.constantFrom(hold, releaseHold, chargeHold, refund), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(steps, (taken) => {
        let ledger = openLedger(100, may);
        for (const step of taken) {
          const needsHold = step === releaseHold || step === chargeHold;
          if (needsHold && ledger.held === 0) continue;
          ledger = step(ledger);
        }
        expect(quotaLeft(ledger) + ledger.held + ledger.used).toBe(100);
        expect(quotaLedgerSchema.parse(JSON.parse(JSON.stringify(ledger)))).toEqual(ledger);
      }),
    );
  });
});
