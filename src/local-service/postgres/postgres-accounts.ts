/** Accounts on PostgreSQL, and the locks that serialise changes of one account. */
import { z } from 'zod';
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
import type { Queries } from './postgres-database.ts';

const idRow = z.object({ id: z.int() });

export class PostgresAccounts implements Accounts {
  readonly #database: Queries;
  readonly #clock: Clock;

  constructor(database: Queries, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async add(account: NewAccount): Promise<Account> {
    const added = await insertAccount(this.#database, account, this.#clock.now());
    if (!added) throw accountExists(account.email);
    return added;
  }

  async addIfMissing(account: NewAccount): Promise<Account> {
    const added = await insertAccount(this.#database, account, this.#clock.now());
    return added ?? this.withEmail(account.email);
  }

  async withEmail(email: string): Promise<Account> {
    const [row] = await this.#database.query(
      'SELECT * FROM spool.account WHERE lower(email) = lower($1)',
      [email],
    );
    if (!row) throw accountUnknown(email);
    return accountRow.parse(row);
  }

  async setPlan(account: Account, plan: Plan): Promise<Account> {
    await this.#database.query('UPDATE spool.account SET plan = $2 WHERE id = $1', [
      account.id,
      plan,
    ]);
    return this.withEmail(account.email);
  }

  async setQuota(account: Account, videos: number): Promise<Account> {
    await this.#database.query('UPDATE spool.account SET custom_quota = $2 WHERE id = $1', [
      account.id,
      videos,
    ]);
    return this.withEmail(account.email);
  }

  async setLimit(account: Account, endpoint: Endpoint, limit: RateLimit): Promise<Account> {
    await this.#database.query(
      `UPDATE spool.account SET custom_limits = (custom_limits::jsonb || $2::jsonb)::text
       WHERE id = $1`,
      [account.id, JSON.stringify({ [endpoint]: limit })],
    );
    return this.withEmail(account.email);
  }
}

/** Returns the new account; `undefined` if the e-mail address already has one. */
export async function insertAccount(
  database: Queries,
  { email, plan, billingDate, customQuota }: NewAccount,
  now: number,
): Promise<Account | undefined> {
  const [row] = await database.query(
    `INSERT INTO spool.account (email, plan, signed_up_at, billing_date, custom_quota)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT (lower(email)) DO NOTHING RETURNING *`,
    [email, plan, now, billingDate ?? null, customQuota ?? null],
  );
  return row && accountRow.parse(row);
}

/** Locks the account for other transactions until the end of this one. */
export async function lockAccount(transaction: Queries, account: Account): Promise<void> {
  await lockAccounts(transaction, [account]);
}

/**
 * Like {@link lockAccount}. Locks in ascending order, so that transactions cannot deadlock.
 *
 * @returns the identifiers of the locked accounts
 */
export function lockAccounts(
  transaction: Queries,
  accounts: readonly Account[],
): Promise<ReadonlySet<number>> {
  return lock(transaction, accounts, '');
}

/** Like {@link lockAccounts}, but skips accounts that another transaction has locked. */
export function lockFreeAccounts(
  transaction: Queries,
  accounts: readonly Account[],
): Promise<ReadonlySet<number>> {
  return lock(transaction, accounts, 'SKIP LOCKED');
}

async function lock(
  transaction: Queries,
  accounts: readonly Account[],
  wait: '' | 'SKIP LOCKED',
): Promise<ReadonlySet<number>> {
  const rows = await transaction.query(
    `SELECT id FROM spool.account WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE ${wait}`,
    [[...new Set(accounts.map(({ id }) => id))]],
  );
  return new Set(rows.map((row) => idRow.parse(row).id));
}
