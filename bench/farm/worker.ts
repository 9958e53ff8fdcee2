/**
 * A worker process for `bench/farm.ts`: that of `spool service work`, with a renderer that writes two
 * small files or a real one. Arguments: the shared folder for files, its own data folder, videos side
 * by side, `folder` or `none` for where files are stored, `real` or `none` for the renderer. Ends with
 * its standard input.
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
const nowhere: Blobs = {
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

/** Its cost is not the worker's: a real renderer has separate processes. */
const quick: Renderer = {
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
  blobs: files === 'none' ? nowhere : new FolderBlobs(folder),
  dataDir,
  log,
  after: systemAfter,
  renderer: rendering === 'real' ? new RenderPool({ workers: concurrency }) : quick,
  concurrency,
  onUnusable: (error) => log.error({ err: error }, 'the database cannot be used'),
});
console.log('ready');
process.stdin.on('end', () => void worker.close().then(() => stores.close())).resume();
