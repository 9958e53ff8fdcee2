import type { Awaitable } from '../awaitable.ts';
import type { Account } from './account.ts';
import type { NewAccount } from './accounts.ts';

/** What scrypt (RFC 7914 §2) is run with. It takes 128 × cost × blockSize bytes of memory. */
export interface HashParameters {
  /** N. */
  readonly cost: number;
  /** r. */
  readonly blockSize: number;
  /** p. */
  readonly parallelization: number;
}

/** A stored password hash with all its parameters, so that any of them can be changed later. */
export interface PasswordHash extends HashParameters {
  readonly salt: Uint8Array;
  readonly hash: Uint8Array;
}

export interface PasswordRecord {
  readonly accountId: number;
  readonly stored: PasswordHash;
}

/** The stored passwords. An account that was opened by a command has none at first. */
export interface PasswordRecords {
  /**
   * Opens an account with a password: both, or neither.
   *
   * @throws {DomainError} `ACCOUNT_EXISTS` when the e-mail address has an account.
   */
  addAccount(account: NewAccount, hashed: PasswordHash): Awaitable<Account>;
  find(email: string): Awaitable<PasswordRecord | undefined>;
  /** Stores a password in place of any other, and signs the account out everywhere. */
  replace(account: Account, hashed: PasswordHash): Awaitable<void>;
  /** Stores another hash of the same password, unless another password was set meanwhile. */
  rehash(record: PasswordRecord, hashed: PasswordHash): Awaitable<void>;
}
