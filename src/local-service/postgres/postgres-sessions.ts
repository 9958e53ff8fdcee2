import { type Account, accountRow } from '../accounts/account.ts';
import { cookieHash, newCookie, SESSION_LIFE_MS, type Sessions } from '../accounts/sessions.ts';
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
    await this.#database.query('DELETE FROM spool.web_session WHERE expires_at <= $1', [now]);
    await this.#database.query(
      'INSERT INTO spool.web_session (hash, account_id, expires_at) VALUES ($1, $2, $3)',
      [cookieHash(cookie), account.id, now + SESSION_LIFE_MS],
    );
    return cookie;
  }

  async find(cookie: string): Promise<Account | undefined> {
    const [row] = await this.#database.query(
      `SELECT account.* FROM spool.web_session
       JOIN spool.account ON account.id = web_session.account_id
       WHERE web_session.hash = $1 AND web_session.expires_at > $2`,
      [cookieHash(cookie), this.#clock.now()],
    );
    return row && accountRow.parse(row);
  }

  async end(cookie: string): Promise<void> {
    await this.#database.query('DELETE FROM spool.web_session WHERE hash = $1', [
      cookieHash(cookie),
    ]);
  }
}
