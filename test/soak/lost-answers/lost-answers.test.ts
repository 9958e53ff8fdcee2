import { afterAll, expect, test } from 'vitest';
import type { ServiceTraits } from '../../rigs/remembering-service.ts';
import { SeededRandom } from '../../rigs/seeded-random.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';
import { casesOf } from '../long-form.ts';
import { World, type LostAnswerCount, type Loss } from './world.ts';

/**
 * Lost responses to requests for videos: connections that end, and processes that are killed before
 * and after each commit. `npm run test:soak` loses 500.
 */
const LOST_ANSWERS = casesOf({ short: 50, long: 500 });

const LOST_IN_A_WORLD = 10;
const ROWS = 10;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How long the user waits before sending again; a video listed later would be paid twice. */
const USER_WAITS_MS = 4 * HOUR;

const KINDS = ['idempotency key', 'list', 'both'] as const;
type Kind = (typeof KINDS)[number];

const counts = new Map<Kind, LostAnswerCount>();

function traitsOf(kind: Kind, random: SeededRandom): ServiceTraits {
  return {
    hasKeys: kind !== 'list',
    hasList: kind !== 'idempotency key',
    tellsTimes: random.next() < 0.5,
    listLagMs: random.pick([0, MINUTE, 5 * MINUTE, 9 * MINUTE, 2 * HOUR]),
    pageSize: random.integer(1, 7),
    acceptMs: random.pick([100, 2000]),
    keyLifeMs: 24 * HOUR,
  };
}

function lossOf(random: SeededRandom): Loss {
  if (random.next() < 0.5) {
    const kind = random.pick([
      ...(['request-lost', 'answer-lost', 'answer-cut', 'bad-gateway'] as const),
    ]);
    return { kind };
  }
  if (random.next() < 0.4) return { kind: 'killed-in-flight', arrives: random.next() < 0.5 };
  const when = random.pick(['before', 'after'] as const);
  return { kind: 'killed', commit: random.integer(1, 4), when };
}

const worlds = Array.from({ length: LOST_ANSWERS / LOST_IN_A_WORLD }, (_, seed) => ({
  seed,
  kind: KINDS[seed % KINDS.length] ?? 'both',
}));

test.each(worlds)(
  'ten lost answers lose no video, and none is paid for twice ($kind, seed $seed)',
  async ({ seed, kind }) => {
    const random = new SeededRandom(seed);
    const losses = Array.from({ length: LOST_IN_A_WORLD }, () => lossOf(random));
    const traits = traitsOf(kind, random);
    const world = await World.open(temporaryFolder(), traits, losses, seed);
    try {
      const titles = Array.from({ length: ROWS }, (_, row) => `Row ${row + 1}`);
      await world.add(titles);
      const reportedAt = new Map<string, number>();
      for (let hours = 0; hours < 200; hours += 0.25) {
        const jobs = await world.jobs();
        if (jobs.length > 0 && jobs.every(({ state }) => state === 'done')) break;
        for (const job of jobs) {
          if (job.state !== 'uncertain' || job.wait !== null) continue;
          const since = reportedAt.get(`${job.id} ${job.attempts}`) ?? world.clock.now();
          reportedAt.set(`${job.id} ${job.attempts}`, since);
          if (world.clock.now() - since < USER_WAITS_MS) continue;
          // If the job says that there is no video, the service has none.
          expect(world.service.paidFor(job.title), job.title).toBe(0);
          await world.resend(job);
        }
        await world.pass(HOUR / 4);
      }

      const jobs = await world.jobs();
      expect(jobs.map(({ state }) => state)).toEqual(titles.map(() => 'done'));
      expect(world.losses).toEqual([]);
      expect(titles.map((title) => world.service.paidFor(title))).toEqual(titles.map(() => 1));
      for (const { remoteId, title } of jobs) {
        const video = world.service.videos.find(({ id }) => id === remoteId);
        expect(video).toMatchObject({ title, isOurs: true });
      }
      const { quota } = world.engine.summary();
      expect(quota?.used).toBe(ROWS);
      expect(quota?.held).toBe(0);
      if (kind === 'idempotency key') expect(world.byUser).toBe(0);
      expect(world.defects).toEqual([]);
      await addCounts(kind, world, jobs);
    } finally {
      await world.end();
    }
  },
);

async function addCounts(
  kind: Kind,
  world: World,
  jobs: Awaited<ReturnType<World['jobs']>>,
): Promise<void> {
  const before = counts.get(kind);
  const histories = await Promise.all(jobs.map((job) => world.historyOf(job)));
  const countWith = (sentence: string): number =>
    histories.filter((history) => history.includes(`"${sentence}`)).length;
  const paid = jobs.map(({ title }) => world.service.paidFor(title));
  counts.set(kind, {
    rows: (before?.rows ?? 0) + jobs.length,
    lost: (before?.lost ?? 0) + world.lost,
    kills: (before?.kills ?? 0) + world.kills,
    requests: (before?.requests ?? 0) + world.requests,
    byRepeat: (before?.byRepeat ?? 0) + countWith('accepted-again'),
    byList: (before?.byList ?? 0) + countWith('found-in-list'),
    byUser: (before?.byUser ?? 0) + world.byUser,
    paid: (before?.paid ?? 0) + paid.reduce((sum, each) => sum + each, 0),
    paidTwice: (before?.paidTwice ?? 0) + paid.filter((each) => each > 1).length,
  });
}

afterAll(() => {
  if (process.env.SPOOL_SOAK === '1') console.table(Object.fromEntries(counts));
});
