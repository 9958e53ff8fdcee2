import { hash, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Account } from '../../accounts/account.ts';
import type { Clock } from '../../clock.ts';

/** How long a browser is known after its latest sign-in, in milliseconds. */
export const BROWSER_LIFE_MS = 180 * 24 * 60 * 60 * 1000;

/**
 * The browsers in which an account has signed in. A known browser still has to sign in; its
 * attempts only do not wait for the failures of others.
 */
export class KnownBrowsers {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;

  constructor(database: DatabaseSync, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** The cookie, of those presented, of a browser in which the account has signed in. */
  find(email: string, cookies: readonly string[]): string | undefined {
    const find = this.#database.prepare(
      `SELECT 1 FROM known_browser JOIN account ON account.id = known_browser.account_id
       WHERE known_browser.hash = ? AND account.email = ? AND known_browser.expires_at > ?`,
    );
    return cookies.find((cookie) => find.get(hashOf(cookie), email, this.#clock.now()));
  }

  /** Remembers a browser after a sign-in, and returns what its cookie is to say. */
  remember(account: Account, known: string | undefined): string {
    const now = this.#clock.now();
    this.#database.prepare('DELETE FROM known_browser WHERE expires_at <= ?').run(now);
    // Never a cookie that is not known: another page of this host may have planted it.
    const cookie = known ?? randomBytes(32).toString('base64url');
    this.#database
      .prepare(
        `INSERT INTO known_browser (hash, account_id, expires_at) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at`,
      )
      .run(hashOf(cookie), account.id, now + BROWSER_LIFE_MS);
    return cookie;
  }
}

function hashOf(cookie: string): Buffer {
  return hash('sha256', cookie, 'buffer');
}
