import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { WindowType } from '../accounts/rate-window.ts';
import type { Clock } from '../clock.ts';
import { openCounters, openDatabase } from '../database.ts';
import { DatabaseVersion } from '../database-version.ts';
import type { DiskSpace } from '../disk-space.ts';
import type { AccountStores, Stores } from '../stores.ts';
import { DEFAULT_RETENTION_DAYS, retentionOf } from '../videos/retention-time.ts';
import { SqliteAccounts } from './sqlite-accounts.ts';
import { SqliteApiKeys } from './sqlite-api-keys.ts';
import { SqliteImageRecords } from './sqlite-image-records.ts';
import { SqliteKnownBrowsers } from './sqlite-known-browsers.ts';
import { SqlitePasswordRecords } from './sqlite-password-records.ts';
import { SqliteRenderJobs } from './sqlite-render-jobs.ts';
import { SqliteRequestCounters } from './sqlite-request-counters.ts';
import { SqliteSessions } from './sqlite-sessions.ts';
import { SqliteVideos } from './sqlite-videos.ts';

const LINK_SECRET_BYTES = 32;

const secretRow = z.object({ value: z.instanceof(Uint8Array) });

export interface SqliteStoreOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly window: WindowType;
  /** How long finished videos are kept, in milliseconds. Default: 30 days. */
  readonly retentionMs?: number | undefined;
  /** A video is accepted only if this disk has space. */
  readonly disk: Pick<DiskSpace, 'isShort'>;
  /** Called when request counters cannot be written; the next write includes their changes. */
  readonly onCountersFailure: (error: unknown) => void;
}

/**
 * Opens the stores of the only service on a data folder. Call `close` at the end.
 *
 * @throws {DomainError} `DATA_TOO_NEW`, `DATA_FOLDER_UNUSABLE`
 */
export function openSqliteStores(options: SqliteStoreOptions): Stores & { close(): void } {
  const { dataDir, clock, window, disk, onCountersFailure } = options;
  const retentionMs = options.retentionMs ?? retentionOf(DEFAULT_RETENTION_DAYS);
  using opened = new DisposableStack();
  const database = opened.adopt(openDatabase(dataDir), (database) => database.close());
  const countersDatabase = opened.adopt(openCounters(dataDir), (database) => database.close());
  const databaseVersion = new DatabaseVersion(database);
  const accounts = new SqliteAccounts(database, clock);
  const counters = new SqliteRequestCounters(countersDatabase, clock, window, onCountersFailure);
  const videos = new SqliteVideos(database, clock, databaseVersion, disk);
  const stores = {
    accounts,
    keys: new SqliteApiKeys(database, clock, databaseVersion),
    passwords: new SqlitePasswordRecords(database, accounts),
    sessions: new SqliteSessions(database, clock),
    browsers: new SqliteKnownBrowsers(database, clock),
    images: new SqliteImageRecords(database, clock),
    counters,
    videos,
    jobs: new SqliteRenderJobs(database, clock, retentionMs),
    linkSecret: linkSecretOf(database),
  };
  const resources = opened.move();
  return {
    ...stores,
    close: () => {
      counters.flush();
      resources.dispose();
    },
  };
}

/** Opens the stores of the account commands; a service may be running. Call `close` at the end. */
export function openSqliteAccountStores(
  dataDir: string,
  clock: Clock,
): AccountStores & { close(): void } {
  const database = openDatabase(dataDir);
  const databaseVersion = new DatabaseVersion(database);
  const accounts = new SqliteAccounts(database, clock);
  return {
    accounts,
    keys: new SqliteApiKeys(database, clock, databaseVersion),
    passwords: new SqlitePasswordRecords(database, accounts),
    videos: new SqliteVideos(database, clock, databaseVersion),
    close: () => database.close(),
  };
}

function linkSecretOf(database: DatabaseSync): Uint8Array {
  database
    .prepare('INSERT INTO secret (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING')
    .run('links', randomBytes(LINK_SECRET_BYTES));
  const row = database.prepare('SELECT value FROM secret WHERE name = ?').get('links');
  return secretRow.parse(row).value;
}
