import { describe, expect, it, test } from 'vitest';
import { endRangeOf } from '../../../../src/engine/pacing/end-range.ts';
import { medianOfLast, type OpenRender } from '../../../../src/engine/pacing/last-of-many.ts';
import { plan, STAGE, type PlanInput } from '../../../../src/engine/pacing/planner.ts';
import { openLedger } from '../../../../src/engine/pacing/quota.ts';
import { RateWindow } from '../../../../src/engine/pacing/rate-window.ts';
import { LogNormal } from '../../../../src/engine/pacing/render-times.ts';
import { makespanOf, slotWorldOf } from '../../../rigs/slot-worlds.ts';

const NOW = Date.UTC(2026, 4, 4, 9);
const MINUTE = 60_000;
const MINUTES = new LogNormal(Math.log(60), 1e-6);

function inputOf(count: number, slots: Partial<NonNullable<PlanInput['slots']>>): PlanInput {
  const window = () => new RateWindow({ limit: 1000, windowMs: 1000 });
  return {
    jobs: {
      stage: new Uint8Array(count).fill(STAGE.toSend),
      preset: new Uint16Array(count),
      since: new Float64Array(count),
      bytes: new Float64Array(count),
    },
    generate: window(),
    download: window(),
    quota: null,
    slots: {
      limit: 2,
      renderedAtOnce: null,
      othersEndAt: [],
      notBefore: 0,
      averages: [MINUTES],
      ...slots,
    },
    renderTimes: [MINUTES],
    sendFrom: 0,
    roundTripMs: 0,
    bytesPerSecond: 1e12,
  };
}

const sendMinutes = (input: PlanInput): number[] =>
  [...plan(input, NOW).sendAt].map((at) => Math.round((at - NOW) / 6000) / 10);

describe('plan with a limit of renders at a time', () => {
  it('sends the next video when a render ends', () => {
    expect(sendMinutes(inputOf(5, {}))).toEqual([0, 0, 1, 1, 2]);
  });

  it('counts the slots of videos that are already rendered', () => {
    const input = inputOf(4, {});
    input.jobs.stage[0] = STAGE.rendering;
    input.jobs.since[0] = NOW - 0.4 * MINUTE;
    expect(sendMinutes(input)).toEqual([NaN, 0, 0.6, 1]);
  });

  it('waits for renders above the limit to end', () => {
    const input = inputOf(4, { limit: 1, othersEndAt: [NOW + 3 * MINUTE] });
    input.jobs.stage.fill(STAGE.rendering, 0, 2);
    input.jobs.since.fill(NOW);
    expect(sendMinutes(input)).toEqual([NaN, NaN, 3, 4]);
  });

  it('sends nothing before the service’s retry time', () => {
    expect(sendMinutes(inputOf(2, { notBefore: NOW + 5 * MINUTE }))).toEqual([5, 5]);
  });

  it('counts on half of a slot where others take it half of the time', () => {
    const { sendAt } = plan(inputOf(30, { limit: 1.5 }), NOW);
    expect((sendAt[29]! - NOW) / MINUTE).toBeCloseTo(28 / 1.5, 0);
  });

  it('sends at the same times as an omniscient client that tries each moment', () => {
    for (let seed = 0; seed < 150; seed += 1) {
      const makespan = makespanOf(slotWorldOf(seed));
      if (makespan === null) continue;
      const ratio = makespan.plannedMs / makespan.leastMs;
      expect(Math.abs(ratio - 1), `seed ${seed}`).toBeLessThanOrEqual(0.02);
    }
  });
});

