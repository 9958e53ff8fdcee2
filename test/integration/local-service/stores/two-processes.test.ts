import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { defaultLimits } from '../../../../src/local-service/accounts/rate-limits.ts';
import {
  openPostgresStores,
  type PostgresStores,
} from '../../../../src/local-service/postgres/postgres-stores.ts';
import { startService } from '../../../../src/local-service/server.ts';
import { FolderBlobs } from '../../../../src/local-service/storage/folder-blobs.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';
import { type Answer, Client, FakeFrames, FakeRenderer, ManualClock, storyboard } from '../rig.ts';
import { postgres } from './columns.ts';

const GENERATE = '/api/v1/video/generate';
const roomy = { requests: 1000, windowSeconds: 60 };

/** How many answers there are of each status. */
function countByStatus(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe.skipIf(postgres.missing !== undefined)('an attacker at two processes of a service', () => {
  let url: string;
  let clock: ManualClock;
  let stores: PostgresStores;

  beforeAll(() => postgres.begin());
  afterAll(() => postgres.end());
  beforeEach(async () => {
    url = await postgres.database();
    clock = new ManualClock();
    stores = await openStores();
  });

  async function openStores(): Promise<PostgresStores> {
    const opened = await openPostgresStores({
      url,
      clock,
      window: 'fixed',
      slots: 0,
      maxConnections: 10,
      onError: () => undefined,
    });
    onTestFinished(() => opened.close());
    return opened;
  }

  async function startProcess(limits = defaultLimits): Promise<Client> {
    const shared = await openStores();
    const service = await startService({
      dataDir: temporaryFolder(),
      host: '127.0.0.1',
      port: 0,
      window: 'fixed',
      workers: 1,
      limits,
      clock,
      log: pino({ level: 'silent' }),
      frames: new FakeFrames(),
      renderer: new FakeRenderer(),
      blobs: new FolderBlobs(temporaryFolder()),
      shared: { ...shared, close: () => Promise.resolve() },
    });
    const client = new Client(service.url, service.caFile!, service.studioUrl);
    onTestFinished(async () => {
      client.close();
      await service.close();
    });
    return client;
  }

  async function signUp(email = 'a@example.com'): Promise<Record<string, string>> {
    const account = await stores.accounts.add({ email, plan: 'starter' });
    return { 'x-api-key': (await stores.keys.create(account, 'stolen')).value };
  }

  test('gets the last video of a quota once, with fifty requests at once', async () => {
    const processes = await Promise.all([
      startProcess({ ...defaultLimits, generate: roomy }),
      startProcess({ ...defaultLimits, generate: roomy }),
    ]);
    const headers = await signUp();
    const ask = (index: number): Promise<Answer> =>
      processes[index % 2]!.post(GENERATE, storyboard(), headers);
    for (let index = 0; index < 14; index += 1) expect((await ask(index)).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => ask(index)));
    expect(countByStatus(answers)).toEqual({ 200: 1, 403: 49 });
    const [row] = await postgres.server.query(
      `SELECT count(DISTINCT video.id)::int AS videos, count(DISTINCT job.id)::int AS jobs
       FROM spool.video LEFT JOIN spool_jobs.job ON job.id = job_id`,
      url,
    );
    expect(row).toEqual({ videos: 15, jobs: 15 });
  });

  test('is limited to ten requests an hour, whichever process answers', async () => {
    const processes = await Promise.all([startProcess(), startProcess()]);
    const headers = await signUp();
    const ask = (index: number): Promise<Answer> =>
      processes[index % 2]!.post(GENERATE, storyboard(), headers);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => ask(index)));
    expect(countByStatus(answers)).toEqual({ 200: 10, 429: 40 });
    clock.advance(3_600_000);
    expect((await ask(1)).status).toBe(200);
  });

  test('causes no database writes with refused requests', async () => {
    const client = await startProcess();
    const headers = await signUp();
    const ask = (): Promise<Answer> => client.post(GENERATE, storyboard(), headers);
    const guess = (): Promise<Answer> =>
      client.post(GENERATE, storyboard(), { 'x-api-key': `svc_live_${'x'.repeat(43)}` });
    await Promise.all(Array.from({ length: 40 }, () => Promise.all([ask(), guess()])));
    const versions = (): Promise<unknown> =>
      postgres.server.query('SELECT subject, xmin::text FROM spool.rate_window ORDER BY 1', url);
    const before = await versions();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => Promise.all([ask(), guess()])),
    );
    expect(countByStatus(answers.flat())).toEqual({ 429: 100 });
    expect(await versions()).toEqual(before);
    // After the limits reset, guesses are answered again, and the good key works.
    clock.advance(60_000);
    expect((await guess()).status).toBe(401);
    clock.advance(3_540_000);
    expect((await ask()).status).toBe(200);
  });

  test('learns nothing about keys and videos from responses', async () => {
    const [client, other] = await Promise.all([startProcess(), startProcess()]);
    const owner = await signUp('owner@example.com');
    const attacker = await signUp('attacker@example.com');
    const made = await client.post(GENERATE, storyboard(), owner);
    const own = String(made.json.id);
    const body = async (path: string, headers: Record<string, string>): Promise<unknown> => {
      const { status, json } = await other.ask(path, { headers });
      return { status, json };
    };
    for (const route of ['status', 'download']) {
      const unknown = await body(`/api/v1/video/${route}/vid_${'A'.repeat(22)}`, attacker);
      expect(await body(`/api/v1/video/${route}/${own}`, attacker)).toEqual(unknown);
    }
    await stores.keys.revoke((await stores.keys.authenticate(attacker['x-api-key']))!);
    const revoked = await body(`/api/v1/video/status/${own}`, attacker);
    const guessed = { 'x-api-key': `svc_live_${'x'.repeat(43)}` };
    expect(await body(`/api/v1/video/status/${own}`, guessed)).toEqual(revoked);
  });
});
