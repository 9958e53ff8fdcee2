import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Account } from '../../../src/local-service/accounts/account.ts';
import { defaultLimits } from '../../../src/local-service/accounts/rate-limits.ts';
import {
  CommitUncertainError,
  DatabaseUnavailableError,
} from '../../../src/local-service/database-unavailable.ts';
import {
  openPostgresStores,
  type PostgresStores,
} from '../../../src/local-service/postgres/postgres-stores.ts';
import { startService } from '../../../src/local-service/server.ts';
import { FolderBlobs } from '../../../src/local-service/storage/folder-blobs.ts';
import type { RenderJob } from '../../../src/local-service/videos/render-jobs.ts';
import { storedStoryboard } from '../../../src/local-service/videos/video.ts';
import { PostgresProxy } from '../../rigs/postgres-proxy.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';
import {
  Client,
  FakeFrames,
  FakeRenderer,
  ManualClock,
  storyboard,
} from '../../integration/local-service/rig.ts';
import { postgres } from '../../integration/local-service/stores/columns.ts';
import { casesOf } from '../long-form.ts';

/** The short form cuts only operations that store several items in one transaction. */
function longTest(name: string, body: () => Promise<void>): void {
  test(name, async ({ skip }) => {
    if (casesOf({ short: 0, long: 1 }) === 0) skip('many statements: npm run test:soak');
    await body();
  });
}

const FILE = { bytes: 1234, sha256: 'a'.repeat(64) };
const HASH = {
  salt: Buffer.alloc(16, 1),
  hash: Buffer.alloc(32, 2),
  cost: 2,
  blockSize: 8,
  parallelization: 1,
};
const LIMIT = { requests: 5, windowSeconds: 60 };
const GENERATE = '/api/v1/video/generate';
const ignore = (): undefined => undefined;

interface World {
  readonly clock: ManualClock;
  readonly proxy: PostgresProxy;
  /** Stores of a process whose database connection will be cut. */
  readonly stores: PostgresStores;
  /** Stores of a process that keeps its database connection and detects lost workers. */
  readonly others: PostgresStores;
  query(statements: string): Promise<Record<string, unknown>[]>;
}

async function openWorld(): Promise<World> {
  const direct = await postgres.database();
  const clock = new ManualClock();
  const proxy = await PostgresProxy.start(postgres.server.socket);
  const options = { clock, window: 'fixed', slots: 1, maxConnections: 2, onError: ignore } as const;
  const url = proxy.url(new URL(direct).pathname.slice(1));
  const stores = await openPostgresStores({ ...options, url, superviseSeconds: 600 });
  const others = await openPostgresStores({ ...options, url: direct, superviseSeconds: 1 });
  onTestFinished(async () => {
    proxy.resume();
    await Promise.all([stores.close(), others.close()]);
    await proxy[Symbol.asyncDispose]();
  });
  const query = (statements: string) => postgres.server.query(statements, direct);
  return { clock, proxy, stores, others, query };
}

/** One run of an operation. */
interface Case<Before> {
  readonly before: Before;
  /** Whether the server received the last statement, which commits. */
  readonly isStored: boolean;
  /** The position of the cut, for messages. */
  readonly at: string;
}

interface Operation<Before> {
  /** Called for each case. */
  prepare(account: Account): Promise<Before>;
  /** @param at the statement that is cut; `undefined` when none is */
  run(before: Before, at: string | undefined): Promise<unknown>;
  /** Called when the database is available again. */
  check(oneCase: Case<Before>, account: Account): Promise<void>;
}

/** Cuts each statement of an operation, before and after it. Returns the statements. */
async function cutEach<Before>(
  world: World,
  operation: Operation<Before>,
): Promise<readonly string[]> {
  const statements = await statementsOf(world, operation);
  for (const [index, at] of statements.entries()) {
    const nth = statements.slice(0, index + 1).filter((statement) => statement === at).length;
    for (const cut of ['before', 'after'] as const) {
      const { account, before } = await prepare(world, operation, `${cut}-${index}`);
      world.proxy.cutAtStatement(at, nth, cut);
      const outcome: unknown = await operation
        .run(before, at)
        .then(ignore, (error: unknown) => error);
      const { isCut } = world.proxy;
      world.proxy.resume();
      await untilAvailable(world, account);
      expect(isCut, `${cut} ${at}`).toBe(true);
      expect(outcome, `${cut} ${at}`).toBeInstanceOf(DatabaseUnavailableError);
      const isStored = cut === 'after' && index === statements.length - 1;
      await operation.check({ before, isStored, at: `${cut} ${at}` }, account);
    }
  }
  return statements;
}

