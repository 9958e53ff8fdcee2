/** Hashes of passwords on PostgreSQL. */
import type { Account } from '../accounts/account.ts';
import { accountExists, type NewAccount } from '../accounts/accounts.ts';
import {
  type PasswordHash,
  type PasswordRecord,
  type PasswordRecords,
  passwordRow,
} from '../accounts/password-records.ts';
import type { Clock } from '../clock.ts';
import { insertAccount } from './postgres-accounts.ts';
import { type PostgresDatabase, type Queries, storable } from './postgres-database.ts';

export class PostgresPasswordRecords implements PasswordRecords {
  readonly #database: PostgresDatabase;
  readonly #clock: Clock;

  constructor(database: PostgresDatabase, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  addAccount(account: NewAccount, hashed: PasswordHash): Promise<Account> {
    return this.#database.transaction(async (transaction) => {
      const added = await insertAccount(transaction, account, this.#clock.now());
      if (!added) throw accountExists(account.email);
      await write(transaction, added.id, hashed);
      return added;
    });
  }

  async find(email: string): Promise<PasswordRecord | undefined> {
    const [row] = await this.#database.query(
      `SELECT password.* FROM spool.password
       JOIN spool.account ON account.id = password.account_id
       WHERE lower(account.email) = lower($1)`,
      [storable(email)],
    );
    return row && passwordRow.parse(row);
  }

  async replace(account: Account, hashed: PasswordHash): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await write(transaction, account.id, hashed);
      await transaction.query('DELETE FROM spool.web_session WHERE account_id = $1', [account.id]);
    });
  }

  async rehash({ accountId, stored }: PasswordRecord, hashed: PasswordHash): Promise<void> {
    await this.#database.query(
      `UPDATE spool.password
       SET salt = $3, hash = $4, cost = $5, block_size = $6, parallelization = $7
       WHERE account_id = $1 AND hash = $2`,
      [accountId, stored.hash, ...valuesOf(hashed)],
    );
  }
}

async function write(database: Queries, accountId: number, hashed: PasswordHash): Promise<void> {
  await database.query(
    `INSERT INTO spool.password (account_id, salt, hash, cost, block_size, parallelization)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (account_id) DO UPDATE SET salt = excluded.salt, hash = excluded.hash,
       cost = excluded.cost, block_size = excluded.block_size,
       parallelization = excluded.parallelization`,
    [accountId, ...valuesOf(hashed)],
  );
}

function valuesOf({ salt, hash, cost, blockSize, parallelization }: PasswordHash): unknown[] {
  return [salt, hash, cost, blockSize, parallelization];
}
