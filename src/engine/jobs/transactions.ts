import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';

export type SqlRow = Record<string, SQLOutputValue>;

/**
 * The database as its tables' classes share it: prepared statements, kept by their text, and
 * durable transactions after which others may be told.
 */
export class Transactions {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #afterCommit: (() => void)[] | null = null;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /**
   * Runs `work` in one transaction. When this returns, what it wrote survives a power cut; when it
   * throws, nothing of it was written. Calls inside of `work` join it.
   */
  write<T>(work: () => T): T {
    if (this.#afterCommit) return work();
    const afterCommit: (() => void)[] = [];
    this.#afterCommit = afterCommit;
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      const result = work();
      this.#database.exec('COMMIT');
      this.#afterCommit = null;
      for (const tell of afterCommit) tell();
      return result;
    } catch (error) {
      this.#afterCommit = null;
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Runs `tell` once the present transaction is on disk, and never if it fails. */
  afterCommit(tell: () => void): void {
    if (!this.#afterCommit) throw new Error('Not in a transaction.');
    this.#afterCommit.push(tell);
  }

  run(sql: string, ...values: SQLInputValue[]): { readonly id: number; readonly changes: number } {
    const { lastInsertRowid, changes } = this.#statement(sql).run(...values);
    return { id: Number(lastInsertRowid), changes: Number(changes) };
  }

  get(sql: string, ...values: SQLInputValue[]): SqlRow | undefined {
    return this.#statement(sql).get(...values);
  }

  all(sql: string, ...values: SQLInputValue[]): SqlRow[] {
    return this.#statement(sql).all(...values);
  }

  /** The one number that `sql` selects. */
  number(sql: string, ...values: SQLInputValue[]): number {
    return Number(Object.values(this.get(sql, ...values) ?? {})[0] ?? 0);
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
