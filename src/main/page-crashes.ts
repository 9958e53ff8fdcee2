/** So many in a minute are bad luck; one more is a page that cannot be shown. */
const MAX_IN_A_ROW = 3;
const A_ROW_MS = 60_000;

/** Decides whether a page whose process has gone is loaded again by itself, over and over. */
export class PageCrashes {
  readonly #now: () => number;
  #at: readonly number[] = [];

  /** @param now milliseconds of any clock that does not jump back */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** To be asked once each time that the page has gone. */
  mayReload(): boolean {
    const now = this.#now();
    this.#at = [...this.#at.filter((at) => now - at < A_ROW_MS), now];
    return this.#at.length <= MAX_IN_A_ROW;
  }

  /** The user wants it to be tried again. */
  forget(): void {
    this.#at = [];
  }
}
