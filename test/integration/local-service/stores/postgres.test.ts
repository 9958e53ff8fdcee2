import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { defaultLimits } from '../../../../src/local-service/accounts/rate-limits.ts';
import { systemClock } from '../../../../src/local-service/clock.ts';
import { SCHEMA_VERSION } from '../../../../src/local-service/postgres/postgres-schema.ts';
import {
  migratePostgres,
  openPostgresStores,
  type PostgresStores,
} from '../../../../src/local-service/postgres/postgres-stores.ts';
import { FolderBlobs } from '../../../../src/local-service/storage/folder-blobs.ts';
import type { RenderJob } from '../../../../src/local-service/videos/render-jobs.ts';
import { storedStoryboard } from '../../../../src/local-service/videos/video.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';
import { Client as HttpClient, FakeFrames, FakeRenderer, storyboard } from '../rig.ts';
import { startService } from '../../../../src/local-service/server.ts';
import { pino } from 'pino';
import { cutOffUser, postgres } from './columns.ts';

const ignore = (): undefined => undefined;
const board = storedStoryboard(JSON.stringify(storyboard()))!;

function open(url: string, slots = 0): Promise<PostgresStores> {
  return openPostgresStores({
    url,
    clock: systemClock,
    window: 'fixed',
    slots,
    maxConnections: 4,
    onError: ignore,
  });
}

/** The error of opening a database that cannot be used. */
async function refusal(url: string): Promise<unknown> {
  try {
    await (await open(url)).close();
  } catch (error) {
    return error;
  }
  return undefined;
}

const query = (statements: string, url?: string): Promise<unknown> =>
  postgres.server.query(statements, url);

