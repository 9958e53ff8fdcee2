import { describe, expect, it } from 'vitest';
import { plan, STAGE, type PlanInput } from '../../../../src/engine/pacing/planner.ts';
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
    slots: { limit: 2, othersEndAt: [], notBefore: 0, averages: [MINUTES], ...slots },
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
