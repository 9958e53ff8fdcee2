import { expect, onTestFinished, test } from 'vitest';
import { SERVICE_MOMENTS } from './killing-service.ts';
import { World, type Death } from './world.ts';

const KILLS = 200;

/** Rows that are on their way at any time, so that every death finds something to interrupt. */
const ROWS_UNDER_WAY = 3;

const RESTING = ['done', 'uncertain'];

/** Before (or after) each of the commits that a run makes, one by one, then again. */
function commits(when: 'before' | 'after'): Death[] {
  return Array.from({ length: 45 }, (_, index) => ({ kind: 'commit', nth: index + 1, when }));
}

/** Around the write of the request, around its answer, and during a download. */
const conversations: readonly Death[] = [1, 2, 1, 2].flatMap((nth) =>
  SERVICE_MOMENTS.map((at): Death => ({ kind: 'service', at, nth })),
);

/** Whenever. The golden ratio spreads the moments evenly, the same in every run of this test. */
const whenever: readonly Death[] = Array.from({ length: 40 }, (_, index) => ({
  kind: 'time',
  afterMs: 250 + ((index * 0.618_034) % 1) * 1500,
}));

/** Kills the engine by each death in turn and returns how many it died of. */
async function live(world: World, deaths: readonly Death[]): Promise<number> {
  let kills = 0;
  let underWay = 0;
  for (const death of deaths) {
    if (underWay < ROWS_UNDER_WAY) world.addBatch(2);
    const { wasKilled } = await world.run(death);
    if (wasKilled) kills += 1;
    underWay = assertNothingLost(world, death);
  }
  await world.run(null);
  assertAllAccountedFor(world);
  return kills;
}

/** True at any moment, however the engine died. Returns how many jobs still have a way to go. */
function assertNothingLost(world: World, death: Death): number {
  const after = JSON.stringify(death);
  expect(world.integrity(), after).toBe('ok');
  const jobs = world.jobs();
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
  const { accepted, videoSha256 } = world.service;
  const jobs = world.jobs();
  const done = jobs.filter(({ state }) => state === 'done');
  const uncertain = jobs.filter(({ state }) => state === 'uncertain');
  expect(done.length + uncertain.length).toBe(jobs.length);
  for (const { title, remoteId, sha256 } of done) {
    expect(remoteId).toBe(accepted.get(title));
    expect(sha256).toBe(videoSha256);
  }
  const known = new Set(jobs.map(({ title }) => title));
  expect([...accepted.keys()].filter((title) => !known.has(title))).toEqual([]);
  expect(world.quota()).toEqual({ charged: done.length, held: uncertain.length });
}

test(
  `killed ${KILLS} times, at every commit, around every request and whenever, nothing is lost`,
  { timeout: 420_000 },
  async () => {
    const worlds = await Promise.all([World.make(), World.make()]);
    onTestFinished(async () => {
      await Promise.all(worlds.map((world) => world.end()));
    });
    const half = whenever.length / 2;
    const kills = await Promise.all([
      live(worlds[0], [
        ...commits('before'),
        ...conversations,
        ...whenever.slice(half),
        ...commits('before'),
      ]),
      live(worlds[1], [
        ...commits('after'),
        ...conversations,
        ...whenever.slice(0, half),
        ...commits('after'),
      ]),
    ]);
    expect(kills[0] + kills[1]).toBeGreaterThanOrEqual(KILLS);
  },
);
