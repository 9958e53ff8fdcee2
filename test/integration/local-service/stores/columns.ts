import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { WindowType } from '../../../../src/local-service/accounts/rate-window.ts';
import {
  migratePostgres,
  openPostgresStores,
} from '../../../../src/local-service/postgres/postgres-stores.ts';
import {
  openSqliteAccountStores,
  openSqliteStores,
} from '../../../../src/local-service/sqlite/sqlite-stores.ts';
import type { AccountStores, Stores } from '../../../../src/local-service/stores.ts';
import { NO_POSTGRES, postgresPrograms, PostgresServer } from '../../../rigs/postgres-server.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';
import { ManualClock } from '../rig.ts';

export const RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/** The stores of one database, as one process has them. */
export interface OpenColumn {
  readonly clock: ManualClock;
  readonly stores: Stores;
  /** The same database, opened as by another process. */
  readonly elsewhere: AccountStores;
}

/** A database that implements the stores. */
export interface Column {
  readonly name: string;
  /** Why it cannot be tested here. */
  readonly missing: string | undefined;
  begin(): Promise<void>;
  end(): Promise<void>;
  /** An empty database, closed when the test ends. */
  open(window?: WindowType): Promise<OpenColumn>;
}

const sqlite: Column = {
  name: 'SQLite',
  missing: undefined,
  begin: () => Promise.resolve(),
  end: () => Promise.resolve(),
  open(window = 'fixed') {
    const dataDir = temporaryFolder();
    const clock = new ManualClock();
    const stores = openSqliteStores({
      dataDir,
      clock,
      window,
      retentionMs: RETENTION_MS,
      disk: { isShort: false },
      onCountersFailure: throwError,
    });
    const elsewhere = openSqliteAccountStores(dataDir, clock);
    onTestFinished(() => {
      stores.close();
      elsewhere.close();
    });
    return Promise.resolve({ clock, stores, elsewhere });
  },
};

const TEMPLATE = 'migrated';

class PostgresColumn implements Column {
  readonly name = 'PostgreSQL';
  readonly #programs = postgresPrograms();
  #server: PostgresServer | undefined;

  get missing(): string | undefined {
    return this.#programs === undefined ? NO_POSTGRES : undefined;
  }

  get server(): PostgresServer {
    if (!this.#server) throw new Error('The server is not started.');
    return this.#server;
  }

  async begin(): Promise<void> {
    if (this.#programs === undefined) return;
    this.#server = await PostgresServer.start(this.#programs);
    await this.#server.query(`CREATE DATABASE ${TEMPLATE}`);
    await migratePostgres({ url: this.#server.url(TEMPLATE), onError: throwError });
  }

  async end(): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
    this.#server = undefined;
  }

  /** The address of a database with the service's tables. */
  database(): Promise<string> {
    return this.server.createDatabase(TEMPLATE);
  }

  async open(window: WindowType = 'fixed'): Promise<OpenColumn> {
    const url = await this.database();
    const clock = new ManualClock();
    const options = { url, clock, window, retentionMs: RETENTION_MS, onError: throwError };
    const stores = await openPostgresStores({ ...options, slots: 4, maxConnections: 10 });
    const elsewhere = await openPostgresStores({ ...options, slots: 0, maxConnections: 10 });
    onTestFinished(async () => {
      await Promise.all([stores.close(), elsewhere.close()]);
    });
    return { clock, stores, elsewhere };
  }
}

export const postgres = new PostgresColumn();

/** The same tests run on each of them. */
export const columns: readonly Column[] = [sqlite, postgres];

/** A user of the database whose connections can be cut and refused. */
export async function cutOffUser(): Promise<{
  readonly name: string;
  cutOff(): Promise<void>;
  reconnect(): Promise<void>;
}> {
  const { server } = postgres;
  const name = `worker_${randomUUID().replaceAll('-', '')}`;
  await server.query(`CREATE ROLE ${name} LOGIN SUPERUSER`);
  return {
    name,
    cutOff: async () => {
      await server.query(`ALTER ROLE ${name} NOLOGIN`);
      await server.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${name}'`,
      );
    },
    reconnect: async () => {
      await server.query(`ALTER ROLE ${name} LOGIN`);
    },
  };
}

function throwError(error: unknown): never {
  throw error;
}
