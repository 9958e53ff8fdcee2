import type { Clock } from '../engine/clock.ts';
import { ObservableValue } from './observable-value.ts';

/** Milliseconds between two pings. */
const PING_INTERVAL_MS = 5000;

/**
 * Unanswered pings after which the other process counts as silent: 15 to 20 seconds, enough for a
 * primary process that is reading a very large batch. Pings are counted rather than time measured,
 * because a computer that slept, or a process that was busy itself, sent no pings meanwhile.
 */
const MAX_UNANSWERED = 3;

/** Detects whether the process at the other end of a connection still answers. */
export class Heartbeat {
  /** Whether it answers. Does not report a broken connection. */
  readonly answering = new ObservableValue(true);
  readonly #stopped = new AbortController();
  #unanswered = 0;

  /** @param sendPing makes the other side send any message, as soon as it can */
  constructor(clock: Clock, sendPing: () => void) {
    void this.#pingUntilStopped(clock, sendPing);
  }

  /** Call this for every message from the other side. */
  recordActivity(): void {
    this.#unanswered = 0;
    if (!this.answering.value) this.answering.set(true);
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #pingUntilStopped(clock: Clock, sendPing: () => void): Promise<void> {
    const { signal } = this.#stopped;
    for (;;) {
      sendPing();
      await clock.sleep(PING_INTERVAL_MS, signal).catch(() => undefined);
      if (signal.aborted) return;
      this.#unanswered += 1;
      if (this.#unanswered >= MAX_UNANSWERED && this.answering.value) this.answering.set(false);
    }
  }
}
