import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Account } from '../../../../src/local-service/accounts/account.ts';
import {
  openPostgresStores,
  type PostgresStores,
} from '../../../../src/local-service/postgres/postgres-stores.ts';
import { storedStoryboard } from '../../../../src/local-service/videos/video.ts';
import { RenderWorker } from '../../../rigs/render-worker.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';
import { systemClock } from '../../../../src/local-service/clock.ts';
import { cutOffUser, postgres } from './columns.ts';

interface Farm {
  readonly url: string;
  readonly stores: PostgresStores;
  readonly account: Account;
  readonly files: string;
  /** Starts a worker process, which ends with the test. */
  work(user?: string): Promise<RenderWorker>;
  accept(title: string): Promise<string>;
  /** A video as its account sees it. */
  find(id: string): Promise<Record<string, unknown>>;
  /** Makes the heartbeats of all running jobs too old for pg-boss. */
  letHeartbeatsExpire(): Promise<void>;
}

async function startFarm(): Promise<Farm> {
  const url = await postgres.database();
  const stores = await openPostgresStores({
    url,
    clock: systemClock,
    window: 'fixed',
    slots: 0,
    maxConnections: 4,
    superviseSeconds: 1,
    // Lost connections are part of the tests.
    onError: () => undefined,
  });
  onTestFinished(() => stores.close());
  const account = await stores.accounts.add({ email: 'ada@example.com', plan: 'pro' });
  const files = temporaryFolder();
  return {
    url,
    stores,
    account,
    files,
    async work(user = 'spool') {
      const address = url.replace('//spool@', `//${user}@`);
      const worker = new RenderWorker({ url: address, files, dataDir: temporaryFolder() });
      onTestFinished(() => worker[Symbol.asyncDispose]());
      await worker.ready;
      return worker;
    },
    async accept(title) {
      const board = storedStoryboard(
        JSON.stringify({ title, scenes: [{ kind: 'title', text: title }] }),
      );
      const accepted = await stores.videos.accept(account, board!, 5);
      if (accepted.kind !== 'accepted') throw new Error(accepted.kind);
      return accepted.id;
    },
    find: async (id) => ({ ...(await stores.videos.find(account, id)) }),
    async letHeartbeatsExpire() {
      await postgres.server.query(
        `UPDATE spool_jobs.job SET heartbeat_on = now() - interval '1 hour' WHERE state = 'active'`,
        url,
      );
    },
  };
}

const used = async ({ stores, account }: Farm): Promise<number> =>
  (await stores.videos.quotaUse(account)).used;

const filesOf = ({ files }: Farm, id: string): string[] => readdirSync(path.join(files, id)).sort();