describe('the end of a plan with a limit of renders at a time', () => {
  /** Mostly 35 to 100 s. */
  const VARIED = new LogNormal(Math.log(60), 0.5);
  const SECOND = 1000;
  const MEDIAN = Math.round(VARIED.quantile(0.5));

  function savesOf(
    stages: readonly (keyof typeof STAGE)[],
    { bytes = 0, ageMs = 0, ...changes }: Partial<PlanInput> & { bytes?: number; ageMs?: number },
  ): number[] {
    const input = inputOf(stages.length, { limit: stages.length, averages: [VARIED] });
    for (const [index, stage] of stages.entries()) {
      input.jobs.stage[index] = STAGE[stage];
      input.jobs.since[index] = NOW - ageMs;
      if (stage === 'ready') input.jobs.bytes[index] = bytes;
    }
    const made = plan({ ...input, renderTimes: [VARIED], ...changes }, NOW);
    return [...made.savedAt].map((at) => Math.round(at - NOW));
  }
  const lastOf = (...renders: Partial<OpenRender>[]): number =>
    Math.round(
      medianOfLast(
        renders.map((each) => ({ since: NOW, ageMs: 0, renderTime: VARIED, afterMs: 0, ...each })),
      ) - NOW,
    );

  it('is when the last of all videos is probably saved, which may be any of them', () => {
    const saved = savesOf(['toSend', 'toSend', 'toSend', 'toSend'], {});
    expect(saved.slice(0, 3)).toEqual([MEDIAN, MEDIAN, MEDIAN]);
    expect(saved[3]).toBe(lastOf({}, {}, {}, {}));
    expect(saved[3]).toBeGreaterThan(1.5 * MEDIAN);
  });

  it('includes videos that are being rendered, from their beginning', () => {
    const ageMs = 50 * SECOND;
    const [, saved] = savesOf(['rendering', 'toSend'], { ageMs });
    expect(saved).toBe(lastOf({ since: NOW - ageMs, ageMs }, {}));
    // It is sent last, and first in the list.
    const [first] = savesOf(['toSend', 'rendering'], { ageMs });
    expect(first).toBe(saved);
  });

  it('includes the downloads of finished videos, which others wait for', () => {
    const bytes = 300e12;
    const saved = savesOf(['ready', 'toSend', 'toSend'], { bytes });
    const waits = { afterMs: 300 * SECOND - MEDIAN };
    expect(saved.slice(0, 2)).toEqual([300 * SECOND, 300 * SECOND]);
    expect(saved[2]).toBe(lastOf(waits, waits));
    // No render is open that could take longer.
    expect(savesOf(['ready', 'rendering'], { bytes, ageMs: 0 })).toEqual([
      300 * SECOND,
      300 * SECOND,
    ]);
  });

  it('is never before the last file, and nothing when nothing is sent', () => {
    const certain = { slots: { ...inputOf(0, {}).slots!, limit: 2, averages: [] } };
    expect(savesOf(['toSend', 'toSend'], certain)).toEqual([MEDIAN, MEDIAN]);
    const quota = {
      ledger: openLedger(0, { start: NOW, end: NOW + MINUTE }),
      anchor: { per: 'month', date: '2026-01-01' },
      zone: 'UTC',
      boundaryDelayMs: 0,
    } as const;
    expect(savesOf(['toSend', 'toSend'], { quota })).toEqual([Infinity, Infinity]);
    expect(savesOf(['rendering', 'toSend'], { quota })[1]).toBe(Infinity);
  });

  it('is that of each video alone where renders are not limited', () => {
    expect(savesOf(['toSend', 'toSend'], { slots: null })).toEqual([MEDIAN, MEDIAN]);
  });
});

test('videos occupy slots for a spread of times whose mean is the average', () => {
  const varied = new LogNormal(Math.log(60), 0.5);
  const count = 2 + 64;
  const input = inputOf(count, { averages: [varied] });
  const { sendAt } = plan(input, NOW);
  // Van der Corput's sequence: bits in reverse.
  const BITS = [0, 1, 2, 3, 4, 5, 6];
  const reversed = (number: number): number =>
    BITS.reduce((sum, bit) => sum + ((number >> bit) & 1) / 2 ** (bit + 1), 0);
  const shares = Array.from({ length: 64 }, (_, index) => reversed(index + 1) + 1 / 128);
  expect(shares.slice(0, 3)).toEqual([0.5, 0.25, 0.75].map((share) => share + 1 / 128));
  const spread = shares.map((share) => varied.quantile(share));
  const mean = spread.reduce((sum, ms) => sum + ms, 0) / spread.length;
  // The next video is sent when the first of two ends.
  const ends = [NOW, NOW];
  for (const [index, at] of sendAt.entries()) {
    const free = ends.indexOf(Math.min(...ends));
    expect(at, `video ${index}`).toBeCloseTo(ends[free]!, 3);
    ends[free]! += (spread[index % 64]! * varied.meanMs) / mean;
  }
});

describe('the uncertainty of a plan', () => {
  /** As standard deviation of the logarithm of the time until the last of `count` videos is saved. */
  const uncertaintyOf = (count: number, average: LogNormal): number => {
    const { deviation } = plan(inputOf(count, { renderedAtOnce: 2, averages: [average] }), NOW);
    return deviation?.[count - 1] ?? NaN;
  };

  it('is unknown where other things than renders decide', () => {
    expect(plan(inputOf(5, {}), NOW).deviation).toBeNull();
    expect(plan({ ...inputOf(5, {}), slots: null }, NOW).deviation).toBeNull();
  });

  it('evens out over many videos, but not what is unknown of all of them', () => {
    expect(uncertaintyOf(1, new LogNormal(4, 0.5))).toBeCloseTo(0.5);
    // Fifty in each of two slots.
    expect(uncertaintyOf(100, new LogNormal(4, 0.5))).toBeCloseTo(0.5 / Math.sqrt(50));
    expect(uncertaintyOf(100, new LogNormal(4, 0.5, 0.3))).toBeCloseTo(
      Math.hypot(0.5 / Math.sqrt(50), 0.3),
    );
  });

  it('ends with the renders', () => {
    const input = inputOf(3, { renderedAtOnce: 2, averages: [new LogNormal(4, 0.5, 0.3)] });
    input.jobs.stage.fill(STAGE.ready);
    expect([...plan(input, NOW).deviation!]).toEqual([0, 0, 0]);
  });

  it('makes a range of an end, around its median', () => {
    const { from, to } = endRangeOf(NOW + 10 * MINUTE, 0.2, NOW);
    expect((from - NOW) / MINUTE).toBeCloseTo(7.74, 1);
    expect((to - NOW) / MINUTE).toBeCloseTo(12.92, 1);
    expect(endRangeOf(NOW - MINUTE, 0.2, NOW)).toEqual({ from: NOW, to: NOW });
  });
});
