import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { DatabaseUnavailableError } from '../../../../src/local-service/database-unavailable.ts';
import { PostgresDatabase } from '../../../../src/local-service/postgres/postgres-database.ts';
import { postgres } from './columns.ts';

const ignore = (): undefined => undefined;

function open(url: string): PostgresDatabase {
  const database = new PostgresDatabase({ url, maxConnections: 2, name: 'test', onError: ignore });
  onTestFinished(() => database.close());
  return database;
}

describe.skipIf(postgres.missing !== undefined)('a lost connection', () => {
  beforeAll(() => postgres.begin());
  afterAll(() => postgres.end());

  /** Ends a connection and resolves when the server has closed it. */
  async function terminate(pid: unknown): Promise<void> {
    await postgres.server.query(`SELECT pg_terminate_backend(${Number(pid)}, 10000)`);
  }

  test('between two statements of a transaction is an outage of that transaction', async () => {
    const database = open(await postgres.database());
    const lost = database.transaction(async (transaction) => {
      const [row] = await transaction.query('SELECT pg_backend_pid() AS pid');
      await terminate(row?.pid);
      // The error arrives meanwhile, and no statement waits that it could reject.
      await postgres.server.query('SELECT 1');
      await transaction.query('SELECT 1');
    });
    await expect(lost).rejects.toBeInstanceOf(DatabaseUnavailableError);
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('during a statement of a transaction is an outage of that transaction', async () => {
    const database = open(await postgres.database());
    const lost = database.transaction(async (transaction) => {
      const [row] = await transaction.query('SELECT pg_backend_pid() AS pid');
      const waiting = transaction.query('SELECT pg_sleep(10)');
      await Promise.all([waiting, terminate(row?.pid)]);
    });
    await expect(lost).rejects.toBeInstanceOf(DatabaseUnavailableError);
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});
