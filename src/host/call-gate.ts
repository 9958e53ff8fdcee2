/** Runs calls concurrently, and blocks new ones during exclusive work. */
export class CallGate {
  #running = 0;
  #exclusive: Promise<void> | null = null;
  #onIdle: (() => void) | null = null;

  /** Runs `call`, after any exclusive work. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    while (this.#exclusive) await this.#exclusive;
    this.#running += 1;
    try {
      return await call();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#onIdle?.();
    }
  }

  /** Runs `work` after all running calls have ended; calls that arrive meanwhile wait. */
  async runExclusive<T>(work: () => Promise<T>): Promise<T> {
    while (this.#exclusive) await this.#exclusive;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#exclusive = promise;
    try {
      if (this.#running > 0) {
        await new Promise<void>((resolveIdle) => {
          this.#onIdle = resolveIdle;
        });
      }
      return await work();
    } finally {
      this.#exclusive = null;
      this.#onIdle = null;
      resolve(undefined);
    }
  }
}
