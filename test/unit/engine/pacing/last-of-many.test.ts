import { describe, expect, it } from 'vitest';
import { medianOfLast, type OpenRender } from '../../../../src/engine/pacing/last-of-many.ts';
import { LogNormal } from '../../../../src/engine/pacing/render-times.ts';
import { SeededRandom } from '../../../rigs/seeded-random.ts';

const renderTime = new LogNormal(Math.log(120), 0.5);
const render = (some: Partial<OpenRender> = {}): OpenRender => ({
  since: 0,
  ageMs: 0,
  renderTime,
  afterMs: 0,
  ...some,
});

describe('the last of many videos', () => {
  it('is saved when the only one is', () => {
    expect(medianOfLast([render({ since: 5000, afterMs: 1000 })])).toBeCloseTo(126_000, -3);
    expect(medianOfLast([])).toBe(-Infinity);
  });

  it('is saved at the median of simulated renders', () => {
    const random = new SeededRandom(7);
    const begun = [0, 0, 30_000, 60_000, 60_000, 90_000, 200_000, 10_000];
    const ends = Array.from({ length: 4001 }, () =>
      Math.max(...begun.map((since) => since + random.logNormal(120_000, 0.5))),
    ).toSorted((one, other) => one - other);
    const median = medianOfLast(begun.map((since) => render({ since })));
    expect(median / ends[2000]!).toBeGreaterThan(0.97);
    expect(median / ends[2000]!).toBeLessThan(1.03);
  });

  it('is later where a render has already taken long', () => {
    const old = render({ since: -400_000, ageMs: 400_000 });
    expect(medianOfLast([old])).toBeGreaterThan(0);
    expect(medianOfLast([old, render()])).toBeGreaterThan(medianOfLast([render()]));
  });
});
