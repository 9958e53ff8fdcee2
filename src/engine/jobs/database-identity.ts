import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { KeyValueStore } from './key-value-store.ts';
import type { Transactions } from './transactions.ts';

const FILE_NUMBER = 'file-number';
const GENERATION = 'generation';

/**
 * Whether the queue's file is the one that was worked on last. What an older one calls unsent may
 * have been sent since. Three traces tell, and each knows cases that the others do not:
 *
 * - The file's number in its file system. A copy has another one, and so has a file that a backup
 *   program recreated. A file that was renamed or moved within its file system keeps it, and so does
 *   one that was written over.
 * - The time of the last change (`ShutdownMarker`) tells of a closed file that was written over,
 *   even if the whole folder was. It says nothing on Windows and after a crash.
 * - The generation rises whenever the journal of requests is cleared, and the journal has it too
 *   (`sent-journal.ts`). A database with a lower one was brought back alone, on any system; what was
 *   sent from one with the same is still in the journal. A folder that was copied or brought back as
 *   a whole has the same in both.
 */
export class DatabaseIdentity {
  readonly #path: string;
  readonly #transactions: Transactions;

  constructor(path: string, transactions: Transactions) {
    this.#path = path;
    this.#transactions = transactions;
  }

  /** The file's number in its file system, now. */
  get fileNumber(): string {
    return String(statSync(this.#path, { bigint: true }).ino);
  }

  /** That of the whole database, whichever service it was noted for. */
  get generation(): number {
    return this.#transactions.number(
      'SELECT max(CAST(value AS INTEGER)) FROM note WHERE name = ?',
      GENERATION,
    );
  }

  /**
   * On disk when this returns. Only afterwards may anything else have it: a power cut between the
   * two must not make the database look old.
   */
  raiseGeneration(generation = this.generation + 1): number {
    this.#transactions.run(
      `INSERT INTO note (service_id, name, value)
        SELECT id, ?, ? FROM service WHERE true ORDER BY id LIMIT 1
        ON CONFLICT DO UPDATE SET value = excluded.value`,
      GENERATION,
      JSON.stringify(generation),
    );
    return generation;
  }

  /**
   * The file is not what it was, although it is where it was: so for the jobs of every service.
   * @param generation the latest that the journal knows
   */
  forget(generation: number): void {
    this.#transactions.write(() => {
      const sql = 'UPDATE note SET value = ? WHERE name = ?';
      this.#transactions.run(sql, '"elsewhere"', FILE_NUMBER);
      // Said once: a database that was accepted since is not called old again.
      if (generation > this.generation) this.raiseGeneration(generation);
    });
  }
}

/** The number of the file that one service's jobs were worked on in last. */
export class FileNumber {
  readonly #identity: DatabaseIdentity;
  readonly #notes: KeyValueStore;

  constructor(identity: DatabaseIdentity, notes: KeyValueStore) {
    this.#identity = identity;
    this.#notes = notes;
  }

  /** False for a queue that never took note of it. */
  get hasChanged(): boolean {
    const known = this.#notes.read(FILE_NUMBER, z.string());
    return known !== null && known !== this.#identity.fileNumber;
  }

  /** Takes the file for the one to work on. */
  remember(): void {
    this.#notes.write(FILE_NUMBER, this.#identity.fileNumber);
  }
}

/**
 * When the queue's file was last changed, written beside it as the queue is closed. A backup that
 * is copied over the file keeps its number and may bring its date of writing back, but never the
 * moment at which the file system saw that happen. (Windows sees less reason to keep that moment
 * from changing: programs that make backups may set it, so that there it says nothing.)
 */
export class ShutdownMarker {
  readonly #database: string;
  readonly #mark: string;

  constructor(database: string, mark: string) {
    this.#database = database;
    this.#mark = mark;
  }

  /** Once the database is closed. What cannot be written is no reason to fail: it then says nothing. */
  write(): void {
    if (process.platform === 'win32') return;
    try {
      writeFileSync(this.#mark, this.#changedAt(), { mode: 0o600 });
    } catch {
      this.#remove();
    }
  }

  /**
   * True when somebody changed the file since it was closed. Before the database is opened; the mark
   * is taken away, so that a queue that ends without being closed has none. One that a power cut left
   * without its content says nothing.
   */
  showsChange(): boolean {
    try {
      const mark = readFileSync(this.#mark, 'utf8');
      return /^\d+$/.test(mark) && mark !== this.#changedAt();
    } catch {
      return false;
    } finally {
      this.#remove();
    }
  }

  #changedAt(): string {
    return String(statSync(this.#database, { bigint: true }).ctimeNs);
  }

  #remove(): void {
    rmSync(this.#mark, { force: true });
  }
}
