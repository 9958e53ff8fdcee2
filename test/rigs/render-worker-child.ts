/**
 * A worker process of a service on several computers, whose renderer only writes small files. A
 * video whose title begins with “hold” waits until the file `release` is in the data folder. Prints
 * a line of JSON for each video that it begins.
 *
 * Arguments: address of the database, folder of files, data folder, simultaneous videos,
 * milliseconds per render.
 */
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { systemAfter, systemClock } from '../../src/local-service/clock.ts';
import { openPostgresStores } from '../../src/local-service/postgres/postgres-stores.ts';
import { FolderBlobs } from '../../src/local-service/storage/folder-blobs.ts';
import type { Renderer } from '../../src/local-service/videos/renderer.ts';
import { startWorker } from '../../src/local-service/worker.ts';

const [url = '', folder = '', dataDir = '', slots = '1', milliseconds = '0'] =
  process.argv.slice(2);
const STEP_MS = 20;

const renderer: Renderer = {
  async render({ storyboard: { title }, posterPath, videoPath }, onProgress, signal) {
    process.stdout.write(`${JSON.stringify({ begun: title })}\n`);
    const isHeld = (): boolean =>
      title.startsWith('hold') && !existsSync(path.join(dataDir, 'release'));
    for (let done = 1; isHeld(); done += 1) {
      onProgress(done % 100, 100);
      await delay(STEP_MS, undefined, { signal });
    }
    await delay(Number(milliseconds), undefined, { signal });
    for (const file of [posterPath, videoPath]) {
      writeFileSync(`${file}.part`, `${title} by ${process.pid}`);
      renameSync(`${file}.part`, file);
    }
  },
  close: () => Promise.resolve(),
};

mkdirSync(dataDir, { recursive: true });
const log = pino({ level: 'error' }, pino.destination({ dest: 2, sync: true }));
const stores = await openPostgresStores({
  url,
  clock: systemClock,
  window: 'fixed',
  slots: Number(slots),
  maxConnections: Number(slots) + 1,
  superviseSeconds: 1,
  onError: (err) => log.error({ err }, 'the database failed'),
});
const worker = await startWorker({
  stores,
  blobs: new FolderBlobs(folder),
  dataDir,
  log,
  after: systemAfter,
  renderer,
  concurrency: Number(slots),
  onUnusable: (error) => {
    throw error;
  },
});
process.stdout.write(`${JSON.stringify({ working: process.pid })}\n`);
process.on('SIGTERM', () => {
  void worker
    .close()
    .then(() => stores.close())
    .then(() => process.exit());
});
