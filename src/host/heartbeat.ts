import type { Clock } from '../engine/clock.ts';
import { ObservableValue } from './observable-value.ts';

/** Between two questions whether the other side still lives, in milliseconds. */
const BEAT_EVERY_MS = 5000;

/**
 * So many questions in a row without a sound are a silence: 15 to 20 seconds, in which a primary
 * process that only reads a very large batch has answered. Counted and not measured, since a
 * computer that slept, or a process that was busy itself, has asked nothing meanwhile.
 */
const MAX_UNANSWERED = 3;

/** Tells whether the process at the other end of a connection still answers. */
export class Heartbeat {
  /** Whether it does. A connection that breaks is not told here. */
  readonly answering = new ObservableValue(true);
  readonly #over = new AbortController();
  #unanswered = 0;

  /** @param ask has the other side say anything at all, as soon as it can */
  constructor(clock: Clock, ask: () => void) {
    void this.#beat(clock, ask);
  }

  /** To be called for everything that comes from the other side. */
  heard(): void {
    this.#unanswered = 0;
    if (!this.answering.value) this.answering.set(true);
  }

  stop(): void {
    this.#over.abort();
  }

  async #beat(clock: Clock, ask: () => void): Promise<void> {
    const { signal } = this.#over;
    for (;;) {
      ask();
      await clock.sleep(BEAT_EVERY_MS, signal).catch(() => undefined);
      if (signal.aborted) return;
      this.#unanswered += 1;
      if (this.#unanswered >= MAX_UNANSWERED && this.answering.value) this.answering.set(false);
    }
  }
}