describe.skipIf(postgres.missing !== undefined)('workers of a shared database', () => {
  beforeAll(() => postgres.begin());
  afterAll(() => postgres.end());

  test('take over the video of a killed worker', async () => {
    const farm = await startFarm();
    const killed = await farm.work();
    const id = await farm.accept('hold');
    await expect.poll(() => killed.begun).toEqual(['hold']);
    await killed.end('SIGKILL');
    const other = await farm.work();
    other.release();
    await farm.letHeartbeatsExpire();
    await expect.poll(() => farm.find(id)).toMatchObject({ state: 'done', attempt: 2 });
    expect(filesOf(farm, id)).toEqual(['2.jpg', '2.mp4']);
    expect(await used(farm)).toBe(1);
  });

  test('leave a video waiting when they are lost and no other takes it', async () => {
    const farm = await startFarm();
    const killed = await farm.work();
    const id = await farm.accept('hold');
    await expect.poll(() => killed.begun).toEqual(['hold']);
    expect(await farm.find(id)).toMatchObject({ state: 'rendering' });
    await killed.end('SIGKILL');
    await farm.letHeartbeatsExpire();
    await expect.poll(() => farm.find(id)).toMatchObject({ state: 'queued' });
    expect(await farm.stores.videos.findTitled(farm.account, id)).toMatchObject({
      video: { state: 'queued' },
    });
    expect(await farm.stores.videos.queuePosition(id)).toBe(1);
    const other = await farm.work();
    other.release();
    await expect.poll(() => farm.find(id)).toMatchObject({ state: 'done', attempt: 2 });
  });

  test('fail a video after three lost workers, and return its quota', async () => {
    const farm = await startFarm();
    const id = await farm.accept('hold');
    for (let lost = 0; lost < 3; lost += 1) {
      const worker = await farm.work();
      if (lost > 0) await farm.letHeartbeatsExpire();
      await expect.poll(() => worker.begun).toEqual(['hold']);
      await worker.end('SIGKILL');
    }
    await farm.work();
    await farm.letHeartbeatsExpire();
    await expect
      .poll(() => farm.find(id))
      .toMatchObject({ state: 'failed', error: 'Rendering was interrupted too often.' });
    expect(await used(farm)).toBe(0);
  });

  test('that were suspended for too long have no effect when they continue', async () => {
    const farm = await startFarm();
    const suspended = await farm.work();
    const id = await farm.accept('hold');
    await expect.poll(() => suspended.begun).toEqual(['hold']);
    suspended.signal('SIGSTOP');
    const other = await farm.work();
    other.release();
    await farm.letHeartbeatsExpire();
    await expect.poll(() => farm.find(id)).toMatchObject({ state: 'done', attempt: 2 });
    const result = readFileSync(path.join(farm.files, id, '2.mp4'), 'utf8');
    // It finishes its render at once, before it can notice the takeover.
    suspended.release();
    suspended.signal('SIGCONT');
    // Otherwise it could take the next video too.
    await other.end('SIGTERM');
    const next = await farm.accept('after');
    await expect.poll(() => farm.find(next)).toMatchObject({ state: 'done' });
    expect(suspended.begun).toEqual(['hold', 'after']);
    expect(filesOf(farm, id)).toEqual(['2.jpg', '2.mp4']);
    expect(readFileSync(path.join(farm.files, id, '2.mp4'), 'utf8')).toBe(result);
    expect(await farm.find(id)).toMatchObject({ state: 'done', attempt: 2 });
    expect(await used(farm)).toBe(2);
  });

  test('that are cut off from the database finish videos that no other worker took over', async () => {
    const farm = await startFarm();
    const user = await cutOffUser();
    const worker = await farm.work(user.name);
    const id = await farm.accept('hold');
    await expect.poll(() => worker.begun).toEqual(['hold']);
    await user.cutOff();
    worker.release();
    // It has rendered the video, but cannot record it.
    await expect.poll(() => worker.complaints.join()).toContain('database');
    expect(await farm.find(id)).toMatchObject({ state: 'rendering' });
    await user.reconnect();
    await expect.poll(() => farm.find(id)).toMatchObject({ state: 'done', attempt: 1 });
    expect(await used(farm)).toBe(1);
  });

  test('that are cut off for too long lose their video to another', async () => {
    const farm = await startFarm();
    const user = await cutOffUser();
    const worker = await farm.work(user.name);
    const id = await farm.accept('hold');
    await expect.poll(() => worker.begun).toEqual(['hold']);
    await user.cutOff();
    const other = await farm.work();
    other.release();
    await farm.letHeartbeatsExpire();
    await expect.poll(() => farm.find(id)).toMatchObject({ state: 'done', attempt: 2 });
    worker.release();
    await user.reconnect();
    await other.end('SIGTERM');
    const next = await farm.accept('after');
    await expect.poll(() => farm.find(next)).toMatchObject({ state: 'done' });
    expect(filesOf(farm, id)).toEqual(['2.jpg', '2.mp4']);
    expect(await used(farm)).toBe(2);
  });

  test('that are asked to end requeue their videos', async () => {
    const farm = await startFarm();
    const worker = await farm.work();
    const id = await farm.accept('hold');
    await expect.poll(() => worker.begun).toEqual(['hold']);
    await worker.end('SIGTERM');
    expect(await farm.find(id)).toMatchObject({ state: 'queued' });
    const other = await farm.work();
    other.release();
    await expect.poll(() => farm.find(id)).toMatchObject({ state: 'done', attempt: 2 });
  });
});
