import type { Readable } from 'node:stream';
import type { After } from '../clock.ts';
import { StorageOutageError } from '../storage-errors.ts';

export interface IdleLimitOptions {
  /** How long there may be no progress; milliseconds. */
  readonly ms: number;
  readonly after: After;
  /** Aborts as well, with its own reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Aborts a signal when a store makes no progress. Starts when it is made. */
export class IdleLimit implements Disposable {
  readonly signal: AbortSignal;
  readonly #options: IdleLimitOptions;
  readonly #controller = new AbortController();
  #timer: Disposable;

  constructor(options: IdleLimitOptions) {
    this.#options = options;
    const { signal } = this.#controller;
    this.signal = options.signal ? AbortSignal.any([signal, options.signal]) : signal;
    this.#timer = this.#start();
  }

  /** To be called on every progress. */
  restart(): void {
    this.#timer[Symbol.dispose]();
    this.#timer = this.#start();
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]();
  }

  #start(): Disposable {
    return this.#options.after(this.#options.ms, () =>
      this.#controller.abort(new StorageOutageError('unreachable', new Error('It is too slow.'))),
    );
  }
}

/**
 * The chunks of a stream. It fails when a chunk that is waited for takes too long; a reader that
 * pauses costs no time.
 */
export async function* withIdleLimit(
  source: Readable,
  options: IdleLimitOptions,
): AsyncGenerator<Buffer> {
  using limit = new IdleLimit(options);
  const stop = (): void => void source.destroy(limit.signal.reason as Error);
  limit.signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      limit[Symbol.dispose]();
      yield chunk;
      limit.restart();
    }
  } finally {
    limit.signal.removeEventListener('abort', stop);
    source.destroy();
  }
}
