import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SeededRandom } from '../../rigs/seeded-random.ts';
import { Episodes, planYear, type EpisodeKind } from './episodes.ts';
import type { PlanName } from './model-service.ts';
import { World } from './world.ts';

const DAY = 86_400_000;

const PLANS: readonly PlanName[] = ['free', 'starter', 'creator', 'pro', 'business'];

/** Years to start in; two of them have a leap day. */
const FIRST_YEARS = [2026, 2027, 2028, 2031, 2032];

export interface YearOptions {
  /** The number of the user's sessions at the computer. */
  readonly sessions: number;
  /** The sessions' kinds, besides cycle boundaries and clock changes; all kinds when left out. */
  readonly kinds?: readonly EpisodeKind[] | undefined;
}

export interface YearStats {
  readonly accepted: number;
  readonly saved: number;
  readonly forecasts: number;
  readonly worstForecast: number;
  readonly earlyLinks: number;
  readonly kills: number;
}

/**
 * Simulates one year with the whole engine.
 * @param seed decides everything; `seed % 5` is the plan
 * @throws {Error} with the first violation, the seed, the day and the preceding events
 */
export async function simulateYear(
  seed: number,
  { sessions, kinds }: YearOptions,
): Promise<YearStats> {
  const random = new SeededRandom(seed);
  const plan = PLANS[seed % PLANS.length] ?? 'free';
  const startAt = Date.UTC(random.pick(FIRST_YEARS), 0, 1) + Math.floor(random.next() * 365) * DAY;
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const folder = mkdtempSync(path.join(parent, 'spool-year-'));
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', onUnhandled);
  const world = new World(path.join(folder, 'world'), plan, startAt, seed);
  try {
    const episodes = new Episodes(world);
    await episodes.begin();
    const plans = planYear(
      startAt,
      boundariesOf(world),
      clockChanges(world),
      random,
      sessions,
      kinds,
    );
    for (const { at, kind } of plans) {
      if (world.time.now > startAt + 365 * DAY) break;
      await episodes.run(kind, at);
      if (unhandled.length > 0) throw new Error(`Unhandled: ${String(unhandled[0])}`);
    }
    return { ...world.invariants.stats, kills: world.kills };
  } catch (error) {
    const what = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error);
    throw new Error(
      `Seed ${seed} (${plan}), day ${world.history.day}: ${what}\n\n${world.history.shortened()}`,
      { cause: error },
    );
  } finally {
    world.end();
    process.off('unhandledRejection', onUnhandled);
    rmSync(folder, { recursive: true, force: true });
  }
}

function boundariesOf({ service, time }: World): number[] {
  const found: number[] = [];
  for (let at = service.cycleAt(time.now).end; at < time.now + 365 * DAY;) {
    found.push(at);
    at = service.cycleAt(at + DAY).end;
  }
  return found;
}

/** When summer time begins and ends in the service's zone. */
function clockChanges({ service, time }: World): number[] {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: service.traits.zone,
    timeZoneName: 'longOffset',
  });
  const offsetAt = (at: number): string => format.format(at).slice(-9);
  const found: number[] = [];
  let before = offsetAt(time.now);
  for (let at = time.now + DAY; at < time.now + 365 * DAY; at += DAY) {
    const offset = offsetAt(at);
    if (offset !== before) found.push(at);
    before = offset;
  }
  return found;
}
