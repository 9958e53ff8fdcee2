import { describe, expect, it } from 'vitest';
import type { AccountLimits } from '../../../../src/engine/pacing/service-limits.ts';
import { EngineRig } from '../../../rigs/engine-rig.ts';
import { FakeService } from '../../../rigs/fake-service.ts';
import { SeededRandom } from '../../../rigs/seeded-random.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const ROWS = 40;
const SEEDS = 5;

/** As of a service on this computer, with an account without limits. */
function limitsHere(rendersAtOnce: number): AccountLimits {
  const concurrent = rendersAtOnce + 2;
  const any = { count: 100, perMs: 1000 };
  return {
    windows: [
      { endpoint: 'generate', ...any },
      { endpoint: 'status', count: 5 * concurrent, perMs: 1000 },
      { endpoint: 'download', ...any },
    ],
    hasQuota: false,
    concurrent,
    rendersAtOnce,
  };
}

/** Rows of a size each; a render takes as long as its size, more or less. */
async function openHere(rendersAtOnce: number, seed: number, sizes: readonly number[]) {
  const clock = new VirtualClock();
  const service = new FakeService(clock);
  const random = new SeededRandom(seed);
  service.latencyMs = 5;
  service.rendersAtOnce = rendersAtOnce;
  service.renderMsOf = (body) => {
    const { duration } = JSON.parse(body) as { duration: number };
    return duration * 400 * random.logBetween(0.9, 1 / 0.9);
  };
  const rig = await EngineRig.open({
    clock,
    service,
    accountLimits: limitsHere(rendersAtOnce),
    usualRenderMs: 5000,
  });
  const rows = Array.from(
    { length: ROWS },
    (_, row) => `Row ${row},480,${sizes[row % sizes.length]}`,
  );
  const content = ['title,resolution,seconds', ...rows].join('\n');
  const { origin } = rig.engine.summary().service;
  await rig.engine.commands.batches.add({
    origin,
    source: { name: 'Here.csv', content },
    options: {},
  });
  return rig;
}

const saved = (rig: EngineRig): number => rig.engine.summary().counts.done;

/** How much the promised end of the batch is off, as a share of the time that was left. */
async function errorAfterThree(rendersAtOnce: number, seed: number, sizes: readonly number[]) {
  const rig = await openHere(rendersAtOnce, seed, sizes);
  const watcher = new AbortController();
  void (async () => {
    for await (const update of rig.engine.watch(undefined, watcher.signal)) void update;
  })();
  await rig.until(() => saved(rig) >= 3);
  const at = rig.clock.now();
  // Of a watched queue, forecasts are calculated every second.
  await rig.clock.advance(1000);
  const jobs = await rig.jobs();
  const promised = Math.max(...jobs.map(({ forecast }) => forecast.savedAt ?? 0));
  await rig.until(() => saved(rig) === ROWS);
  watcher.abort();
  await rig.close();
  return (promised - rig.clock.now()) / (rig.clock.now() - at);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? NaN;
}

describe.each([1, 2])('a service that renders %i at a time', (rendersAtOnce) => {
  it.each([
    { of: 'one size', sizes: [4] },
    { of: 'several sizes', sizes: [4, 12, 30] },
  ])('forecasts the end of a batch of $of within 10 % after three videos', async ({ sizes }) => {
    const errors: number[] = [];
    for (let seed = 0; seed < SEEDS; seed += 1)
      errors.push(Math.abs(await errorAfterThree(rendersAtOnce, seed, sizes)));
    expect(median(errors)).toBeLessThan(0.1);
  });

  it('never waits for the next video', async () => {
    const rig = await openHere(rendersAtOnce, 1, [4]);
    await rig.until(() => saved(rig) === ROWS);
    const turns = rig.service.videos.flatMap(({ turn }) => turn ?? []);
    const work = turns.reduce((sum, { startsAt, endsAt }) => sum + endsAt - startsAt, 0);
    expect(rig.clock.monotonic()).toBeLessThan(1.15 * (work / rendersAtOnce));
  });
});
