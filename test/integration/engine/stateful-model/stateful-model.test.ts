import fc from 'fast-check';
import { mkdtempSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished, test } from 'vitest';
import { RATE_SERVER_KINDS } from '../../../rigs/rate-servers.ts';
import { action, perform, type Action } from './actions.ts';
import { check, checkActivity, hasEnded } from './invariants.ts';
import { GOOD_KEY } from './simulated-service.ts';
import { World, type WorldOptions } from './world.ts';

/**
 * Uses the same seeds every time, so that an unrelated change does not fail on a rare one.
 * `SPOOL_ANYTHING_RUNS=500` tries that many others; `SPOOL_ANYTHING_SEED` repeats a failed one.
 */
const { SPOOL_ANYTHING_RUNS, SPOOL_ANYTHING_SEED } = process.env;
const RUNS = Number(SPOOL_ANYTHING_RUNS ?? 15);
const SEED = SPOOL_ANYTHING_SEED ?? (SPOOL_ANYTHING_RUNS === undefined ? '7' : undefined);

/** How long a failure is shrunk. */
const MAX_MS = 60_000 + RUNS * 5000;

const MINUTE = 60_000;

/** Within this time all rows end without faults, despite the limits and remaining pauses. */
const MAX_WAIT_MS = 40 * 60 * MINUTE;

/** Ensures that there are rows. */
const FIRST: Action = {
  do: 'import',
  batch: 'A',
  titles: ['One', 'Two', 'Three', 'Four'],
  duplicates: 'reuse',
};

test(
  'whatever the user, the services and the computer do, no video is paid twice, lost or wrong',
  { timeout: 2 * MAX_MS },
  async () => {
    const folder = memoryFolder();
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', onUnhandled);
    onTestFinished(() => void process.off('unhandledRejection', onUnhandled));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...RATE_SERVER_KINDS),
        fc.array(action, { minLength: 5, maxLength: 40 }),
        async (kind, actions) => {
          await runActions({ folder, kind }, [FIRST, ...actions]);
          if (unhandled.length > 0)
            throw new Error(`Unhandled rejections: ${String(unhandled.splice(0))}.`);
        },
      ),
      {
        numRuns: RUNS,
        plugins: [fc.interruptAfterTimeLimit(MAX_MS)],
        ...(SEED === undefined ? {} : { seed: Number(SEED) }),
      },
    );
  },
);

async function runActions(options: WorldOptions, actions: readonly Action[]): Promise<void> {
  const world = await World.open(options);
  const { model } = world;
  const assertNoViolations = (): void => {
    check(world);
    if (model.violations.length > 0) throw new Error(model.violations.join('\n'));
  };
  try {
    for (const action of actions) {
      await perform(world, action);
      assertNoViolations();
    }
    await finishAndCheck(world);
    await world.switchService();
    await finishAndCheck(world);
    assertNoViolations();
  } finally {
    await world.close();
  }
}

async function finishAndCheck(world: World): Promise<void> {
  await finishEverything(world);
  check(world);
  await checkActivity(world);
}

/** All faults end, and the user takes every decision: every row reaches a final state. */
async function finishEverything(world: World): Promise<void> {
  const { model, remote } = world;
  const { service, network, nextFileFaults } = remote;
  await world.stopKilling();
  network.isOnline = true;
  for (const faults of Object.values(network.next)) faults.length = 0;
  nextFileFaults.length = 0;
  service.key = GOOD_KEY;
  service.isQuotaUsedUp = false;
  const rows = () => world.disk().rows.filter(({ origin }) => origin === world.origin);
  const ids = (...states: readonly string[]): string[] =>
    rows().flatMap(({ id, state }) => (states.includes(state) ? [String(id)] : []));

  const obstacles = model.obstacles(world.origin);
  Object.assign(obstacles, { isKeyRefused: false, isPaused: false, uncertainUntil: 0 });
  obstacles.usedUpIn = null;
  obstacles.refusedUntil = 0;
  obstacles.stopBefore = null;
  await world.ask((engine) => engine.commands.key.set({ origin: world.origin, value: GOOD_KEY }));
  await world.ask((engine) =>
    engine.commands.queue.stopBefore({ origin: engine.origin, id: null }),
  );
  await world.ask((engine) => engine.commands.queue.resume({ origin: engine.origin }));
  await world.ask((engine) => engine.commands.transfers.resume({ origin: engine.origin }));
  await world.ask((engine) => engine.commands.quota.correct({ origin: engine.origin, used: 0 }));
  const held = ids('held');
  if (held.length > 0) await world.ask((engine) => engine.commands.jobs.release({ ids: held }));

  const end = world.clock.monotonic() + MAX_WAIT_MS;
  while (world.clock.monotonic() < end && !rows().every(hasEnded)) {
    await world.clock.advance(5 * MINUTE);
    for (const id of ids('uncertain')) {
      const attempts = world.disk().attempts.filter(({ job }) => job === Number(id)).length;
      await world.ask((engine) => engine.commands.jobs.resolve({ id, attempts, as: 'abandon' }));
    }
    await world.restart();
  }
  for (const row of rows()) {
    if (!hasEnded(row)) model.report(`Job ${row.id} is still ${row.state} without faults.`);
  }
}

/** In memory if possible: these tests kill processes, and do not cut the power. */
function memoryFolder(): string {
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const folder = mkdtempSync(path.join(parent, 'spool-anything-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return path.join(folder, 'world');
}
