/** Lets calls through, and holds them back while what they stand on is changed. */
export class CallGate {
  #inside = 0;
  #shut: Promise<void> | null = null;
  #emptied: (() => void) | null = null;

  /** Runs `call`, when nothing runs alone. */
  async pass<T>(call: () => Promise<T>): Promise<T> {
    while (this.#shut) await this.#shut;
    this.#inside += 1;
    try {
      return await call();
    } finally {
      this.#inside -= 1;
      if (this.#inside === 0) this.#emptied?.();
    }
  }

  /** Runs `work` once every call that is inside has ended; those that come have to wait. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.#shut) await this.#shut;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#shut = promise;
    try {
      if (this.#inside > 0) {
        await new Promise<void>((emptied) => {
          this.#emptied = emptied;
        });
      }
      return await work();
    } finally {
      this.#shut = null;
      this.#emptied = null;
      resolve(undefined);
    }
  }
}
