import type { RateLimit } from '../../accounts/account.ts';
import { consume, type WindowState } from '../../accounts/rate-window.ts';
import type { Clock } from '../../clock.ts';

/** Says that there were too many attempts. Both moments in milliseconds since the epoch. */
export function tooOften(until: number, now: number): string {
  const seconds = Math.max(1, Math.ceil((until - now) / 1000));
  const wait = seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return `There were too many attempts. Try again in ${wait}.`;
}

/** Who tries to sign in, as far as that can be distinguished. */
export interface SignInSource {
  readonly email: string;
  /** Of the client's address (`networkOf`). */
  readonly network: string;
  /** The cookie of a browser in which this account has signed in before. */
  readonly knownBrowser: string | undefined;
}

export type SignInAttempt =
  /** From `until` on, in milliseconds since the epoch, the next attempt is allowed. */
  | { readonly kind: 'refused'; readonly until: number }
  /** Counts as failed until `succeeded` is called. */
  | { readonly kind: 'allowed'; readonly succeeded: () => void };

/**
 * Attempts of one kind: the first few may fail without a wait; each further failure doubles the
 * wait.
 */
interface Lane {
  readonly key: string;
  readonly free: number;
}

interface Failures {
  count: number;
  lastAt: number;
}

const FIRST_WAIT_MS = 1000;
/** The longest wait. No account is locked: a right password is accepted after this. */
const MAX_WAIT_MS = 60_000;
const FORGET_AFTER_MS = 3600 * 1000;
const MAX_SUBJECTS = 10_000;

const signUpLimit: RateLimit = { requests: 20, windowSeconds: 3600 };

/**
 * Slows down guesses of passwords. In a browser where the account has signed in before, only that
 * browser's failures count, so that strangers cannot lock a user out by failing. In others, the
 * failures of the address, of the account, and of both count. The counts are kept in memory: a
 * check takes so long that a restart does not help an attacker.
 */
export class Attempts {
  readonly #clock: Clock;
  /** In the order of their last use. */
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

  /** Checks the current password of a signed-in user. */
  confirm(email: string): SignInAttempt {
    return this.#attempt([{ key: `signed in ${email.toLowerCase()}`, free: 5 }]);
  }

  /**
   * Counts one sign-up. When there were too many, answers the moment from which the next is allowed,
   * in milliseconds since the epoch.
   */
  signUpRefusedUntil(network: string): number | undefined {
    const now = this.#clock.now();
    const result = consume('sliding', this.#signUps.get(network)?.state, signUpLimit, now);
    touch(this.#signUps, network, { state: result.state, lastAt: now });
    forget(this.#signUps, now);
    return result.kind === 'refused' ? result.status.resetAt : undefined;
  }

  #attempt(lanes: readonly Lane[]): SignInAttempt {
    const now = this.#clock.now();
    const until = Math.max(...lanes.map((lane) => this.#waitsUntil(lane)));
    // An early attempt is refused and does not lengthen the wait.
    if (until > now) return { kind: 'refused', until };
    const before = lanes.map(({ key }) => ({
      key,
      lastAt: this.#failures.get(key)?.lastAt ?? now,
    }));
    for (const { key } of lanes) {
      const count = (this.#failures.get(key)?.count ?? 0) + 1;
      touch(this.#failures, key, { count, lastAt: now });
    }
    forget(this.#failures, now);
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

  #waitsUntil({ key, free }: Lane): number {
    const failures = this.#failures.get(key);
    if (!failures || failures.count < free) return 0;
    // After the clock was set back, the wait counts from now.
    const lastAt = Math.min(failures.lastAt, this.#clock.now());
    return lastAt + Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures.count - free));
  }
}

function touch<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

/** Entries are in the order of their last use, so the first ones are the first to go. */
function forget(map: Map<string, { readonly lastAt: number }>, now: number): void {
  for (const [key, { lastAt }] of map) {
    if (lastAt + FORGET_AFTER_MS > now && map.size <= MAX_SUBJECTS) return;
    map.delete(key);
  }
}
