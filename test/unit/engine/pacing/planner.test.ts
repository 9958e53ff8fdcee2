import { describe, expect, it } from 'vitest';
import { nextSend, plan, STAGE } from '../../../../src/engine/pacing/planner.ts';
import type { PlanInput, PlanQuota } from '../../../../src/engine/pacing/planner.ts';
import { openLedger } from '../../../../src/engine/pacing/quota.ts';
import { DOCUMENTED_LIMITS, RateWindow } from '../../../../src/engine/pacing/rate-window.ts';
import { NO_RENDER_TIMES, renderTimeOf } from '../../../../src/engine/pacing/render-times.ts';

const NOW = Date.UTC(2026, 4, 4, 9);
const HOUR = 3_600_000;
const MAY_END = Date.UTC(2026, 5, 1);

function inputOf(count: number, quota: PlanQuota | null = null): PlanInput {
  return {
    jobs: {
      stage: new Uint8Array(count).fill(STAGE.toSend),
      preset: new Uint16Array(count),
      since: new Float64Array(count),
      bytes: new Float64Array(count).fill(10_000_000),
    },
    generate: new RateWindow(DOCUMENTED_LIMITS.generate),
    download: new RateWindow(DOCUMENTED_LIMITS.download),
    quota,
    renderTimes: [renderTimeOf(NO_RENDER_TIMES, 'any')],
    roundTripMs: 300,
    bytesPerSecond: 10_000_000,
  };
}

function quotaOf(limit: number): PlanQuota {
  const cycle = { start: Date.UTC(2026, 4, 1), end: MAY_END };
  return {
    ledger: openLedger(limit, cycle),
    anchor: { kind: 'billing', date: '2026-01-01' },
    zone: 'UTC',
  };
}

describe('plan', () => {
  it('sends a window full at once and the next one when the window has passed', () => {
    const { sendAt } = plan(inputOf(25), NOW);
    expect(sendAt[0]).toBe(NOW);
    expect(sendAt[9]).toBe(NOW + 9 * 300);
    expect(sendAt[10]).toBe(NOW + HOUR + 1000);
    expect(sendAt[20]).toBe(NOW + 2 * (HOUR + 1000));
  });

  it('puts a video two minutes after its sending when nothing is known of render times', () => {
    const { sendAt, readyAt, savedAt } = plan(inputOf(1), NOW);
    expect(readyAt[0]! - sendAt[0]!).toBeCloseTo(120_000, -2);
    expect(savedAt[0]! - readyAt[0]!).toBeCloseTo(1000);
  });

  it('says which rows do not fit this cycle, and when the next ones let them go', () => {
    const result = plan(inputOf(8, quotaOf(3)), NOW);
    expect([...result.cycle]).toEqual([0, 0, 0, 1, 1, 1, 2, 2]);
    expect(result.beyondCycle).toBe(5);
    expect(result.sendAt[3]).toBe(MAY_END);
    expect(result.sendAt[6]).toBe(Date.UTC(2026, 6, 1));
  });

  it('begins with the answer that the scheduler gets', () => {
    const input = inputOf(2, quotaOf(0));
    expect(nextSend(input.generate, input.quota, NOW)).toEqual({
      kind: 'wait',
      for: 'quota',
      at: MAY_END,
    });
    expect(nextSend(input.generate, null, NOW)).toEqual({ kind: 'now' });
  });
});
