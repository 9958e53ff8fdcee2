/** Sessions of the studio on PostgreSQL. */
import { type Account, accountRow } from '../accounts/account.ts';
import {
  cookieHash,
  newCookie,
  SESSION_IDLE_MS,
  SESSION_LIFE_MS,
  SESSION_USE_MS,
  type Sessions,
  usedAt,
} from '../accounts/sessions.ts';
import type { Clock } from '../clock.ts';
import type { Queries } from './postgres-database.ts';

export class PostgresSessions implements Sessions {
  readonly #database: Queries;
  readonly #clock: Clock;

  constructor(database: Queries, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async start(account: Account): Promise<string> {
    const now = this.#clock.now();
    const cookie = newCookie();
    await this.#database.query(
      'DELETE FROM spool.web_session WHERE expires_at <= $1 OR used_at <= $2',
      [now, now - SESSION_IDLE_MS],
    );
    await this.#database.query(
      'INSERT INTO spool.web_session (hash, account_id, expires_at, used_at) VALUES ($1, $2, $3, $4)',
      [cookieHash(cookie), account.id, now + SESSION_LIFE_MS, now],
    );
    return cookie;
  }

  async find(cookie: string): Promise<Account | undefined> {
    const now = this.#clock.now();
    const hash = cookieHash(cookie);
    const [row] = await this.#database.query(
      `SELECT account.*, web_session.used_at FROM spool.web_session
       JOIN spool.account ON account.id = web_session.account_id
       WHERE web_session.hash = $1 AND web_session.expires_at > $2 AND web_session.used_at > $3`,
      [hash, now, now - SESSION_IDLE_MS],
    );
    if (!row) return undefined;
    if (usedAt.parse(row).used_at <= now - SESSION_USE_MS) {
      await this.#database.query('UPDATE spool.web_session SET used_at = $1 WHERE hash = $2', [
        now,
        hash,
      ]);
    }
    return accountRow.parse(row);
  }

  async end(cookie: string): Promise<void> {
    await this.#database.query('DELETE FROM spool.web_session WHERE hash = $1', [
      cookieHash(cookie),
    ]);
  }

  async endAll(account: Account): Promise<void> {
    await this.#database.query('DELETE FROM spool.web_session WHERE account_id = $1', [account.id]);
  }
}
