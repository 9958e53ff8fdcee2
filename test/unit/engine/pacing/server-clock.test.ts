import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clockDiverged,
  clockOffset,
  learnClock,
  serverClockStateSchema,
  UNKNOWN_CLOCK,
} from '../../../../src/engine/pacing/server-clock.ts';
import type { ServerClockState } from '../../../../src/engine/pacing/server-clock.ts';

const NOW = Date.UTC(2026, 4, 4, 9);

/** The clock after a response of a service that is `offset` ms ahead of the local one. */
function heard(clock: ServerClockState, offset: number, at: number, there: number, back: number) {
  const service = at + there + offset;
  return learnClock(clock, {
    date: Math.floor(service / 1000) * 1000,
    sentAt: at,
    receivedAt: at + there + back,
  });
}

const trips = fc.array(
  fc.record({
    gap: fc.integer({ min: 0, max: 100_000 }),
    there: fc.integer({ min: 0, max: 2500 }),
    back: fc.integer({ min: 0, max: 2500 }),
  }),
  { minLength: 1, maxLength: 20 },
);
const offsets = fc.integer({ min: -600_000, max: 600_000 });

describe('the clock of the service', () => {
  it('is not known before the first response', () => {
    expect(clockOffset(UNKNOWN_CLOCK)).toBeNull();
  });

  it('is always within its bounds, however uneven the latencies there and back', () => {
    fc.assert(
      fc.property(offsets, trips, (offset, all) => {
        let clock = UNKNOWN_CLOCK;
        let at = NOW;
        for (const { gap, there, back } of all) {
          at += gap;
          clock = heard(clock, offset, at, there, back);
        }
        const { low, high } = clockOffset(clock)!;
        expect(low).toBeLessThanOrEqual(offset);
        expect(high).toBeGreaterThanOrEqual(offset);
        expect(serverClockStateSchema.parse(clock)).toEqual(clock);
      }),
    );
  });

  it('is known to a second plus the duration of the request', () => {
    const sample = { date: NOW + 5000, sentAt: NOW, receivedAt: NOW + 300 };
    const clock = learnClock(UNKNOWN_CLOCK, sample);
    expect(clockOffset(clock)).toEqual({ low: 4700, high: 6000 });
    expect(clockOffset(learnClock(clock, { ...sample, receivedAt: NOW }))).toEqual({
      low: 5000,
      high: 6000,
    });
  });

  it('is estimated from the last eight responses', () => {
    let clock = learnClock(UNKNOWN_CLOCK, { date: NOW + 500, sentAt: NOW, receivedAt: NOW });
    const vague = { date: NOW, sentAt: NOW - 5000, receivedAt: NOW + 5000 };
    for (let n = 0; n < 7; n++) clock = learnClock(clock, vague);
    expect(clockOffset(clock)).toEqual({ low: 500, high: 1500 });
    expect(clockOffset(learnClock(clock, vague))).toEqual({ low: -5000, high: 6000 });
  });

  it('is not estimated from responses before it was set, even if they fit again', () => {
    const at = (date: number, tookMs: number) => ({ date, sentAt: NOW - tookMs, receivedAt: NOW });
    let clock = learnClock(UNKNOWN_CLOCK, at(NOW, 0));
    clock = learnClock(clock, at(NOW + 90_000, 0));
    clock = learnClock(clock, at(NOW, 5000));
    expect(clockOffset(clock)).toEqual({ low: 0, high: 6000 });
    // Bounds that touch are consistent.
    const met = learnClock(learnClock(UNKNOWN_CLOCK, at(NOW - 1000, 0)), at(NOW, 0));
    expect(clockOffset(met)).toEqual({ low: 0, high: 0 });
  });

  it('is known better from eight responses than from the best one', () => {
    let clock = UNKNOWN_CLOCK;
    for (let n = 0; n < 8; n++) clock = heard(clock, 1234, NOW + n * 1137, 50, 50);
    const { low, high } = clockOffset(clock)!;
    expect(high - low).toBeLessThan(500);
  });

  it('is learned again when the clock was set: newer responses override older ones', () => {
    let clock = heard(UNKNOWN_CLOCK, 0, NOW, 50, 50);
    clock = heard(clock, 3_600_000, NOW + 1000, 50, 50);
    expect(clockOffset(clock)!.low).toBeGreaterThan(3_500_000);
  });

  it('may be either after a jump forward, by setting or sleep, until the next response', () => {
    const jump = 3_600_000;
    const after = clockDiverged(heard(UNKNOWN_CLOCK, 500, NOW, 50, 50), jump);
    for (const offset of [500, 500 - jump]) {
      const { low, high } = clockOffset(after)!;
      expect(low).toBeLessThanOrEqual(offset);
      expect(high).toBeGreaterThanOrEqual(offset);
      const known = clockOffset(heard(after, offset, NOW + 5000, 50, 50))!;
      expect(known.high - known.low).toBeLessThan(2000);
    }
  });

  it('has moved by as much as the local clock was set back', () => {
    const before = heard(UNKNOWN_CLOCK, 500, NOW, 50, 50);
    const [was, is] = [clockOffset(before)!, clockOffset(clockDiverged(before, -60_000))!];
    expect(is).toEqual({ low: was.low + 60_000, high: was.high + 60_000 });
    expect(clockOffset(clockDiverged(before, 0))).toEqual(was);
  });

  it('stays unknown when the local clock jumps', () => {
    expect(clockOffset(clockDiverged(UNKNOWN_CLOCK, 60_000))).toBeNull();
  });

  it('learns nothing from a response during which the clock went back', () => {
    expect(learnClock(UNKNOWN_CLOCK, { date: NOW, sentAt: NOW, receivedAt: NOW - 1 })).toBe(
      UNKNOWN_CLOCK,
    );
  });
});
