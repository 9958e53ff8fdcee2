/** The browsers from which accounts signed in, on PostgreSQL. */
import type { Account } from '../accounts/account.ts';
import { BROWSER_LIFE_MS, type KnownBrowsers } from '../accounts/known-browsers.ts';
import { cookieHash, newCookie } from '../accounts/sessions.ts';
import type { Clock } from '../clock.ts';
import { type Queries, storable } from './postgres-database.ts';

export class PostgresKnownBrowsers implements KnownBrowsers {
  readonly #database: Queries;
  readonly #clock: Clock;

  constructor(database: Queries, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async find(email: string, cookies: readonly string[]): Promise<string | undefined> {
    for (const cookie of cookies) {
      const [row] = await this.#database.query(
        `SELECT 1 FROM spool.known_browser
         JOIN spool.account ON account.id = known_browser.account_id
         WHERE known_browser.hash = $1 AND lower(account.email) = lower($2)
         AND known_browser.expires_at > $3`,
        [cookieHash(cookie), storable(email), this.#clock.now()],
      );
      if (row) return cookie;
    }
    return undefined;
  }

  async remember(account: Account, known: string | undefined): Promise<string> {
    const now = this.#clock.now();
    const cookie = known ?? newCookie();
    await this.#database.query('DELETE FROM spool.known_browser WHERE expires_at <= $1', [now]);
    await this.#database.query(
      `INSERT INTO spool.known_browser (hash, account_id, expires_at) VALUES ($1, $2, $3)
       ON CONFLICT (hash, account_id) DO UPDATE SET expires_at = excluded.expires_at`,
      [cookieHash(cookie), account.id, now + BROWSER_LIFE_MS],
    );
    return cookie;
  }
}
