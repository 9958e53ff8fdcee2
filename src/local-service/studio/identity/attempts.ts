import type { RateLimit } from '../../accounts/account.ts';
import { charge, type WindowState } from '../../accounts/rate-window.ts';
import type { Clock } from '../../clock.ts';

/** What is limited: guesses of passwords by where they come from and by whom they aim at. */
export type AttemptKind = 'sign-in-address' | 'sign-in-account' | 'sign-up-address';

const limits: Readonly<Record<AttemptKind, RateLimit>> = {
  'sign-in-address': { requests: 30, windowSeconds: 600 },
  'sign-in-account': { requests: 10, windowSeconds: 600 },
  'sign-up-address': { requests: 20, windowSeconds: 3600 },
};

/** Says that there were too many attempts. Both moments in milliseconds since the epoch. */
export function tooOften(until: number, now: number): string {
  const minutes = Math.max(1, Math.ceil((until - now) / 60_000));
  return `That was tried too often. Try again in ${minutes} min.`;
}

const LONGEST_WINDOW_MS = 3600 * 1000;
const MOST_SUBJECTS = 10_000;

/** Counts attempts in memory: each takes so long to check that a restart gains a guesser nothing. */
export class Attempts {
  readonly #clock: Clock;
  readonly #windows = new Map<string, { state: WindowState; at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Counts one attempt. When there were too many, answers the moment from which the next is allowed,
   * in milliseconds since the epoch.
   */
  refusedUntil(kind: AttemptKind, subject: string): number | undefined {
    const now = this.#clock.now();
    const key = `${kind} ${subject.toLowerCase()}`;
    const result = charge('sliding', this.#windows.get(key)?.state, limits[kind], now);
    this.#windows.delete(key);
    this.#windows.set(key, { state: result.state, at: now });
    this.#forget(now);
    return result.kind === 'refused' ? result.standing.resetAt : undefined;
  }

  /** Entries are in the order of their last use, so the first ones are the first to go. */
  #forget(now: number): void {
    for (const [key, { at }] of this.#windows) {
      if (at + LONGEST_WINDOW_MS > now && this.#windows.size <= MOST_SUBJECTS) return;
      this.#windows.delete(key);
    }
  }
}
