import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { Clock } from '../clock.ts';
import { DiskFullError, QueueUnwritableError, type EngineError } from '../engine-error.ts';
import type { DiskReserve } from './disk-reserve.ts';
import { sqliteCode } from './instance-lock.ts';

export type SqlRow = Record<string, SQLOutputValue>;

/** READONLY, IOERR, FULL and CANTOPEN: the disk's doing, and not ours. */
const WRITE_REFUSALS: readonly number[] = [8, 10, 13, 14];

/** True when the disk did not take what was to be written; it may take it later. */
export function isWriteRefusal(error: unknown): boolean {
  if (error instanceof DiskFullError || error instanceof QueueUnwritableError) return true;
  const code = sqliteCode(error);
  return code !== undefined && WRITE_REFUSALS.includes(code);
}

/**
 * The database as its tables' classes share it: prepared statements, kept by their text, and
 * durable transactions after which listeners are notified.
 */
export class Transactions {
  readonly #database: DatabaseSync;
  readonly #reserve: DiskReserve;
  readonly #refusal: EngineError | null;
  readonly #statements = new Map<string, StatementSync>();
  readonly #inserts = new Map<string, { readonly columns: string[]; readonly sql: string }>();
  #afterCommit: (() => void)[] | null = null;
  #afterRollback: (() => void)[] = [];
  #isRefused = false;

  /** @param refusal why nothing can be written; `null` where it can */
  constructor(database: DatabaseSync, reserve: DiskReserve, refusal: EngineError | null = null) {
    this.#database = database;
    this.#reserve = reserve;
    this.#refusal = refusal;
  }

  /** True after a write that the disk refused, until one succeeds. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /**
   * Runs `work` in one transaction. When this returns, what it wrote survives a power cut; when it
   * throws, nothing of it was written. Calls inside of `work` join it.
   * @throws {DiskFullError} @throws {QueueUnwritableError} when the disk refuses
   */
  write<T>(work: () => T): T {
    if (this.#refusal) throw this.#refusal;
    if (this.#afterCommit) return work();
    this.#reserve.makeRoom();
    const afterCommit: (() => void)[] = [];
    this.#afterCommit = afterCommit;
    this.#afterRollback = [];
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      const result = work();
      this.#database.exec('COMMIT');
      this.#afterCommit = null;
      this.#isRefused = false;
      for (const tell of afterCommit) tell();
      return result;
    } catch (error) {
      // After the commit there is nothing to take back; a listener has failed.
      if (this.#afterCommit === null) throw error;
      this.#afterCommit = null;
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      for (const takeBack of this.#afterRollback) takeBack();
      this.#isRefused = isWriteRefusal(error);
      throw this.#isRefused ? this.#refusedBy(error) : error;
    }
  }

  /** Runs `tell` once the present transaction is on disk, and never if it fails. */
  afterCommit(tell: () => void): void {
    if (!this.#afterCommit) throw new Error('Not in a transaction.');
    this.#afterCommit.push(tell);
  }

  /** Runs `takeBack` if the present transaction fails: for what is also kept in memory. */
  afterRollback(takeBack: () => void): void {
    if (!this.#afterCommit) throw new Error('Not in a transaction.');
    this.#afterRollback.push(takeBack);
  }

  /** Changes something, in the open transaction or in a new one. */
  run(sql: string, ...values: SQLInputValue[]): { readonly id: number; readonly changes: number } {
    if (!this.#afterCommit) return this.write(() => this.run(sql, ...values));
    const { lastInsertRowid, changes } = this.#statement(sql).run(...values);
    return { id: Number(lastInsertRowid), changes: Number(changes) };
  }

  /** Adds a row, and returns its id. */
  insert(table: string, row: Readonly<Record<string, SQLInputValue>>): number {
    const columns = Object.keys(row);
    let known = this.#inserts.get(table);
    // Joining the names for each of 100,000 rows takes a quarter of the time of adding them.
    if (!known || !isSame(columns, known.columns)) {
      const places = ', ?'.repeat(columns.length - 1);
      known = { columns, sql: `INSERT INTO ${table} (${columns.join(', ')}) VALUES (?${places})` };
      this.#inserts.set(table, known);
    }
    return this.run(known.sql, ...Object.values(row)).id;
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

  /**
   * The transaction needed more than was free, or than a disk quota allows: frees some for the
   * next.
   */
  #refusedBy(error: unknown): EngineError {
    if (error instanceof DiskFullError || error instanceof QueueUnwritableError) return error;
    const refused = this.#reserve.isDiskFull
      ? this.#reserve.fullError(error)
      : new QueueUnwritableError(error);
    this.#reserve.give();
    return refused;
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

function isSame(names: readonly string[], others: readonly string[]): boolean {
  return names.length === others.length && names.every((name, index) => name === others[index]);
}

const WRITE_AGAIN_MS = 5000;

/**
 * Writes down what has happened already, and so cannot be left to be found out again: as long as
 * the disk refuses (full, read-only, gone), it is tried every five seconds.
 * @param giveUp when aborted, the refusal is thrown
 */
export async function untilWritten(
  write: () => void,
  clock: Clock,
  giveUp: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      write();
      return;
    } catch (error) {
      if (!isWriteRefusal(error) || giveUp.aborted) throw error;
      await clock.sleep(WRITE_AGAIN_MS, giveUp).catch(() => undefined);
    }
  }
}
