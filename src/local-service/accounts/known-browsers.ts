import type { Awaitable } from '../awaitable.ts';
import type { Account } from './account.ts';

/** How long a browser stays known after its latest sign-in, in milliseconds. */
export const BROWSER_LIFE_MS = 180 * 24 * 60 * 60 * 1000;

/**
 * The browsers in which an account has signed in. A known browser still has to sign in, but failed
 * attempts of other browsers do not delay its own.
 */
export interface KnownBrowsers {
  /** The first of these cookies that belongs to a browser in which the account has signed in. */
  find(email: string, cookies: readonly string[]): Awaitable<string | undefined>;
  /**
   * Remembers a browser after a sign-in, and returns the value for its cookie.
   *
   * @param known its cookie, only if {@link find} returned it: another page of this host may have
   *   planted an unknown one
   */
  remember(account: Account, known: string | undefined): Awaitable<string>;
}
