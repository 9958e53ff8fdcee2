import type { Failure } from '../../contract/failure.ts';
import type { BackoffPolicy } from '../backoff.ts';
import type { Clock, Random } from '../clock.ts';
import { Outage } from './outage.ts';

/** When so many different videos in a row get no usable answer, the endpoint is at fault. */
const TELLING_VIDEOS = 3;

/**
 * Tells an endpoint that fails for one video from an endpoint that fails for all
 * (docs/decisions/0010). A failure for one video makes that video wait and stops nothing else.
 *
 * One instance for each endpoint, because a good answer of one says nothing about the other.
 */
export class EndpointOutage {
  readonly #outage: Outage;
  readonly #videos = new Set<string>();

  constructor(clock: Clock, random: Random, policy: BackoffPolicy) {
    this.#outage = new Outage(clock, random, policy);
  }

  /** The last failure, if the endpoint is at fault. */
  get failure(): Failure | null {
    return this.#outage.failure;
  }

  /** Milliseconds until it makes sense to ask about any video; 0 is now. */
  wait(): number {
    return this.#outage.wait();
  }

  unusable(remoteId: string, failure: Failure): void {
    this.#videos.add(remoteId);
    if (this.#videos.size >= TELLING_VIDEOS) this.#outage.failed(failure);
  }

  /** @returns true when this ends an outage */
  usable(): boolean {
    const wasOut = this.#outage.failure !== null;
    this.#videos.clear();
    this.#outage.ended();
    return wasOut;
  }
}
