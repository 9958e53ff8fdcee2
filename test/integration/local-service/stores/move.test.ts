import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { BUILT_SERVICE_FILE } from '../../../rigs/built-programs.ts';
import { defaultLimits } from '../../../../src/local-service/accounts/rate-limits.ts';
import { openPostgresStores } from '../../../../src/local-service/postgres/postgres-stores.ts';
import { startService } from '../../../../src/local-service/server.ts';
import { FolderBlobs } from '../../../../src/local-service/storage/folder-blobs.ts';
import { blankPng } from '../../../rigs/pictures.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';
import {
  Client,
  FakeFrames,
  FakeRenderer,
  ManualClock,
  type Rig,
  seededBytes,
  settled,
  startRig,
  storyboard,
} from '../rig.ts';
import { EMAIL, signUp, uploadPicture } from '../studio-forms.ts';
import { postgres } from './columns.ts';

const GENERATE = '/api/v1/video/generate';

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function migrate(url: string, from: string, files: string): Promise<Outcome> {
  const args = [BUILT_SERVICE_FILE, 'migrate', '--database', '--from', from, '--files', files];
  const env = { ...process.env, SPOOL_SERVICE_DATABASE: url };
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, args, { env })) };
  } catch (error) {
    return error as Outcome;
  }
}

/** How many rows each table with a user's data has. */
async function rowsIn(url: string): Promise<unknown> {
  const [row] = await postgres.server.query(
    `SELECT (SELECT count(*)::int FROM spool.account) AS accounts,
       (SELECT count(*)::int FROM spool.video) AS videos,
       (SELECT count(*)::int FROM spool.image) AS images,
       (SELECT count(*)::int FROM spool_jobs.job WHERE name = 'render') AS jobs`,
    url,
  );
  return row;
}

interface OldService {
  readonly rig: Rig;
  readonly headers: { readonly 'x-api-key': string };
  readonly link: string;
  readonly image: string;
  /** One video is done, one was being rendered, and two are queued. */
  readonly ids: readonly string[];
}

/** A stopped service with an account, a picture, and a video in every state. */
async function createOldService(): Promise<OldService> {
  const renderer = new FakeRenderer('by-hand');
  const rig = await startRig({ renderer });
  const user = await signUp(rig);
  const { image } = await uploadPicture(rig, user, blankPng(4, 3));
  const account = await rig.accounts.setQuota(await rig.accounts.withEmail(EMAIL), 7);
  const headers = { 'x-api-key': (await rig.keys.create(account, 'test')).value };
  const ids: string[] = [];
  const add = async (title: string): Promise<void> => {
    const made = await rig.client.post(GENERATE, storyboard(title), headers);
    ids.push(String(made.json.id));
  };
  await add('one');
  (await renderer.next()).finish();
  await settled(rig, headers, ids[0]!);
  const { json } = await rig.client.ask(`/api/v1/video/download/${ids[0]!}`, { headers });
  await add('failing');
  for (let n = 0; n < 3; n += 1) (await renderer.next()).fail(new Error('broken'));
  await settled(rig, headers, ids.pop()!);
  for (const title of ['two', 'three', 'four']) await add(title);
  await renderer.next();
  await rig.stop();
  // As if the service had been killed.
  const database = new DatabaseSync(path.join(rig.dataDir, 'service.sqlite'));
  database.prepare("UPDATE video SET state = 'rendering' WHERE id = ?").run(ids[1]!);
  database.close();
  return { rig, headers, ids, image, link: String(json.downloadUrl) };
}

