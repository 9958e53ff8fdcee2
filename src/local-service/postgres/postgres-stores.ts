import { randomBytes, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { z } from 'zod';
import type { WindowType } from '../accounts/rate-window.ts';
import type { Clock } from '../clock.ts';
import { DatabaseUnavailableError } from '../database-unavailable.ts';
import { DomainError } from '../domain-error.ts';
import type { Stores } from '../stores.ts';
import type { RenderMonitor } from '../videos/render-monitor.ts';
import { DEFAULT_RETENTION_DAYS, retentionOf } from '../videos/retention-time.ts';
import { PostgresAccounts } from './postgres-accounts.ts';
import { PostgresApiKeys } from './postgres-api-keys.ts';
import { PostgresDatabase } from './postgres-database.ts';
import type { MoveTarget } from '../move-service.ts';
import { importData, requireEmpty } from './postgres-import.ts';
import { PostgresImageRecords } from './postgres-image-records.ts';
import { PostgresKnownBrowsers } from './postgres-known-browsers.ts';
import { PostgresPasswordRecords } from './postgres-password-records.ts';
import { PostgresRenderJobs } from './postgres-render-jobs.ts';
import { PostgresRenderMonitor } from './postgres-render-monitor.ts';
import { PostgresRequestCounters } from './postgres-request-counters.ts';
import { migrateDatabase, requireSchema } from './postgres-schema.ts';
import { PostgresSessions } from './postgres-sessions.ts';
import { PostgresVideos } from './postgres-videos.ts';
import { createBoss, SUPERVISE_SECONDS } from './render-boss.ts';
import { RENDER_CHANNEL, RenderNotifier } from './render-notifier.ts';

const LINK_SECRET_BYTES = 32;

const secretRow = z.object({ value: z.instanceof(Uint8Array) });

export interface PostgresStoreOptions {
  /** `postgres://…`; may contain a password. */
  readonly url: string;
  readonly clock: Clock;
  readonly window: WindowType;
  /** How long finished videos are kept, in milliseconds. Default: 30 days. */
  readonly retentionMs?: number | undefined;
  /** How many videos this process renders at once; 0 if it does not render. */
  readonly slots: number;
  /** Interval of looking for jobs of lost workers, in seconds. Default: 10. */
  readonly superviseSeconds?: number;
  readonly maxConnections: number;
  /** Called for errors that no caller gets: of idle connections and pg-boss's background work. */
  readonly onError: (error: unknown) => void;
}

export interface PostgresStores extends Stores {
  readonly jobs: PostgresRenderJobs;
  /** Monitors the renders of all processes, for a process that does not render. */
  readonly monitor: RenderMonitor;
  /**
   * Rejects when this program must stop using the database.
   *
   * @throws {DomainError} such as `DATA_TOO_NEW`, after another process has upgraded it
   * @throws {DatabaseUnavailableError} in an outage
   */
  check(): Promise<void>;
  /** Calls `onVideo` when a video may have been queued, until disposed. */
  listen(onVideo: () => void): AsyncDisposable;
  /** To be called when shutdown begins: a database that does not respond is then abandoned. */
  prepareClose(): void;
  close(): Promise<void>;
}

/**
 * Opens the stores that the processes of a service on several computers share.
 *
 * @throws {DomainError} when the database cannot be reached or used by this program
 */
export async function openPostgresStores(options: PostgresStoreOptions): Promise<PostgresStores> {
  const { clock, window, slots, onError } = options;
  const database = connect(options);
  const boss = createBoss(database, options.superviseSeconds ?? SUPERVISE_SECONDS, onError);
  try {
    await withDomainErrors(requireSchema(database));
    await boss.start();
    const retentionMs = options.retentionMs ?? retentionOf(DEFAULT_RETENTION_DAYS);
    const worker = { id: `${hostname()}/${process.pid}/${randomUUID()}`, slots };
    return {
      accounts: new PostgresAccounts(database, clock),
      keys: new PostgresApiKeys(database, clock),
      passwords: new PostgresPasswordRecords(database, clock),
      sessions: new PostgresSessions(database, clock),
      browsers: new PostgresKnownBrowsers(database, clock),
      images: new PostgresImageRecords(database, clock),
      counters: new PostgresRequestCounters(database, clock, window),
      videos: new PostgresVideos(database, new RenderNotifier(database), clock),
      jobs: new PostgresRenderJobs({ database, boss, clock, retentionMs, worker }),
      monitor: new PostgresRenderMonitor(database),
      linkSecret: await linkSecretOf(database),
      check: () => requireSchema(database),
      listen: (onVideo) => database.listen(RENDER_CHANNEL, onVideo),
      prepareClose: () => database.prepareClose(),
      close: async () => {
        database.prepareClose();
        await boss.stop({ graceful: false });
        await database.close();
      },
    };
  } catch (error) {
    database.prepareClose();
    await boss.stop({ graceful: false }).catch(onError);
    await database.close();
    throw error;
  }
}

/**
 * Creates the tables of the service where there are none.
 *
 * @throws {DomainError} when the database cannot be reached or used by this program
 */
export async function migratePostgres(
  options: Pick<PostgresStoreOptions, 'url' | 'onError'>,
): Promise<{ readonly from: number; readonly to: number }> {
  const database = connect({ ...options, maxConnections: 1 });
  try {
    return await withDomainErrors(migrateDatabase(database));
  } finally {
    await database.close();
  }
}

/**
 * Opens a migrated database to copy an embedded service into. Call `close` afterwards.
 *
 * @throws {DomainError} when the database cannot be reached or used by this program
 */
export async function openMoveTarget(
  options: Pick<PostgresStoreOptions, 'url' | 'onError'>,
): Promise<MoveTarget & { close(): Promise<void> }> {
  const { onError } = options;
  const database = connect({ ...options, maxConnections: 2 });
  const boss = createBoss(database, SUPERVISE_SECONDS, onError);
  const close = async (): Promise<void> => {
    database.prepareClose();
    await boss.stop({ graceful: false }).catch(onError);
    await database.close();
  };
  try {
    await withDomainErrors(requireSchema(database));
    await boss.start();
    return {
      requireEmpty: () => requireEmpty(database),
      import: (source) => withDomainErrors(importData(database, boss, source)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function connect({
  url,
  maxConnections,
  onError,
}: Pick<PostgresStoreOptions, 'url' | 'maxConnections' | 'onError'>): PostgresDatabase {
  try {
    return new PostgresDatabase({ url, maxConnections, name: 'spool service', onError });
  } catch {
    // Without the error's message, which could quote the address and its password.
    throw new DomainError(
      'DATABASE_UNREACHABLE',
      'That is not the address of a PostgreSQL database.',
    );
  }
}

/** Converts connection errors to `DomainError`s, for the user who starts the service. */
async function withDomainErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const reason = error instanceof Error && error.cause !== undefined ? error.cause : error;
    const code = reason instanceof Error && 'code' in reason ? reason.code : undefined;
    switch (code) {
      case '28P01':
      case '28000':
        throw new DomainError(
          'DATABASE_FORBIDDEN',
          'The database refuses the user or the password of SPOOL_SERVICE_DATABASE.',
        );
      case '3D000':
        throw new DomainError(
          'DATABASE_UNREACHABLE',
          'The database server has no database of that name; create it first.',
        );
    }
    if (error instanceof DatabaseUnavailableError) {
      throw new DomainError(
        'DATABASE_UNREACHABLE',
        'The database cannot be reached. Is the address right, and does the server run?',
      );
    }
    throw error;
  }
}

async function linkSecretOf(database: PostgresDatabase): Promise<Uint8Array> {
  await database.query(
    'INSERT INTO spool.secret (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    ['links', randomBytes(LINK_SECRET_BYTES)],
  );
  const [row] = await database.query('SELECT value FROM spool.secret WHERE name = $1', ['links']);
  return secretRow.parse(row).value;
}
