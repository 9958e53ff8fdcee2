/** A value that changes. Observers receive the newest value, not every one. */
export class ObservableValue<T> {
  #value: T;
  #changed = Promise.withResolvers<undefined>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    this.#value = value;
    this.#changed.resolve(undefined);
    this.#changed = Promise.withResolvers();
  }

  /**
   * The current value and then each change, until `signal` is aborted. A slow consumer skips
   * intermediate values.
   */
  async *values(signal?: AbortSignal): AsyncGenerator<T, void> {
    const aborted = Promise.withResolvers<undefined>();
    const end = (): void => aborted.resolve(undefined);
    signal?.addEventListener('abort', end, { once: true });
    try {
      while (signal?.aborted !== true) {
        const changed = this.#changed.promise;
        yield this.#value;
        await Promise.race([changed, aborted.promise]);
      }
    } finally {
      signal?.removeEventListener('abort', end);
    }
  }
}
