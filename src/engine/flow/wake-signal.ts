import type { Clock } from '../clock.ts';

/** However long a loop's wait, it checks again this often: the computer may have slept. */
export const LOOK_AGAIN_MS = 30_000;

/**
 * What a loop waits for: a notification that something changed, or time. A notification between a
 * loop's check and its wait is not lost, because the loop passes the version that it has seen.
 */
export class WakeSignal {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #version = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notifications so far. */
  get version(): number {
    return this.#version;
  }

  notify(): void {
    this.#version += 1;
    for (const wake of this.#waiting) wake();
  }

  /**
   * Calls `step` until `stop` is aborted.
   * @param step does the next piece of work, or returns how many milliseconds there is none; a
   *   notification ends that wait
   */
  async repeat(step: () => number | Promise<number>, stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const seen = this.#version;
      const ms = await step();
      if (ms > 0) await this.wait(seen, Math.min(ms, LOOK_AGAIN_MS), stop);
    }
  }

  /**
   * Resolves at the first notification that `seenVersion` does not count, after `ms` milliseconds
   * (`null`: never by time) or when `signal` is aborted, whichever comes first. Never rejects.
   */
  async wait(seenVersion: number, ms: number | null, signal: AbortSignal): Promise<void> {
    if (seenVersion !== this.#version || signal.aborted) return;
    const woken = new AbortController();
    // Without a reason, each notification would create an exception with its stack.
    const wake = (): void => woken.abort('notified');
    this.#waiting.add(wake);
    signal.addEventListener('abort', wake, { once: true });
    try {
      await (ms === null
        ? new Promise((resolve) => woken.signal.addEventListener('abort', resolve, { once: true }))
        : this.#clock.sleep(ms, woken.signal));
    } catch (error) {
      if (!woken.signal.aborted) throw error;
    } finally {
      this.#waiting.delete(wake);
      signal.removeEventListener('abort', wake);
    }
  }
}
