import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../clock.ts';
import { DomainError } from '../domain-error.ts';
import { type Account, accountRow, type Endpoint, type Plan, type RateLimit } from './account.ts';

export interface NewAccount {
  readonly email: string;
  readonly plan: Plan;
  readonly billingDate?: string | undefined;
  readonly customQuota?: number | undefined;
}

/** The accounts on disk. Every read sees what other processes have committed. */
export class AccountStore {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;

  constructor(database: DatabaseSync, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** @throws {DomainError} `ACCOUNT_EXISTS` when the e-mail address has an account. */
  add(account: NewAccount): Account {
    if (!this.#insert(account)) {
      throw new DomainError('ACCOUNT_EXISTS', `There is an account for ${account.email} already.`);
    }
    return this.withEmail(account.email);
  }

  /** Does nothing, and writes nothing, if an account with that address exists. */
  addIfMissing(account: NewAccount): Account {
    const find = this.#database.prepare('SELECT * FROM account WHERE email = ?');
    if (!find.get(account.email)) this.#insert(account);
    return this.withEmail(account.email);
  }

  /** @throws {DomainError} `ACCOUNT_UNKNOWN` when there is none. */
  withEmail(email: string): Account {
    const row = this.#database.prepare('SELECT * FROM account WHERE email = ?').get(email);
    if (!row) throw new DomainError('ACCOUNT_UNKNOWN', `There is no account for ${email}.`);
    return accountRow.parse(row);
  }

  /** Sets an account's own quota per cycle, independent of its plan (service-api.md §8.5). */
  setQuota(account: Account, videos: number): Account {
    this.#database
      .prepare('UPDATE account SET custom_quota = ? WHERE id = ?')
      .run(videos, account.id);
    return this.withEmail(account.email);
  }

  /** Sets an account's own limit on one endpoint (service-api.md §8.5). */
  setLimit(account: Account, endpoint: Endpoint, limit: RateLimit): Account {
    this.#database
      .prepare('UPDATE account SET custom_limits = ? WHERE id = ?')
      .run(JSON.stringify({ ...account.customLimits, [endpoint]: limit }), account.id);
    return this.withEmail(account.email);
  }

  /** @returns whether it was inserted, because there was none */
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
