import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { KeyValueStore } from './key-value-store.ts';
import type { StorePaths } from './database.ts';
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
 * - The time of the last change (`leaveShutdownMark`) tells of a closed file that was written over,
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

  /** Whether the jobs of this service were worked on in another file; false where none was noted. */
  hasOtherFile(notes: KeyValueStore): boolean {
    const known = notes.read(FILE_NUMBER, z.string());
    return known !== null && known !== this.#fileNumber;
  }

  /** Takes the file for the one to work on the jobs of this service. */
  rememberFile(notes: KeyValueStore): void {
    notes.write(FILE_NUMBER, this.#fileNumber);
  }

  get #fileNumber(): string {
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

/**
 * Leaves the time of the queue's last change beside its file, once that is closed. A backup that is
 * copied over the file keeps its number and may bring its date of writing back, but never the moment
 * at which the file system saw that happen. (Windows sees less reason to keep that moment from
 * changing: programs that make backups may set it, so that there it says nothing.) A mark that cannot
 * be written is no reason to fail: it then says nothing.
 */
export function leaveShutdownMark({ database, mark }: StorePaths): void {
  if (process.platform === 'win32') return;
  try {
    writeFileSync(mark, changedAt(database), { mode: 0o600 });
  } catch {
    rmSync(mark, { force: true });
  }
}

/**
 * True when somebody changed the file since it was closed. Before the database is opened; the mark
 * is taken away, so that a queue that ends without being closed has none. One that a power cut left
 * without its content says nothing.
 */
export function wasChangedSinceShutdown({ database, mark }: StorePaths): boolean {
  try {
    const text = readFileSync(mark, 'utf8');
    return /^\d+$/.test(text) && text !== changedAt(database);
  } catch {
    return false;
  } finally {
    rmSync(mark, { force: true });
  }
}

function changedAt(database: string): string {
  return String(statSync(database, { bigint: true }).ctimeNs);
}
