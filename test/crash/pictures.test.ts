import { hash, randomInt } from 'node:crypto';
import path from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { BundledProgram } from '../rigs/bundled-program.ts';
import { noisePng } from '../rigs/pictures.ts';
import { SeededRandom } from '../rigs/seeded-random.ts';
import { casesOf } from '../soak/long-form.ts';
import { UPLOAD_MOMENTS, type ServiceMoment } from './killing-service.ts';
import { assertNothingLost } from './nothing-lost.ts';
import { pictureOf, World, type Kill } from './world.ts';

/** How often each kill is done. */
const ROUNDS = casesOf({ short: 1, long: 10 });

/** Different in each run; a failure names it, and `SPOOL_CRASH_SEED` repeats it. */
const SEED = Number(process.env.SPOOL_CRASH_SEED ?? randomInt(1_000_000));

const BATCH_ROWS = 2;

let program: BundledProgram;
beforeAll(async () => {
  program = await BundledProgram.build(path.join(import.meta.dirname, 'engine-process.ts'));
  return () => program.remove();
});

/** What lies between the request that names or has a picture, and its response. */
const REQUEST_MOMENTS = [
  'request-before',
  'request-after',
  'answer-half-sent',
  'answer-sent',
] as const;

/** The same from the upload of the picture on. */
const MOMENTS = [...UPLOAD_MOMENTS, ...REQUEST_MOMENTS];

/**
 * Each moment for some rows of a batch, and commits around them.
 * @param rows 1 for the first
 */
function plannedKills(
  random: SeededRandom,
  moments: readonly ServiceMoment[],
  rows: readonly number[],
): Kill[] {
  const atService = rows.flatMap((nth) =>
    moments.map((at): Kill => ({ kind: 'service', at, nth })),
  );
  const atCommit = Array.from({ length: 3 * rows.length }, (): Kill => {
    const when = random.pick(['before', 'after'] as const);
    return { kind: 'commit', nth: random.integer(2, 9), when };
  });
  return [...atService, ...atCommit]
    .map((kill) => ({ kill, at: random.next() }))
    .sort((one, other) => one.at - other.at)
    .map(({ kill }) => kill);
}

/** Videos of accepted requests show the picture that was there when their row was added. */
function assertPicturesAsAdded({ service }: World, at: string): void {
  for (const title of service.accepted.keys()) {
    expect(service.pictures.get(title), `${title}, ${at}`).toBe(hash('sha256', pictureOf(title)));
  }
}

/** A world whose rows have pictures, after a batch for each kill; returns how many kills there were. */
async function killedWorld(
  pictures: 'upload' | 'part' | 'data-url',
  kills: readonly Kill[],
): Promise<{ readonly world: World; readonly killed: number }> {
  const world = await World.make(program, { pictures });
  onTestFinished(() => world.end());
  let killed = 0;
  for (const [run, kill] of kills.entries()) {
    world.addBatch(BATCH_ROWS);
    const { wasKilled } = await world.run(kill, SEED + run);
    if (wasKilled) killed += 1;
    const at = `seed ${SEED}, run ${run}: ${JSON.stringify(kill)}`;
    assertNothingLost(world, at);
    assertPicturesAsAdded(world, at);
  }
  await world.run(null, SEED);
  return { world, killed };
}

test(
  'pays for no video twice and sends no other picture when killed between an upload and its request',
  { timeout: 120_000 + ROUNDS * 120_000 },
  async () => {
    const random = new SeededRandom(SEED);
    const kills = Array.from({ length: ROUNDS }, () =>
      plannedKills(random, MOMENTS, [1, 2]),
    ).flat();
    const { world, killed } = await killedWorld('upload', kills);
    const replaced = world.addBatch(BATCH_ROWS);
    await world.run({ kind: 'service', at: 'upload-before', nth: 1 }, SEED);
    // With other pictures, it would have other rows.
    world.addNoBatchAgain();
    for (const title of replaced) world.writePicture(title, noisePng(300, 7));
    await world.run(null, SEED);
    expect(killed, `seed ${SEED}`).toBeGreaterThan(ROUNDS * MOMENTS.length);
    assertPicturesAsAdded(world, `seed ${SEED}`);
    const { jobs } = world.readDatabase();
    for (const { title, state } of jobs) {
      const isReplaced = replaced.includes(title);
      const states = isReplaced ? ['held'] : ['done', 'uncertain'];
      expect(states, `${title}, seed ${SEED}`).toContain(state);
      // A request that is on its way when the engine is killed may not arrive: its video is uncertain.
      if (state !== 'uncertain')
        expect(world.service.posts.has(title), `${title}, seed ${SEED}`).toBe(!isReplaced);
    }
    const count = (state: string): number => jobs.filter((job) => job.state === state).length;
    expect(world.quota()).toEqual({ charged: count('done'), held: count('uncertain') });
  },
);

test.each(['part', 'data-url'] as const)(
  'pays for no video twice and sends no other picture when killed around a request that has it: %s',
  { timeout: 120_000 + ROUNDS * 60_000 },
  async (pictures) => {
    const random = new SeededRandom(SEED);
    const kills = Array.from({ length: ROUNDS }, () =>
      plannedKills(random, REQUEST_MOMENTS, [1]),
    ).flat();
    const { world, killed } = await killedWorld(pictures, kills);
    expect(killed, `seed ${SEED}`).toBeGreaterThanOrEqual(ROUNDS * REQUEST_MOMENTS.length);
    assertPicturesAsAdded(world, `seed ${SEED}`);
    const { jobs } = world.readDatabase();
    for (const { title, state } of jobs)
      expect(['done', 'uncertain'], `${title}, seed ${SEED}`).toContain(state);
  },
);
