import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Account } from '../../../../src/local-service/accounts/account.ts';
import { systemClock } from '../../../../src/local-service/clock.ts';
import { PostgresDatabase } from '../../../../src/local-service/postgres/postgres-database.ts';
import { openPostgresStores } from '../../../../src/local-service/postgres/postgres-stores.ts';
import type { Storyboard } from '../../../../src/local-service/rendering/storyboard.ts';
import type { Stores } from '../../../../src/local-service/stores.ts';
import type { RenderJob } from '../../../../src/local-service/videos/render-jobs.ts';
import { storedStoryboard } from '../../../../src/local-service/videos/video.ts';
import { postgres } from './columns.ts';

const admitAll = (): undefined => undefined;
/** Connections to the same database that wait for a lock. */
const WAITING = `
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
const FILE = { bytes: 1234, sha256: 'a'.repeat(64) };

function board(title: string, image?: string): Storyboard {
  const scene = image === undefined ? { kind: 'title', text: title } : { kind: 'image', image };
  return storedStoryboard(JSON.stringify({ title, scenes: [scene] }))!;
}

interface Wanted {
  readonly account: Account;
  readonly title: string;
  readonly image?: string;
  readonly seconds?: number;
}

/**
 * Requests videos while another one is being accepted, so that one transaction accepts them all.
 * Returns their outcomes or errors.
 */
async function acceptTogether(
  { videos, accounts }: Stores,
  wanted: readonly Wanted[],
): Promise<unknown[]> {
  const busy = await accounts.addIfMissing({ email: 'busy@b.com', plan: 'pro' });
  const first = videos.accept(busy, board('First'), 5);
  const settled = await Promise.allSettled(
    wanted.map(async ({ account, title, image, seconds = 5 }) =>
      videos.accept(account, board(title, image), seconds),
    ),
  );
  expect(await first).toMatchObject({ kind: 'accepted' });
  return settled.map((each): unknown => (each.status === 'fulfilled' ? each.value : each.reason));
}

const accepted = { kind: 'accepted' };

describe.skipIf(postgres.missing !== undefined)('requests of one transaction', () => {
  beforeAll(() => postgres.begin());
  afterAll(() => postgres.end());

  test('use the rest of their account’s quota, in their order', async () => {
    const { stores } = await postgres.open();
    const ada = await stores.accounts.add({ email: 'ada@b.com', plan: 'free' });
    const eve = await stores.accounts.add({ email: 'eve@b.com', plan: 'free' });
    await stores.videos.accept(ada, board('Before'), 5);
    const { resetAt } = await stores.videos.quotaUse(ada);
    const full = {
      kind: 'quota-exceeded',
      quota: { used: 3, limit: 3, resetAt },
    };
    const outcomes = await acceptTogether(stores, [
      { account: ada, title: 'A' },
      { account: eve, title: 'E' },
      { account: ada, title: 'B' },
      { account: ada, title: 'C' },
      { account: eve, title: 'F' },
    ]);
    expect(outcomes).toMatchObject([accepted, accepted, accepted, full, accepted]);
    expect((await stores.videos.quotaUse(ada)).used).toBe(3);
    expect((await stores.videos.quotaUse(eve)).used).toBe(2);
    expect(await acceptTogether(stores, [{ account: ada, title: 'D' }])).toMatchObject([full]);
  });

  test('are refused individually for a missing image', async () => {
    const { stores } = await postgres.open();
    const ada = await stores.accounts.add({ email: 'ada@b.com', plan: 'free' });
    const eve = await stores.accounts.add({ email: 'eve@b.com', plan: 'free' });
    const image = `img_${'x'.repeat(22)}`;
    await stores.images.add(ada, { id: image, sha256: 'hash', pixels: 5 });
    const outcomes = await acceptTogether(stores, [
      { account: ada, title: 'A', image },
      { account: eve, title: 'Not hers', image },
      { account: ada, title: 'Missing', image: `img_${'y'.repeat(22)}` },
      { account: ada, title: 'B' },
      { account: ada, title: 'C', image },
    ]);
    const missing = { kind: 'image-missing' };
    expect(outcomes).toMatchObject([accepted, missing, missing, accepted, accepted]);
    expect((await stores.videos.quotaUse(ada)).used).toBe(3);
    expect((await stores.videos.quotaUse(eve)).used).toBe(0);
  });

  test('succeed although the database refuses one of them', async () => {
    const { stores } = await postgres.open();
    const ada = await stores.accounts.add({ email: 'ada@b.com', plan: 'free' });
    const outcomes = await acceptTogether(stores, [
      { account: ada, title: 'A' },
      { account: ada, title: 'B', seconds: null as never },
      { account: { ...ada, id: 999 }, title: 'Of no account' },
      { account: ada, title: 'C' },
    ]);
    expect(outcomes).toMatchObject([
      accepted,
      { message: expect.stringContaining('null value') as string },
      { message: 'The account is gone.' },
      accepted,
    ]);
    expect((await stores.videos.quotaUse(ada)).used).toBe(2);
  });

  test('are queued in their order', async () => {
    const { stores } = await postgres.open();
    const ada = await stores.accounts.add({ email: 'ada@b.com', plan: 'pro' });
    const titles = Array.from({ length: 40 }, (_, index) => `${index}`);
    await acceptTogether(
      stores,
      titles.map((title) => ({ account: ada, title })),
    );
    const taken: string[] = [];
    for (;;) {
      const [job] = await stores.jobs.take(1, admitAll);
      if (!job) break;
      taken.push(job.storyboard!.title);
      await stores.jobs.finish(job, FILE);
    }
    expect(taken).toEqual(['First', ...titles]);
  });

  test('are accepted while another process locks their accounts', async () => {
    const { stores, elsewhere } = await postgres.open();
    const plan = 'starter';
    const ada = await stores.accounts.add({ email: 'ada@b.com', plan });
    const eve = await stores.accounts.add({ email: 'eve@b.com', plan });
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, async (_, index) =>
        (index % 2 ? stores : elsewhere).videos.accept(index % 3 ? ada : eve, board('x'), 5),
      ),
    );
    expect(outcomes.filter(({ kind }) => kind === 'accepted')).toHaveLength(30);
    for (const account of [ada, eve]) {
      expect((await stores.videos.quotaUse(account)).used).toBe(15);
    }
  });

  test('store only the results of the current attempts', async () => {
    const { stores } = await postgres.open();
    const ada = await stores.accounts.add({ email: 'ada@b.com', plan: 'pro' });
    const take = async (count: number): Promise<readonly RenderJob[]> =>
      stores.jobs.take(count, admitAll);
    for (const title of ['A', 'B', 'C', 'D']) await stores.videos.accept(ada, board(title), 5);
    const [first, late, good] = await take(3);
    await stores.jobs.requeue(late!, 'stopped');
    const [current] = await take(1);
    expect(current).toMatchObject({ id: late!.id, attempt: 2 });
    const results = [first, late, good, current, { id: 'vid_unknown', attempt: 1 }, good, first];
    const stored = await Promise.all(
      results.map(async (claim) => stores.jobs.finish(claim!, FILE)),
    );
    expect(stored).toEqual([true, false, true, true, false, true, true]);
    for (const { id, attempt } of [first!, good!, current!]) {
      expect(await stores.videos.find(ada, id)).toMatchObject({ state: 'done', attempt });
    }
    expect(await take(4)).toMatchObject([{ attempt: 1, storyboard: { title: 'D' } }]);
  });

  describe('lock their videos in the order of the identifiers', () => {
    async function open(count: number) {
      const url = await postgres.database();
      // Forces a query plan that reads videos in the order of acceptance.
      const name = new URL(url).pathname.slice(1);
      await postgres.server.query(`ALTER DATABASE ${name} SET enable_indexscan = off`);
      const onError = (error: unknown): never => expect.unreachable(String(error));
      const options = { url, onError, maxConnections: 5 };
      const stores = await openPostgresStores({
        ...options,
        clock: systemClock,
        window: 'fixed',
        slots: 100,
      });
      const other = new PostgresDatabase({ ...options, name: 'other' });
      onTestFinished(async () => {
        await Promise.all([stores.close(), other.close()]);
      });
      const ada = await stores.accounts.add({ email: 'ada@b.com', plan: 'pro' });
      for (;;) {
        const ids: string[] = [];
        while (ids.length < count) {
          const outcome = await stores.videos.accept(ada, board('x'), 5);
          if (outcome.kind !== 'accepted') throw new Error(outcome.kind);
          ids.push(outcome.id);
        }
        if (ids[0] !== ids.toSorted()[0]) return { stores, other, ids: ids.toSorted() };
        // The first one has the first identifier by chance: others are accepted instead.
        const jobs = await stores.jobs.take(count, admitAll);
        await Promise.all(jobs.map(async (job) => stores.jobs.finish(job, FILE)));
      }
    }

    /**
     * Another process locks the first video, lets `work` wait for it, and then locks the others: a
     * deadlock if `work` has locked one of them already.
     */
    async function withCompetingLocks(
      other: PostgresDatabase,
      ids: readonly string[],
      work: () => Promise<unknown>,
    ): Promise<{ readonly working: Promise<unknown> }> {
      const lock = 'SELECT FROM spool.video WHERE id = ANY($1) ORDER BY id FOR UPDATE';
      return other.transaction(async (transaction) => {
        await transaction.query(lock, [ids.slice(0, 1)]);
        const working = work();
        working.catch(() => undefined);
        await expect.poll(() => other.query(WAITING)).toHaveLength(1);
        await transaction.query(lock, [ids]);
        return { working };
      });
    }

    test('when results are stored', async () => {
      const { stores, other, ids } = await open(4);
      const jobs = await stores.jobs.take(ids.length, admitAll);
      const [alone, ...together] = jobs.toSorted((one, another) => (one.id < another.id ? 1 : -1));
      // The first is stored alone, and the others together.
      const { working } = await withCompetingLocks(other, ids.slice(0, -1), async () =>
        Promise.all([alone!, ...together].map((job) => stores.jobs.finish(job, FILE))),
      );
      expect(await working).toEqual(ids.map(() => true));
    });

    test('when videos are claimed', async () => {
      const { stores, other, ids } = await open(4);
      const { working } = await withCompetingLocks(other, ids, async () =>
        stores.jobs.take(ids.length, admitAll),
      );
      expect(await working).toHaveLength(ids.length);
    });
  });
});
