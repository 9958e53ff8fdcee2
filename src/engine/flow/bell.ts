import type { Clock } from '../clock.ts';

/**
 * What a loop waits at: somebody rings because something changed, or time passes. A ring between a
 * loop's look around and its wait is not lost, because the loop says how many it had heard.
 */
export class Bell {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #rings = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Rings so far. */
  get rings(): number {
    return this.#rings;
  }

  ring(): void {
    this.#rings += 1;
    for (const wake of this.#waiting) wake();
  }

  /**
   * Resolves at the first ring that `heard` does not count, after `ms` milliseconds (`null`: never
   * by time) or when `signal` is aborted, whichever comes first. Never rejects.
   */
  async wait(heard: number, ms: number | null, signal: AbortSignal): Promise<void> {
    if (heard !== this.#rings || signal.aborted) return;
    const rung = new AbortController();
    // Without a reason, each ring would make an exception with its stack.
    const wake = (): void => rung.abort('rung');
    this.#waiting.add(wake);
    signal.addEventListener('abort', wake, { once: true });
    try {
      await (ms === null
        ? new Promise((resolve) => rung.signal.addEventListener('abort', resolve, { once: true }))
        : this.#clock.sleep(ms, rung.signal));
    } catch (error) {
      if (!rung.signal.aborted) throw error;
    } finally {
      this.#waiting.delete(wake);
      signal.removeEventListener('abort', wake);
    }
  }
}
