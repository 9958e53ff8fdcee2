import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../src/engine/clock.ts';

/**
 * Accelerated real time, for tests of real processes and sockets whose waits take minutes. Clocks
 * with the same epoch show the same time in every process.
 */
export class FastClock implements Clock {
  readonly #epoch: number;
  readonly #speed: number;

  /** @param epoch real milliseconds since 1970 at which its time and real time were the same */
  constructor(epoch: number, speed: number) {
    this.#epoch = epoch;
    this.#speed = speed;
  }

  now(): number {
    return this.#epoch + (Date.now() - this.#epoch) * this.#speed;
  }

  monotonic(): number {
    return performance.now() * this.#speed;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await delay(Math.max(0, ms) / this.#speed, undefined, signal ? { signal } : {});
  }
}
