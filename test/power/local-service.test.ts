import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished, test } from 'vitest';
import { SeededRandom } from '../rigs/seeded-random.ts';
import { temporaryFolder } from '../rigs/temporary-folder.ts';
import { casesOf } from '../soak/long-form.ts';
import { powerCutDisks } from './power-cut-disks.ts';
import { PoweredService } from './powered-service.ts';
import { ServiceUser, type UserMoment } from './service-user.ts';

/** Power cuts on each file system. */
const CUTS = casesOf({ short: 2, long: 50 });

/** Different in each long run; a failure names it, and `SPOOL_POWER_SEED` repeats it. */
const SEED = Number(process.env.SPOOL_POWER_SEED ?? casesOf({ short: 2026, long: randomInt(1e6) }));

const MOMENTS: readonly UserMoment[] = ['account', 'picture', 'accepted', 'ready', 'downloaded'];

/**
 * When the power is cut: during the start, after some time of use, or right after a confirmation.
 */
type Cut =
  | { readonly whileStartingMs: number }
  | { readonly afterMs: number }
  | { readonly at: UserMoment; readonly nth: number };

function nextCut(random: SeededRandom): Cut {
  const kind = random.integer(1, 6);
  if (kind === 1) return { whileStartingMs: random.between(200, 1500) };
  if (kind <= 3) return { afterMs: random.between(20, 3000) };
  return { at: random.pick(MOMENTS), nth: random.integer(1, 2) };
}

test.for(['ext4', 'xfs'] as const)(
  `the local service keeps everything that it confirmed over ${CUTS} power cuts (%s)`,
  { timeout: 60_000 + CUTS * 30_000 },
  async (type, context) => {
    const random = new SeededRandom(type === 'ext4' ? SEED : SEED + 1);
    const disk = await powerCutDisks(context, type, random);
    const folder = temporaryFolder();
    const service = new PoweredService(disk, folder);
    const user = new ServiceUser(service, folder);
    onTestFinished(async () => {
      user.close();
      await service.end();
    });
    let before = 'the first start';
    // Cuts before the first video prove little, so they continue until there is one.
    for (let number = 1; number <= CUTS || user.videos.length === 0; number += 1) {
      const cut = nextCut(random);
      try {
        await runUntilCut(service, user, cut);
      } catch (error) {
        throw new Error(`seed ${SEED}, after ${before}: ${String(error)}`, { cause: error });
      }
      before = `cut ${number}: ${JSON.stringify(cut)}, ${disk.last}`;
    }
    const started = await service.start();
    if (!started) throw new Error('The service is cut, but the test did not cut it.');
    await user.check(started);
    await user.finish();
  },
);

/** Starts the service, checks everything that it confirmed before, uses it, and cuts its power. */
async function runUntilCut(service: PoweredService, user: ServiceUser, cut: Cut): Promise<void> {
  if ('whileStartingMs' in cut) {
    await Promise.all([service.start(), delay(cut.whileStartingMs).then(() => service.cut())]);
    return;
  }
  const started = await service.start();
  if (!started) throw new Error('The service is cut, but the test did not cut it.');
  await user.check(started);
  let left = 'at' in cut ? cut.nth : Infinity;
  const used = user.use(async (moment) => {
    if ('at' in cut && moment === cut.at && (left -= 1) === 0) await service.cut();
  });
  if ('afterMs' in cut) await Promise.race([used, delay(cut.afterMs)]);
  else await used;
  await service.cut();
  await used;
}