describe.skipIf(postgres.missing !== undefined)('a shared database', () => {
  beforeAll(() => postgres.begin());
  afterAll(() => postgres.end());

  describe('is refused with the reason', () => {
    test('when it has no tables yet, or those of an earlier or later version', async () => {
      const empty = await postgres.server.createDatabase();
      expect(await refusal(empty)).toMatchObject({
        code: 'DATABASE_OUTDATED',
        message: expect.stringContaining('run “spool service migrate” first') as string,
      });
      const url = await postgres.database();
      await query('UPDATE spool.schema_version SET version = version - 1', url);
      for (const code of ['DATABASE_OUTDATED', 'DATA_TOO_NEW']) {
        expect(await refusal(url)).toMatchObject({ code });
        const migrating = migratePostgres({ url, onError: ignore });
        await expect(migrating).rejects.toMatchObject({ code });
        await query('UPDATE spool.schema_version SET version = version + 2', url);
      }
    });

    test('when another program has its schema', async () => {
      const url = await postgres.server.createDatabase();
      await query('CREATE SCHEMA spool; CREATE TABLE spool.cotton (id int)', url);
      expect(await refusal(url)).toMatchObject({ code: 'DATABASE_FOREIGN' });
      const migrating = migratePostgres({ url, onError: ignore });
      await expect(migrating).rejects.toMatchObject({ code: 'DATABASE_FOREIGN' });
    });

    test('when the user may not use it', async () => {
      const url = await postgres.database();
      const name = `guest_${randomUUID().replaceAll('-', '')}`;
      await query(`CREATE ROLE ${name} LOGIN`);
      const guest = url.replace('//spool@', `//${name}@`);
      expect(await refusal(guest)).toMatchObject({ code: 'DATABASE_FORBIDDEN' });
      // Reading alone is not enough.
      await query(
        `GRANT USAGE ON SCHEMA spool, spool_jobs TO ${name};
         GRANT SELECT ON ALL TABLES IN SCHEMA spool, spool_jobs TO ${name}`,
        url,
      );
      expect(await refusal(guest)).toMatchObject({ code: 'DATABASE_FORBIDDEN' });
      const empty = await postgres.server.createDatabase();
      const migrating = migratePostgres({
        url: empty.replace('//spool@', `//${name}@`),
        onError: ignore,
      });
      await expect(migrating).rejects.toMatchObject({ code: 'DATABASE_FORBIDDEN' });
    });

    test('when the database or its server does not exist', async () => {
      const missing = { code: 'DATABASE_UNREACHABLE' };
      expect(await refusal(postgres.server.url('nowhere'))).toMatchObject(missing);
      const silent = 'postgres://spool@127.0.0.1:1/spool';
      expect(await refusal(silent)).toMatchObject(missing);
      expect(await refusal('postgres://spool:se cret@[/x')).toMatchObject(missing);
    });
  });

  test('serves other accounts while the requests of one wait for each other', async () => {
    const url = await postgres.database();
    const stores = await open(url);
    onTestFinished(() => stores.close());
    const [busy, other] = [
      await stores.accounts.add({ email: 'busy@example.com', plan: 'pro' }),
      await stores.accounts.add({ email: 'other@example.com', plan: 'pro' }),
    ];
    const holder = new Client({ connectionString: url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM spool.account WHERE id = $1 FOR NO KEY UPDATE', [busy.id]);
    // More requests than the process has connections.
    const waiting = Array.from({ length: 20 }, async () => stores.videos.accept(busy, board, 5));
    const accepted = await stores.videos.accept(other, board, 5);
    await holder.query('COMMIT');
    await holder.end();
    expect(accepted).toMatchObject({ kind: 'accepted' });
    for (const outcome of await Promise.all(waiting)) expect(outcome.kind).toBe('accepted');
    expect((await stores.videos.quotaUse(busy)).used).toBe(20);
  });

  test('is migrated once, even if several processes try', async () => {
    const url = await postgres.server.createDatabase();
    const results = await Promise.all(
      Array.from({ length: 4 }, () => migratePostgres({ url, onError: ignore })),
    );
    expect(results.map(({ from }) => from).sort()).toEqual([
      0,
      SCHEMA_VERSION,
      SCHEMA_VERSION,
      SCHEMA_VERSION,
    ]);
    expect(await refusal(url)).toBeUndefined();
  });

  test('reports why videos wait when no worker renders', async () => {
    const url = await postgres.database();
    const [api, one, other] = [await open(url), await open(url, 1), await open(url, 1)];
    onTestFinished(async () => {
      await Promise.all([api.close(), one.close(), other.close()]);
    });
    const waitingFor = async () => api.monitor.waitingFor();
    expect(await waitingFor()).toContain('no computer of the service');
    for (const { jobs } of [one, other]) await jobs.take(1, ignore);
    expect(await waitingFor()).toBeUndefined();
    await one.jobs.reportOutage('disk-full');
    expect(await waitingFor()).toBeUndefined();
    await other.jobs.reportOutage('disk-full');
    expect(await waitingFor()).toContain('the disk of the service is full');
    await query("UPDATE spool.worker SET outage = 'of-a-later-version'", url);
    expect(await waitingFor()).toBeUndefined();
    await one.jobs.reportOutage(undefined);
    expect(await waitingFor()).toBeUndefined();
    await query("UPDATE spool.worker SET seen_at = now() - interval '31 s'", url);
    expect(await waitingFor()).toContain('no computer of the service');
  });

  test('that was upgraded is refused by processes that use it', async () => {
    const url = await postgres.database();
    const stores = await open(url);
    onTestFinished(() => stores.close());
    await stores.check();
    await query('UPDATE spool.schema_version SET version = version + 1', url);
    await expect(stores.check()).rejects.toMatchObject({ code: 'DATA_TOO_NEW' });
  });

  test('forgets workers that have been silent for too long', async () => {
    const url = await postgres.database();
    const [lost, working] = [await open(url, 1), await open(url, 1)];
    onTestFinished(async () => {
      await Promise.all([lost.close(), working.close()]);
    });
    await lost.jobs.take(1, ignore);
    const gone = "UPDATE spool.worker SET seen_at = now() - interval '31 s'";
    await query(gone, url);
    await working.jobs.take(1, ignore);
    expect(await query('SELECT slots FROM spool.worker', url)).toHaveLength(1);
  });

  test('has the same jobs as pg-boss would create and complete', async () => {
    const url = await postgres.database();
    const stores = await open(url, 1);
    const boss = new PgBoss({ connectionString: url, schema: 'spool_jobs', supervise: false });
    boss.on('error', ignore);
    await boss.start();
    onTestFinished(async () => {
      await Promise.all([boss.stop({ graceful: false }), stores.close()]);
    });
    const jobs = () =>
      postgres.server.query(
        `SELECT to_jsonb(job) - 'id' || jsonb_build_object(
           'kept', keep_until - start_after, 'start_after', start_after - created_on,
           'created_on', null, 'keep_until', null, 'started_on', started_on IS NOT NULL,
           'heartbeat_on', heartbeat_on IS NOT NULL, 'completed_on', completed_on IS NOT NULL) AS job
         FROM spool_jobs.job ORDER BY created_on`,
        url,
      );
    const account = await stores.accounts.add({ email: 'a@example.com', plan: 'pro' });
    const accepted = await stores.videos.accept(account, board, 5);
    const video = accepted.kind === 'accepted' ? accepted.id : '';
    await boss.send('render', { video }, { group: { id: String(account.id) } });
    const [own, theirs] = await jobs();
    expect(own).toEqual(theirs);
    const [taken] = await stores.jobs.take(1, ignore);
    await stores.jobs.finish(taken!, { bytes: 1, sha256: 'a' });
    const [fetched] = await boss.fetch('render');
    await boss.complete('render', fetched!.id);
    const [ended, endedByBoss] = await jobs();
    expect(ended).toEqual(endedByBoss);
    expect(ended).toMatchObject({ job: { state: 'completed' } });
  });

  test('gives waiting accounts equal shares of the workers', async () => {
    const { clock, stores } = await postgres.open();
    const accept = async (email: string, count: number): Promise<void> => {
      const account = await stores.accounts.addIfMissing({ email, plan: 'pro' });
      for (let n = 0; n < count; n += 1) await stores.videos.accept(account, board, 5);
    };
    const owner = async ({ id }: RenderJob): Promise<number> =>
      (await stores.videos.findTitled({ id: 1 } as never, id)) ? 1 : 2;
    await accept('many@example.com', 9);
    await accept('few@example.com', 2);
    const taken: RenderJob[] = [];
    const takeAll = async (): Promise<void> => {
      clock.advance(2000);
      while (taken.length < 4) {
        const [job] = await stores.jobs.take(1, ignore);
        if (!job) return;
        taken.push(job);
      }
    };
    await takeAll();
    expect(await Promise.all(taken.map(owner))).toEqual([1, 1, 2, 2]);
    // The account that waits alone gets all four.
    for (const job of taken.splice(2)) await stores.jobs.finish(job, { bytes: 1, sha256: 'a' });
    await takeAll();
    expect(await Promise.all(taken.map(owner))).toEqual([1, 1, 1, 1]);
  });

  test('lets an account with five videos overtake one with 10,000 queued before', async () => {
    const url = await postgres.database();
    const stores = await open(url, 8);
    onTestFinished(() => stores.close());
    const many = await stores.accounts.add({ email: 'many@example.com', plan: 'business' });
    const few = await stores.accounts.add({
      email: 'few@example.com',
      plan: 'free',
      customQuota: 5,
    });
    await stores.videos.accept(many, board, 5);
    await query(
      `INSERT INTO spool.video
         (id, account_id, job_id, title, storyboard, state, duration_seconds, created_at)
       SELECT 'vid_' || lpad(n::text, 22, '0'), account_id, gen_random_uuid(), title, storyboard,
         state, duration_seconds, created_at
       FROM spool.video, generate_series(2, 10000) n;
       INSERT INTO spool_jobs.job (id, name, data, group_id, policy, keep_until, retry_limit)
       SELECT job_id, name, jsonb_build_object('video', video.id), group_id, policy, keep_until,
         retry_limit
       FROM spool_jobs.job, spool.video WHERE job.id <> job_id`,
      url,
    );
    for (let n = 0; n < 5; n += 1) await stores.videos.accept(few, board, 5);
    const ofFew = async (jobs: readonly RenderJob[]): Promise<RenderJob[]> => {
      const owned = await Promise.all(jobs.map(async ({ id }) => stores.videos.find(few, id)));
      return jobs.filter((_, at) => owned[at] !== undefined);
    };
    const rendering: RenderJob[] = [];
    const takeAll = async (): Promise<void> => {
      for (;;) {
        const taken = await stores.jobs.take(8 - rendering.length, ignore);
        if (taken.length === 0) return;
        rendering.push(...taken);
        if (rendering.length === 8) return;
      }
    };
    await takeAll();
    expect([rendering.length, (await ofFew(rendering)).length]).toEqual([8, 4]);
    // When one of them ends, the fifth is next.
    const [first] = await ofFew(rendering);
    await stores.jobs.finish(first!, { bytes: 1, sha256: 'a' });
    rendering.splice(rendering.indexOf(first!), 1);
    await takeAll();
    expect([rendering.length, (await ofFew(rendering)).length]).toEqual([8, 4]);
    expect((await stores.videos.quotaUse(few)).held).toBe(4);
  });

  test('takes the first videos of an account that is limited to its share', async () => {
    const { stores, clock } = await postgres.open();
    const ids: string[] = [];
    for (const [email, count] of [
      ['many@example.com', 9],
      ['few@example.com', 1],
    ] as const) {
      const account = await stores.accounts.add({ email, plan: 'pro' });
      for (let n = 0; n < count; n += 1) {
        const accepted = await stores.videos.accept(account, board, 5);
        if (accepted.kind === 'accepted') ids.push(accepted.id);
      }
    }
    clock.advance(2000);
    // Two accounts get two workers each.
    const taken = await stores.jobs.take(4, ignore);
    expect(taken.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  });

  test('that is unreachable is a 503 for clients, and nothing is lost', async () => {
    const user = await cutOffUser();
    const url = await postgres.database();
    const stores = await open(url.replace('//spool@', `//${user.name}@`));
    const account = await stores.accounts.add({ email: 'a@example.com', plan: 'pro' });
    const { value } = await stores.keys.create(account, 'test');
    const headers = { 'x-api-key': value };
    const service = await startService({
      dataDir: temporaryFolder(),
      host: '127.0.0.1',
      port: 0,
      window: 'fixed',
      limits: defaultLimits,
      clock: systemClock,
      log: pino({ level: 'silent' }),
      renderer: new FakeRenderer(),
      frames: new FakeFrames(),
      workers: 1,
      shared: stores,
      blobs: new FolderBlobs(temporaryFolder()),
    });
    const client = new HttpClient(service.url, service.caFile!, service.studioUrl);
    onTestFinished(async () => {
      client.close();
      await service.close();
    });
    const made = await client.post('/api/v1/video/generate', storyboard(), headers);
    expect(made.status).toBe(200);
    const status = `/api/v1/video/status/${String(made.json.id)}`;
    await user.cutOff();
    for (const path of [status, '/studio', '/api/v1/openapi.json']) {
      const answer = await client.ask(path, {
        headers: { ...headers, cookie: `__Host-spool-session=${'x'.repeat(43)}` },
      });
      expect(answer.status, path).toBe(path.endsWith('.json') ? 200 : 503);
      expect(answer.headers['x-ratelimit-remaining'], path).toBeDefined();
    }
    const refused = await client.post('/api/v1/video/generate', storyboard(), headers);
    expect(refused.json).toMatchObject({ success: false, code: 'UNAVAILABLE' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await user.reconnect();
    const back = await client.ask(status, { headers });
    expect(back.json).toMatchObject({ status: 'queued', position: 1 });
    expect((await stores.videos.quotaUse(account)).used).toBe(1);
  });
});
