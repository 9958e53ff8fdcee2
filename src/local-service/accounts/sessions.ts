import { hash, randomBytes } from 'node:crypto';
import type { Awaitable } from '../awaitable.ts';
import type { Account } from './account.ts';

/** How long a sign-in lasts, in milliseconds. */
export const SESSION_LIFE_MS = 14 * 24 * 60 * 60 * 1000;
const SECRET_BYTES = 32;

/**
 * Sessions of signed-in users. The cookie contains 256 random bits and only their SHA-256 is
 * stored, so that a reader of the database cannot sign in with its contents.
 */
export interface Sessions {
  /** Signs the account in and returns what its cookie is to say. */
  start(account: Account): Awaitable<string>;
  /** The account that the cookie signs in, unless it has signed out or its time is over. */
  find(cookie: string): Awaitable<Account | undefined>;
  /** Signs out: the cookie is worth nothing from now on, wherever it is. */
  end(cookie: string): Awaitable<void>;
}

/** What a new cookie is to say. */
export function newCookie(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** What is stored of a cookie. */
export function cookieHash(cookie: string): Buffer {
  return hash('sha256', cookie, 'buffer');
}
