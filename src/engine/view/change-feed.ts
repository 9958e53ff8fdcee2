import type { Clock } from '../clock.ts';

/** The most updates per second. */
const MAX_UPDATES = 20;

/**
 * Updates that may follow each other at once after a quiet moment, so that the first need not wait.
 */
const AT_ONCE = 3;

/** The time that one update uses up; `AT_ONCE` of them are saved up. */
const UPDATE_MS = 1000 / (MAX_UPDATES - AT_ONCE);

/** Changes that are kept for a watcher that missed them. */
const REMEMBERED = 200;

/** When more rows than this change at once, clients list their rows again. */
const MAX_JOBS = 500;

interface Change {
  readonly jobs: ReadonlySet<number>;
  readonly relist: boolean;
}

/** What changed between two moments of the feed. */
export interface Changes {
  /** The feed's number now. */
  readonly seq: number;
  readonly jobs: readonly number[];
  readonly relist: boolean;
}

/**
 * Numbers changes and combines bursts. It stores which rows changed and not how, so that a watcher
 * that was away, or is slow, gets each row once, in its present state.
 */
export class ChangeFeed {
  readonly #clock: Clock;
  readonly #watchers = new Set<() => void>();
  /** Wakes the caller of `watched`. */
  #firstWatched: (() => void) | null = null;
  readonly #remembered: Change[] = [];
  #seq: number;
  #pending: { jobs: Set<number>; relist: boolean } | null = null;
  /** Saved up time in milliseconds, at `#savedAt`. */
  #saved = AT_ONCE * UPDATE_MS;
  #savedAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    // At 20 a second no earlier run can have counted this far, so its numbers are recognised as
    // old.
    this.#seq = Math.floor((clock.now() / 1000) * MAX_UPDATES);
  }

  /** The number of the last update. */
  get seq(): number {
    return this.#seq;
  }

  get isWatched(): boolean {
    return this.#watchers.size > 0;
  }

  /** Resolves when there is a watcher, or when `signal` is aborted. */
  async watched(signal: AbortSignal): Promise<void> {
    if (this.isWatched || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        this.#firstWatched = null;
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#firstWatched = wake;
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  job(id: number): void {
    const { jobs } = this.#touch();
    if (jobs.size <= MAX_JOBS) jobs.add(id);
  }

  /** Rows were added, removed or moved. */
  rows(): void {
    this.#touch().relist = true;
  }

  /** Something other than a row changed. */
  summary(): void {
    this.#touch();
  }

  /**
   * Everything since `since`, as soon as there is something; at once when `since` is left out or
   * older than what is kept. Resolves to `null` when `signal` is aborted.
   */
  async next(since: number | undefined, signal: AbortSignal): Promise<Changes | null> {
    while (since === this.#seq && !signal.aborted) await this.#published(signal);
    return signal.aborted ? null : this.since(since);
  }

  /**
   * Its watchers have watched another feed, up to `seq`. A watcher that passes a number of that
   * feed lists rows again.
   */
  continueAfter(seq: number): void {
    this.#seq = Math.max(this.#seq, seq) + 1;
    this.#remembered.length = 0;
    for (const wake of [...this.#watchers]) wake();
  }

  /** Everything since `since`, which may be nothing. */
  since(since: number | undefined): Changes {
    const missed = since === undefined ? Infinity : this.#seq - since;
    if (missed < 0 || missed > this.#remembered.length) {
      return { seq: this.#seq, jobs: [], relist: true };
    }
    const changes = missed === 0 ? [] : this.#remembered.slice(-missed);
    const jobs = new Set(changes.flatMap((change) => [...change.jobs]));
    const isTooMany = jobs.size > MAX_JOBS;
    return {
      seq: this.#seq,
      jobs: isTooMany ? [] : [...jobs],
      relist: isTooMany || changes.some(({ relist }) => relist),
    };
  }

  #published(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#watchers.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#watchers.add(wake);
      this.#firstWatched?.();
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  #touch(): { jobs: Set<number>; relist: boolean } {
    if (!this.#pending) {
      this.#pending = { jobs: new Set(), relist: false };
      void this.#clock.sleep(Math.max(0, UPDATE_MS - this.#save())).then(() => this.#publish());
    }
    return this.#pending;
  }

  /** Adds the time that has passed and returns what is saved up. */
  #save(): number {
    const now = this.#clock.monotonic();
    this.#saved = Math.min(AT_ONCE * UPDATE_MS, this.#saved + now - this.#savedAt);
    this.#savedAt = now;
    return this.#saved;
  }

  #publish(): void {
    if (!this.#pending) return;
    this.#remembered.push(this.#pending);
    if (this.#remembered.length > REMEMBERED) this.#remembered.shift();
    this.#pending = null;
    this.#seq += 1;
    this.#saved = Math.max(0, this.#save() - UPDATE_MS);
    for (const wake of [...this.#watchers]) wake();
  }
}
