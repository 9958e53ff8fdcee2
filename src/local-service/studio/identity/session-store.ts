import { createHash, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { type Account, accountRow } from '../../accounts/account.ts';
import type { Clock } from '../../clock.ts';

/** How long a sign-in lasts, in milliseconds. */
export const SESSION_LIFE_MS = 14 * 24 * 60 * 60 * 1000;
const SECRET_BYTES = 32;

/**
 * Sessions of signed-in users. The cookie contains 256 random bits and only their SHA-256 is
 * stored, so that a reader of the database cannot sign in with its contents.
 */
export class SessionStore {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;

  constructor(database: DatabaseSync, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Signs the account in and returns what its cookie is to say. */
  start(account: Account): string {
    const now = this.#clock.now();
    this.#database.prepare('DELETE FROM web_session WHERE expires_at <= ?').run(now);
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    this.#database
      .prepare('INSERT INTO web_session (hash, account_id, expires_at) VALUES (?, ?, ?)')
      .run(hashOf(secret), account.id, now + SESSION_LIFE_MS);
    return secret;
  }

  /** The account that the cookie signs in, unless it has signed out or its time is over. */
  find(secret: string): Account | undefined {
    const row = this.#database
      .prepare(
        `SELECT account.* FROM web_session JOIN account ON account.id = web_session.account_id
         WHERE web_session.hash = ? AND web_session.expires_at > ?`,
      )
      .get(hashOf(secret), this.#clock.now());
    return row && accountRow.parse(row);
  }

  /** Signs out: the cookie is worth nothing from now on, wherever it is. */
  end(secret: string): void {
    this.#database.prepare('DELETE FROM web_session WHERE hash = ?').run(hashOf(secret));
  }
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