/**
 * The statements of an operation, after two consecutive runs with the same: a statement from
 * elsewhere would be in only one of them.
 */
async function statementsOf<Before>(
  world: World,
  operation: Operation<Before>,
): Promise<readonly string[]> {
  for (let run = 1, last: readonly string[] = []; ; run += 1) {
    const { account, before } = await prepare(world, operation, `uncut-${run}`);
    const statements = await world.proxy.record(() => operation.run(before, undefined));
    await operation.check({ before, isStored: true, at: 'uncut' }, account);
    if (statements.join('\n') === last.join('\n')) return statements;
    last = statements;
  }
}

async function prepare<Before>(
  world: World,
  operation: Operation<Before>,
  name: string,
): Promise<{ account: Account; before: Before }> {
  const account = await world.others.accounts.add({ email: `${name}@example.com`, plan: 'pro' });
  const before = await operation.prepare(account);
  // The next heartbeat and the next check of the shares are due.
  world.clock.advance(6_000);
  return { account, before };
}

/** A connection of the pool may not have noticed yet that it is closed. */
async function untilAvailable({ stores }: World, account: Account): Promise<void> {
  const ask = () => stores.videos.quotaUse(account);
  await expect
    .poll(
      () =>
        Promise.all([ask(), ask()]).then(
          () => true,
          () => false,
        ),
      { interval: 5 },
    )
    .toBe(true);
}

const storedBoard = storedStoryboard(JSON.stringify(storyboard()))!;

async function accept(stores: PostgresStores, account: Account): Promise<string> {
  const accepted = await stores.videos.accept(account, storedBoard, 5);
  if (accepted.kind !== 'accepted') throw new Error(accepted.kind);
  return accepted.id;
}

/** Adds another account for the same run. */
function addSecondAccount({ others }: World, { email }: Account): Promise<Account> {
  return Promise.resolve(others.accounts.add({ email: `second-${email}`, plan: 'pro' }));
}

async function usedBy({ others }: World, account: Account): Promise<number> {
  return (await others.videos.quotaUse(account)).used;
}

/** Renders the queued video, and expects exactly this one to be finished. */
async function expectRendered(world: World, account: Account, id: string): Promise<void> {
  const { others } = world;
  await world.query(
    `UPDATE spool_jobs.job SET heartbeat_on = now() - interval '1 hour' WHERE state = 'active'`,
  );
  let job: RenderJob | undefined;
  await expect
    .poll(async () => ([job] = await others.jobs.take(1, ignore))[0]?.id, {
      interval: 20,
      timeout: 6000,
    })
    .toBe(id);
  expect(await others.jobs.finish(job!, FILE)).toBe(true);
  await expectDone(world, account, id);
}

async function expectDone(world: World, account: Account, id: string): Promise<void> {
  expect(await world.others.videos.find(account, id)).toMatchObject({ state: 'done' });
  expect(await usedBy(world, account)).toBe(1);
  expect(await world.others.jobs.take(1, ignore)).toEqual([]);
}

