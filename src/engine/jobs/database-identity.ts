import { randomUUID } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { z } from 'zod';
import {
  fileIdentitySchema,
  identityOf,
  isSameFileLater,
  type FileIdentity,
} from '../files/file-identity.ts';
import { readRegularSync, writeRegularSync } from '../files/regular-file.ts';
import { jsonColumn } from './stored-values.ts';
import { safeParse } from '../../contract/safe-parse.ts';
import type { KeyValueStore } from './key-value-store.ts';
import { GENERATION_SQL, type StorePaths } from './database.ts';
import type { WitnessedQueue } from './sent-witness.ts';
import type { Transactions } from './transactions.ts';

const FILE = 'file';
const GENERATION = 'generation';
const QUEUE_ID = 'queue';
const COMPARED = 'compared';

/** Identity of no file. */
const ANOTHER_FILE: FileIdentity = { device: '', inode: '', birth: null };

/**
 * Detects whether the queue's file is the one that was used last. In an older file, requests that
 * were sent since may be listed as unsent. Four checks complement each other:
 *
 * - The file's inode number and time of birth (`files/file-identity.ts`). A copy has others, and so
 *   has a file that a backup program recreated. A file that was renamed, moved within its file
 *   system or overwritten keeps them.
 * - The time of the last change (`leaveShutdownMark`) shows that a closed file was overwritten,
 *   even with the whole folder. It says nothing on Windows and after a crash.
 * - The generation rises whenever a backup is written and the journal of requests is cleared, and
 *   both have it too. A database with a lower one was restored alone, or its log was lost; what was
 *   sent from one with the same is still in the journal. A folder that was copied or restored as a
 *   whole has the same in all.
 * - A witness outside the folder knows the last requests (`sent-witness.ts`).
 */
export class DatabaseIdentity {
  readonly #path: string;
  readonly #transactions: Transactions;

  constructor(path: string, transactions: Transactions) {
    this.#path = path;
    this.#transactions = transactions;
  }

  /** Whether the jobs of this service were processed in another file; false if none was stored. */
  hasOtherFile(notes: KeyValueStore): boolean {
    const known = notes.read(FILE, fileIdentitySchema);
    return known !== null && !isSameFileLater(known, identityOf(this.#path));
  }

  /** Stores this file as the one that has the jobs of this service. */
  rememberFile(notes: KeyValueStore): void {
    notes.write(FILE, identityOf(this.#path));
  }

  /** The generation of the whole database, whichever service it was stored for. */
  get generation(): number {
    return this.#transactions.number(GENERATION_SQL);
  }

  /** What the witness knows this queue by. */
  get witnessed(): WitnessedQueue {
    return { id: this.#read(QUEUE_ID), compared: this.#read(COMPARED) };
  }

  /** Gives a queue that has a service the name by which the witness knows it, and its copies. */
  ensureId(): void {
    if (this.#read(QUEUE_ID) === null) this.#write(QUEUE_ID, randomUUID());
  }

  /** Stores that the queue was compared with its witness, and returns the mark of that. */
  markCompared(): string {
    const mark = randomUUID();
    this.#write(COMPARED, mark);
    return mark;
  }

  /**
   * On disk when this returns. The journal may get the new generation only afterwards: a power cut
   * between the two must not make the database look old.
   */
  raiseGeneration(generation: number): number {
    this.#write(GENERATION, generation);
    return generation;
  }

  /** Call it when the file was replaced in place. Applies to the jobs of every service. */
  forget(): void {
    const sql = 'UPDATE note SET value = ? WHERE name = ?';
    this.#transactions.run(sql, JSON.stringify(ANOTHER_FILE), FILE);
  }

  #read(name: string): string | null {
    const row = this.#transactions.get('SELECT value FROM note WHERE name = ?', name);
    // The witness names a file by it.
    return safeParse(jsonColumn.pipe(z.uuid()), row?.value).data ?? null;
  }

  /** Of the whole queue, stored for its first service. No effect without one. */
  #write(name: string, value: unknown): void {
    this.#transactions.run(
      `INSERT INTO note (service_id, name, value)
        SELECT id, ?, ? FROM service WHERE true ORDER BY id LIMIT 1
        ON CONFLICT DO UPDATE SET value = excluded.value`,
      name,
      JSON.stringify(value),
    );
  }
}

/**
 * Stores the time of the queue's last change beside its file, once that is closed. A backup that is
 * copied over the file keeps the inode number and may restore its modification time, but not its
 * change time. (On Windows, backup programs may set that too, so there it says nothing.) If the
 * mark cannot be written, that is no failure: it then says nothing.
 */
export function leaveShutdownMark({ database, mark }: StorePaths): void {
  if (process.platform === 'win32') return;
  try {
    writeRegularSync(mark, changedAt(database));
  } catch {
    rmSync(mark, { force: true });
  }
}

/**
 * Whether the file is as it was closed: `changed` by another program, or `unknown` after a crash, on
 * Windows, and for a mark that a power cut left empty. Call it before the database is opened; it
 * removes the mark, so that a queue that is not closed properly has none.
 */
export function stateSinceShutdown({
  database,
  mark,
}: StorePaths): 'unchanged' | 'changed' | 'unknown' {
  try {
    const text = readRegularSync(mark);
    if (!/^\d+$/.test(text)) return 'unknown';
    return text === changedAt(database) ? 'unchanged' : 'changed';
  } catch {
    return 'unknown';
  } finally {
    rmSync(mark, { force: true });
  }
}

function changedAt(database: string): string {
  return String(statSync(database, { bigint: true }).ctimeNs);
}
