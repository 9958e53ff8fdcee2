/** Sessions of the studio on SQLite. */
import type { DatabaseSync } from 'node:sqlite';
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

export class SqliteSessions implements Sessions {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;

  constructor(database: DatabaseSync, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  start(account: Account): string {
    const now = this.#clock.now();
    this.#database
      .prepare('DELETE FROM web_session WHERE expires_at <= ? OR used_at <= ?')
      .run(now, now - SESSION_IDLE_MS);
    const cookie = newCookie();
    this.#database
      .prepare(
        'INSERT INTO web_session (hash, account_id, expires_at, used_at) VALUES (?, ?, ?, ?)',
      )
      .run(cookieHash(cookie), account.id, now + SESSION_LIFE_MS, now);
    return cookie;
  }

  find(cookie: string): Account | undefined {
    const now = this.#clock.now();
    const hash = cookieHash(cookie);
    const row = this.#database
      .prepare(
        `SELECT account.*, web_session.used_at
         FROM web_session JOIN account ON account.id = web_session.account_id
         WHERE web_session.hash = ? AND web_session.expires_at > ? AND web_session.used_at > ?`,
      )
      .get(hash, now, now - SESSION_IDLE_MS);
    if (!row) return undefined;
    if (usedAt.parse(row).used_at <= now - SESSION_USE_MS) {
      this.#database.prepare('UPDATE web_session SET used_at = ? WHERE hash = ?').run(now, hash);
    }
    return accountRow.parse(row);
  }

  end(cookie: string): void {
    this.#database.prepare('DELETE FROM web_session WHERE hash = ?').run(cookieHash(cookie));
  }

  endAll(account: Account): void {
    this.#database.prepare('DELETE FROM web_session WHERE account_id = ?').run(account.id);
  }
}
