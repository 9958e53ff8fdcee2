/** Number of cached dates. */
const MAX_CACHED = 1000;

/**
 * Formats dates for responses, with a cache: polling repeats the same few dates, and formatting is
 * slower than a look-up.
 */
export class WireDates {
  readonly #iso = new Map<number, string>();
  #second = Number.NaN;
  #httpDate = '';

  /** ISO 8601 (service-api.md §2.3, §8.2). @param ms Milliseconds since the epoch. */
  iso(ms: number): string {
    const cached = this.#iso.get(ms);
    if (cached !== undefined) return cached;
    if (this.#iso.size >= MAX_CACHED) this.#iso.clear();
    const text = new Date(ms).toISOString();
    this.#iso.set(ms, text);
    return text;
  }

  /**
   * The format of the `Date` header, with a precision of one second. @param ms Milliseconds since
   * the epoch.
   */
  http(ms: number): string {
    const second = Math.floor(ms / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#httpDate = new Date(ms).toUTCString();
    }
    return this.#httpDate;
  }
}
