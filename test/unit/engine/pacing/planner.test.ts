import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  plan,
  STAGE,
  type PlanInput,
  type PlanQuota,
} from '../../../../src/engine/pacing/planner.ts';
import { openLedger } from '../../../../src/engine/pacing/quota.ts';
import { RateWindow } from '../../../../src/engine/pacing/rate-window.ts';
import { DOCUMENTED_LIMITS } from '../../../../src/engine/pacing/rate-window-state.ts';
import {
  LogNormal,
  NO_RENDER_TIMES,
  renderTimeOf,
} from '../../../../src/engine/pacing/render-times.ts';

const NOW = Date.UTC(2026, 4, 4, 9);
const HOUR = 3_600_000;
const MAY_END = Date.UTC(2026, 5, 1);
const JUNE_END = Date.UTC(2026, 6, 1);
const renderTime = renderTimeOf(NO_RENDER_TIMES, 'any');

function inputOf(
  count: number,
  quota: PlanQuota | null = null,
): PlanInput & { generate: RateWindow } {
  return {
    jobs: {
      stage: new Uint8Array(count).fill(STAGE.toSend),
      preset: new Uint16Array(count),
      since: new Float64Array(count),
      bytes: new Float64Array(count).fill(10_000_000),
    },
    generate: new RateWindow(DOCUMENTED_LIMITS.generate),
    download: new RateWindow(DOCUMENTED_LIMITS.download),
    slots: null,
    quota,
    renderTimes: [renderTime],
    sendFrom: 0,
    roundTripMs: 300,
    bytesPerSecond: 10_000_000,
  };
}

function quotaOf(limit: number): PlanQuota {
  return {
    ledger: openLedger(limit, { start: Date.UTC(2026, 4, 1), end: MAY_END }),
    anchor: { per: 'month', date: '2026-01-01' },
    zone: 'UTC',
    boundaryDelayMs: 0,
  };
}

