import { hash, randomBytes } from 'node:crypto';
import type { Awaitable } from '../awaitable.ts';
import type { Account } from './account.ts';

/** How long a sign-in lasts, in milliseconds. */
export const SESSION_LIFE_MS = 14 * 24 * 60 * 60 * 1000;
const SECRET_BYTES = 32;

/**
 * Sessions of signed-in users. A cookie contains 256 random bits. Only their SHA-256 is stored, so
 * the contents of the database cannot be used to sign in.
 */
export interface Sessions {
  /** Signs the account in and returns the value for its cookie. */
  start(account: Account): Awaitable<string>;
  /** The account of the cookie's session; `undefined` if it was ended or has expired. */
  find(cookie: string): Awaitable<Account | undefined>;
  /** Ends the session: every copy of the cookie becomes invalid. */
  end(cookie: string): Awaitable<void>;
}

/** A random value for a new cookie. */
export function newCookie(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** The hash that is stored instead of a cookie's value. */
export function cookieHash(cookie: string): Buffer {
  return hash('sha256', cookie, 'buffer');
}
