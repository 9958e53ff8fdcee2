import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../../../../src/local-service/accounts/account.ts';
import { BROWSER_LIFE_MS } from '../../../../src/local-service/accounts/known-browsers.ts';
import {
  consume,
  type WindowState,
  type WindowType,
} from '../../../../src/local-service/accounts/rate-window.ts';
import { SESSION_LIFE_MS } from '../../../../src/local-service/accounts/sessions.ts';
import type { Storyboard } from '../../../../src/local-service/rendering/storyboard.ts';
import type { Stores } from '../../../../src/local-service/stores.ts';
import type { RenderClaim, RenderJob } from '../../../../src/local-service/videos/render-jobs.ts';
import { storedStoryboard } from '../../../../src/local-service/videos/video.ts';
import { columns, RETENTION_MS } from './columns.ts';

const FILE = { bytes: 1234, sha256: 'a'.repeat(64) };
const HASH = { salt: Buffer.alloc(16, 1), hash: Buffer.alloc(32, 2), ...parameters() };

function parameters(): { cost: number; blockSize: number; parallelization: number } {
  return { cost: 2, blockSize: 8, parallelization: 1 };
}

function board(title: string, image?: string): Storyboard {
  const scene = image === undefined ? { kind: 'title', text: title } : { kind: 'image', image };
  const parsed = storedStoryboard(JSON.stringify({ title, scenes: [scene] }));
  if (!parsed) throw new Error('not a storyboard');
  return parsed;
}

async function accept(stores: Stores, account: Account, title = 'Film'): Promise<string> {
  const accepted = await stores.videos.accept(account, board(title), 5);
  if (accepted.kind !== 'accepted') throw new Error(accepted.kind);
  return accepted.id;
}

