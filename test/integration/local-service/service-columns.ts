import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Logger } from 'pino';
import { Client } from 'pg';
import { inject } from 'vitest';
import type { WindowType } from '../../../src/local-service/accounts/rate-window.ts';
import type { After, Clock } from '../../../src/local-service/clock.ts';
import { openPostgresStores } from '../../../src/local-service/postgres/postgres-stores.ts';
import type { SharedStores } from '../../../src/local-service/server.ts';
import { openSqliteAccountStores } from '../../../src/local-service/sqlite/sqlite-stores.ts';
import type { Blobs } from '../../../src/local-service/storage/blobs.ts';
import { FolderBlobs } from '../../../src/local-service/storage/folder-blobs.ts';
import { S3Blobs } from '../../../src/local-service/storage/s3-blobs.ts';
import type { AccountStores } from '../../../src/local-service/stores.ts';
import type { Renderer } from '../../../src/local-service/videos/renderer.ts';
import { startWorker } from '../../../src/local-service/worker.ts';
import { MIGRATED_DATABASE } from '../../rigs/shared-servers.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

/** A service's database and file store. The test project selects them (`vitest.config.ts`). */
type ColumnName = 'embedded' | 'postgres-folder' | 'postgres-s3';

export const COLUMN = (process.env.SPOOL_TEST_COLUMN ?? 'embedded') as ColumnName;

interface ColumnOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly after: After;
  readonly window: WindowType;
  readonly log: Logger;
  readonly renderer: Renderer;
  readonly workers: number;
  /** In place of the column's own store. */
  readonly blobs: Blobs | undefined;
  readonly retentionMs: number | undefined;
}

/** The database of a service, as another process has it. */
interface OtherProcess {
  readonly stores: AccountStores;
  /** Whether a video is rendered, or failed. */
  isSettled(id: string): boolean | Promise<boolean>;
}

export interface ServiceColumn {
  /** Options to start the service with. */
  readonly shared?: SharedStores;
  readonly blobs?: Blobs | undefined;
  /** To be called after the service is started. */
  openElsewhere(): OtherProcess;
  /** To be called before the service is closed. */
  stopWorker(): Promise<void>;
  /** To be called after the service is closed. */
  close(): Promise<void>;
}

/** Opens the column of a service; the same one again for the same data folder. */
export function openServiceColumn(options: ColumnOptions): Promise<ServiceColumn> {
  return COLUMN === 'embedded' ? Promise.resolve(openEmbedded(options)) : openShared(options);
}

function openEmbedded({ dataDir, clock, blobs }: ColumnOptions): ServiceColumn {
  const opened = new DisposableStack();
  return {
    blobs,
    openElsewhere() {
      const stores = openSqliteAccountStores(dataDir, clock);
      opened.defer(() => stores.close());
      const file = path.join(dataDir, 'service.sqlite');
      const database = opened.adopt(new DatabaseSync(file, { readOnly: true }), (open) => {
        open.close();
      });
      const unsettled = database.prepare(
        "SELECT 1 FROM video WHERE id = ? AND state IN ('queued', 'rendering')",
      );
      return { stores, isSettled: (id) => unsettled.get(id) === undefined };
    },
    stopWorker: () => Promise.resolve(),
    close() {
      opened.dispose();
      return Promise.resolve();
    },
  };
}

interface SharedBackend {
  readonly url: string;
  readonly bucket: string;
  readonly folder: string;
}

/** By the data folder of the service that was started first. */
const backends = new Map<string, Promise<SharedBackend>>();

async function createBackend(): Promise<SharedBackend> {
  const { postgres, s3 } = inject('sharedServers');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const client = new Client({ connectionString: postgres });
  await client.connect();
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${MIGRATED_DATABASE}`);
  await client.end();
  const bucket = `spool-${randomUUID()}`;
  if (COLUMN === 'postgres-s3') await fetch(`${s3}/${bucket}`, { method: 'PUT' });
  const url = postgres.replace('/postgres?', `/${name}?`);
  return { url, bucket, folder: temporaryFolder() };
}

/** One process of the API and one worker, each with separate connections. */
async function openShared(options: ColumnOptions): Promise<ServiceColumn> {
  const { dataDir, clock, after, window, log, renderer, workers, retentionMs } = options;
  const creation = backends.get(dataDir) ?? createBackend();
  backends.set(dataDir, creation);
  const backend = await creation;
  const open = (slots: number, maxConnections: number) =>
    openPostgresStores({
      url: backend.url,
      clock,
      window,
      retentionMs,
      slots,
      maxConnections,
      onError: (err) => log.error({ err }, 'the database failed'),
    });
  const [shared, ownStores] = await Promise.all([open(0, 10), open(workers, workers + 1)]);
  const client = new Client({ connectionString: backend.url });
  await client.connect();
  const s3 =
    COLUMN === 'postgres-s3' && !options.blobs
      ? new S3Blobs({
          bucket: backend.bucket,
          prefix: 'videos',
          endpoint: inject('sharedServers').s3,
          credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
          after,
          maxAttempts: 1,
          pageSize: 10,
        })
      : undefined;
  const blobs = options.blobs ?? s3 ?? new FolderBlobs(backend.folder);
  const worker = await startWorker({
    stores: ownStores,
    blobs,
    dataDir: path.join(dataDir, 'worker'),
    log,
    after,
    renderer,
    concurrency: workers,
    onUnusable: (err) => log.error({ err }, 'the database is of another version'),
  });
  return {
    shared,
    blobs,
    openElsewhere: () => ({
      stores: ownStores,
      isSettled: async (id) => {
        const { rowCount } = await client.query(
          "SELECT FROM spool.video WHERE id = $1 AND state IN ('queued', 'rendering')",
          [id],
        );
        return rowCount === 0;
      },
    }),
    stopWorker: () => worker.close(),
    async close() {
      await Promise.all([ownStores.close(), client.end()]);
      s3?.close();
    },
  };
}
