/**
 * A worker process for `bench/farm.ts`: as `spool service work`, but its renderer may only write
 * two small files. Arguments: the shared folder for files, its own data folder, videos at a time,
 * `folder` or `none` (where files are stored), `real` or `none` (the renderer). It ends when its
 * standard input closes.
 */
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pino } from 'pino';
import { systemAfter, systemClock } from '../../src/local-service/clock.ts';
import { openPostgresStores } from '../../src/local-service/postgres/postgres-stores.ts';
import { RenderPool } from '../../src/local-service/rendering/render-pool.ts';
import type { Blobs } from '../../src/local-service/storage/blobs.ts';
import { FolderBlobs } from '../../src/local-service/storage/folder-blobs.ts';
import type { Renderer } from '../../src/local-service/videos/renderer.ts';
import { startWorker } from '../../src/local-service/worker.ts';

const [folder = '', dataDir = '', slots = '1', files, rendering] = process.argv.slice(2);
const concurrency = Number(slots);
const content = Buffer.alloc(1000);
const log = pino({ level: 'warn' }, pino.destination(2));

/** A store that keeps nothing. */
const discardingBlobs: Blobs = {
  put: async (blobs) => {
    for (const { file } of blobs) await rm(file);
    return blobs.map(({ key }) => ({ key, size: content.length, sha256: '0'.repeat(64) }));
  },
  open: () => Promise.resolve(undefined),
  stat: () => Promise.resolve(undefined),
  delete: () => Promise.resolve(),
  // eslint-disable-next-line
  list: async function* () {},
};

/**
 * Writes two small files. A real renderer has separate processes, whose cost is not the worker's.
 */
const stubRenderer: Renderer = {
  render: ({ videoPath, posterPath }) => {
    writeFileSync(posterPath, content);
    writeFileSync(videoPath, content);
    return Promise.resolve();
  },
  close: () => Promise.resolve(),
};

const stores = await openPostgresStores({
  url: process.env.SPOOL_SERVICE_DATABASE ?? '',
  clock: systemClock,
  window: 'fixed',
  slots: concurrency,
  maxConnections: concurrency + 1,
  onError: (err) => log.error({ err }, 'the database failed'),
});
const worker = await startWorker({
  stores,
  blobs: files === 'none' ? discardingBlobs : new FolderBlobs(folder),
  dataDir,
  log,
  after: systemAfter,
  renderer: rendering === 'real' ? new RenderPool({ workers: concurrency }) : stubRenderer,
  concurrency,
  onUnusable: (error) => log.error({ err: error }, 'the database cannot be used'),
});
console.log('ready');
process.stdin.on('end', () => void worker.close().then(() => stores.close())).resume();
