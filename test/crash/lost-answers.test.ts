import { randomInt } from 'node:crypto';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BundledProgram } from '../rigs/bundled-program.ts';
import type { ServiceTraits } from '../rigs/remembering-service.ts';
import { SeededRandom } from '../rigs/seeded-random.ts';
import { casesOf } from '../soak/long-form.ts';
import type { RememberingServer } from './remembering-server.ts';
import { World, type Kill } from './world.ts';

/** For each kind of service: 300 in all in the long form. */
const KILLS_EACH = casesOf({ short: 3, long: 100 });
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Longer than the delay of the list, so that the next run can find accepted videos. */
const OFF_MS = 3 * HOUR;
/** So that a killed run has one request in flight and one waiting. */
const ROWS = 2;

/** Different in each run; a failure names it, and `SPOOL_CRASH_SEED` repeats it. */
const SEED = Number(process.env.SPOOL_CRASH_SEED ?? randomInt(1_000_000));

const MOMENTS = ['request-before', 'request-after', 'answer-half-sent', 'answer-sent'] as const;

const KINDS = [
  { kind: 'idempotency key', hasKeys: true, hasList: false },
  { kind: 'list', hasKeys: false, hasList: true },
  { kind: 'both', hasKeys: true, hasList: true },
];
type Kind = (typeof KINDS)[number];

/** A kill around a request: only then can the service report the outcome. */
function killOf(random: SeededRandom): Kill {
  const at = random.pick(MOMENTS);
  if (random.next() < 0.7) return { kind: 'service', at, nth: random.integer(1, ROWS) };
  const when = random.pick(['before', 'after'] as const);
  return { kind: 'commit', nth: random.integer(2, 9), when };
}

test(
  `pays for no video twice and loses none when killed ${KILLS_EACH} times around a request, for each kind of service`,
  { timeout: 120_000 + KILLS_EACH * 20_000 },
  async () => {
    const program = await BundledProgram.build(path.join(import.meta.dirname, 'engine-process.ts'));
    onTestFinished(() => program.remove());
    // Most of the time is spent waiting.
    await Promise.all(KINDS.map((kind) => runKind(program, kind)));
  },
);

async function runKind(program: BundledProgram, { kind, hasKeys, hasList }: Kind): Promise<void> {
  const random = new SeededRandom(SEED);
  const traits: ServiceTraits = {
    hasKeys,
    hasList,
    tellsTimes: random.next() < 0.5,
    listLagMs: random.pick([0, MINUTE, 2 * HOUR]),
    pageSize: random.integer(3, 7),
    acceptMs: 0,
    // Longer than all runs: after this time, the user would have to decide.
    keyLifeMs: 60 * 24 * HOUR,
  };
  const world = await World.remembering(program, traits, SEED, { offMs: OFF_MS });
  try {
    await killRepeatedly(world, random, { kind, hasKeys, hasList });
    await world.run(null, SEED);
    assertSettled(world, hasKeys, `${kind}, seed ${SEED}`);
  } finally {
    await world.end();
  }
}

async function killRepeatedly(
  world: World<RememberingServer>,
  random: SeededRandom,
  { kind, hasKeys }: Kind,
): Promise<void> {
  let [kills, activeRows] = [0, 0];
  for (let run = 0; kills < KILLS_EACH; run += 1) {
    expect(run, 'runs, of which too few were killed').toBeLessThan(3 * KILLS_EACH + 10);
    if (activeRows < ROWS) world.addBatch(ROWS);
    const kill = killOf(random);
    const { wasKilled } = await world.run(kill, SEED + run);
    if (wasKilled) kills += 1;
    const { integrity, jobs } = world.readDatabase();
    const after = `${kind}, seed ${SEED}, run ${run}: ${JSON.stringify(kill)}`;
    expect(integrity, after).toBe('ok');
    const paidTwice = jobs.filter(({ title }) => world.service.paidFor(title) > 1);
    expect(paidTwice, after).toEqual([]);
    activeRows = jobs.filter(({ state }) =>
      state === 'uncertain' ? hasKeys : state !== 'done',
    ).length;
  }
}

/** Every video that was paid for is saved, and the user decides about the others. */
function assertSettled(world: World<RememberingServer>, hasKeys: boolean, at: string): void {
  const { jobs } = world.readDatabase();
  const titles = new Set(jobs.map(({ title }) => title));
  expect(
    [...world.confirmed].filter((title) => !titles.has(title)),
    at,
  ).toEqual([]);
  const uncertain = jobs.filter(({ state }) => state === 'uncertain');
  // A request with a key is repeated, and answered.
  if (hasKeys) expect(uncertain, at).toEqual([]);
  expect(
    uncertain.map(({ title }) => world.service.paidFor(title)),
    at,
  ).toEqual(uncertain.map(() => 0));
  for (const { title, state, remoteId, sha256 } of jobs) {
    if (state === 'uncertain') continue;
    const { isOurs, title: theirs } = world.service.videoOf(remoteId) ?? {};
    const paid = world.service.paidFor(title);
    expect({ title: theirs, isOurs, paid, state }, at).toEqual({
      title,
      isOurs: true,
      paid: 1,
      state: 'done',
    });
    expect(sha256, at).toBe(world.service.sha256Of(remoteId));
  }
  const charged = jobs.length - uncertain.length;
  expect(world.quota(), at).toEqual({ charged, held: uncertain.length });
}
