import type { DatabaseSync } from 'node:sqlite';
import type { Account } from '../accounts/account.ts';
import type { NewAccount } from '../accounts/accounts.ts';
import {
  type PasswordHash,
  type PasswordRecord,
  type PasswordRecords,
  passwordRow,
} from '../accounts/password-records.ts';
import { inTransaction } from '../database.ts';
import type { SqliteAccounts } from './sqlite-accounts.ts';

export class SqlitePasswordRecords implements PasswordRecords {
  readonly #database: DatabaseSync;
  readonly #accounts: SqliteAccounts;

  /** @param accounts of the same database */
  constructor(database: DatabaseSync, accounts: SqliteAccounts) {
    this.#database = database;
    this.#accounts = accounts;
  }

  addAccount(account: NewAccount, hashed: PasswordHash): Account {
    return inTransaction(this.#database, () => {
      const added = this.#accounts.add(account);
      this.#write(added.id, hashed);
      return added;
    });
  }

  find(email: string): PasswordRecord | undefined {
    const row = this.#database
      .prepare(
        `SELECT password.* FROM password
         JOIN account ON account.id = password.account_id WHERE account.email = ?`,
      )
      .get(email);
    return row && passwordRow.parse(row);
  }

  replace(account: Account, hashed: PasswordHash): void {
    inTransaction(this.#database, () => {
      this.#write(account.id, hashed);
      this.#database.prepare('DELETE FROM web_session WHERE account_id = ?').run(account.id);
    });
  }

  rehash({ accountId, stored }: PasswordRecord, hashed: PasswordHash): void {
    inTransaction(this.#database, () => {
      const isStill = this.#database
        .prepare('SELECT 1 FROM password WHERE account_id = ? AND hash = ?')
        .get(accountId, stored.hash);
      if (isStill) this.#write(accountId, hashed);
    });
  }

  #write(accountId: number, hashed: PasswordHash): void {
    const { salt, hash, cost, blockSize, parallelization } = hashed;
    this.#database
      .prepare(
        `INSERT INTO password (account_id, salt, hash, cost, block_size, parallelization)
         VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET salt = excluded.salt, hash = excluded.hash,
           cost = excluded.cost, block_size = excluded.block_size,
           parallelization = excluded.parallelization`,
      )
      .run(accountId, salt, hash, cost, blockSize, parallelization);
  }
}