/** SQLite checks for changes once in each turn of the event loop. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const admitAll = (): undefined => undefined;

async function take(stores: Stores): Promise<RenderJob> {
  const [job] = await stores.jobs.take(1, admitAll);
  if (!job) throw new Error('no video waits');
  return job;
}

describe.each(columns)('the stores on $name', (column) => {
  beforeAll(() => column.begin());
  afterAll(() => column.end());

  const on = (name: string, work: () => Promise<void>): void =>
    test(name, async (context) => {
      if (column.missing !== undefined) context.skip(column.missing);
      await work();
    });

  describe('accounts', () => {
    on('have a unique address, regardless of its case', async () => {
      const { stores, elsewhere, clock } = await column.open();
      const added = await stores.accounts.add({ email: 'Ada@example.com', plan: 'pro' });
      expect(added).toMatchObject({ plan: 'pro', signedUpAt: clock.now(), customLimits: {} });
      expect(await elsewhere.accounts.withEmail('ada@EXAMPLE.com')).toEqual(added);
      await expect(async () =>
        stores.accounts.add({ email: 'ada@example.com', plan: 'free' }),
      ).rejects.toMatchObject({ code: 'ACCOUNT_EXISTS' });
      const same = await stores.accounts.addIfMissing({ email: 'ada@example.com', plan: 'free' });
      expect(same).toEqual(added);
      await expect(async () => stores.accounts.withEmail('eve@example.com')).rejects.toMatchObject({
        code: 'ACCOUNT_UNKNOWN',
      });
    });

    on('have their own quota, and limits by endpoint', async () => {
      const { stores, elsewhere } = await column.open();
      const account = await stores.accounts.add({ email: 'ada@example.com', plan: 'free' });
      const limit = { requests: 5, windowSeconds: 60 };
      await stores.accounts.setQuota(account, 77);
      await stores.accounts.setLimit(account, 'status', limit);
      // The account object is outdated; later changes must not be lost.
      const changed = await elsewhere.accounts.setLimit(account, 'generate', limit);
      expect(changed.customQuota).toBe(77);
      expect(changed.customLimits).toEqual({ status: limit, generate: limit });
    });
  });

  describe('keys', () => {
    on('exist one at a time, and are revoked in all processes at once', async () => {
      const { stores, elsewhere } = await column.open();
      const account = await stores.accounts.add({ email: 'ada@example.com', plan: 'free' });
      const attempts = await Promise.allSettled(
        [stores, elsewhere, stores, elsewhere].map(async ({ keys }) => keys.create(account, ' a ')),
      );
      const [made, ...more] = attempts.filter((attempt) => attempt.status === 'fulfilled');
      expect(more).toEqual([]);
      const { value, name } = made!.value;
      expect(name).toBe('a');
      expect(await stores.keys.authenticate(value)).toEqual(account);
      expect(await elsewhere.keys.authenticate(value)).toEqual(account);
      expect((await elsewhere.keys.activeKey(account))?.name).toBe('a');
      await elsewhere.keys.revoke(account);
      await nextTurn();
      expect(await stores.keys.authenticate(value)).toBeUndefined();
      expect(await stores.keys.activeKey(account)).toBeUndefined();
      await expect(async () => stores.keys.revoke(account)).rejects.toMatchObject({
        code: 'KEY_MISSING',
      });
      expect((await stores.keys.create(account, 'b')).value).not.toBe(value);
    });

    on('that are unknown or missing belong to no account', async () => {
      const { stores } = await column.open();
      for (const presented of [undefined, '', 'svc_live_x', '\0']) {
        expect(await stores.keys.authenticate(presented)).toBeUndefined();
      }
    });
  });

  describe('sign-ins', () => {
    on('last until they are ended, expire or the password is replaced', async () => {
      const { stores, clock } = await column.open();
      const account = await stores.passwords.addAccount({ email: 'a@b.com', plan: 'free' }, HASH);
      const ended = await stores.sessions.start(account);
      const replaced = await stores.sessions.start(account);
      expect(await stores.sessions.find(ended)).toEqual(account);
      await stores.sessions.end(ended);
      expect(await stores.sessions.find(ended)).toBeUndefined();
      expect(await stores.sessions.find(replaced)).toEqual(account);
      await stores.passwords.replace(account, { ...HASH, cost: 4 });
      expect(await stores.sessions.find(replaced)).toBeUndefined();
      const late = await stores.sessions.start(account);
      clock.advance(SESSION_LIFE_MS);
      expect(await stores.sessions.find(late)).toBeUndefined();
    });

    on('need a password, which signing up does not add to an existing account', async () => {
      const { stores } = await column.open();
      const account = await stores.accounts.add({ email: 'a@b.com', plan: 'free' });
      await expect(async () =>
        stores.passwords.addAccount({ email: 'A@b.com', plan: 'free' }, HASH),
      ).rejects.toMatchObject({ code: 'ACCOUNT_EXISTS' });
      expect(await stores.passwords.find('a@b.com')).toBeUndefined();
      expect(await stores.passwords.find('a\0@b.com')).toBeUndefined();
      await stores.passwords.replace(account, HASH);
      const record = (await stores.passwords.find('A@B.com'))!;
      expect(record).toMatchObject({ accountId: account.id, stored: parameters() });
      expect(Buffer.from(record.stored.hash)).toEqual(HASH.hash);
      await stores.passwords.replace(account, { ...HASH, hash: Buffer.alloc(32, 9) });
      await stores.passwords.rehash(record, { ...HASH, cost: 8 });
      expect((await stores.passwords.find('a@b.com'))?.stored.cost).toBe(2);
    });

    on('make a browser known to the account for a while', async () => {
      const { stores, clock } = await column.open();
      const ada = await stores.accounts.add({ email: 'ada@b.com', plan: 'free' });
      await stores.accounts.add({ email: 'eve@b.com', plan: 'free' });
      const cookie = await stores.browsers.remember(ada, undefined);
      expect(await stores.browsers.remember(ada, cookie)).toBe(cookie);
      expect(await stores.browsers.find('Ada@b.com', ['x', cookie])).toBe(cookie);
      expect(await stores.browsers.find('eve@b.com', [cookie])).toBeUndefined();
      expect(await stores.browsers.find('ada\0@b.com', [cookie])).toBeUndefined();
      clock.advance(BROWSER_LIFE_MS);
      expect(await stores.browsers.find('ada@b.com', [cookie])).toBeUndefined();
    });
  });

  describe('images', () => {
    on(
      'are stored once, and removed when they are the oldest and no video needs them',
      async () => {
        const { stores, clock } = await column.open();
        const ada = await stores.accounts.add({ email: 'ada@b.com', plan: 'free' });
        const eve = await stores.accounts.add({ email: 'eve@b.com', plan: 'free' });
        const ids: string[] = [];
        for (const n of [0, 1, 2, 3]) {
          const id = `img_${'x'.repeat(21)}${n}`;
          ids.push(await stores.images.add(ada, { id, sha256: `hash ${n}`, pixels: 5 + n }));
          clock.advance(1);
        }
        const again = await stores.images.add(ada, { id: 'other', sha256: 'hash 3', pixels: 8 });
        expect(again).toBe(ids[3]);
        expect(await stores.images.latest(ada, 2)).toEqual([ids[3], ids[2]]);
        expect(await stores.images.latest(eve, 2)).toEqual([]);
        expect(await stores.images.pixelsOf(ada, ids[1]!)).toBe(6);
        expect(await stores.images.pixelsOf(eve, ids[1]!)).toBeUndefined();
        expect(await stores.images.pixelsOf(ada, 'img_\0')).toBeUndefined();
        expect(await stores.videos.accept(ada, board('Film', ids[0]), 5)).toMatchObject({
          kind: 'accepted',
        });
        expect(await stores.images.removeOldest(ada, 1)).toHaveLength(2);
        expect(await stores.images.pixelsOf(ada, ids[0]!)).toBe(5);
        // An image that was removed before the video is accepted.
        expect(await stores.videos.accept(ada, board('Film', ids[1]), 5)).toEqual({
          kind: 'image-missing',
        });
        expect((await stores.videos.quotaUse(ada)).used).toBe(1);
      },
    );

    on('are kept while a video that shows them is rendered, and not longer', async () => {
      const { stores } = await column.open();
      const ada = await stores.accounts.add({ email: 'ada@b.com', plan: 'free' });
      const id = `img_${'x'.repeat(22)}`;
      await stores.images.add(ada, { id, sha256: 'hash', pixels: 5 });
      await stores.videos.accept(ada, board('Film', id), 5);
      const claim = await take(stores);
      expect(await stores.images.removeOldest(ada, 0)).toEqual([]);
      await stores.jobs.finish(claim, FILE);
      expect(await stores.images.removeOldest(ada, 0)).toEqual([id]);
    });
  });

  describe.each(['fixed', 'sliding'] as const)('%s windows', (window: WindowType) => {
    on('count as rate-window.ts does, whatever the clock does', async () => {
      const { stores, clock } = await column.open(window);
      const step = fc.record({
        requests: fc.integer({ min: 1, max: 4 }),
        windowSeconds: fc.constantFrom(1, 10),
        advance: fc.constantFrom(0, 0, 300, 999, 1000, 5000, 10_000, -700, -20_000),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          const subject = randomUUID();
          let model: WindowState | undefined;
          for (const { advance, ...limit } of steps) {
            clock.advance(advance);
            const expected = consume(window, model, limit, clock.now());
            model = expected.state;
            const { kind, status } = await stores.counters.consume(subject, 'status', limit);
            expect({ kind, status }).toEqual({ kind: expected.kind, status: expected.status });
            expect(await stores.counters.status(subject, 'status', limit)).toEqual(status);
          }
        }),
        { numRuns: 40 },
      );
    });

    on('allow as many requests as the limit, even concurrent ones', async () => {
      const { stores } = await column.open(window);
      const limit = { requests: 10, windowSeconds: 60 };
      const charges = await Promise.all(
        Array.from({ length: 30 }, async () => stores.counters.consume('a', 'generate', limit)),
      );
      expect(charges.filter(({ kind }) => kind === 'accepted')).toHaveLength(10);
      const other = await stores.counters.consume('b', 'generate', limit);
      expect(other.status.remaining).toBe(9);
    });
  });

  describe('videos', () => {
    on('are accepted up to the quota, even concurrently', async () => {
      const { stores, elsewhere, clock } = await column.open();
      const account = await stores.accounts.add({ email: 'a@b.com', plan: 'starter' });
      const answers = await Promise.all(
        Array.from({ length: 20 }, async (_, n) =>
          (n % 2 ? stores : elsewhere).videos.accept(account, board(`${n}`), 5),
        ),
      );
      expect(answers.filter(({ kind }) => kind === 'accepted')).toHaveLength(15);
      expect(answers.filter(({ kind }) => kind === 'quota-exceeded')).toHaveLength(5);
      expect(await stores.videos.quotaUse(account)).toMatchObject({
        used: 15,
        held: 15,
        limit: 15,
      });
      const { resetAt } = await stores.videos.quotaUse(account);
      clock.advance(resetAt - clock.now());
      expect(await stores.videos.quotaUse(account)).toMatchObject({ used: 0, held: 0 });
    });

    on('are found only by their account, and listed newest first', async () => {
      const { stores } = await column.open();
      const ada = await stores.accounts.add({ email: 'ada@b.com', plan: 'starter' });
      const eve = await stores.accounts.add({ email: 'eve@b.com', plan: 'starter' });
      const ids: string[] = [];
      for (const title of ['Eins', 'Zwei', 'Drei']) ids.push(await accept(stores, ada, title));
      expect(await stores.videos.find(ada, ids[0]!)).toMatchObject({ state: 'queued' });
      expect(await stores.videos.find(eve, ids[0]!)).toBeUndefined();
      expect(await stores.videos.find(ada, 'vid_\0')).toBeUndefined();
      expect(await stores.videos.findTitled(ada, ids[1]!)).toMatchObject({ title: 'Zwei' });
      const { videos, page, pages } = await stores.videos.list(ada, 1, 2);
      expect([videos.map(({ title }) => title), page, pages]).toEqual([['Drei', 'Zwei'], 1, 2]);
      const last = await stores.videos.list(ada, 9, 2);
      expect([last.videos.map(({ title }) => title), last.page]).toEqual([['Eins'], 2]);
      expect((await stores.videos.list(eve, 1, 2)).videos).toEqual([]);
      expect(await stores.videos.queuePosition(ids[2]!)).toBe(3);
      expect(await stores.videos.queuePosition('vid_unknown')).toBe(1);
    });

    on('that failed after an attempt have their files removed once', async () => {
      const { stores } = await column.open();
      const ada = await stores.accounts.add({ email: 'ada@b.com', plan: 'starter' });
      const id = await accept(stores, ada);
      await accept(stores, ada, 'Waits');
      const claim = await take(stores);
      expect(await stores.videos.expired()).toEqual([]);
      expect(await stores.jobs.fail(claim, 'Too large.')).toBe(true);
      expect(await stores.videos.expired()).toEqual([id]);
      await stores.videos.markFilesRemoved([id]);
      expect(await stores.videos.expired()).toEqual([]);
      await nextTurn();
      expect(await stores.videos.find(ada, id)).toMatchObject({ state: 'failed' });
    });

    on('that are finished are kept for the retention time', async () => {
      const { stores, clock } = await column.open();
      const ada = await stores.accounts.add({ email: 'ada@b.com', plan: 'starter' });
      const id = await accept(stores, ada);
      expect(await stores.videos.findFinished(id)).toBeUndefined();
      expect(await stores.jobs.finish(await take(stores), FILE)).toBe(true);
      await nextTurn();
      const done = (await stores.videos.findFinished(id))!;
      expect(done).toMatchObject({ ...FILE, attempt: 1, expiresAt: clock.now() + RETENTION_MS });
      clock.advance(RETENTION_MS - 1);
      expect([stores.videos.hasExpired(done), await stores.videos.expired()]).toEqual([false, []]);
      clock.advance(1);
      expect([stores.videos.hasExpired(done), await stores.videos.expired()]).toEqual([true, [id]]);
      await stores.videos.markFilesRemoved([id]);
      clock.advance(-RETENTION_MS);
      await nextTurn();
      expect(stores.videos.hasExpired((await stores.videos.findFinished(id))!)).toBe(true);
    });

    on('that are finished expire when their files are removed before', async () => {
      const { stores, clock } = await column.open();
      const ada = await stores.accounts.add({ email: 'ada@b.com', plan: 'unlimited' });
      const id = await accept(stores, ada);
      expect(await stores.jobs.finish(await take(stores), FILE)).toBe(true);
      clock.advance(RETENTION_MS / 2);
      await stores.videos.markFilesRemoved([id]);
      await nextTurn();
      const removed = (await stores.videos.findFinished(id))!;
      expect(removed).toMatchObject({ filesRemoved: true, expiresAt: clock.now() });
      expect(stores.videos.hasExpired(removed)).toBe(true);
    });
  });

  describe('render jobs', () => {
    on('are taken in queue order; each attempt counts', async () => {
      const { stores } = await column.open();
      const ada = await stores.accounts.add({ email: 'ada@b.com', plan: 'starter' });
      const [first, second] = [await accept(stores, ada, 'A'), await accept(stores, ada, 'B')];
      const job = await take(stores);
      expect(job).toMatchObject({ id: first, attempt: 1, failures: 0 });
      expect(job.storyboard?.title).toBe('A');
      expect(await stores.videos.find(ada, first)).toMatchObject({ state: 'rendering' });
      expect(await stores.jobs.requeue(job, 'failed')).toBe(true);
      // It returns to its former position.
      expect(await stores.videos.queuePosition(first)).toBe(1);
      expect(await take(stores)).toMatchObject({ id: first, attempt: 2, failures: 1 });
      expect(await take(stores)).toMatchObject({ id: second, attempt: 1, failures: 0 });
      expect(await stores.jobs.take(1, admitAll)).toEqual([]);
    });

    on('are not taken when the worker does not admit them', async () => {
      const { stores } = await column.open();
      const ada = await stores.accounts.add({ email: 'ada@b.com', plan: 'starter' });
      const id = await accept(stores, ada);
      const full = new Error('no space');
      await expect(async () =>
        stores.jobs.take(1, () => {
          throw full;
        }),
      ).rejects.toBe(full);
      expect(await stores.videos.find(ada, id)).toMatchObject({ state: 'queued' });
      expect(await take(stores)).toMatchObject({ id, attempt: 1 });
    });

    on('are taken several at a time, in their order', async () => {
      const { stores } = await column.open();
      const ada = await stores.accounts.add({ email: 'ada@b.com', plan: 'creator' });
      const ids: string[] = [];
      for (let n = 0; n < 4; n += 1) ids.push(await accept(stores, ada));
      const first = await stores.jobs.take(3, admitAll);
      expect(first.map(({ id }) => id)).toEqual(ids.slice(0, 3));
      const rest = await stores.jobs.take(3, admitAll);
      expect(rest.map(({ id }) => id)).toEqual(ids.slice(3));
      for (const job of [...first, ...rest]) expect(await stores.jobs.finish(job, FILE)).toBe(true);
    });

    on('that the worker does not admit stay queued', async () => {
      const { stores } = await column.open();
      const ada = await stores.accounts.add({ email: 'ada@b.com', plan: 'creator' });
      const ids: string[] = [];
      for (let n = 0; n < 4; n += 1) ids.push(await accept(stores, ada));
      const taken = await stores.jobs.take(4, (_, before) => {
        if (before.length === 2) throw new Error('no space');
      });
      expect(taken).toMatchObject(ids.slice(0, 2).map((id) => ({ id, attempt: 1 })));
      expect(await take(stores)).toMatchObject({ id: ids[2], attempt: 1 });
    });

    on('are taken once, even concurrently', async () => {
      const { stores } = await column.open();
      const ada = await stores.accounts.add({ email: 'ada@b.com', plan: 'creator' });
      for (let n = 0; n < 4; n += 1) await accept(stores, ada);
      const taken: RenderJob[] = [];
      for (let round = 0; round < 3; round += 1) {
        taken.push(
          ...(
            await Promise.all(Array.from({ length: 4 }, async () => stores.jobs.take(2, admitAll)))
          ).flat(),
        );
      }
      const ids = taken.map(({ id }) => id);
      expect([ids.length, new Set(ids).size]).toEqual([4, 4]);
    });

    on('that failed return their quota and end', async () => {
      const { stores } = await column.open();
      const ada = await stores.accounts.add({ email: 'ada@b.com', plan: 'starter' });
      const id = await accept(stores, ada);
      expect(await stores.jobs.fail(await take(stores), 'It went wrong.')).toBe(true);
      const error = 'It went wrong.';
      expect(await stores.videos.find(ada, id)).toMatchObject({ state: 'failed', error });
      expect((await stores.videos.quotaUse(ada)).used).toBe(0);
      expect(await stores.jobs.take(1, admitAll)).toEqual([]);
    });

    on('that failed too often in a day delay the account’s next video', async () => {
      const { stores, elsewhere, clock } = await column.open();
      const ada = await stores.accounts.add({ email: 'ada@b.com', plan: 'free' });
      const eve = await stores.accounts.add({ email: 'eve@b.com', plan: 'free' });
      const fail = async (): Promise<void> => {
        await accept(stores, ada);
        await stores.jobs.fail(await take(stores), 'It cannot be decoded.');
      };
      await fail();
      const day = 24 * 60 * 60 * 1000;
      clock.advance(day / 2);
      const second = clock.now();
      for (let n = 2; n < 20; n += 1) await fail();
      clock.advance(day / 2 - 1);
      await fail();
      const refused = { kind: 'too-many-failures', until: clock.now() + 1 };
      expect(await elsewhere.videos.accept(ada, board('More'), 5)).toEqual(refused);
      await accept(stores, eve);
      clock.advance(1);
      await accept(stores, ada);
      await take(stores);
      await stores.jobs.fail(await take(stores), 'It cannot be decoded.');
      const again = { kind: 'too-many-failures', until: second + day };
      expect(await stores.videos.accept(ada, board('More'), 5)).toEqual(again);
      await stores.accounts.setQuota(ada, 21);
      const larger = await stores.accounts.withEmail('ada@b.com');
      expect(await stores.videos.accept(larger, board('More'), 5)).toMatchObject({
        kind: 'accepted',
      });
    });

    on('accept only a result of the current attempt', async () => {
      const { stores } = await column.open();
      const ada = await stores.accounts.add({ email: 'ada@b.com', plan: 'starter' });
      const id = await accept(stores, ada);
      const old = await take(stores);
      await stores.jobs.requeue(old, 'stopped');
      const current = await take(stores);
      const late = async (claim: RenderClaim): Promise<unknown[]> => [
        await stores.jobs.finish(claim, { bytes: 1, sha256: 'b'.repeat(64) }),
        await stores.jobs.fail(claim, 'Late.'),
        await stores.jobs.requeue(claim, 'failed'),
      ];
      expect(await late(old)).toEqual([false, false, false]);
      expect(await stores.videos.find(ada, id)).toMatchObject({ state: 'rendering' });
      expect(await stores.jobs.report(current, 0.5)).toBe(true);
      expect(await stores.jobs.finish(current, FILE)).toBe(true);
      expect(await late(old)).toEqual([false, false, false]);
      // Repeated, as after a lost response: the first result stays stored.
      expect(await late(current)).toEqual([true, false, false]);
      await nextTurn();
      expect(await stores.videos.find(ada, id)).toMatchObject({ ...FILE, attempt: 2 });
      expect((await stores.videos.quotaUse(ada)).used).toBe(1);
    });
  });
});
