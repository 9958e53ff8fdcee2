import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { FolderUnusableError, InUseError } from '../engine-error.ts';

const SQLITE_BUSY = 5;

const sqliteErrorSchema = z.object({ errcode: z.int() });

/** The primary result code of an error that SQLite raised, or `undefined` for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  const parsed = sqliteErrorSchema.safeParse(error);
  return parsed.success ? parsed.data.errcode & 0xff : undefined;
}

/**
 * Ownership of a data folder: an exclusive transaction held on a small database beside the queue.
 * The operating system ends it with the process, however the process ends, so it cannot go stale.
 *
 * A network drive may give the lock to two computers at once. So whoever takes the folder also leaves
 * a mark in it, before reading anything of the queue, and can look whether it is still its own.
 */
export class InstanceLock {
  readonly #database: DatabaseSync;
  readonly #ownerFile: string;
  readonly #mark: string;

  private constructor(database: DatabaseSync, ownerFile: string, mark: string) {
    this.#database = database;
    this.#ownerFile = ownerFile;
    this.#mark = mark;
  }

  /**
   * @throws {InUseError} while another engine owns the folder
   * @throws {FolderUnusableError} when nothing can be written there
   */
  static take(folder: string, pid: number): InstanceLock {
    const ownerFile = join(folder, 'spool.pid');
    let database: DatabaseSync | undefined;
    try {
      database = new DatabaseSync(join(folder, 'spool.lock'), { timeout: 0 });
      database.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE;');
      const mark = `${pid}\n${randomUUID()}\n`;
      writeFileSync(ownerFile, mark);
      return new InstanceLock(database, ownerFile, mark);
    } catch (error) {
      database?.close();
      if (sqliteCode(error) === SQLITE_BUSY) throw new InUseError(readOwner(ownerFile));
      throw new FolderUnusableError(folder, error);
    }
  }

  /** False once somebody else has taken the folder in spite of the lock. */
  get isOurs(): boolean {
    try {
      return readFileSync(this.#ownerFile, 'utf8') === this.#mark;
    } catch {
      // A mark that is gone, or cannot be read, says nothing of anybody else.
      return true;
    }
  }

  /** Takes the folder from whoever has taken it since; they will see it as we did. */
  takeBack(): void {
    writeFileSync(this.#ownerFile, this.#mark);
  }

  release(): void {
    this.#database.close();
  }
}

/** The lock itself cannot be read while it is held, so its owner leaves its process id beside it. */
function readOwner(file: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}
