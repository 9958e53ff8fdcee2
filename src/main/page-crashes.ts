/**
 * Crashes per minute that are reloaded automatically; after one more, the page is considered
 * broken.
 */
const MAX_RELOADS = 3;
const PERIOD_MS = 60_000;

/** Decides whether a crashed page is reloaded automatically, so that it cannot crash in a loop. */
export class PageCrashes {
  readonly #now: () => number;
  #crashTimes: readonly number[] = [];

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Counts a crash; call it once for each.
   * @returns whether to reload the page automatically
   */
  recordCrash(): boolean {
    const now = this.#now();
    this.#crashTimes = [
      ...this.#crashTimes.filter((crashTimes) => now - crashTimes < PERIOD_MS),
      now,
    ];
    return this.#crashTimes.length <= MAX_RELOADS;
  }

  /** The user chose to reload, so the count starts at zero. */
  reset(): void {
    this.#crashTimes = [];
  }
}
