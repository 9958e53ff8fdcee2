import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { userMessage } from '../../contract/user-message.ts';
import type { Clock } from '../clock.ts';
import {
  DiskFullError,
  InUseError,
  NotPossibleNowError,
  QueueUnwritableError,
  type EngineError,
} from '../engine-error.ts';
import { DiskReserve } from './disk-reserve.ts';
import type { InstanceLock } from './instance-lock.ts';
import { SQLITE, sqliteCode, WRITE_REFUSALS } from './sqlite-errors.ts';

export type SqlRow = Record<string, SQLOutputValue>;

/** True when the disk refused a write; it may accept it later. */
export function isWriteRefusal(error: unknown): boolean {
  if (error instanceof DiskFullError || error instanceof QueueUnwritableError) return true;
  const code = sqliteCode(error);
  return code !== undefined && WRITE_REFUSALS.includes(code);
}

/** The error of opening a queue, for the user if the disk or another process refused. */
export function errorOfOpening(folder: string, error: unknown): unknown {
  // Another process has it open although this one has the lock: one that lost the folder, and was
  // stopped while it wrote.
  if (sqliteCode(error) === SQLITE.BUSY) return new InUseError(null);
  if (!isWriteRefusal(error) || error instanceof DiskFullError) return error;
  return new DiskReserve(folder).refusedBy(error);
}

/** The one connection to the database, and the transaction that is open on it. */
interface Connection {
  readonly database: DatabaseSync;
  readonly reserve: DiskReserve;
  /** Why nothing can be written; `null` where it can. */
  readonly refusal: EngineError | null;
  readonly lock: Pick<InstanceLock, 'assertOurs'>;
  readonly statements: Map<string, StatementSync>;
  readonly inserts: Map<string, { readonly columns: string[]; readonly sql: string }>;
  afterCommit: (() => void)[] | null;
  afterRollback: (() => void)[];
  isRefused: boolean;
}

/**
 * The database as the classes of its tables share it: prepared statements, cached by their text,
 * and durable transactions after which listeners are notified.
 */
export class Transactions {
  readonly #connection: Connection;
  #isClosed = false;

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** @param refusal why nothing can be written; `null` where it can */
  static on(
    database: DatabaseSync,
    reserve: DiskReserve,
    lock: Connection['lock'],
    refusal: EngineError | null,
  ): Transactions {
    return new Transactions({
      database,
      reserve,
      refusal,
      lock,
      statements: new Map(),
      inserts: new Map(),
      afterCommit: null,
      afterRollback: [],
      isRefused: false,
    });
  }

