import type { Readable } from 'node:stream';
import type { After } from '../clock.ts';
import { StorageOutageError } from '../storage-errors.ts';

export interface IdleLimitOptions {
  /** Maximum time without progress, in milliseconds. */
  readonly ms: number;
  readonly after: After;
  /** Also aborts the limit's signal, with its own reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Aborts its signal when a store makes no progress. Starts on construction. */
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

  /** To be called whenever there is progress. */
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
 * The chunks of a stream. Fails when the next chunk takes too long after it was requested; pauses
 * of the reader do not count.
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
