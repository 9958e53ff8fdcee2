import { DatabaseUnavailableError } from './database-unavailable.ts';

/** How long a process may keep using a database that another one has upgraded. */
const CHECK_INTERVAL_MS = 10_000;

export interface SchemaWatchOptions {
  /** Rejects when this program must stop using the database, or with `DatabaseUnavailableError`. */
  readonly check: () => Promise<void>;
  /** Called once, with the reason. */
  readonly onUnusable: (error: unknown) => void;
}

/** Detects that another process has upgraded the shared database. */
export class SchemaWatch implements Disposable {
  readonly #options: SchemaWatchOptions;
  readonly #timer: NodeJS.Timeout;

  constructor(options: SchemaWatchOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#check(), CHECK_INTERVAL_MS).unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  async #check(): Promise<void> {
    try {
      await this.#options.check();
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) return;
      this[Symbol.dispose]();
      this.#options.onUnusable(error);
    }
  }
}
