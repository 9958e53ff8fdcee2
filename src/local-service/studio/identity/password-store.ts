import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Account } from '../../accounts/account.ts';
import { inTransaction } from '../../database.ts';
import { hashPassword, isPassword } from './passwords.ts';

const passwordRow = z.object({
  salt: z.instanceof(Uint8Array),
  hash: z.instanceof(Uint8Array),
  cost: z.int(),
});

/** The passwords with which owners sign in; an account opened by a command has none at first. */
export class PasswordStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Gives the account this password in place of any other, and signs it out everywhere. */
  async set(account: Account, password: string): Promise<void> {
    const { salt, hash, cost } = await hashPassword(password);
    inTransaction(this.#database, () => {
      this.#database
        .prepare(
          `INSERT INTO password (account_id, salt, hash, cost) VALUES (?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET salt = excluded.salt, hash = excluded.hash, cost = excluded.cost`,
        )
        .run(account.id, salt, hash, cost);
      this.#database.prepare('DELETE FROM web_session WHERE account_id = ?').run(account.id);
    });
  }

  /** Whether an account with this address signs in with this password. */
  async check(email: string, password: string): Promise<boolean> {
    const row = this.#database
      .prepare(
        `SELECT salt, hash, cost FROM password
         JOIN account ON account.id = password.account_id WHERE account.email = ?`,
      )
      .get(email);
    return isPassword(password, row && passwordRow.parse(row));
  }
}
