import { describe, expect, it } from 'vitest';
import {
  batchHere,
  forecastsHere,
  openHere,
  ROWS_HERE,
  savedHere,
} from '../../../rigs/renders-here.ts';

const SEEDS = 5;

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? NaN;
}

describe.each([1, 2])('a service that renders %i at a time', (rendersAtOnce) => {
  it.each([
    { of: 'one size', sizes: [4] },
    { of: 'several sizes', sizes: [4, 12, 30] },
  ])('forecasts the end of a batch of $of within 10 % after three videos', async ({ sizes }) => {
    const errors: number[] = [];
    for (let seed = 0; seed < SEEDS; seed += 1) {
      const { forecasts, endedAt } = await forecastsHere(
        { rendersAtOnce, seed, sizes },
        [0, 3, 20],
      );
      const [planned, early, late] = forecasts.map(({ between, madeAt, promised }) => ({
        ms: between.to - between.from,
        width: (between.to - between.from) / (promised - madeAt),
        error: Math.abs(promised - endedAt) / (endedAt - madeAt),
        isWithin: between.from <= endedAt && endedAt <= between.to,
      }));
      errors.push(early!.error);
      // Before the first video, nothing is known of this computer.
      expect(planned).toMatchObject({ isWithin: true });
      expect(planned!.width).toBeGreaterThan(1);
      expect(early!.width).toBeLessThan(planned!.width / 3);
      expect(late!.ms).toBeLessThan(early!.ms);
    }
    expect(median(errors)).toBeLessThan(0.1);
  });

  it('forecasts nothing absurd where renders have no fixed part', async () => {
    const errors: number[] = [];
    for (let seed = 0; seed < SEEDS; seed += 1) {
      const { forecasts, endedAt } = await forecastsHere(
        { rendersAtOnce, seed, sizes: [4, 12, 60], fixedMs: 0 },
        [3, 20],
      );
      errors.push(
        ...forecasts.map(
          ({ madeAt, promised }) => Math.abs(promised - endedAt) / (endedAt - madeAt),
        ),
      );
    }
    expect(median(errors)).toBeLessThan(0.15);
    expect(Math.max(...errors)).toBeLessThan(0.4);
  });

  it('never waits for the next video', async () => {
    const rig = await openHere({ rendersAtOnce, seed: 1, sizes: [4] });
    const { origin } = rig.engine.summary().service;
    await rig.engine.commands.batches.add({ origin, ...batchHere({ sizes: [4] }) });
    await rig.until(() => savedHere(rig) === ROWS_HERE);
    const turns = rig.service.videos.flatMap(({ turn }) => turn ?? []);
    // With the next videos at the service, a slot is taken in the moment that it is free.
    for (const [index, { startsAt }] of turns.entries()) {
      const ends = turns.slice(0, index).map(({ endsAt }) => endsAt);
      const freeAt = ends.toSorted((one, other) => other - one)[rendersAtOnce - 1];
      if (freeAt !== undefined) expect(startsAt).toBe(freeAt);
    }
    const work = turns.reduce((sum, { startsAt, endsAt }) => sum + endsAt - startsAt, 0);
    expect(rig.clock.monotonic()).toBeLessThan(1.15 * (work / rendersAtOnce));
  });
});
