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
  /** No other process may use this folder. */
  readonly dataDir: string;
  readonly log: Logger;
  readonly after: After;
  readonly renderer: Renderer;
  /** How many videos are rendered at once. */
  readonly concurrency: number;
  /** Called when this program must stop using the database. */
  readonly onUnusable: (error: unknown) => void;
}

export interface RunningWorker {
  /** Requeues videos that are being rendered, and stops. */
  close(): Promise<void>;
}

/** Interval of looking for videos without a notification, since notifications can be lost. */
const POLL_MS = 2_000;
/** The end of an outage of the database or the store is noticed within this time. */
const MAX_RETRY_MS = 5_000;

/** Renders videos from the stores until closed. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { stores, blobs, dataDir, log, after, renderer, concurrency, onUnusable } = options;
  makeDataFolder(dataDir);
  using cleanup = new DisposableStack();
  // Two workers would write the same files.
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
      // If the database is unavailable, the API reports that itself.
      void stores.jobs.reportOutage(outage?.outage).catch(() => undefined);
    },
    maxRetryMs: MAX_RETRY_MS,
  });
  await queue.recover();
  const listening = stores.listen(() => queue.wake());
  cleanup.use(new SchemaWatch({ check: () => stores.check(), onUnusable }));
  let poll: Disposable;
  const wakeRepeatedly = (): void => {
    queue.wake();
    poll = after(POLL_MS, wakeRepeatedly);
  };
  wakeRepeatedly();
  log.info({ concurrency }, 'working');
  const resources = cleanup.move();
  return {
    close: async () => {
      stores.prepareClose();
      poll[Symbol.dispose]();
      await Promise.all([listening[Symbol.asyncDispose](), queue.close()]);
      await stores.jobs
        .deregister()
        .catch((err: unknown) => log.error({ err }, 'the worker could not deregister'));
      resources.dispose();
      log.info('stopped');
    },
  };
}
