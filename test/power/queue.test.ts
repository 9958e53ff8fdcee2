import { randomInt } from 'node:crypto';
import path from 'node:path';
import { onTestFinished, test } from 'vitest';
import { SERVICE_MOMENTS } from '../crash/killing-service.ts';
import { assertAllAccountedFor, assertNothingLost } from '../crash/nothing-lost.ts';
import { World, type Kill } from '../crash/world.ts';
import { BundledProgram } from '../rigs/bundled-program.ts';
import { SeededRandom } from '../rigs/seeded-random.ts';
import { casesOf } from '../soak/long-form.ts';
import { powerCutDisks } from './power-cut-disks.ts';
import { SavedVideos } from './saved-videos.ts';

/** Power cuts on each file system. */
const CUTS = casesOf({ short: 3, long: 50 });

/** Different in each long run; a failure names it, and `SPOOL_POWER_SEED` repeats it. */
const SEED = Number(process.env.SPOOL_POWER_SEED ?? casesOf({ short: 2026, long: randomInt(1e6) }));

/** Rows that are active at any time, so that every cut interrupts something. */
const MIN_ACTIVE_ROWS = 3;

/** One smaller than a block of direct writes, one of several blocks, one between. */
const VIDEO_BYTES = [40_000, 2_300_000, 1_100_000];

/** Longer than any pause of sending after an unknown outcome. */
const OFF_MS = 2 * 3_600_000;

/** Real milliseconds after which the power is cut if a run has not reached its cut point. */
const LATE_MS = 2500;

/** Disk changes of a run with a few active rows. */
const CHANGES = 90;

function nextCut(random: SeededRandom): Kill {
  const kind = random.integer(1, 10);
  if (kind <= 3) return { kind: 'time', afterMs: random.between(50, 1500) };
  if (kind <= 6) return { kind: 'change', nth: random.integer(1, CHANGES) };
  if (kind <= 8) {
    const when = random.pick(['before', 'after'] as const);
    return { kind: 'commit', nth: random.integer(1, CHANGES / 2), when };
  }
  if (kind === 9) {
    return { kind: 'service', at: random.pick(SERVICE_MOMENTS), nth: random.integer(1, 2) };
  }
  return { kind: 'quit', afterMs: random.between(300, 1500) };
}

test.for(['ext4', 'xfs'] as const)(
  `the queue loses nothing over ${CUTS} power cuts (%s)`,
  { timeout: 30_000 + CUTS * 20_000 },
  async (type, context) => {
    const random = new SeededRandom(type === 'ext4' ? SEED : SEED + 1);
    const disk = await powerCutDisks(context, type, random);
    const program = await BundledProgram.build(
      path.join(import.meta.dirname, '../crash/engine-process.ts'),
    );
    const world = await World.make(program, {
      disk,
      offMs: OFF_MS,
      lateMs: LATE_MS,
      videoBytes: VIDEO_BYTES,
    });
    onTestFinished(async () => {
      await world.end();
      program.remove();
    });
    const videos = new SavedVideos(disk.videos, world.service);
    let activeRows = 0;
    for (let cut = 1; cut <= CUTS; cut += 1) {
      const plannedCut = nextCut(random);
      // Enough rows that some are unsent when the user quits.
      if (plannedCut.kind === 'quit') world.addBatch(6);
      else if (activeRows < MIN_ACTIVE_ROWS) world.addBatch(2);
      const nameTemplate = random.next() < 0.5 ? `{title}, ${cut}.mp4` : `${cut}/{title}.mp4`;
      videos.renameBegins(nameTemplate);
      const { events } = await world.run(plannedCut, SEED + cut, nameTemplate);
      const at = `seed ${SEED}, cut ${cut}: ${JSON.stringify(plannedCut)}, ${disk.last}`;
      for (const event of events) videos.record(event);
      activeRows = assertNothingLost(world, at);
      videos.assertWhole(world.readDatabase().jobs, at);
    }
    await world.run({ kind: 'quit', afterMs: 3000 }, SEED);
    await world.run(null, SEED);
    assertAllAccountedFor(world, `seed ${SEED}`);
    videos.assertWhole(world.readDatabase().jobs, `seed ${SEED}`);
  },
);
