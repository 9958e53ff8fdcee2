/** How long the server may be silent during shutdown. */
const MAX_SILENCE_MS = 1_500;

/**
 * Detects a server that has stopped responding, from `start` on. Statements have their own
 * timeouts, which are too long for a shutdown.
 */
export class SilenceLimit {
  readonly #onSilent: () => void;
  #hasStarted = false;
  #isSilent = false;
  /** Number of statements that wait for a response. */
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param onSilent called at most once; must make the waiting statements fail */
  constructor(onSilent: () => void) {
    this.#onSilent = onSilent;
  }

  start(): void {
    this.#hasStarted = true;
    this.#restart();
  }

  /** @throws {Error} when the server is already known to be silent */
  async watch<T>(runStatement: () => Promise<T>): Promise<T> {
    if (this.#isSilent) throw new Error('timeout: the database was silent, and the process ends');
    this.#waiting += 1;
    this.#restart();
    try {
      return await runStatement();
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