describe('plan', () => {
  it('sends nothing before a pause is over, and active jobs continue', () => {
    const input = { ...inputOf(2), sendFrom: NOW + 960_000 };
    input.jobs.stage[0] = STAGE.ready;
    const { sendAt, savedAt } = plan(input, NOW);

    expect(sendAt[1]).toBe(NOW + 960_000);
    expect(savedAt[0]).toBeLessThan(NOW + 60_000);
  });

  it('sends as many as the limit at once, and the next one when the window has passed', () => {
    const { sendAt } = plan(inputOf(25), NOW);
    expect(sendAt[0]).toBe(NOW);
    expect(sendAt[9]).toBe(NOW + 9 * 300);
    expect(sendAt[10]).toBe(NOW + HOUR + 1000);
    expect(sendAt[20]).toBe(NOW + 2 * (HOUR + 1000));
  });

  it('expects a video two minutes after it is sent when no render time is known', () => {
    const { sendAt, readyAt, savedAt } = plan(inputOf(1), NOW);
    expect(readyAt[0]! - sendAt[0]!).toBeCloseTo(120_000, -2);
    expect(savedAt[0]! - readyAt[0]!).toBeCloseTo(1000);
  });

  it('expects an unfinished render to take longer than others did', () => {
    const input = inputOf(2);
    input.jobs.stage.fill(STAGE.rendering);
    input.jobs.since.set([NOW - 30_000, NOW - 400_000]);
    const { sendAt, readyAt } = plan(input, NOW);
    expect(sendAt).toEqual(new Float64Array([NaN, NaN]));
    expect(readyAt[0]! - NOW).toBeGreaterThan(80_000);
    expect(readyAt[0]! - NOW).toBeLessThan(120_000);
    expect(readyAt[1]! - NOW).toBeGreaterThan(60_000);
    expect(readyAt[1]! - NOW).toBeLessThan(400_000);
  });

  it('uses for each row the render time of its preset', () => {
    const slow = new LogNormal(Math.log(600), 0.1);
    const input = { ...inputOf(3), renderTimes: [slow, renderTime] };
    input.jobs.preset.set([1, 0, 0]);
    input.jobs.stage[2] = STAGE.rendering;
    input.jobs.since[2] = NOW;
    const { sendAt, readyAt } = plan(input, NOW);
    expect(readyAt[0]! - sendAt[0]!).toBeCloseTo(120_000, -2);
    expect(readyAt[1]! - sendAt[1]!).toBeCloseTo(600_000, -2);
    expect(readyAt[2]! - NOW).toBeCloseTo(600_000, -2);
  });

  it('saves files in the order in which they became ready, one at a time', () => {
    const input = inputOf(3);
    input.jobs.stage.fill(STAGE.ready);
    input.jobs.since.set([NOW - 1000, NOW - 3000, NOW - 2000]);
    input.jobs.bytes.set([10_000_000, 20_000_000, 30_000_000]);
    expect([...plan(input, NOW).savedAt]).toEqual([NOW + 6000, NOW + 2000, NOW + 5000]);
    input.jobs.since.set([NOW - 3000, NOW - 2000, NOW - 1000]);
    expect([...plan(input, NOW).savedAt]).toEqual([NOW + 1000, NOW + 3000, NOW + 6000]);
  });

  it('asks for no more than 30 links an hour', () => {
    const input = inputOf(40);
    input.jobs.stage.fill(STAGE.ready);
    input.jobs.bytes.fill(0);
    const { savedAt } = plan(input, NOW);
    expect(savedAt[29]).toBe(NOW);
    expect(savedAt[30]).toBe(NOW + HOUR + 1000);
  });

  it('moves rows that do not fit this cycle to the next ones', () => {
    const result = plan(inputOf(8, quotaOf(3)), NOW);
    expect([...result.cycle]).toEqual([0, 0, 0, 1, 1, 1, 2, 2]);
    expect(result.sendAt[3]).toBe(MAY_END);
    expect(result.sendAt[6]).toBe(JUNE_END);
  });

  it.each([5000, -600_000])(
    'begins a cycle %i ms after its first moment, where the clocks are that much apart',
    (boundaryDelayMs) => {
      const { sendAt, cycle } = plan(inputOf(8, { ...quotaOf(3), boundaryDelayMs }), NOW);
      expect(sendAt[3]).toBe(MAY_END + boundaryDelayMs);
      expect(sendAt[6]).toBe(JUNE_END + boundaryDelayMs);
      expect([...cycle]).toEqual([0, 0, 0, 1, 1, 1, 2, 2]);
    },
  );

  it('counts the first moment of a cycle as part of it', () => {
    const input = { ...inputOf(1, quotaOf(3)), sendFrom: MAY_END };
    expect(plan(input, NOW).cycle[0]).toBe(1);
    expect(plan({ ...input, sendFrom: MAY_END - 1 }, NOW).cycle[0]).toBe(0);
  });

  it('charges videos sent after the reset to the cycle in which they are sent', () => {
    const { cycle, sendAt } = plan(inputOf(25, quotaOf(15)), MAY_END - HOUR / 2);
    expect(sendAt[10]).toBeGreaterThan(MAY_END);
    // All ten of the rate window, as in any cycle.
    expect(sendAt[19]! - sendAt[10]!).toBe(9 * 300);
    expect([...cycle]).toEqual([
      ...new Array<number>(10).fill(0),
      ...new Array<number>(15).fill(1),
    ]);
  });

  it('plans nothing this cycle after the service has refused for its quota', () => {
    const quota = quotaOf(50);
    const refused = { ...quota, ledger: { ...quota.ledger, refused: true } };
    expect(plan(inputOf(2, refused), NOW).sendAt[0]).toBe(MAY_END);
  });

  it('continues in this cycle from the time that the service gave', () => {
    const refusedUntil = (at: number) => {
      const quota = quotaOf(3);
      const ledger = { ...quota.ledger, used: 1, refused: true, refusedUntil: at };
      return plan(inputOf(3, { ...quota, ledger }), NOW);
    };
    expect([...refusedUntil(NOW + HOUR).sendAt]).toEqual([NOW + HOUR, NOW + HOUR + 300, MAY_END]);
    expect(refusedUntil(NOW - HOUR).sendAt[0]).toBe(NOW);
    expect(refusedUntil(MAY_END + HOUR).sendAt[0]).toBe(MAY_END);
  });

  it('plans a cap of videos a day for each of its days', () => {
    const quota = quotaOf(2);
    const today = { start: Date.UTC(2026, 4, 4), end: Date.UTC(2026, 4, 5) };
    const input = inputOf(200, {
      ...quota,
      ledger: openLedger(2, today),
      anchor: { per: 'day', date: '2026-01-01' },
    });
    const { sendAt, cycle } = plan(input, NOW);
    expect(sendAt[2]).toBe(today.end);
    expect(sendAt[4]).toBe(Date.UTC(2026, 4, 6));
    expect(cycle[199]).toBe(99);
    expect(sendAt[199]).toBeLessThan(Infinity);
  });

  it('says when the cycle of each row begins, by the service’s clock', () => {
    const quota = { ...quotaOf(3), boundaryDelayMs: 5000 };
    const { cycleStart } = plan(inputOf(8, quota), NOW);
    expect(cycleStart).toEqual([quota.ledger.cycleStart, MAY_END, JUNE_END]);
  });

  it('looks five years ahead, and no further', () => {
    const { sendAt, savedAt, cycle } = plan(inputOf(200, quotaOf(3)), NOW);
    expect(sendAt[180]).toBe(Date.UTC(2031, 4, 1));
    expect(sendAt[182]).toBeLessThan(Infinity);
    expect(sendAt[183]).toBe(Infinity);
    expect(savedAt[199]).toBe(Infinity);
    expect(cycle.filter((each) => each > 0)).toHaveLength(197);
    const end = Date.UTC(2031, 5, 1);
    const from = (sendFrom: number) => plan({ ...inputOf(1, quotaOf(3)), sendFrom }, NOW).sendAt[0];
    expect(from(end - 1)).toBe(end - 1);
    expect(from(end)).toBe(Infinity);
    expect(from(end + 1)).toBe(Infinity);
  });

  it('ends for a quota of 0', () => {
    const { cycle, savedAt } = plan(inputOf(2, quotaOf(0)), NOW);
    expect([...cycle].every((each) => each > 0)).toBe(true);
    expect([...savedAt]).toEqual([Infinity, Infinity]);
    expect(plan(inputOf(0), NOW).savedAt).toHaveLength(0);
  });

  it('keeps the order, the limits and the quota, for any jobs', () => {
    const job = fc.record({
      stage: fc.constantFrom(...Object.values(STAGE)),
      agoMs: fc.integer({ min: 0, max: 2 * HOUR }),
      bytes: fc.integer({ min: 0, max: 1e9 }),
    });
    const jobs = fc.array(job, { maxLength: 150 });
    fc.assert(
      fc.property(jobs, fc.integer({ min: 1, max: 60 }), (rows, limit) => {
        const input = inputOf(rows.length, quotaOf(limit));
        for (const [i, row] of rows.entries()) {
          input.jobs.stage[i] = row.stage;
          input.jobs.since[i] = NOW - row.agoMs;
          input.jobs.bytes[i] = row.bytes;
        }
        const { sendAt, readyAt, savedAt, cycle } = plan(input, NOW);
        const sent = [...sendAt.keys()].filter((i) => input.jobs.stage[i] === STAGE.toSend);
        for (const [n, i] of sent.entries()) {
          expect(sendAt[i]).toBeGreaterThanOrEqual(n === 0 ? NOW : sendAt[sent[n - 1]!]!);
          if (sendAt[i] === Infinity) continue;
          const tenBefore = sendAt[sent[n - 10] ?? -1] ?? -Infinity;
          expect(sendAt[i]! - tenBefore).toBeGreaterThan(HOUR);
        }
        for (const i of rows.keys()) expect(savedAt[i]).toBeGreaterThanOrEqual(readyAt[i]!);
        for (let c = 0; c < 24; c++) {
          expect(sent.filter((i) => cycle[i] === c).length).toBeLessThanOrEqual(limit);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('begins after the wait of the rate window, or with the next cycle', () => {
    for (const spent of [0, 3, 10]) {
      const input = inputOf(3, quotaOf(5));
      for (let n = 0; n < spent; n++) input.generate.unanswered(input.generate.reserve(NOW), NOW);
      expect(plan(input, NOW).sendAt[0]).toBe(NOW + input.generate.wait(NOW));
      const used = { ...quotaOf(5).ledger, used: 5 };
      const later = plan({ ...input, quota: { ...quotaOf(5), ledger: used } }, NOW);
      expect(later.sendAt[0]).toBe(MAY_END);
    }
  });
});
