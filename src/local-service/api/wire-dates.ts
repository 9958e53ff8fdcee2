/** Moments that are kept at the same time. */
const MAX_KEPT = 1000;

/**
 * Moments as answers write them. A poll asks for the same few again and again, and writing one down
 * costs more than finding it, so the latest are kept.
 */
export class WireDates {
  readonly #iso = new Map<number, string>();
  #second = Number.NaN;
  #httpDate = '';

  /** ISO 8601 (service-api.md §2.3, §8.2). @param ms Milliseconds since the epoch. */
  iso(ms: number): string {
    const kept = this.#iso.get(ms);
    if (kept !== undefined) return kept;
    if (this.#iso.size >= MAX_KEPT) this.#iso.clear();
    const text = new Date(ms).toISOString();
    this.#iso.set(ms, text);
    return text;
  }

  /** As in a `Date` header, whose grain is a second. @param ms Milliseconds since the epoch. */
  http(ms: number): string {
    const second = Math.floor(ms / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#httpDate = new Date(ms).toUTCString();
    }
    return this.#httpDate;
  }
}
