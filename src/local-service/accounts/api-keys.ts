import { hash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Awaitable } from '../awaitable.ts';
import { DomainError } from '../domain-error.ts';
import type { Account } from './account.ts';

const PREFIX = 'svc_live_';
const RANDOM_BYTES = 32;

/** service-api.md §2.1 leaves the bounds open; ours: 1 to 64 characters, no control characters. */
const keyName = z
  .string()
  .trim()
  .regex(/^\P{Cc}{1,64}$/u);

/** The visible properties of a key: never its value. */
export interface KeyLabel {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export interface CreatedKey extends KeyLabel {
  readonly value: string;
}

/**
 * API keys (service-api.md §2.1, §3, §5). Only a SHA-256 of each is stored: a value with 256 random
 * bits needs no slow hash. A revocation takes effect at once in every process.
 */
export interface ApiKeys {
  /**
   * Creates the account's key and returns its value, which cannot be read later.
   *
   * @throws {DomainError} `KEY_ACTIVE` while the account has a key; `KEY_NAME_INVALID`.
   */
  create(account: Account, name: string): Awaitable<CreatedKey>;
  /**
   * Revokes the account's key at once and permanently.
   *
   * @throws {DomainError} `KEY_MISSING` when the account has none.
   */
  revoke(account: Account): Awaitable<KeyLabel>;
  /** The label of the account's active key, if it has one. */
  activeKey(account: Account): Awaitable<KeyLabel | undefined>;
  /**
   * The account whose active key was presented. Only hashes are compared, and a missing, malformed,
   * unknown or revoked key takes the same steps: one hash, and one search in an index of active
   * keys. The duration therefore reveals neither why a key was refused nor how close a guess was.
   */
  authenticate(presented: string | undefined): Awaitable<Account | undefined>;
}

/** @throws {DomainError} `KEY_NAME_INVALID` */
export function parseKeyName(name: string): string {
  const parsed = keyName.safeParse(name);
  if (parsed.success) return parsed.data;
  throw new DomainError('KEY_NAME_INVALID', 'The name of a key has 1 to 64 characters.');
}

/** A new key: the value for its user, and the hash that is stored. */
export function newKey(): { readonly value: string; readonly hash: Buffer } {
  const value = PREFIX + randomBytes(RANDOM_BYTES).toString('base64url');
  return { value, hash: hash('sha256', value, 'buffer') };
}

export function keyActive({ email }: Account): DomainError {
  return new DomainError('KEY_ACTIVE', `${email} has a key already; revoke that one first.`);
}

export function keyMissing({ email }: Account): DomainError {
  return new DomainError('KEY_MISSING', `${email} has no key to revoke.`);
}
