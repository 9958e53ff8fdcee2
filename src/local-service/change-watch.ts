import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { z } from 'zod';

const versionRow = z.object({ version: z.int(), changes: z.int() });

/**
 * Tells whether a database was changed, by this process or another, so that what was read from it
 * may be kept until it is. It looks at most once in a turn of the event loop: a change holds from
 * the next turn on.
 */
export class ChangeWatch {
  readonly #read: StatementSync;
  #version = -1;
  #changes = -1;
  #generation = 0;
  #lookedThisTurn = false;

  constructor(database: DatabaseSync) {
    // The former counts other connections' commits, the latter this connection's own rows.
    this.#read = database.prepare(
      'SELECT data_version AS version, total_changes() AS changes FROM pragma_data_version()',
    );
  }

  /** A number that grows whenever the database was changed. */
  generation(): number {
    if (!this.#lookedThisTurn) {
      this.#lookedThisTurn = true;
      setImmediate(() => (this.#lookedThisTurn = false));
      this.#look();
    }
    return this.#generation;
  }

  #look(): void {
    const { version, changes } = versionRow.parse(this.#read.get());
    if (version === this.#version && changes === this.#changes) return;
    this.#version = version;
    this.#changes = changes;
    this.#generation += 1;
  }
}

/** Results of reading a database, kept until it changes. Only what was found is kept. */
export class ReadCache<Value> {
  readonly #watch: ChangeWatch;
  readonly #most: number;
  readonly #kept = new Map<string, Value>();
  #generation = -1;

  /** @param most How many results are kept at the same time. */
  constructor(watch: ChangeWatch, most: number) {
    this.#watch = watch;
    this.#most = most;
  }

  get(key: string, read: () => Value | undefined): Value | undefined {
    const generation = this.#watch.generation();
    if (generation !== this.#generation || this.#kept.size >= this.#most) {
      this.#kept.clear();
      this.#generation = generation;
    }
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const value = read();
    if (value !== undefined) this.#kept.set(key, value);
    return value;
  }
}
