import { hash, randomBytes } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { z } from 'zod';
import { type DatabaseVersion, ReadCache } from '../database-version.ts';
import type { Clock } from '../clock.ts';
import { DomainError } from '../domain-error.ts';
import { type Account, accountRow } from './account.ts';

const PREFIX = 'svc_live_';
const RANDOM_BYTES = 32;
const MAX_OWNERS_KEPT = 1000;

/** service-api.md §2.1 leaves the bounds open; ours: 1 to 64 characters, no control characters. */
const keyName = z
  .string()
  .trim()
  .regex(/^\P{Cc}{1,64}$/u);

const keyRow = z.object({ name: z.string(), created_at: z.int() });

/** The visible properties of a key: never its value. */
export interface KeyLabel {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/**
 * API keys (service-api.md §2.1, §3, §5). Only a SHA-256 of each is stored: a value with 256 random
 * bits needs no slow hash. Every check reads the database's state of that turn of the event loop,
 * so a revocation holds at once in every process that has it open.
 */
export class KeyStore {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;
  readonly #findOwner: StatementSync;
  readonly #owners: ReadCache<Account>;

  constructor(database: DatabaseSync, clock: Clock, watch: DatabaseVersion) {
    this.#database = database;
    this.#clock = clock;
    this.#findOwner = database.prepare(
      `SELECT account.* FROM api_key INDEXED BY api_key_by_hash
       JOIN account ON account.id = api_key.account_id
       WHERE api_key.hash = ? AND api_key.revoked_at IS NULL`,
    );
    this.#owners = new ReadCache(watch, MAX_OWNERS_KEPT);
  }

  /**
   * Makes the account's key and returns its value: it cannot be read later.
   *
   * @throws {DomainError} `KEY_ACTIVE` while the account has a key; `KEY_NAME_INVALID`.
   */
  create(account: Account, name: string): KeyLabel & { readonly value: string } {
    const parsed = keyName.safeParse(name);
    if (!parsed.success) {
      throw new DomainError('KEY_NAME_INVALID', 'The name of a key has 1 to 64 characters.');
    }
    const value = PREFIX + randomBytes(RANDOM_BYTES).toString('base64url');
    const createdAt = this.#clock.now();
    const { changes } = this.#database
      .prepare(
        `INSERT INTO api_key (account_id, name, hash, created_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (account_id) WHERE revoked_at IS NULL DO NOTHING`,
      )
      .run(account.id, parsed.data, hash('sha256', value, 'buffer'), createdAt);
    if (changes === 0) {
      throw new DomainError(
        'KEY_ACTIVE',
        `${account.email} has a key already; revoke that one first.`,
      );
    }
    return { value, name: parsed.data, createdAt };
  }

  /**
   * Revokes the account's key at once and permanently.
   *
   * @throws {DomainError} `KEY_MISSING` when the account has none.
   */
  revoke(account: Account): KeyLabel {
    const row = this.#database
      .prepare(
        `UPDATE api_key SET revoked_at = ? WHERE account_id = ? AND revoked_at IS NULL
         RETURNING name, created_at`,
      )
      .get(this.#clock.now(), account.id);
    if (!row) throw new DomainError('KEY_MISSING', `${account.email} has no key to revoke.`);
    return labelOf(row);
  }

  /** The label of the account's active key, if it has one. */
  activeKey(account: Account): KeyLabel | undefined {
    const row = this.#database
      .prepare('SELECT name, created_at FROM api_key WHERE account_id = ? AND revoked_at IS NULL')
      .get(account.id);
    return row && labelOf(row);
  }

  /**
   * The account whose active key was presented. Keys are compared by their hashes only, and a
   * missing, malformed, unknown or revoked key takes the same steps: one hash, and one search of an
   * index of active keys. So the duration reveals neither the reason of a refusal nor how close a
   * guess was.
   */
  authenticate(presented: string | undefined): Account | undefined {
    const digest = hash('sha256', presented ?? '');
    return this.#owners.get(digest, () => {
      const row = this.#findOwner.get(Buffer.from(digest, 'hex'));
      return row && accountRow.parse(row);
    });
  }
}

function labelOf(row: unknown): KeyLabel {
  const { name, created_at: createdAt } = keyRow.parse(row);
  return { name, createdAt };
}
