import path from 'node:path';
import type { Logger } from 'pino';
import type { After } from './clock.ts';
import { makeDataFolder } from './data-folder.ts';
import { DiskSpace } from './disk-space.ts';
import type { PostgresStores } from './postgres/postgres-stores.ts';
import { SchemaWatch } from './schema-watch.ts';
import { acquireServiceLock } from './service-lock.ts';
import type { Blobs } from './storage/blobs.ts';
import { ImageStore } from './videos/image-store.ts';
import type { Renderer } from './videos/renderer.ts';
import { RenderQueue } from './videos/render-queue.ts';
import { VideoFiles } from './videos/video-files.ts';

export interface WorkerOptions {
  readonly stores: PostgresStores;
  readonly blobs: Blobs;
  /** Of this worker alone. */
  readonly dataDir: string;
  readonly log: Logger;
  readonly after: After;
  readonly renderer: Renderer;
  /** Videos rendered side by side. */
  readonly concurrency: number;
  /** Called when this program must not go on with the database. */
  readonly onUnusable: (error: unknown) => void;
}

export interface RunningWorker {
  /** Puts what is being rendered back in line, and ends. */
  close(): Promise<void>;
}

/** Looks for videos even without a notification, which can be lost. Milliseconds. */
const POLL_MS = 2_000;
/** A database or a store that is back is noticed within this time, in milliseconds. */
const MAX_RETRY_MS = 5_000;

/** Renders videos that the stores hand out, until it is closed. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { stores, blobs, dataDir, log, after, renderer, concurrency, onUnusable } = options;
  makeDataFolder(dataDir);
  using cleanup = new DisposableStack();
  // Two workers would render into the same files.
  cleanup.use(acquireServiceLock(dataDir, 0));
  const disk = new DiskSpace(dataDir);
  const workFolder = path.join(dataDir, 'rendering');
  const queue = new RenderQueue({
    jobs: stores.jobs,
    files: new VideoFiles(blobs, workFolder),
    renderer,
    disk,
    workers: concurrency,
    images: new ImageStore(stores.images, blobs, workFolder, disk),
    after,
    onFailure: (err, id) => log.error({ err, video: id }, 'rendering failed'),
    onOutage: (outage) => {
      if (outage) log.error({ err: outage }, outage.message);
      else log.info('rendering again');
      // With a database that is away, the API says so by itself.
      void stores.jobs.reportOutage(outage?.outage).catch(() => undefined);
    },
    maxRetryMs: MAX_RETRY_MS,
  });
  await queue.recover();
  const listening = stores.listen(() => queue.wake());
  cleanup.use(new SchemaWatch({ check: () => stores.check(), onUnusable }));
  let poll: Disposable;
  const look = (): void => {
    queue.wake();
    poll = after(POLL_MS, look);
  };
  look();
  log.info({ concurrency }, 'working');
  const held = cleanup.move();
  return {
    close: async () => {
      stores.prepareClose();
      poll[Symbol.dispose]();
      await Promise.all([listening[Symbol.asyncDispose](), queue.close()]);
      await stores.jobs
        .leave()
        .catch((err: unknown) => log.error({ err }, 'the worker could not sign off'));
      held.dispose();
      log.info('stopped');
    },
  };
}
