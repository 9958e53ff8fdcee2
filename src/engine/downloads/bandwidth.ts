import type { Clock } from '../clock.ts';

/** A bucket holds this much time's worth of bytes, so that a limit is also kept over short spans. */
const BURST_MS = 250;

/**
 * A limit on bytes a second, shared by all transfers that are given the same instance: one for
 * each transfer, one for all of them together.
 */
export class BandwidthLimit {
  readonly #clock: Clock;
  #rate: number | null;
  #tokens = 0;
  #filledAt: number;

  /** @param bytesPerSecond more than 0, or `null` for no limit. */
  constructor(clock: Clock, bytesPerSecond: number | null) {
    this.#clock = clock;
    this.#rate = bytesPerSecond;
    this.#filledAt = clock.monotonic();
  }

  /** Changes the limit; transfers in flight keep to it from their next bytes on. */
  set bytesPerSecond(rate: number | null) {
    this.#fill();
    this.#rate = rate;
  }

  get bytesPerSecond(): number | null {
    return this.#rate;
  }

  /** The most bytes worth taking at once under this limit. */
  get burstBytes(): number {
    return this.#rate === null ? Infinity : Math.max(1, Math.floor((this.#rate * BURST_MS) / 1000));
  }

  /**
   * Resolves once `bytes` may have been received. They are paid for at once, so that those who
   * come later wait behind; the bucket may go into debt, which bounds the error to one batch.
   */
  async pay(bytes: number, signal: AbortSignal): Promise<void> {
    this.#fill();
    this.#tokens -= bytes;
    if (this.#rate === null) this.#tokens = 0;
    else if (this.#tokens < 0) {
      await this.#clock.sleep((-this.#tokens / this.#rate) * 1000, signal);
    }
  }

  #fill(): void {
    const now = this.#clock.monotonic();
    const earned = ((this.#rate ?? 0) * (now - this.#filledAt)) / 1000;
    this.#tokens = Math.min(this.#rate === null ? 0 : this.burstBytes, this.#tokens + earned);
    this.#filledAt = now;
  }
}
