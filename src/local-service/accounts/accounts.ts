import type { Awaitable } from '../awaitable.ts';
import { DomainError } from '../domain-error.ts';
import type { Account, Endpoint, Plan, RateLimit } from './account.ts';

export interface NewAccount {
  readonly email: string;
  readonly plan: Plan;
  readonly billingDate?: string | undefined;
  readonly customQuota?: number | undefined;
}

/**
 * The stored accounts. E-mail addresses are compared without case. Every read sees what other
 * processes have committed.
 */
export interface Accounts {
  /** @throws {DomainError} `ACCOUNT_EXISTS` when the e-mail address has an account. */
  add(account: NewAccount): Awaitable<Account>;
  /** Does nothing, and writes nothing, if an account with that address exists. */
  addIfMissing(account: NewAccount): Awaitable<Account>;
  /** @throws {DomainError} `ACCOUNT_UNKNOWN` when there is none. */
  withEmail(email: string): Awaitable<Account>;
  setPlan(account: Account, plan: Plan): Awaitable<Account>;
  /** Sets an account's own quota per cycle, independent of its plan (service-api.md §8.5). */
  setQuota(account: Account, videos: number): Awaitable<Account>;
  /** Sets an account's own limit on one endpoint (service-api.md §8.5). */
  setLimit(account: Account, endpoint: Endpoint, limit: RateLimit): Awaitable<Account>;
}

export function accountExists(email: string): DomainError {
  return new DomainError('ACCOUNT_EXISTS', `There is an account for ${email} already.`);
}

export function accountUnknown(email: string): DomainError {
  return new DomainError('ACCOUNT_UNKNOWN', `There is no account for ${email}.`);
}