  /** The same connection for one store, which can be closed while others write. */
  forStore(): Transactions {
    return new Transactions(this.#connection);
  }

  /** Refuses every write from now on; reading is still possible. */
  refuseWrites(): void {
    this.#isClosed = true;
  }

  /** True after a write that the disk refused, until one succeeds. */
  get isRefused(): boolean {
    return this.#connection.isRefused;
  }

  /**
   * Runs `work` in one transaction. When this returns, its writes survive a power cut; when it
   * throws, nothing was written. Nested calls join the transaction.
   * @throws {DiskFullError} @throws {QueueUnwritableError} when the disk refuses
   * @throws {NotPossibleNowError} after `refuseWrites`
   * @throws {FolderLostError} when another process has the folder
   */
  write<T>(work: () => T): T {
    this.#assertOpen();
    const connection = this.#connection;
    if (connection.refusal) throw connection.refusal;
    if (connection.afterCommit) return work();
    connection.reserve.makeRoom();
    const afterCommit: (() => void)[] = [];
    connection.afterCommit = afterCommit;
    connection.afterRollback = [];
    try {
      connection.database.exec('BEGIN IMMEDIATE');
      // In the transaction: a process that takes the folder later waits for it, and finds its writes.
      connection.lock.assertOurs();
      const result = work();
      connection.database.exec('COMMIT');
      connection.afterCommit = null;
      connection.isRefused = false;
      for (const notify of afterCommit) notify();
      return result;
    } catch (error) {
      // After the commit nothing can be rolled back; a listener has failed.
      if (connection.afterCommit === null) throw error;
      connection.afterCommit = null;
      if (connection.database.isTransaction) connection.database.exec('ROLLBACK');
      for (const undo of connection.afterRollback) undo();
      connection.isRefused = isWriteRefusal(error);
      throw connection.isRefused ? this.#refusedBy(error) : error;
    }
  }

  /** Runs `notify` once the present transaction is on disk, and never if it fails. */
  afterCommit(notify: () => void): void {
    if (!this.#connection.afterCommit) throw new Error('Not in a transaction.');
    this.#connection.afterCommit.push(notify);
  }

  /** Runs `undo` if the present transaction fails: for values that are also kept in memory. */
  afterRollback(undo: () => void): void {
    if (!this.#connection.afterCommit) throw new Error('Not in a transaction.');
    this.#connection.afterRollback.push(undo);
  }

  /** Changes something, in the open transaction or in a new one. */
  run(sql: string, ...values: SQLInputValue[]): { readonly id: number; readonly changes: number } {
    if (!this.#connection.afterCommit) return this.write(() => this.run(sql, ...values));
    this.#assertOpen();
    const { lastInsertRowid, changes } = this.#statement(sql).run(...values);
    return { id: Number(lastInsertRowid), changes: Number(changes) };
  }

  /** Adds a row, and returns its id. */
  insert(table: string, row: Readonly<Record<string, SQLInputValue>>): number {
    const columns = Object.keys(row);
    let known = this.#connection.inserts.get(table);
    // Joining the names for each of 100,000 rows takes a quarter of the time of adding them.
    if (!known || !isSame(columns, known.columns)) {
      const places = ', ?'.repeat(columns.length - 1);
      known = { columns, sql: `INSERT INTO ${table} (${columns.join(', ')}) VALUES (?${places})` };
      this.#connection.inserts.set(table, known);
    }
    return this.run(known.sql, ...Object.values(row)).id;
  }

  /** Changes columns of the row with an id. */
  update(table: string, id: number, columns: Readonly<Record<string, SQLInputValue>>): void {
    const assignments = Object.keys(columns).map((column) => `${column} = ?`);
    const sql = `UPDATE ${table} SET ${assignments.join(', ')} WHERE id = ?`;
    this.run(sql, ...Object.values(columns), id);
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
   * The transaction needed more than was free, or than a disk quota allows: frees some space for
   * the next one.
   */
  #refusedBy(error: unknown): EngineError {
    if (error instanceof DiskFullError || error instanceof QueueUnwritableError) return error;
    const refused = this.#connection.reserve.isDiskFull
      ? this.#connection.reserve.fullError(error)
      : new QueueUnwritableError(error);
    this.#connection.reserve.shrink();
    return refused;
  }

  /** A closed store counts no rows any more, and no loop processes what it adds. */
  #assertOpen(): void {
    if (this.#isClosed) throw new NotPossibleNowError(userMessage('service-replaced'));
  }

  #statement(sql: string): StatementSync {
    let statement = this.#connection.statements.get(sql);
    if (!statement) {
      statement = this.#connection.database.prepare(sql);
      this.#connection.statements.set(sql, statement);
    }
    return statement;
  }
}

/** Base class of everything that reads or writes the rows of one service in some tables. */
export class ServiceTables {
  protected readonly database: Transactions;
  protected readonly serviceId: number;

  constructor(database: Transactions, serviceId: number) {
    this.database = database;
    this.serviceId = serviceId;
  }
}

function isSame(names: readonly string[], others: readonly string[]): boolean {
  return names.length === others.length && names.every((name, index) => name === others[index]);
}

const WRITE_AGAIN_MS = 5000;

/**
 * Writes something that has happened already and cannot be found out again: as long as the disk
 * refuses (full, read-only, disconnected), it is retried every five seconds.
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
