import { randomInt } from 'node:crypto';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SeededRandom } from '../rigs/seeded-random.ts';
import { BundledProgram } from '../rigs/bundled-program.ts';
import { casesOf } from '../soak/long-form.ts';
import { SERVICE_MOMENTS } from './killing-service.ts';
import { assertAllAccountedFor, assertNothingLost } from './nothing-lost.ts';
import { World, type Kill } from './world.ts';

/** More in the long form, for more states of a queue and more times. */
const KILLS = casesOf({ short: 100, long: 500 });

/** How often each systematic kill is done. */
const ROUNDS = casesOf({ short: 1, long: 5 });

/** Rows that are active at any time, so that every kill interrupts something. */
const MIN_ACTIVE_ROWS = 3;

/**
 * Seeds the moments of random kills, the order of all kills, and the engines' random numbers.
 * Different in each run; a failure names it, and `SPOOL_CRASH_SEED` repeats it.
 */
const SEED = Number(process.env.SPOOL_CRASH_SEED ?? randomInt(1_000_000));

/** Commits of a run with a few active rows; most runs would end before a later kill point. */
const COMMITS = 36;

/** Every run with active rows makes at least this many commits. */
const MIN_COMMITS = 6;

/** Kills before (or after) each commit of a run. */
function commitKills(when: 'before' | 'after'): Kill[] {
  return Array.from({ length: COMMITS }, (_, index) => ({ kind: 'commit', nth: index + 1, when }));
}

/** Syncs of the journal, of the witness and of what follows a backup, in a run with two requests. */
const SYNCS = 8;

/** Kills before (or after) the lines of journal and witness are durable. */
function syncKills(when: 'before' | 'after'): Kill[] {
  return Array.from({ length: SYNCS }, (_, index) => ({ kind: 'sync', nth: index + 1, when }));
}

/** Kills around a request and its response, and during a download. */
const serviceKills: readonly Kill[] = [1, 2].flatMap((nth) =>
  SERVICE_MOMENTS.map((at): Kill => ({ kind: 'service', at, nth })),
);

/** A kill that happens in every run with active rows. */
function certainKill(random: SeededRandom): Kill {
  const when = random.pick(['before', 'after'] as const);
  return { kind: 'commit', nth: random.integer(1, MIN_COMMITS), when };
}

/** Kills at random times. */
function randomKills(random: SeededRandom): Kill[] {
  return Array.from({ length: 12 }, () => ({ kind: 'time', afterMs: random.between(5, 800) }));
}

/**
 * Kills the engine at each planned point, and then at random until the wanted number is reached.
 */
async function killRepeatedly(
  world: World,
  random: SeededRandom,
  systematic: Kill[],
  wanted: number,
): Promise<void> {
  const round = (): Kill[] => [...systematic, ...serviceKills, ...randomKills(random)];
  const plannedKills = shuffled(Array.from({ length: ROUNDS }, round).flat(), random);
  let kills = 0;
  let activeRows = 0;
  for (let run = 0; run < plannedKills.length || kills < wanted; run += 1) {
    const plannedKill = plannedKills[run] ?? certainKill(random);
    // A kill around a request needs a request that is still to be sent.
    const needsRequest = plannedKill.kind === 'service' || plannedKill.kind === 'sync';
    if (activeRows < MIN_ACTIVE_ROWS || needsRequest) world.addBatch(2);
    const { wasKilled } = await world.run(plannedKill, SEED + run);
    if (wasKilled) kills += 1;
    activeRows = assertNothingLost(
      world,
      `seed ${SEED}, run ${run}: ${JSON.stringify(plannedKill)}`,
    );
  }
  await world.run(null, SEED);
  assertAllAccountedFor(world, `seed ${SEED}`);
  const leftovers = world.files().filter((file) => !file.endsWith('.mp4'));
  expect(leftovers, `left by a download, seed ${SEED}`).toEqual([]);
}

function shuffled(plannedKills: Kill[], random: SeededRandom): Kill[] {
  return plannedKills
    .map((plannedKill) => ({ plannedKill, at: random.next() }))
    .sort((one, other) => one.at - other.at)
    .map(({ plannedKill }) => plannedKill);
}

test(
  `loses nothing when killed ${KILLS} times: at every commit and sync, around requests and at random times`,
  { timeout: 120_000 + KILLS * 5000 },
  async () => {
    const program = await BundledProgram.build(path.join(import.meta.dirname, 'engine-process.ts'));
    const worlds = await Promise.all([World.make(program), World.make(program)]);
    onTestFinished(async () => {
      await Promise.all(worlds.map((world) => world.end()));
      program.remove();
    });
    const random = new SeededRandom(SEED);
    await Promise.all([
      killRepeatedly(
        worlds[0],
        random,
        [...commitKills('before'), ...syncKills('before')],
        KILLS / 2,
      ),
      killRepeatedly(
        worlds[1],
        random,
        [...commitKills('after'), ...syncKills('after')],
        KILLS / 2,
      ),
    ]);
  },
);
