/** Accounts on SQLite. */
import type { DatabaseSync } from 'node:sqlite';
import {
  type Account,
  accountRow,
  type Endpoint,
  type Plan,
  type RateLimit,
} from '../accounts/account.ts';
import {
  accountExists,
  type Accounts,
  accountUnknown,
  type NewAccount,
} from '../accounts/accounts.ts';
import type { Clock } from '../clock.ts';

export class SqliteAccounts implements Accounts {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;

  constructor(database: DatabaseSync, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  add(account: NewAccount): Account {
    if (!this.#insert(account)) throw accountExists(account.email);
    return this.withEmail(account.email);
  }

  addIfMissing(account: NewAccount): Account {
    const find = this.#database.prepare('SELECT * FROM account WHERE email = ?');
    if (!find.get(account.email)) this.#insert(account);
    return this.withEmail(account.email);
  }

  withEmail(email: string): Account {
    const row = this.#database.prepare('SELECT * FROM account WHERE email = ?').get(email);
    if (!row) throw accountUnknown(email);
    return accountRow.parse(row);
  }

  setPlan(account: Account, plan: Plan): Account {
    this.#database.prepare('UPDATE account SET plan = ? WHERE id = ?').run(plan, account.id);
    return this.withEmail(account.email);
  }

  setQuota(account: Account, videos: number): Account {
    this.#database
      .prepare('UPDATE account SET custom_quota = ? WHERE id = ?')
      .run(videos, account.id);
    return this.withEmail(account.email);
  }

  setLimit(account: Account, endpoint: Endpoint, limit: RateLimit): Account {
    // One statement: two processes may set the limits of two endpoints at once.
    this.#database
      .prepare('UPDATE account SET custom_limits = json_patch(custom_limits, ?) WHERE id = ?')
      .run(JSON.stringify({ [endpoint]: limit }), account.id);
    return this.withEmail(account.email);
  }

  /** @returns false if the e-mail address already has an account */
  #insert({ email, plan, billingDate, customQuota }: NewAccount): boolean {
    const { changes } = this.#database
      .prepare(
        `INSERT INTO account (email, plan, signed_up_at, billing_date, custom_quota)
         VALUES (?, ?, ?, ?, ?) ON CONFLICT (email) DO NOTHING`,
      )
      .run(email, plan, this.#clock.now(), billingDate ?? null, customQuota ?? null);
    return changes === 1;
  }
}
