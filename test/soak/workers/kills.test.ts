import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/local-service/clock.ts';
import {
  migratePostgres,
  openPostgresStores,
} from '../../../src/local-service/postgres/postgres-stores.ts';
import { storedStoryboard } from '../../../src/local-service/videos/video.ts';
import { NO_POSTGRES, postgresPrograms, PostgresServer } from '../../rigs/postgres-server.ts';
import { RenderWorker } from '../../rigs/render-worker.ts';
import { removeFolder } from '../../rigs/temporary-folder.ts';
import { casesOf } from '../long-form.ts';

const WORKERS = 4;
const KILL_INTERVAL_MS = 2000;
const RENDER_MS = 100;
/** None in the short form: `workers.test.ts` kills one worker at a time. */
const VIDEOS = casesOf({ short: 0, long: 500 });
const MAX_MINUTES = 20;
const programs = postgresPrograms();
const ignore = (): undefined => undefined;

test(`500 videos are rendered once each by ${WORKERS} workers, of which one is killed every ${KILL_INTERVAL_MS / 1000} s`, async (context) => {
  if (VIDEOS === 0) return context.skip('a minute long: npm run test:soak');
  if (programs === undefined) return context.skip(NO_POSTGRES);
  const folder = mkdtempSync(path.join(tmpdir(), 'spool-kills-'));
  await using server = await PostgresServer.start(programs);
  const url = await server.createDatabase();
  await migratePostgres({ url, onError: ignore });
  // As short as pg-boss allows: the test does not measure how fast a loss is detected.
  await server.query('UPDATE spool_jobs.queue SET heartbeat_seconds = 10', url);
  const stores = await openPostgresStores({
    url,
    clock: systemClock,
    window: 'fixed',
    slots: 0,
    maxConnections: 4,
    onError: ignore,
  });
  const files = path.join(folder, 'files');
  mkdirSync(files);
  const start = (n: number): RenderWorker =>
    new RenderWorker({
      url,
      files,
      milliseconds: RENDER_MS,
      dataDir: path.join(folder, `worker-${n}`),
    });
  const workers = Array.from({ length: WORKERS }, (_, n) => start(n));
  let kills = 0;
  let begun = 0;
  try {
    const account = await stores.accounts.add({
      email: 'ada@example.com',
      plan: 'pro',
      customQuota: VIDEOS,
    });
    const ids: string[] = [];
    for (let n = 0; n < VIDEOS; n += 1) {
      const storyboard = { title: `Film ${n}`, scenes: [{ kind: 'title', text: 'x' }] };
      const accepted = await stores.videos.accept(
        ...([account, storedStoryboard(JSON.stringify(storyboard))!, 5] as const),
      );
      if (accepted.kind !== 'accepted') throw new Error(accepted.kind);
      ids.push(accepted.id);
    }
    const end = performance.now() + MAX_MINUTES * 60_000;
    for (;;) {
      const [row] = await server.query(
        "SELECT count(*) AS left FROM spool.video WHERE state IN ('queued', 'rendering')",
        url,
      );
      if (Number(row?.left) === 0) break;
      expect(performance.now(), 'minutes').toBeLessThan(end);
      await delay(KILL_INTERVAL_MS);
      const index = kills % WORKERS;
      const worker = workers[index]!;
      // On a busy machine a worker may need longer than this for its first video, which would be
      // interrupted too often and fail. One that has begun a second video has finished a first.
      if (worker.begun.length < 2) continue;
      await worker.end('SIGKILL');
      begun += worker.begun.length;
      workers[index] = start(index);
      kills += 1;
    }
    const states = await server.query('SELECT state, count(*) FROM spool.video GROUP BY 1', url);
    expect(states).toEqual([{ state: 'done', count: String(VIDEOS) }]);
    expect((await stores.videos.quotaUse(account)).used).toBe(VIDEOS);
    await Promise.all(workers.map((worker) => worker.end('SIGTERM')));
    // The files of one attempt each.
    for (const id of ids) {
      const [row] = await server.query(`SELECT attempt FROM spool.video WHERE id = '${id}'`, url);
      const attempt = String(row?.attempt);
      expect(readdirSync(path.join(files, id)).sort()).toEqual([
        `${attempt}.jpg`,
        `${attempt}.mp4`,
      ]);
    }
    for (const worker of workers) begun += worker.begun.length;
    console.log(`${VIDEOS} videos, ${kills} kills, ${begun} attempts`);
  } finally {
    await Promise.all(workers.map((worker) => worker.end('SIGKILL')));
    await stores.close();
    removeFolder(folder);
  }
});
