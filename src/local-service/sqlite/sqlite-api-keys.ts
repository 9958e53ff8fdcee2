import { hash } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { z } from 'zod';
import { type Account, accountRow } from '../accounts/account.ts';
import {
  type ApiKeys,
  type CreatedKey,
  keyActive,
  type KeyLabel,
  keyMissing,
  newKey,
  parseKeyName,
} from '../accounts/api-keys.ts';
import type { Clock } from '../clock.ts';
import { type DatabaseVersion, ReadCache } from '../database-version.ts';

const MAX_CACHED_ACCOUNTS = 1000;

const keyRow = z.object({ name: z.string(), created_at: z.int() });

/** A check sees every change that was committed before the current turn of the event loop. */
export class SqliteApiKeys implements ApiKeys {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;
  readonly #findAccount: StatementSync;
  /** By the hash of their key. */
  readonly #accounts: ReadCache<Account>;

  constructor(database: DatabaseSync, clock: Clock, databaseVersion: DatabaseVersion) {
    this.#database = database;
    this.#clock = clock;
    this.#findAccount = database.prepare(
      `SELECT account.* FROM api_key INDEXED BY api_key_by_hash
       JOIN account ON account.id = api_key.account_id
       WHERE api_key.hash = ? AND api_key.revoked_at IS NULL`,
    );
    this.#accounts = new ReadCache(databaseVersion, MAX_CACHED_ACCOUNTS);
  }

  create(account: Account, name: string): CreatedKey {
    const keyName = parseKeyName(name);
    const key = newKey();
    const createdAt = this.#clock.now();
    const { changes } = this.#database
      .prepare(
        `INSERT INTO api_key (account_id, name, hash, created_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (account_id) WHERE revoked_at IS NULL DO NOTHING`,
      )
      .run(account.id, keyName, key.hash, createdAt);
    if (changes === 0) throw keyActive(account);
    return { value: key.value, name: keyName, createdAt };
  }

  revoke(account: Account): KeyLabel {
    const row = this.#database
      .prepare(
        `UPDATE api_key SET revoked_at = ? WHERE account_id = ? AND revoked_at IS NULL
         RETURNING name, created_at`,
      )
      .get(this.#clock.now(), account.id);
    if (!row) throw keyMissing(account);
    return labelOf(row);
  }

  activeKey(account: Account): KeyLabel | undefined {
    const row = this.#database
      .prepare('SELECT name, created_at FROM api_key WHERE account_id = ? AND revoked_at IS NULL')
      .get(account.id);
    return row && labelOf(row);
  }

  authenticate(presented: string | undefined): Account | undefined {
    const digest = hash('sha256', presented ?? '');
    return this.#accounts.get(digest, () => {
      const row = this.#findAccount.get(Buffer.from(digest, 'hex'));
      return row && accountRow.parse(row);
    });
  }
}

function labelOf(row: unknown): KeyLabel {
  const { name, created_at: createdAt } = keyRow.parse(row);
  return { name, createdAt };
}
