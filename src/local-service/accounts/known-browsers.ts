import type { Awaitable } from '../awaitable.ts';
import type { Account } from './account.ts';

/** How long a browser is known after its latest sign-in, in milliseconds. */
export const BROWSER_LIFE_MS = 180 * 24 * 60 * 60 * 1000;

/**
 * The browsers in which an account has signed in. A known browser still has to sign in; its
 * attempts only do not wait for the failures of others.
 */
export interface KnownBrowsers {
  /** The cookie, of those presented, of a browser in which the account has signed in. */
  find(email: string, cookies: readonly string[]): Awaitable<string | undefined>;
  /**
   * Remembers a browser after a sign-in, and returns what its cookie is to say.
   *
   * @param known its cookie when {@link find} has found it. Never one that is not known: another page
   * of this host may have planted it.
   */
  remember(account: Account, known: string | undefined): Awaitable<string>;
}