describe.skipIf(postgres.missing !== undefined)('when the database fails at any statement', () => {
  beforeAll(() => postgres.begin());
  afterAll(() => postgres.end());

  /** A video that is being rendered by the process whose database connection is cut. */
  const claimed = (world: World) => async (account: Account) => {
    await accept(world.others, account);
    const [job] = await world.stores.jobs.take(1, ignore);
    if (!job) throw new Error('no video waits');
    return job;
  };

  test('accepting a video stores it with its job and quota, or nothing', async () => {
    const world = await openWorld();
    const statements = await cutEach(world, {
      prepare: (account) => Promise.resolve(account),
      run: (account) => accept(world.stores, account),
      async check({ isStored, at }, account) {
        const count = isStored ? 1 : 0;
        expect(await usedBy(world, account), at).toBe(count);
        const [row] = await world.query(
          `SELECT count(*)::int AS videos, count(job.id)::int AS jobs FROM spool.video
           LEFT JOIN spool_jobs.job ON job.id = job_id WHERE account_id = ${account.id}`,
        );
        expect(row).toEqual({ videos: count, jobs: count });
        const orphans = await world.query(
          "SELECT FROM spool_jobs.job WHERE name = 'render' AND id NOT IN (SELECT job_id FROM spool.video)",
        );
        expect(orphans).toEqual([]);
      },
    });
    expect(statements.at(-1)).toBe('COMMIT');
  });

  test('accepting several videos at once stores all that it confirms', async () => {
    const world = await openWorld();
    const statements = await cutEach(world, {
      prepare: async (account) => ({
        accounts: [account, await addSecondAccount(world, account)],
        outcomes: [] as PromiseSettledResult<string>[],
      }),
      async run(before) {
        const { accounts } = before;
        // The first one has a separate transaction, and the others share the next one.
        before.outcomes = await Promise.allSettled(
          [0, 1, 0, 1].map((which) => accept(world.stores, accounts[which]!)),
        );
        for (const outcome of before.outcomes) {
          if (outcome.status === 'rejected') throw outcome.reason;
        }
      },
      async check({ before: { accounts, outcomes }, at }) {
        const ids = accounts.map(({ id }) => id).join();
        const rows = await world.query(
          `SELECT video.id FROM spool.video JOIN spool_jobs.job ON job.id = job_id
             WHERE account_id IN (${ids})`,
        );
        const used = await Promise.all(accounts.map((account) => usedBy(world, account)));
        expect(used[0]! + used[1]!, at).toBe(rows.length);
        const stored = rows.map(({ id }) => id);
        const accepted = outcomes.flatMap((each) =>
          each.status === 'fulfilled' ? each.value : [],
        );
        expect(stored, at).toEqual(expect.arrayContaining(accepted));
        const uncertain = outcomes.filter(
          (each) => each.status === 'rejected' && each.reason instanceof CommitUncertainError,
        );
        // Requests with a definite refusal are not stored; the others are stored together, or not
        // at all.
        expect([0, uncertain.length], at).toContain(stored.length - accepted.length);
      },
    });
    expect(statements.filter((statement) => statement === 'COMMIT')).toHaveLength(2);
  });

  longTest(
    'a request gets a 503 that says when to retry, and is counted at most once',
    async () => {
      const world = await openWorld();
      const service = await startService({
        dataDir: temporaryFolder(),
        host: '127.0.0.1',
        port: 0,
        window: 'fixed',
        workers: 1,
        limits: defaultLimits,
        clock: world.clock,
        log: pino({ level: 'silent' }),
        renderer: new FakeRenderer(),
        frames: new FakeFrames(),
        shared: { ...world.stores, close: () => Promise.resolve() },
        blobs: new FolderBlobs(temporaryFolder()),
      });
      const client = new Client(service.url, service.caFile!, service.studioUrl);
      onTestFinished(async () => {
        client.close();
        await service.close();
      });
      const statements = await cutEach(world, {
        async prepare(account) {
          return { 'x-api-key': (await world.others.keys.create(account, 'test')).value };
        },
        async run(headers, at) {
          const {
            status,
            headers: answered,
            json,
          } = await client.post(...([GENERATE, storyboard(), headers] as const));
          if (status === 200) return;
          expect(status).toBe(503);
          expect(json).toMatchObject({ success: false, code: 'UNAVAILABLE' });
          // A video that may have been accepted must not be sent again.
          expect(answered['retry-after']).toBe(at === 'COMMIT' ? undefined : '10');
          throw new DatabaseUnavailableError(undefined);
        },
        async check({ before: headers, isStored, at }, account) {
          const used = await usedBy(world, account);
          expect(used, at).toBe(isStored ? 1 : 0);
          const again = await client.post(GENERATE, storyboard(), headers);
          expect(again.status).toBe(200);
          // Ten an hour: this one, and the previous one if it was counted.
          expect(['8', '9']).toContain(again.headers['x-ratelimit-remaining']);
          expect(await usedBy(world, account)).toBe(used + 1);
        },
      });
      expect(statements.at(-1)).toBe('COMMIT');
    },
  );

  longTest('claiming a video loses none and fails none', async () => {
    const world = await openWorld();
    const statements = await cutEach(world, {
      prepare: (account) => accept(world.others, account),
      run: async () => world.stores.jobs.take(1, ignore),
      check: ({ before: id }, account) => expectRendered(world, account, id),
    });
    expect(statements.at(-1)).toBe('COMMIT');
  });

  longTest('reporting progress leaves the video with its worker', async () => {
    const world = await openWorld();
    const statements = await cutEach(world, {
      prepare: claimed(world),
      run: (job) => world.stores.jobs.report(job, 0.5),
      async check({ before: job }, account) {
        expect(await world.stores.jobs.report(job, 0.6)).toBe(true);
        await expectFinished(world, job, job.id);
        await expectDone(world, account, job.id);
      },
    });
    expect(statements.join()).toContain('progress');
  });

  longTest('finishing a video stores its result once, and can be repeated', async () => {
    const world = await openWorld();
    const statements = await cutEach(world, {
      prepare: claimed(world),
      run: (job) => world.stores.jobs.finish(job, FILE),
      async check({ before: job }, account) {
        await expectFinished(world, job, job.id);
        await expectDone(world, account, job.id);
      },
    });
    expect(statements).toHaveLength(1);
  });

  test('finishing several videos stores each result once, and can be repeated', async () => {
    const world = await openWorld();
    const statements = await cutEach(world, {
      async prepare(account) {
        // Two accounts, since the process renders one video of an account at a time.
        const accounts = [account, await addSecondAccount(world, account)];
        for (const each of accounts) await accept(world.others, each);
        const jobs: RenderJob[] = [];
        while (jobs.length < 2) jobs.push(...(await world.stores.jobs.take(2, ignore)));
        return { accounts, jobs: [...jobs, ...jobs] };
      },
      run: ({ jobs }) => Promise.all(jobs.map(async (job) => world.stores.jobs.finish(job, FILE))),
      async check({ before: { accounts, jobs }, at }) {
        const again = jobs.map(async (job) => world.stores.jobs.finish(job, FILE));
        expect(await Promise.all(again), at).toEqual([true, true, true, true]);
        for (const account of accounts) {
          const { used, held } = await world.others.videos.quotaUse(account);
          expect([used, held], at).toEqual([1, 0]);
        }
        expect(await world.others.jobs.take(1, ignore), at).toEqual([]);
      },
    });
    // The first result has a separate statement. The others are stored by the next one, which does
    // not return the first again, so it is looked up.
    expect(statements).toHaveLength(3);
  });

  longTest('failing a video refunds its quota once', async () => {
    const world = await openWorld();
    const statements = await cutEach(world, {
      prepare: claimed(world),
      run: (job) => world.stores.jobs.fail(job, 'broken'),
      async check({ before: job, isStored, at }, account) {
        expect(await usedBy(world, account), at).toBe(isStored ? 0 : 1);
        await world.stores.jobs.fail(job, 'broken');
        expect(await world.others.videos.find(account, job.id)).toMatchObject({
          state: 'failed',
        });
        expect(await usedBy(world, account)).toBe(0);
        expect(await world.others.jobs.take(1, ignore)).toEqual([]);
      },
    });
    expect(statements).toHaveLength(1);
  });

  longTest('putting a video back leaves it queued', async () => {
    const world = await openWorld();
    const statements = await cutEach(world, {
      prepare: claimed(world),
      run: (job) => world.stores.jobs.requeue(job, 'stopped'),
      async check({ before: job }, account) {
        await world.stores.jobs.requeue(job, 'stopped');
        await expectRendered(world, account, job.id);
      },
    });
    expect(statements.at(-1)).toBe('COMMIT');
  });

  test('counting a request counts it at most once', async () => {
    const world = await openWorld();
    const statements = await cutEach(world, {
      prepare: (account) => Promise.resolve(`account:${account.id}`),
      run: async (subject) => world.stores.counters.consume(subject, 'generate', LIMIT),
      async check({ before: subject, isStored }) {
        const { remaining } = await world.others.counters.status(subject, 'generate', LIMIT);
        expect(remaining).toBe(isStored ? 4 : 5);
      },
    });
    expect(statements).toHaveLength(1);
  });

  test('registering stores account and password, or neither', async () => {
    const world = await openWorld();
    const statements = await cutEach(world, {
      prepare: (account) =>
        Promise.resolve({ email: `new-${account.email}`, plan: 'free' as const }),
      run: async (account) => world.stores.passwords.addAccount(account, HASH),
      async check({ before: account, isStored }) {
        const { passwords } = world.others;
        expect((await passwords.find(account.email)) !== undefined).toBe(isStored);
        const again = world.stores.passwords.addAccount(account, HASH);
        if (isStored) await expect(again).rejects.toMatchObject({ code: 'ACCOUNT_EXISTS' });
        else await again;
        expect(await passwords.find(account.email)).toBeDefined();
      },
    });
    expect(statements.at(-1)).toBe('COMMIT');
  });
});

async function expectFinished({ stores }: World, job: RenderJob, id: string): Promise<void> {
  expect(job.id).toBe(id);
  expect(await stores.jobs.finish(job, FILE)).toBe(true);
}
