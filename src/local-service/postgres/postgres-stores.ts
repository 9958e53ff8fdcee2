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
  /** How long finished videos are kept, in milliseconds; 30 days when omitted. */
  readonly retentionMs?: number | undefined;
  /** Videos that this process renders side by side; 0 for one that renders none. */
  readonly slots: number;
  /** How often jobs of lost workers are looked for, in seconds; 10 when omitted. */
  readonly superviseSeconds?: number;
  /** Statements at a time. */
  readonly maxConnections: number;
  /** Called for failures that no caller sees: of idle connections and of pg-boss's own work. */
  readonly onError: (error: unknown) => void;
}

export interface PostgresStores extends Stores {
  readonly jobs: PostgresRenderJobs;
  /** Renders of all processes, for one that renders none. */
  readonly monitor: RenderMonitor;
  /**
   * Rejects when this program must not go on with the database.
   *
   * @throws {DomainError} such as `DATA_TOO_NEW`, after another process has upgraded it
   */
  check(): Promise<void>;
  /** Calls `onVideo` when a video may have been put in line, until it is disposed. */
  listen(onVideo: () => void): AsyncDisposable;
  /** To be called when the process is asked to end; a database that is silent is then given up. */
  prepareClose(): void;
  close(): Promise<void>;
}

/**
 * Opens what the processes of a service on several computers share.
 *
 * @throws {DomainError} when the database cannot be reached or is not one that this program can use
 */
export async function openPostgresStores(options: PostgresStoreOptions): Promise<PostgresStores> {
  const { clock, window, slots, onError } = options;
  const database = connect(options);
  const boss = createBoss(database, options.superviseSeconds ?? SUPERVISE_SECONDS, onError);
  try {
    await understandable(requireSchema(database));
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
 * Creates or upgrades the tables of the service.
 *
 * @throws {DomainError} when the database cannot be reached or is not one that this program can use
 */
export async function migratePostgres(
  options: Pick<PostgresStoreOptions, 'url' | 'onError'>,
): Promise<{ readonly from: number; readonly to: number }> {
  const database = connect({ ...options, maxConnections: 1 });
  try {
    return await understandable(migrateDatabase(database));
  } finally {
    await database.close();
  }
}

/**
 * Lets an embedded service be moved into a database whose tables are made. Call `close` at its end.
 *
 * @throws {DomainError} when the database cannot be reached or is not one that this program can use
 */
export async function openMoveTarget(
  options: Pick<PostgresStoreOptions, 'url' | 'clock' | 'onError'>,
): Promise<MoveTarget & { close(): Promise<void> }> {
  const { clock, onError } = options;
  const database = connect({ ...options, maxConnections: 2 });
  const boss = createBoss(database, SUPERVISE_SECONDS, onError);
  const close = async (): Promise<void> => {
    database.prepareClose();
    await boss.stop({ graceful: false }).catch(onError);
    await database.close();
  };
  try {
    await understandable(requireSchema(database));
    await boss.start();
    return {
      requireEmpty: () => requireEmpty(database),
      import: (source) => {
        const expiresAt = clock.now() + retentionOf(DEFAULT_RETENTION_DAYS);
        return understandable(importData(database, boss, source, expiresAt));
      },
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
    // The reason could quote the address, which may contain a password.
    throw new DomainError(
      'DATABASE_UNREACHABLE',
      'That is not the address of a PostgreSQL database.',
    );
  }
}

/** Turns what PostgreSQL says about a connection into a sentence for the person who starts the service. */
async function understandable<T>(work: Promise<T>): Promise<T> {
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
