import type { DatabaseSync } from 'node:sqlite';
import { type Account, accountRow } from '../accounts/account.ts';
import { cookieHash, newCookie, SESSION_LIFE_MS, type Sessions } from '../accounts/sessions.ts';
import type { Clock } from '../clock.ts';

export class SqliteSessions implements Sessions {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;

  constructor(database: DatabaseSync, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  start(account: Account): string {
    const now = this.#clock.now();
    this.#database.prepare('DELETE FROM web_session WHERE expires_at <= ?').run(now);
    const cookie = newCookie();
    this.#database
      .prepare('INSERT INTO web_session (hash, account_id, expires_at) VALUES (?, ?, ?)')
      .run(cookieHash(cookie), account.id, now + SESSION_LIFE_MS);
    return cookie;
  }

  find(cookie: string): Account | undefined {
    const row = this.#database
      .prepare(
        `SELECT account.* FROM web_session JOIN account ON account.id = web_session.account_id
         WHERE web_session.hash = ? AND web_session.expires_at > ?`,
      )
      .get(cookieHash(cookie), this.#clock.now());
    return row && accountRow.parse(row);
  }

  end(cookie: string): void {
    this.#database.prepare('DELETE FROM web_session WHERE hash = ?').run(cookieHash(cookie));
  }
}
