import type { Clock } from '../clock.ts';

/**
 * What a loop waits at: somebody rings because something changed, or time passes. A ring between a
 * loop's look around and its wait is not lost, because the loop says how many it had heard.
 */
export class WakeSignal {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #rings = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Rings so far. */
  get version(): number {
    return this.#rings;
  }

  notify(): void {
    this.#rings += 1;
    for (const wake of this.#waiting) wake();
  }

  /**
   * Resolves at the first ring that `heard` does not count, after `ms` milliseconds (`null`: never
   * by time) or when `signal` is aborted, whichever comes first. Never rejects.
   */
  async wait(seenVersion: number, ms: number | null, signal: AbortSignal): Promise<void> {
    if (seenVersion !== this.#rings || signal.aborted) return;
    const woken = new AbortController();
    // Without a reason, each ring would make an exception with its stack.
    const wake = (): void => woken.abort('rung');
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
