import { hash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Awaitable } from '../awaitable.ts';
import type { Account } from './account.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long a sign-in lasts, in milliseconds. */
export const SESSION_LIFE_MS = 14 * DAY_MS;
/** How long a sign-in lasts without a request, in milliseconds. */
export const SESSION_IDLE_MS = 3 * DAY_MS;
/** How exactly the last request of a session is stored, in milliseconds: not each one is written. */
export const SESSION_USE_MS = 60 * 60 * 1000;
const SECRET_BYTES = 32;

/**
 * Sessions of signed-in users. A cookie contains 256 random bits. Only their SHA-256 is stored, so
 * the contents of the database cannot be used to sign in.
 */
export interface Sessions {
  /** Signs the account in and returns the value for its cookie. */
  start(account: Account): Awaitable<string>;
  /**
   * The account of the cookie's session; `undefined` if it was ended, has expired, or was not used
   * for {@link SESSION_IDLE_MS}. Counts as its use.
   */
  find(cookie: string): Awaitable<Account | undefined>;
  /** Ends the session: every copy of the cookie becomes invalid. */
  end(cookie: string): Awaitable<void>;
  /** Ends all sessions of the account. */
  endAll(account: Account): Awaitable<void>;
}

/** When a session's row was last used, in milliseconds since the epoch. */
export const usedAt = z.object({ used_at: z.int() });

/** A random value for a new cookie. */
export function newCookie(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** The hash that is stored instead of a cookie's value. */
export function cookieHash(cookie: string): Buffer {
  return hash('sha256', cookie, 'buffer');
}
