import type { RateLimit } from '../../accounts/account.ts';
import { consume, type WindowState } from '../../accounts/rate-window.ts';
import { LOOPBACK } from '../../api/guard.ts';
import type { Clock } from '../../clock.ts';

/** The message for refused attempts. Both times are milliseconds since the epoch. */
export function tooManyAttempts(until: number, now: number): string {
  const seconds = Math.max(1, Math.ceil((until - now) / 1000));
  const wait = seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return `There were too many attempts. Try again in ${wait}.`;
}

/** What identifies the source of a sign-in. */
export interface SignInSource {
  readonly email: string;
  /** Of the client's address (`networkOf`). */
  readonly network: string;
  /** The browser's cookie, if this account has signed in there before. */
  readonly knownBrowser: string | undefined;
}

export type SignInAttempt =
  /** The next attempt is allowed from `until` on; milliseconds since the epoch. */
  | { readonly kind: 'refused'; readonly until: number }
  /** Counts as failed until `succeeded` is called. */
  | { readonly kind: 'allowed'; readonly succeeded: () => void };

/** Counts failures: `free` of them cause no wait; each further one doubles the wait. */
interface FailureCounter {
  readonly key: string;
  readonly free: number;
}

interface Failures {
  count: number;
  lastAt: number;
}

const FIRST_WAIT_MS = 1000;
/** The longest wait. An account is never locked: after this, a correct password is accepted. */
const MAX_WAIT_MS = 60_000;
const FORGET_AFTER_MS = 3600 * 1000;
const MAX_SUBJECTS = 10_000;

const signUpLimit: RateLimit = { requests: 20, windowSeconds: 3600 };
/** All programs and users of this computer share one: none may keep the others out for long. */
const loopbackSignUpLimit: RateLimit = { requests: 20, windowSeconds: 60 };

/**
 * Slows down password guessing. In a browser where the account has signed in before, only that
 * browser's failures count, so that strangers' failures cannot lock a user out. In others, the
 * failures of the address, of the account, and of both together count. The counts are in memory
 * only: checking a password takes so long that a restart does not help an attacker.
 */
export class Attempts {
  readonly #clock: Clock;
  /** Least recently used first. */
  readonly #failures = new Map<string, Failures>();
  readonly #signUps = new Map<string, { readonly state: WindowState; readonly lastAt: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  signIn({ email, network, knownBrowser }: SignInSource): SignInAttempt {
    const account = email.toLowerCase();
    return this.#attempt(
      knownBrowser === undefined
        ? [
            { key: `address ${network} account ${account}`, free: 5 },
            { key: `address ${network}`, free: 30 },
            { key: `account ${account}`, free: 50 },
          ]
        : [{ key: `browser ${knownBrowser} account ${account}`, free: 5 }],
    );
  }

  /** For a check of a signed-in user's current password. */
  confirm(email: string): SignInAttempt {
    return this.#attempt([{ key: `signed in ${email.toLowerCase()}`, free: 5 }]);
  }

  /**
   * Counts one sign-up. If there were too many, returns the time from which the next one is
   * allowed, in milliseconds since the epoch.
   */
  signUpRefusedUntil(network: string): number | undefined {
    const now = this.#clock.now();
    const limit = network === LOOPBACK ? loopbackSignUpLimit : signUpLimit;
    const result = consume('sliding', this.#signUps.get(network)?.state, limit, now);
    setLast(this.#signUps, network, { state: result.state, lastAt: now });
    deleteOld(this.#signUps, now);
    return result.kind === 'refused' ? result.status.resetAt : undefined;
  }

  #attempt(counters: readonly FailureCounter[]): SignInAttempt {
    const now = this.#clock.now();
    const until = Math.max(...counters.map((counter) => this.#waitEnd(counter)));
    // An attempt that comes too early is refused without extending the wait.
    if (until > now) return { kind: 'refused', until };
    const before = counters.map(({ key }) => ({
      key,
      lastAt: this.#failures.get(key)?.lastAt ?? now,
    }));
    for (const { key } of counters) {
      const count = (this.#failures.get(key)?.count ?? 0) + 1;
      setLast(this.#failures, key, { count, lastAt: now });
    }
    deleteOld(this.#failures, now);
    return {
      kind: 'allowed',
      succeeded: () => {
        for (const { key, lastAt } of before) {
          const failures = this.#failures.get(key);
          if (failures) Object.assign(failures, { count: failures.count - 1, lastAt });
        }
      },
    };
  }

  #waitEnd({ key, free }: FailureCounter): number {
    const failures = this.#failures.get(key);
    if (!failures || failures.count < free) return 0;
    // If the clock was set back, the wait begins now.
    const lastAt = Math.min(failures.lastAt, this.#clock.now());
    return lastAt + Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures.count - free));
  }
}

function setLast<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

/**
 * Deletes the least recently used entries, which are the first, if they are too old or too many.
 */
function deleteOld(map: Map<string, { readonly lastAt: number }>, now: number): void {
  for (const [key, { lastAt }] of map) {
    if (lastAt + FORGET_AFTER_MS > now && map.size <= MAX_SUBJECTS) return;
    map.delete(key);
  }
}
