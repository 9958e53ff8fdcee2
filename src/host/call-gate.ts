interface CallsOfService {
  running: number;
  exclusive: Promise<void> | null;
  onIdle: (() => void) | null;
}

/** Runs calls concurrently, and blocks new ones to a service during exclusive work on it. */
export class CallGate {
  readonly #byOrigin = new Map<string, CallsOfService>();

  /**
   * Runs `call`, after any exclusive work on its service.
   * @param origin of the service; called again after each wait, because the service shown may have
   *   changed
   */
  async run<T>(origin: () => string, call: () => Promise<T>): Promise<T> {
    let calls = this.#callsOf(origin());
    while (calls.exclusive) {
      await calls.exclusive;
      calls = this.#callsOf(origin());
    }
    calls.running += 1;
    try {
      return await call();
    } finally {
      calls.running -= 1;
      if (calls.running === 0) calls.onIdle?.();
    }
  }

  /**
   * Runs `work` after all running calls to a service have ended; those that arrive meanwhile wait.
   */
  async runExclusive<T>(origin: string, work: () => Promise<T>): Promise<T> {
    const calls = this.#callsOf(origin);
    while (calls.exclusive) await calls.exclusive;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    calls.exclusive = promise;
    try {
      if (calls.running > 0) {
        await new Promise<void>((resolveIdle) => {
          calls.onIdle = resolveIdle;
        });
      }
      return await work();
    } finally {
      calls.exclusive = null;
      calls.onIdle = null;
      resolve(undefined);
    }
  }

  #callsOf(origin: string): CallsOfService {
    const calls = this.#byOrigin.get(origin) ?? { running: 0, exclusive: null, onIdle: null };
    this.#byOrigin.set(origin, calls);
    return calls;
  }
}
