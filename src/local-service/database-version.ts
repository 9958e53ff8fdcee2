import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';

/**
 * Detects changes of a database by this process or another, so that cached results can be reused
 * until then. It checks at most once per turn of the event loop: a change is seen from the next
 * turn on.
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
      this.#refresh();
    }
    return this.#generation;
  }

  #refresh(): void {
    // The values are only compared, so they are not parsed.
    const row = this.#read.get();
    if (row?.version === this.#version && row?.changes === this.#changes) return;
    this.#version = row?.version;
    this.#changes = row?.changes;
    this.#generation += 1;
  }
}

/** Caches results of reading a database until it changes. Only found values are cached. */
export class ReadCache<Value> {
  readonly #watch: DatabaseVersion;
  readonly #maxResults: number;
  readonly #cached = new Map<string, Value>();
  #generation = -1;

  /** @param maxResults Maximum number of cached results. */
  constructor(watch: DatabaseVersion, maxResults: number) {
    this.#watch = watch;
    this.#maxResults = maxResults;
  }

  get(key: string, read: () => Value | undefined): Value | undefined {
    const generation = this.#watch.generation();
    if (generation !== this.#generation || this.#cached.size >= this.#maxResults) {
      this.#cached.clear();
      this.#generation = generation;
    }
    const cached = this.#cached.get(key);
    if (cached !== undefined) return cached;
    const value = read();
    if (value !== undefined) this.#cached.set(key, value);
    return value;
  }
}
