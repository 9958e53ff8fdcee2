import type { Failure } from '../../contract/failure.ts';
import { backoff, type BackoffPolicy } from '../backoff.ts';
import type { Clock, Random } from '../clock.ts';

/**
 * The service cannot be reached. All requests to it share one outage, so that ten videos do not
 * retry ten times; it ends with the first response to any of them.
 */
export class Outage {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #policy: BackoffPolicy;
  #failures = 0;
  #endsAt = 0;
  #failure: Failure | null = null;

  constructor(clock: Clock, random: Random, policy: BackoffPolicy) {
    this.#clock = clock;
    this.#random = random;
    this.#policy = policy;
  }

  /** The last failure; `null` when there is no outage. */
  get failure(): Failure | null {
    return this.#failure && { ...this.#failure, retryAt: this.#clock.now() + this.wait() };
  }

  /** Milliseconds until it makes sense to try again; 0 is now. */
  wait(): number {
    return this.#failure ? Math.max(0, this.#endsAt - this.#clock.monotonic()) : 0;
  }

  failed(failure: Failure): void {
    // Requests that were running at the same time fail together; they count as one failure.
    if (this.wait() === 0) {
      this.#failures += 1;
      const pause = backoff(this.#policy, this.#failures, this.#random);
      this.#endsAt = this.#clock.monotonic() + pause;
    }
    this.#failure = failure;
  }

  /** A response arrived. */
  ended(): void {
    this.#failures = 0;
    this.#failure = null;
  }
}

/** When this many different videos in a row get no useful response, the endpoint has an outage. */
const MIN_VIDEOS = 3;

/**
 * Distinguishes an endpoint that fails for one video from an endpoint that fails for all
 * (docs/decisions/0010). A failure for one video makes that video wait and stops nothing else.
 *
 * One instance for each endpoint, because a good response of one says nothing about the other.
 */
export class EndpointOutage extends Outage {
  readonly #videos = new Set<string>();

  unusable(remoteId: string, failure: Failure): void {
    this.#videos.add(remoteId);
    if (this.#videos.size >= MIN_VIDEOS) this.failed(failure);
  }

  /** @returns true when this ends an outage */
  usable(): boolean {
    const wasOut = this.failure !== null;
    this.#videos.clear();
    this.ended();
    return wasOut;
  }
}
