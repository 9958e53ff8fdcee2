import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';

/**
 * Detects changes of a database by this process or another, to invalidate cached results. It checks
 * at most once per turn of the event loop: a change is seen from the next turn on.
 */
export class DatabaseVersion {
  readonly #read: StatementSync;
  #version: SQLOutputValue | undefined;
  #changes: SQLOutputValue | undefined;
  #generation = 0;
  #isChecked = false;

  constructor(database: DatabaseSync) {
    // `data_version` counts commits of other connections, `total_changes` rows of this one.
    this.#read = database.prepare(
      'SELECT data_version AS version, total_changes() AS changes FROM pragma_data_version()',
    );
  }

  /** A number that grows with every detected change. */
  generation(): number {
    if (!this.#isChecked) {
      this.#isChecked = true;
      setImmediate(() => (this.#isChecked = false));
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

/** Caches what is read from a database until the database changes. Misses are not cached. */
export class ReadCache<Value> {
  readonly #databaseVersion: DatabaseVersion;
  readonly #maxResults: number;
  readonly #cached = new Map<string, Value>();
  #generation = -1;

  constructor(databaseVersion: DatabaseVersion, maxResults: number) {
    this.#databaseVersion = databaseVersion;
    this.#maxResults = maxResults;
  }

  get(key: string, read: () => Value | undefined): Value | undefined {
    const generation = this.#databaseVersion.generation();
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
