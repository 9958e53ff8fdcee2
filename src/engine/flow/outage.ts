import type { Failure } from '../../contract/failure.ts';
import type { Clock, Random } from '../clock.ts';

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;

/**
 * The service cannot be reached. Everybody who speaks to it shares one outage, so that ten videos
 * do not knock ten times; it ends with the first answer, whoever gets it.
 */
export class Outage {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #longestMs: number;
  #failures = 0;
  #endsAt = 0;
  #failure: Failure | null = null;

  /** @param longestMs the longest pause between two tries, in milliseconds */
  constructor(clock: Clock, random: Random, longestMs = MAX_PAUSE_MS) {
    this.#clock = clock;
    this.#random = random;
    this.#longestMs = longestMs;
  }

  /** What went wrong last; `null` when all is well. */
  get failure(): Failure | null {
    return this.#failure && { ...this.#failure, retryAt: this.#clock.now() + this.wait() };
  }

  /** Milliseconds until it makes sense to try again; 0 is now. */
  wait(): number {
    return this.#failure ? Math.max(0, this.#endsAt - this.#clock.monotonic()) : 0;
  }

  /** Doubles the pause, with jitter so that many engines do not come back at the same moment. */
  failed(failure: Failure): void {
    // Requests that were under way together fail together; they are one failure.
    if (this.wait() === 0) {
      const pause = Math.min(this.#longestMs, FIRST_PAUSE_MS * 2 ** this.#failures);
      this.#failures += 1;
      this.#endsAt = this.#clock.monotonic() + pause * (0.5 + this.#random() / 2);
    }
    this.#failure = failure;
  }

  /** There was an answer. */
  ended(): void {
    this.#failures = 0;
    this.#failure = null;
  }
}
