import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';

/**
 * Tells whether a database was changed, by this process or another, so that what was read from it
 * may be kept until it is. It looks at most once in a turn of the event loop: a change holds from
 * the next turn on.
 */
export class DatabaseVersion {
  readonly #read: StatementSync;
  #version: SQLOutputValue | undefined;
  #changes: SQLOutputValue | undefined;
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
    // Neither is looked into, so neither is parsed: all that counts is whether they are other values.
    const row = this.#read.get();
    if (row?.version === this.#version && row?.changes === this.#changes) return;
    this.#version = row?.version;
    this.#changes = row?.changes;
    this.#generation += 1;
  }
}

/** Results of reading a database, kept until it changes. Only what was found is kept. */
export class ReadCache<Value> {
  readonly #watch: DatabaseVersion;
  readonly #most: number;
  readonly #kept = new Map<string, Value>();
  #generation = -1;

  /** @param most How many results are kept at the same time. */
  constructor(watch: DatabaseVersion, most: number) {
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
