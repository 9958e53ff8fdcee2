import { randomInt } from 'node:crypto';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SeededRandom } from '../rigs/seeded-random.ts';
import { BundledProgram } from '../rigs/bundled-program.ts';
import { casesOf } from '../soak/long-form.ts';
import { SERVICE_MOMENTS } from './killing-service.ts';
import { assertAllAccountedFor, assertNothingLost } from './nothing-lost.ts';
import { World, type Kill } from './world.ts';

/** In the long form, so that deaths come at more states of a queue, and at more moments. */
const KILLS = casesOf({ short: 100, long: 500 });

/** How often each systematic death comes. */
const ROUNDS = casesOf({ short: 1, long: 5 });

/** Rows that are on their way at any time, so that every death finds something to interrupt. */
const ROWS_UNDER_WAY = 3;

/**
 * Decides when engines die at no particular point, in which order all deaths come, and the engines'
 * own chance. Another one in every run; a failure names it, and `SPOOL_CRASH_SEED` brings it back.
 */
const SEED = Number(process.env.SPOOL_CRASH_SEED ?? randomInt(1_000_000));

/** As many as a run with a few rows under way makes; most runs that are to die later end before. */
const COMMITS = 36;

/** Every run with rows under way makes as many. */
const SURE_COMMITS = 6;

/** Before (or after) each of the commits that a run makes, one by one. */
function commits(when: 'before' | 'after'): Kill[] {
  return Array.from({ length: COMMITS }, (_, index) => ({ kind: 'commit', nth: index + 1, when }));
}

/** Around the write of the request, around its answer, and during a download. */
const conversations: readonly Kill[] = [1, 2].flatMap((nth) =>
  SERVICE_MOMENTS.map((at): Kill => ({ kind: 'service', at, nth })),
);

/** One that is not outlived. */
function sure(random: SeededRandom): Kill {
  const when = random.pick(['before', 'after'] as const);
  return { kind: 'commit', nth: random.integer(1, SURE_COMMITS), when };
}

/** Whenever. */
function whenever(random: SeededRandom): Kill[] {
  return Array.from({ length: 12 }, () => ({ kind: 'time', afterMs: random.between(5, 800) }));
}

/** Kills the engine by each death in turn, and on until it died as many times as is wanted. */
async function live(
  world: World,
  random: SeededRandom,
  systematic: Kill[],
  wanted: number,
): Promise<void> {
  const round = (): Kill[] => [...systematic, ...conversations, ...whenever(random)];
  const deaths = shuffled(Array.from({ length: ROUNDS }, round).flat(), random);
  let kills = 0;
  let underWay = 0;
  for (let life = 0; life < deaths.length || kills < wanted; life += 1) {
    const death = deaths[life] ?? sure(random);
    // A death around a request needs one that is still to be sent.
    if (underWay < ROWS_UNDER_WAY || death.kind === 'service') world.addBatch(2);
    const { wasKilled } = await world.run(death, SEED + life);
    if (wasKilled) kills += 1;
    underWay = assertNothingLost(world, `seed ${SEED}, life ${life}: ${JSON.stringify(death)}`);
  }
  await world.run(null, SEED);
  assertAllAccountedFor(world, `seed ${SEED}`);
  const leftovers = world.files().filter((file) => !file.endsWith('.mp4'));
  expect(leftovers, `left by a download, seed ${SEED}`).toEqual([]);
}

function shuffled(deaths: Kill[], random: SeededRandom): Kill[] {
  return deaths
    .map((death) => ({ death, at: random.next() }))
    .sort((one, other) => one.at - other.at)
    .map(({ death }) => death);
}

test(
  `killed ${KILLS} times, at every commit, around every request and whenever, nothing is lost`,
  { timeout: 120_000 + KILLS * 1500 },
  async () => {
    const program = await BundledProgram.build(path.join(import.meta.dirname, 'engine-process.ts'));
    const worlds = await Promise.all([World.make(program), World.make(program)]);
    onTestFinished(async () => {
      await Promise.all(worlds.map((world) => world.end()));
      program.remove();
    });
    const random = new SeededRandom(SEED);
    await Promise.all([
      live(worlds[0], random, commits('before'), KILLS / 2),
      live(worlds[1], random, commits('after'), KILLS / 2),
    ]);
  },
);
