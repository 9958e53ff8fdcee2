import type { Awaitable } from '../awaitable.ts';
import type { After } from '../clock.ts';
import { DatabaseUnavailableError } from '../database-unavailable.ts';
import { outageIn, RenderOutageError } from '../rendering/render-errors.ts';
import { BlobDamagedError, StorageOutageError } from '../storage-errors.ts';

/** The first wait in an outage; each further one is twice as long. */
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;

/** What an outage affects. */
export type OutagePart = 'rendering' | 'storage' | 'database';

export interface RenderOutagesOptions {
  readonly after: After;
  /** Aborted when the service stops; from then on no outage begins. */
  readonly stop: AbortSignal;
  /** Called when the next video may be tried. */
  readonly onRetry: () => void;
  /** Called when an outage begins, and with `undefined` when the last one has ended. */
  readonly onOutage: (outage: RenderOutageError | undefined) => void;
  /** The longest wait, in milliseconds. Default: one minute. */
  readonly maxRetryMs?: number | undefined;
}

export interface RepeatOptions {
  /** Aborting it ends the wait and allows one last attempt, whose error is thrown. */
  readonly signal: AbortSignal;
  /** Other errors are thrown immediately. */
  readonly isOutage: (error: unknown) => boolean;
  /** Called for every failure that is followed by another attempt. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Tracks outages of rendering, the store and the database. Each ends separately: a rendered frame,
 * for example, does not prove that the store works.
 */
export class RenderOutages implements Disposable {
  readonly #options: RenderOutagesOptions;
  readonly #maxRetryMs: number;
  readonly #outages = new Map<OutagePart, RenderOutageError>();
  #retryMs = FIRST_RETRY_MS;
  #retry: Disposable | undefined;

  constructor(options: RenderOutagesOptions) {
    this.#options = options;
    this.#maxRetryMs = options.maxRetryMs ?? MAX_RETRY_MS;
  }

  /** The outage of this part, or of any part when omitted. */
  current(part?: OutagePart): RenderOutageError | undefined {
    if (part) return this.#outages.get(part);
    const [outage] = this.#outages.values();
    return outage;
  }

  /** Whether no video may be tried before `onRetry` is called. */
  get isWaiting(): boolean {
    return this.#retry !== undefined;
  }

  /** Begins an outage. `onRetry` is called after a wait that grows until `resetRetry`. */
  begin(part: OutagePart, error: unknown): void {
    const { stop, after, onOutage, onRetry } = this.#options;
    if (stop.aborted) return;
    const outage = outageOf(error);
    if (this.#outages.get(part)?.outage !== outage.outage) {
      this.#outages.set(part, outage);
      onOutage(outage);
    }
    if (this.#retry) return;
    this.#retry = after(this.#retryMs, () => {
      this.#retry = undefined;
      onRetry();
    });
    this.#retryMs = Math.min(2 * this.#retryMs, this.#maxRetryMs);
  }

  end(part: OutagePart): void {
    if (this.#outages.delete(part) && this.#outages.size === 0) this.#options.onOutage(undefined);
  }

  /**
   * To be called when a video was rendered and stored: the next outage begins with a short wait.
   */
  resetRetry(): void {
    this.#retryMs = FIRST_RETRY_MS;
  }

  /** Repeats an attempt with growing waits until it succeeds. */
  async repeat<Result>(
    part: OutagePart,
    attempt: () => Awaitable<Result>,
    { signal, isOutage, onFailure }: RepeatOptions,
  ): Promise<Result> {
    for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(2 * waitMs, this.#maxRetryMs)) {
      try {
        const result = await attempt();
        this.end(part);
        return result;
      } catch (error) {
        if (signal.aborted || !isOutage(error)) throw error;
        onFailure(error);
        this.begin(part, error);
      }
      await this.#wait(waitMs, signal);
    }
  }

  [Symbol.dispose](): void {
    this.#retry?.[Symbol.dispose]();
  }

  async #wait(ms: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const stop = (): void => {
        wait[Symbol.dispose]();
        resolve();
      };
      const wait = this.#options.after(ms, () => {
        signal.removeEventListener('abort', stop);
        resolve();
      });
      signal.addEventListener('abort', stop, { once: true });
    });
  }
}

/** Whether the blob store caused the error. */
export function isStorageError(error: unknown): boolean {
  return error instanceof StorageOutageError || error instanceof BlobDamagedError;
}

/** Any unknown error means that the data folder cannot be written. */
function outageOf(error: unknown): RenderOutageError {
  if (error instanceof RenderOutageError) return error;
  if (error instanceof DatabaseUnavailableError) {
    return new RenderOutageError('database-unreachable', error);
  }
  return new RenderOutageError(outageIn(error) ?? databaseOutage(error), error);
}

/** SQLite's SQLITE_FULL. */
const DATABASE_FULL = 13;

function databaseOutage(error: unknown): 'disk-full' | 'files-unusable' {
  const isFull = error instanceof Error && 'errcode' in error && error.errcode === DATABASE_FULL;
  return isFull ? 'disk-full' : 'files-unusable';
}
