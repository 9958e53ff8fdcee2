import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  learnRenderTime,
  LogNormal,
  NO_RENDER_TIMES,
  renderTimeOf,
  renderTimesSchema,
} from '../../../../src/engine/pacing/render-times.ts';
import { renderTimeByWork } from '../../../../src/engine/pacing/render-work.ts';
import type { RenderTimes } from '../../../../src/engine/pacing/render-times.ts';

function learnAll(durations: readonly number[], times: RenderTimes = NO_RENDER_TIMES): RenderTimes {
  return durations.reduce((known, ms) => learnRenderTime(known, 'hd', ms), times);
}

describe('learned render times', () => {
  it('expect two minutes before anything is known', () => {
    expect(renderTimeOf(NO_RENDER_TIMES, 'hd').quantile(0.5)).toBeCloseTo(120_000, -2);
  });

  it('begin with the expected time of a service, and correct it where it is wrong', () => {
    expect(renderTimeOf(NO_RENDER_TIMES, 'hd', 5000).quantile(0.5)).toBeCloseTo(5000, -2);
    const slower = learnAll(new Array<number>(40).fill(60_000));
    expect(renderTimeOf(slower, 'hd', 5000).quantile(0.5)).toBeGreaterThan(45_000);
  });

  it('converge to the observed times, for that preset alone', () => {
    const times = learnAll(Array.from({ length: 40 }, (_, n) => 600_000 + (n % 5) * 1000));
    expect(renderTimeOf(times, 'hd').quantile(0.5) / 600_000).toBeCloseTo(0.9, 0);
    expect(renderTimeOf(times, 'hd').deviation).toBeLessThan(0.6);
    expect(renderTimeOf(times, '4k').quantile(0.5)).toBeCloseTo(120_000, -2);
  });

  it('follow a service that has become faster', () => {
    const slow = learnAll(new Array<number>(200).fill(600_000));
    const faster = learnAll(new Array<number>(150).fill(60_000), slow);
    expect(renderTimeOf(faster, 'hd').quantile(0.5)).toBeLessThan(90_000);
  });

  it('keep the mean and the spread of the logarithms', () => {
    const durations = fc.array(fc.integer({ min: 1000, max: 7_200_000 }), {
      minLength: 2,
      maxLength: 50,
    });
    fc.assert(
      fc.property(durations, (all) => {
        const logs = all.map((ms) => Math.log(ms / 1000));
        const mean = logs.reduce((a, b) => a + b) / logs.length;
        const squares = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0);
        const [learned] = learnAll(all).presets;
        expect(learned!.mean).toBeCloseTo(mean, 6);
        expect(learned!.squares).toBeCloseTo(squares, 5);
      }),
    );
  });

  it('can be stored and restored, whatever was learned', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5, max: 1e9 }), { maxLength: 80 }), (all) => {
        const times = learnAll(all);
        expect(renderTimesSchema.parse(JSON.parse(JSON.stringify(times)))).toEqual(times);
        const half = renderTimeOf(times, 'hd').quantile(0.5);
        expect(half).toBeGreaterThan(0);
        expect(half).toBeLessThan(Infinity);
      }),
    );
  });

  it('drop the least recently used preset beyond a thousand', () => {
    let times = NO_RENDER_TIMES;
    for (let n = 0; n <= 1000; n++) times = learnRenderTime(times, String(n), 60_000);
    expect(times.presets).toHaveLength(1000);
    expect(times.presets[0]?.preset).toBe('1');
  });
});

