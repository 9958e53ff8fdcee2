import type { Clock } from '../clock.ts';

/** At most 20 updates a second. */
export const UPDATE_MS = 50;

/** Changes that a watcher may have missed and can still catch up with. */
const REMEMBERED = 200;

/** So many rows at once are not worth naming: whoever shows rows lists them anew. */
const MOST_JOBS = 500;

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
 * Numbers what changes and brings bursts together. It keeps which rows changed and not how, so that
 * a watcher that was away, or is slow, gets each row once, as it is now.
 */
export class ChangeFeed {
  readonly #clock: Clock;
  readonly #watchers = new Set<() => void>();
  readonly #remembered: Change[] = [];
  #seq: number;
  #pending: { jobs: Set<number>; relist: boolean } | null = null;
  #publishedAt = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
    // At 20 a second no earlier run can have counted this far, so its numbers are not mistaken.
    this.#seq = Math.floor(clock.now() / UPDATE_MS);
  }

  get isWatched(): boolean {
    return this.#watchers.size > 0;
  }

  job(id: number): void {
    const { jobs } = this.#touch();
    if (jobs.size <= MOST_JOBS) jobs.add(id);
  }

  /** Rows came, went or moved. */
  rows(): void {
    this.#touch().relist = true;
  }

  /** Something changed that is no row. */
  summary(): void {
    this.#touch();
  }

  /**
   * Everything since `since`, as soon as there is something; at once when `since` is left out or
   * older than what is remembered. Resolves to `null` when `signal` is aborted.
   */
  async next(since: number | undefined, signal: AbortSignal): Promise<Changes | null> {
    while (since === this.#seq && !signal.aborted) await this.#published(signal);
    return signal.aborted ? null : this.since(since);
  }

  /** Everything since `since`, which may be nothing. */
  since(since: number | undefined): Changes {
    const missed = since === undefined ? Infinity : this.#seq - since;
    if (missed < 0 || missed > this.#remembered.length) {
      return { seq: this.#seq, jobs: [], relist: true };
    }
    const changes = missed === 0 ? [] : this.#remembered.slice(-missed);
    const jobs = new Set(changes.flatMap((change) => [...change.jobs]));
    const isTooMany = jobs.size > MOST_JOBS;
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
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  #touch(): { jobs: Set<number>; relist: boolean } {
    if (!this.#pending) {
      this.#pending = { jobs: new Set(), relist: false };
      const due = this.#publishedAt + UPDATE_MS - this.#clock.monotonic();
      void this.#clock.sleep(Math.max(0, due)).then(() => this.#publish());
    }
    return this.#pending;
  }

  #publish(): void {
    if (!this.#pending) return;
    this.#remembered.push(this.#pending);
    if (this.#remembered.length > REMEMBERED) this.#remembered.shift();
    this.#pending = null;
    this.#seq += 1;
    this.#publishedAt = this.#clock.monotonic();
    for (const wake of [...this.#watchers]) wake();
  }
}
