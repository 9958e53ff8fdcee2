import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Account } from '../../accounts/account.ts';
import type { AccountStore, NewAccount } from '../../accounts/account-store.ts';
import { inTransaction } from '../../database.ts';
import {
  DEFAULT_HASHING,
  hashPassword,
  isOutdated,
  isPassword,
  type HashParameters,
  type PasswordHash,
} from './passwords.ts';

const passwordRow = z
  .object({
    account_id: z.int(),
    salt: z.instanceof(Uint8Array),
    hash: z.instanceof(Uint8Array),
    cost: z.int(),
    block_size: z.int(),
    parallelization: z.int(),
  })
  .transform(({ account_id: accountId, block_size: blockSize, ...row }) => ({
    accountId,
    stored: { ...row, blockSize } satisfies PasswordHash,
  }));

/** The passwords with which users sign in; an account opened by a command has none at first. */
export class PasswordStore {
  readonly #database: DatabaseSync;
  readonly #hashing: HashParameters;

  /** @param hashing what passwords are hashed with from now on */
  constructor(database: DatabaseSync, hashing = DEFAULT_HASHING) {
    this.#database = database;
    this.#hashing = hashing;
  }

  /**
   * Opens an account with a password: both, or neither.
   *
   * @throws {Refusal} `ACCOUNT_EXISTS` when the e-mail address has an account.
   */
  async signUp(accounts: AccountStore, account: NewAccount, password: string): Promise<Account> {
    const hashed = await hashPassword(password, this.#hashing);
    return inTransaction(this.#database, () => {
      const added = accounts.add(account);
      this.#write(added.id, hashed);
      return added;
    });
  }

  /** Gives the account this password in place of any other, and signs it out everywhere. */
  async set(account: Account, password: string): Promise<void> {
    const hashed = await hashPassword(password, this.#hashing);
    inTransaction(this.#database, () => {
      this.#write(account.id, hashed);
      this.#database.prepare('DELETE FROM web_session WHERE account_id = ?').run(account.id);
    });
  }

  /**
   * Whether an account with this address signs in with this password. A right password that was
   * hashed in another way than today's is hashed again.
   */
  async check(email: string, password: string): Promise<boolean> {
    const row = this.#database
      .prepare(
        `SELECT password.* FROM password
         JOIN account ON account.id = password.account_id WHERE account.email = ?`,
      )
      .get(email);
    const found = row && passwordRow.parse(row);
    if (!(await isPassword(password, found?.stored, this.#hashing))) return false;
    if (found && isOutdated(found.stored, this.#hashing)) await this.#renew(found, password);
    return true;
  }

  async #renew(
    { accountId, stored }: z.output<typeof passwordRow>,
    password: string,
  ): Promise<void> {
    const hashed = await hashPassword(password, this.#hashing);
    inTransaction(this.#database, () => {
      // Another password may have been set meanwhile.
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