describe('render times by the amount of work', () => {
  const USUAL_MS = 5000;
  const video = (resolution: number, seconds: number): string =>
    `resolution=${resolution} aspect=16:9 fps=30 seconds=${seconds}+`;
  const learned = (...renders: readonly (readonly [preset: string, ms: number])[]): RenderTimes =>
    renders.reduce((times, [preset, ms]) => learnRenderTime(times, preset, ms), NO_RENDER_TIMES);
  const medianOf = (times: RenderTimes, preset: string): number =>
    renderTimeByWork(times, preset, USUAL_MS).quantile(0.5);

  it('expect less of a small video before any was rendered', () => {
    expect(medianOf(NO_RENDER_TIMES, video(1080, 10)) / USUAL_MS).toBeCloseTo(1, 1);
    // 4 s at 480p took 0.55 s, where 10 s at 1080p would have taken about 3.3 s.
    const share = medianOf(NO_RENDER_TIMES, video(480, 4)) / USUAL_MS;
    expect(share).toBeGreaterThan(0.11);
    expect(share).toBeLessThan(0.22);
    expect(medianOf(NO_RENDER_TIMES, 'quality=high')).toBeCloseTo(USUAL_MS, -2);
  });

  it('expect a clip to take about three times as long, and learn of it from either kind', () => {
    const withClip = `${video(1080, 10)} clip=yes`;
    const shares = [NO_RENDER_TIMES, learned([video(1080, 10), 9000]), learned([withClip, 9000])];
    for (const times of shares) {
      const share = medianOf(times, withClip) / medianOf(times, video(1080, 10));
      expect(share).toBeGreaterThan(2.2);
      expect(share).toBeLessThan(3.5);
    }
  });

  it('are those of a size that was rendered, and tell of other sizes', () => {
    const times = learned(...Array.from({ length: 5 }, () => [video(480, 4), 2000] as const));
    expect(medianOf(times, video(480, 4)) / 2000).toBeCloseTo(1, 1);
    expect(medianOf(times, video(480, 16)) / 2000).toBeGreaterThan(2);
    expect(medianOf(times, video(480, 16)) / 2000).toBeLessThan(3.5);
    // A preset without these numbers is not comparable.
    expect(medianOf(times, 'quality=high')).toBeCloseTo(USUAL_MS, -2);
  });

  it('are less uncertain with every render, most of all for videos of that size', () => {
    const uncertainty = (renders: number, preset: string): number => {
      const times = learned(
        ...Array.from(
          { length: renders },
          (_, n) => [video(480, 4), 1900 + (n % 3) * 100] as const,
        ),
      );
      return renderTimeByWork(times, preset, USUAL_MS).meanDeviation;
    };
    const [none, one, three, forty] = [0, 1, 3, 40].map((n) => uncertainty(n, video(480, 4)));
    expect(none).toBeGreaterThan(0.7);
    expect(one).toBeLessThan(0.3);
    expect(three).toBeLessThan(one!);
    expect(forty).toBeLessThan(three!);
    // Other programs may use the computer meanwhile.
    expect(forty).toBeGreaterThanOrEqual(0.05);
    expect(uncertainty(40, video(1080, 60))).toBeGreaterThan(2 * forty!);
  });
});

describe('a log-normal duration', () => {
  const time = new LogNormal(Math.log(120), 0.6);

  it('has a quantile for every share, and inverts it', () => {
    for (const share of [0.001, 0.02, 0.3, 0.5, 0.7, 0.95, 0.999]) {
      expect(time.cdf(time.quantile(share))).toBeCloseTo(share, 3);
    }
    expect(time.cdf(0)).toBe(0);
  });

  it('expects an older unfinished render to take longer', () => {
    expect(time.quantileBeyond(0, 0.5)).toBeCloseTo(120_000, -2);
    let last = 0;
    for (let age = 0; age < 3_600_000; age += 20_000) {
      const median = time.quantileBeyond(age, 0.5);
      expect(median).toBeGreaterThanOrEqual(Math.max(age, last));
      last = median;
    }
  });

  it('computes the same idle time as a numerical integration', () => {
    for (const [checked, age] of [
      [0, 60_000],
      [60_000, 90_000],
      [120_000, 300_000],
    ] as const) {
      const gone = time.cdf(checked);
      let idle = 0;
      for (let t = checked; t < age; t += 50) idle += ((time.cdf(t + 25) - gone) / (1 - gone)) * 50;
      expect(time.expectedIdle(checked, age) / idle).toBeCloseTo(1, 2);
    }
  });

  it('expects idle time far beyond all observed durations', () => {
    expect(time.expectedIdle(3_600_000, 3_700_000)).toBeGreaterThan(0);
    expect(time.expectedIdle(60_000, 60_000)).toBe(0);
  });
});
