/** How long a server may be silent once the process is about to end, in milliseconds. */
const MAX_SILENCE_MS = 1_500;

/**
 * Notices that a server answers no statement any more, from `start` on: before, statements have time
 * limits of their own, which are too long for a process that is asked to end.
 */
export class SilenceLimit {
  readonly #onSilent: () => void;
  #hasStarted = false;
  #isSilent = false;
  /** Statements that wait for an answer. */
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param onSilent called once at most; has to end the statements that wait */
  constructor(onSilent: () => void) {
    this.#onSilent = onSilent;
  }

  start(): void {
    this.#hasStarted = true;
    this.#restart();
  }

  /** @throws {Error} when the server was found to be silent already */
  async watch<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#isSilent) throw new Error('timeout: the database was silent, and the process ends');
    this.#waiting += 1;
    this.#restart();
    try {
      return await ask();
    } finally {
      this.#waiting -= 1;
      this.#restart();
    }
  }

  #restart(): void {
    clearTimeout(this.#timer);
    if (!this.#hasStarted || this.#isSilent || this.#waiting === 0) return;
    this.#timer = setTimeout(() => {
      this.#isSilent = true;
      this.#onSilent();
    }, MAX_SILENCE_MS);
  }
}
