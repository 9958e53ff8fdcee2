import { randomInt } from 'node:crypto';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SeededRandom } from '../../bench/pacing/random.ts';
import { BundledProgram } from '../rigs/bundled-program.ts';
import { SERVICE_MOMENTS } from './killing-service.ts';
import { World, type Death } from './world.ts';

const KILLS = 200;

/** Rows that are on their way at any time, so that every death finds something to interrupt. */
const ROWS_UNDER_WAY = 3;

const RESTING = ['done', 'uncertain'];

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
function commits(when: 'before' | 'after'): Death[] {
  return Array.from({ length: COMMITS }, (_, index) => ({ kind: 'commit', nth: index + 1, when }));
}

/** Around the write of the request, around its answer, and during a download. */
const conversations: readonly Death[] = [1, 2, 1, 2].flatMap((nth) =>
  SERVICE_MOMENTS.map((at): Death => ({ kind: 'service', at, nth })),
);

/** One that is not outlived. */
function sure(random: SeededRandom): Death {
  const when = random.pick(['before', 'after'] as const);
  return { kind: 'commit', nth: random.integer(1, SURE_COMMITS), when };
}

/** Whenever. */
function whenever(random: SeededRandom): Death[] {
  return Array.from({ length: 12 }, () => ({ kind: 'time', afterMs: random.between(5, 800) }));
}

/** Kills the engine by each death in turn, and on until it died as many times as is wanted. */
async function live(
  world: World,
  random: SeededRandom,
  systematic: Death[],
  wanted: number,
): Promise<void> {
  const deaths = shuffled([...systematic, ...conversations, ...whenever(random)], random);
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
  assertAllAccountedFor(world);
}

function shuffled(deaths: Death[], random: SeededRandom): Death[] {
  return deaths
    .map((death) => ({ death, at: random.next() }))
    .sort((one, other) => one.at - other.at)
    .map(({ death }) => death);
}

/** True at any moment, however the engine died. Returns how many jobs still have a way to go. */
function assertNothingLost(world: World, after: string): number {
  const { integrity, jobs } = world.look();
  expect(integrity, after).toBe('ok');
  const titles = new Set(jobs.map(({ title }) => title));
  expect(titles.size, `a row twice, after ${after}`).toBe(jobs.length);
  expect(
    [...world.confirmed].filter((title) => !titles.has(title)),
    after,
  ).toEqual([]);
  const sentTwice = [...world.service.posts].filter(([, posts]) => posts > 1);
  expect(sentTwice, `sent twice, after ${after}`).toEqual([]);
  return jobs.filter(({ state }) => !RESTING.includes(state)).length;
}

/** True once nothing moves any more. */
function assertAllAccountedFor(world: World): void {
  const at = `seed ${SEED}`;
  const { accepted, videoSha256 } = world.service;
  const { jobs } = world.look();
  const done = jobs.filter(({ state }) => state === 'done');
  const uncertain = jobs.filter(({ state }) => state === 'uncertain');
  expect(done.length + uncertain.length, at).toBe(jobs.length);
  for (const { title, remoteId, sha256 } of done) {
    expect(remoteId, at).toBe(accepted.get(title));
    expect(sha256, at).toBe(videoSha256);
  }
  const known = new Set(jobs.map(({ title }) => title));
  expect(
    [...accepted.keys()].filter((title) => !known.has(title)),
    at,
  ).toEqual([]);
  expect(world.quota(), at).toEqual({ charged: done.length, held: uncertain.length });
}

test(
  `killed ${KILLS} times, at every commit, around every request and whenever, nothing is lost`,
  { timeout: 420_000 },
  async () => {
    const program = await BundledProgram.build(path.join(import.meta.dirname, 'engine-process.ts'));
    const worlds = await Promise.all([World.make(program), World.make(program)]);
    onTestFinished(async () => {
      await Promise.all(worlds.map((world) => world.end()));
      program.remove();
    });
    const random = new SeededRandom(SEED);
    await Promise.all([
      live(worlds[0], random, [...commits('before'), ...commits('before')], KILLS / 2),
      live(worlds[1], random, [...commits('after'), ...commits('after')], KILLS / 2),
    ]);
  },
);
