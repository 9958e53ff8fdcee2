import { z } from 'zod';
import type { Awaitable } from '../awaitable.ts';
import type { Account } from './account.ts';
import type { NewAccount } from './accounts.ts';

/** Parameters of scrypt (RFC 7914 §2), which takes 128 × cost × blockSize bytes of memory. */
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

/** A row of the table of passwords, the same in SQLite and in PostgreSQL. */
export const passwordRow = z
  .object({
    account_id: z.int(),
    salt: z.instanceof(Uint8Array),
    hash: z.instanceof(Uint8Array),
    cost: z.int(),
    block_size: z.int(),
    parallelization: z.int(),
  })
  .transform(({ account_id: accountId, block_size: blockSize, ...row }): PasswordRecord => ({
    accountId,
    stored: { ...row, blockSize },
  }));

/** The stored passwords. An account that a command added has none at first. */
export interface PasswordRecords {
  /**
   * Adds an account with a password, in one transaction.
   *
   * @throws {DomainError} `ACCOUNT_EXISTS` when the e-mail address has an account.
   */
  addAccount(account: NewAccount, hashed: PasswordHash): Awaitable<Account>;
  find(email: string): Awaitable<PasswordRecord | undefined>;
  /** Replaces the account's password, and ends all its sessions. */
  replace(account: Account, hashed: PasswordHash): Awaitable<void>;
  /** Replaces the hash of a password, unless the password was changed since `record` was read. */
  rehash(record: PasswordRecord, hashed: PasswordHash): Awaitable<void>;
}
