import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DiskFullError, EngineError, FolderLostError, InUseError } from '../engine-error.ts';
import { isMissing } from '../error-codes.ts';
import { identityOf } from '../files/file-identity.ts';
import { makePrivateFile } from '../files/private-folder.ts';
import { readRegularSync, writeRegularSync } from '../files/regular-file.ts';
import { DiskReserve } from './disk-reserve.ts';
import { SQLITE, sqliteCode } from './sqlite-errors.ts';

const LOCK_NAME = 'primary.lock';

/**
 * Lock of a data folder: an exclusive transaction held on a small database beside the queue. The
 * operating system ends it with the process, however the process ends, so it cannot go stale.
 *
 * A user who can read a lock file can hold its lock and so keep Spool out. No other user can read
 * this file.
 *
 * A network drive may give the lock to two computers at once, and a user may remove the lock's file.
 * So a process that takes the folder also writes a mark into it, before reading anything of the
 * queue. The earlier process checks before each write and each request whether the mark is still its
 * own, and the file that it has locked is still in the folder.
 */
export class InstanceLock {
  readonly #database: DatabaseSync;
  readonly #folder: string;
  readonly #identity: string;
  readonly #mark: string;
  readonly #lost = new AbortController();
  #isMarked = false;

  private constructor(database: DatabaseSync, folder: string, pid: number) {
    this.#database = database;
    this.#folder = folder;
    this.#identity = folderIdentity(folder);
    this.#mark = `${pid}\n${randomUUID()}\n`;
  }

  /**
   * @throws {InUseError} while another engine owns the folder
   * @throws {FolderUnusableError} @throws {DiskFullError} when nothing can be written there
   */
  static take(folder: string, pid: number): InstanceLock {
    const file = join(folder, LOCK_NAME);
    let database: DatabaseSync | undefined;
    try {
      makePrivateFile(file);
      database = new DatabaseSync(file, { timeout: 0 });
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      const lock = new InstanceLock(database, folder, pid);
      new DiskReserve(folder).makeRoom();
      try {
        lock.leaveMark();
      } catch (error) {
        // On a full disk the queue can still be read.
        if (!(error instanceof DiskFullError)) throw error;
      }
      return lock;
    } catch (error) {
      database?.close();
      if (sqliteCode(error) === SQLITE.BUSY) throw new InUseError(readOwner(ownerFile(folder)));
      throw error instanceof EngineError ? error : new DiskReserve(folder).refusedBy(error);
    }
  }

  /**
   * Call it before reading anything of the queue in order to change it. Only the first call writes.
   * @throws {FolderUnusableError} @throws {DiskFullError}
   */
  leaveMark(): void {
    if (this.#isMarked) return;
    try {
      writeRegularSync(ownerFile(this.#folder), this.#mark);
    } catch (error) {
      throw new DiskReserve(this.#folder).refusedBy(error);
    }
    this.#isMarked = true;
  }

  /** Aborted, with a `FolderLostError`, once a check has found that the folder is lost. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Call it before anything that another process must not do as well.
   * @throws {FolderLostError} once another process has taken the folder in spite of the lock, or the
   * folder was moved, replaced or removed
   */
  assertOurs(): void {
    this.check();
    this.#lost.signal.throwIfAborted();
  }

  /** Call it from time to time where nothing else is done: aborts `lost` when the folder is lost. */
  check(): void {
    if (!this.#lost.signal.aborted && !this.#isStillOurs) this.#lost.abort(new FolderLostError());
  }

  /** What is missing or cannot be read does not prove another process, except the lock's file. */
  get #isStillOurs(): boolean {
    try {
      if (folderIdentity(this.#folder) !== this.#identity) return false;
      return !this.#isMarked || readRegularSync(ownerFile(this.#folder)) === this.#mark;
    } catch {
      return true;
    }
  }

  release(): void {
    this.#database.close();
  }
}

/**
 * Distinguishes a data folder from its copies, and from itself after its lock was removed, as long
 * as a process holds that lock: until then, the inode number of the lock is given to no other file.
 * @throws the system's error when it cannot be read
 */
export function folderIdentity(folder: string): string {
  return [folder, join(folder, LOCK_NAME)].map(inodeOf).join(' ');
}

/** Names the process that holds the lock. */
const ownerFile = (folder: string): string => join(folder, 'spool.pid');

/** Device and inode number; `-` where there is no file. */
function inodeOf(path: string): string {
  try {
    const { device, inode } = identityOf(path);
    return `${device}:${inode}`;
  } catch (error) {
    if (isMissing(error)) return '-';
    throw error;
  }
}

/**
 * The lock itself cannot be read while it is held, so its holder writes its process id beside it.
 */
function readOwner(file: string): number | null {
  try {
    const pid = Number.parseInt(readRegularSync(file), 10);
    return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}
