/** The browsers from which accounts signed in, on SQLite. */
import type { DatabaseSync } from 'node:sqlite';
import type { Account } from '../accounts/account.ts';
import { BROWSER_LIFE_MS, type KnownBrowsers } from '../accounts/known-browsers.ts';
import { cookieHash, newCookie } from '../accounts/sessions.ts';
import type { Clock } from '../clock.ts';

export class SqliteKnownBrowsers implements KnownBrowsers {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;

  constructor(database: DatabaseSync, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  find(email: string, cookies: readonly string[]): string | undefined {
    const find = this.#database.prepare(
      `SELECT 1 FROM known_browser JOIN account ON account.id = known_browser.account_id
       WHERE known_browser.hash = ? AND account.email = ? AND known_browser.expires_at > ?`,
    );
    return cookies.find((cookie) => find.get(cookieHash(cookie), email, this.#clock.now()));
  }

  remember(account: Account, known: string | undefined): string {
    const now = this.#clock.now();
    this.#database.prepare('DELETE FROM known_browser WHERE expires_at <= ?').run(now);
    const cookie = known ?? newCookie();
    this.#database
      .prepare(
        `INSERT INTO known_browser (hash, account_id, expires_at) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at`,
      )
      .run(cookieHash(cookie), account.id, now + BROWSER_LIFE_MS);
    return cookie;
  }
}