describe.skipIf(postgres.missing !== undefined)('the data of a single-computer service', () => {
  beforeAll(() => postgres.begin());
  afterAll(() => postgres.end());

  test('is migrated with accounts, keys, limits, videos, links and files', async () => {
    const { rig, headers, ids, link, image } = await createOldService();
    const url = await postgres.server.createDatabase();
    const files = temporaryFolder();
    const before = readdirSync(rig.dataDir, { recursive: true }).sort();
    const outcome = await migrate(url, rig.dataDir, files);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    const counted = { from: 0, accounts: 1, videos: 5, files: 3, missing: [] };
    expect(JSON.parse(outcome.stdout)).toMatchObject(counted);
    // The folder keeps everything.
    const after = readdirSync(rig.dataDir, { recursive: true });
    expect(after).toEqual(
      expect.arrayContaining(before.filter((name) => !/-(wal|shm)$/.test(String(name)))),
    );
    expect(await rowsIn(url)).toEqual({ accounts: 1, videos: 5, images: 1, jobs: 3 });

    // pg-boss orders jobs by these times.
    const jobs = await postgres.server.query(
      'SELECT DISTINCT created_on FROM spool_jobs.job JOIN spool.video ON job_id = job.id',
      url,
    );
    expect(jobs).toHaveLength(3);

    const { clock } = rig;
    const stores = await openPostgresStores({
      url,
      clock,
      window: 'fixed',
      slots: 4,
      maxConnections: 4,
      onError: (error) => {
        throw error;
      },
    });
    const service = await startService({
      dataDir: temporaryFolder(),
      host: '127.0.0.1',
      port: 0,
      window: 'fixed',
      limits: defaultLimits,
      clock,
      log: pino({ level: 'silent' }),
      renderer: new FakeRenderer(),
      frames: new FakeFrames(),
      workers: 1,
      shared: stores,
      blobs: new FolderBlobs(files),
    });
    const client = new Client(service.url, service.caFile!, service.studioUrl);
    onTestFinished(async () => {
      client.close();
      await service.close();
    });
    const status = await client.ask(`/api/v1/video/status/${ids[0]!}`, { headers });
    expect(status.json).toMatchObject({ status: 'done' });
    const file = await client.ask(link.replace(/^https:\/\/[^/]+/, ''));
    expect(file.bytes.equals(seededBytes('one', 100_000))).toBe(true);
    const account = await stores.accounts.withEmail(EMAIL);
    expect(await stores.images.pixelsOf(account, image)).toBe(12);
    // The failed one costs nothing.
    expect(await stores.videos.quotaUse(account)).toMatchObject({ used: 4, held: 3, limit: 7 });
    // Five requests were made before.
    const made = await client.post(GENERATE, storyboard('five'), headers);
    expect(made.headers['x-ratelimit-remaining']).toBe('4');
    const taken = [];
    for (let n = 0; n < 4; n += 1) taken.push(...(await stores.jobs.take(1, () => undefined)));
    expect(taken.map(({ id }) => id)).toEqual([...ids.slice(1), made.json.id]);
    expect(taken.map(({ attempt }) => attempt)).toEqual([2, 1, 1, 1]);
    expect(await stores.accounts.add({ email: 'b@example.com', plan: 'free' })).toMatchObject({
      email: 'b@example.com',
    });
  });

  test('is migrated completely or not at all', async () => {
    const { rig } = await createOldService();
    const url = await postgres.database();
    const files = temporaryFolder();
    await postgres.server.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'the disk is full'; END $$;
       CREATE CONSTRAINT TRIGGER full_disk AFTER INSERT ON spool.rate_window
         DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()`,
      url,
    );
    expect(await migrate(url, rig.dataDir, files)).toMatchObject({ code: 1 });
    expect(await rowsIn(url)).toEqual({ accounts: 0, videos: 0, images: 0, jobs: 0 });
    await postgres.server.query('DROP TRIGGER full_disk ON spool.rate_window', url);
    const again = await migrate(url, rig.dataDir, files);
    expect(JSON.parse(again.stdout)).toMatchObject({ accounts: 1, videos: 5, files: 3 });
  });

  test('is migrated without missing or damaged files, which are listed', async () => {
    const { rig, ids, image } = await createOldService();
    const [id = ''] = ids;
    writeFileSync(path.join(rig.dataDir, 'videos', id, '1.mp4'), 'damaged');
    rmSync(path.join(rig.dataDir, 'images', image));
    const outcome = await migrate(
      ...([await postgres.server.createDatabase(), rig.dataDir, temporaryFolder()] as const),
    );
    expect(JSON.parse(outcome.stdout)).toMatchObject({ files: 1, missing: [`${id}/1.mp4`, image] });
  });

  test('is refused with the reason', async () => {
    const files = temporaryFolder();
    const url = await postgres.server.createDatabase();
    const refusal = async (from: string, database = url): Promise<string> => {
      const { code, stderr } = await migrate(database, from, files);
      expect(code).toBe(1);
      return stderr;
    };
    const nothing = path.join(temporaryFolder(), 'nothing');
    expect(await refusal(nothing)).toBe(`There is no data of a service in ${nothing}.\n`);
    const foreign = temporaryFolder();
    const file = path.join(foreign, 'service.sqlite');
    mkdirSync(file);
    expect(await refusal(foreign)).toContain('cannot be read');
    rmSync(file, { recursive: true });
    writeFileSync(file, 'not a database');
    expect(await refusal(foreign)).toContain('cannot be read');
    const rig = await startRig({ clock: new ManualClock() });
    await rig.signUp();
    expect(await refusal(rig.dataDir)).toBe(`A service is running already on ${rig.dataDir}.\n`);
    await rig.stop();
    const full = await postgres.database();
    await postgres.server.query(
      "INSERT INTO spool.account (email, plan, signed_up_at) VALUES ('x', 'free', 0)",
      full,
    );
    expect(await refusal(rig.dataDir, full)).toBe(
      'The database has accounts already; a data folder is moved into an empty one only.\n',
    );
    expect(readdirSync(files)).toEqual([]);
  });
});
