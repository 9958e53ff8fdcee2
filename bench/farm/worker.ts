/**
 * A worker process for `bench/farm.ts`: that of `spool service work`, with a renderer that writes two
 * small files. Arguments: the shared folder for files, its own data folder, videos side by side. Ends
 * with its standard input.
 */
import { writeFile } from 'node:fs/promises';
import { pino } from 'pino';
import { systemAfter, systemClock } from '../../src/local-service/clock.ts';
import { openPostgresStores } from '../../src/local-service/postgres/postgres-stores.ts';
import { FolderBlobs } from '../../src/local-service/storage/folder-blobs.ts';
import { startWorker } from '../../src/local-service/worker.ts';

const [folder = '', dataDir = '', slots = '1'] = process.argv.slice(2);
const concurrency = Number(slots);
const content = Buffer.alloc(1000);
const log = pino({ level: 'warn' }, pino.destination(2));

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
  blobs: new FolderBlobs(folder),
  dataDir,
  log,
  after: systemAfter,
  renderer: {
    render: async ({ videoPath, posterPath }) => {
      await writeFile(posterPath, content);
      await writeFile(videoPath, content);
    },
    close: () => Promise.resolve(),
  },
  concurrency,
  onUnusable: (error) => log.error({ err: error }, 'the database cannot be used'),
});
console.log('ready');
process.stdin.on('end', () => void worker.close().then(() => stores.close())).resume();
