import { hash } from 'node:crypto';
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
import type { Queries } from './postgres-database.ts';

const keyRow = z
  .object({ name: z.string(), created_at: z.int() })
  .transform(({ name, created_at: createdAt }): KeyLabel => ({ name, createdAt }));

/** Every check queries the database, so that a revocation takes effect at once in all processes. */
export class PostgresApiKeys implements ApiKeys {
  readonly #database: Queries;
  readonly #clock: Clock;

  constructor(database: Queries, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async create(account: Account, name: string): Promise<CreatedKey> {
    const keyName = parseKeyName(name);
    const key = newKey();
    const [row] = await this.#database.query(
      `INSERT INTO spool.api_key (account_id, name, hash, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (account_id) WHERE revoked_at IS NULL DO NOTHING RETURNING name, created_at`,
      [account.id, keyName, key.hash, this.#clock.now()],
    );
    if (!row) throw keyActive(account);
    return { ...keyRow.parse(row), value: key.value };
  }

  async revoke(account: Account): Promise<KeyLabel> {
    const [row] = await this.#database.query(
      `UPDATE spool.api_key SET revoked_at = $2 WHERE account_id = $1 AND revoked_at IS NULL
       RETURNING name, created_at`,
      [account.id, this.#clock.now()],
    );
    if (!row) throw keyMissing(account);
    return keyRow.parse(row);
  }

  async activeKey(account: Account): Promise<KeyLabel | undefined> {
    const [row] = await this.#database.query(
      'SELECT name, created_at FROM spool.api_key WHERE account_id = $1 AND revoked_at IS NULL',
      [account.id],
    );
    return row && keyRow.parse(row);
  }

  async authenticate(presented: string | undefined): Promise<Account | undefined> {
    const [row] = await this.#database.query(
      `SELECT account.* FROM spool.api_key JOIN spool.account ON account.id = api_key.account_id
       WHERE api_key.hash = $1 AND api_key.revoked_at IS NULL`,
      [hash('sha256', presented ?? '', 'buffer')],
    );
    return row && accountRow.parse(row);
  }
}
