import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DiskFullError, FolderUnusableError } from '../engine-error.ts';
import { openRegularSync } from '../files/regular-file.ts';

const MIB = 1024 * 1024;

/** A transaction should find at least this much free. */
const MIN_FREE_BYTES = MIB;

/** The reserve shrinks by this much at a time. */
const STEP_BYTES = 2 * MIB;

/**
 * The log of the database grows to 4 MiB before its pages are moved to the database, which may grow by
 * as much.
 */
const RESERVE_BYTES = 8 * MIB;

/** Filling the reserve leaves this much free, so that it is not needed again at once. */
const MARGIN_BYTES = 2 * STEP_BYTES;

/**
 * Disk space that is reserved in a data folder, as a file of random bytes (a file system may
 * compress others). When another program fills the disk, the reserve shrinks piece by piece, so
 * that the queue can be opened and can store the outcome of what it began. While the reserve is not
 * complete, the queue begins nothing new.
 *
 * Another program may take the freed space before the queue does. On file systems with snapshots, a
 * smaller reserve may free no space.
 */
export class DiskReserve {
  readonly #folder: string;
  readonly #file: string;
  #bytes: number;
  readonly #listeners = new Set<() => void>();

  /** @param folder absolute path of an existing folder */
  constructor(folder: string) {
    this.#folder = folder;
    this.#file = join(folder, 'spool.reserve');
    this.#bytes = sizeOf(this.#file);
  }

  get isWhole(): boolean {
    return this.#bytes >= RESERVE_BYTES;
  }

  /** Bytes that must become free until it is complete again. */
  get missingBytes(): number {
    return Math.max(0, this.#required - this.#free());
  }

  /**
   * Calls `listener` whenever it has become larger or smaller. Returns the function that unsubscribes
   * it.
   */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Frees space for a transaction, as long as there is a reserve. */
  makeRoom(): void {
    if (this.#bytes > 0 && this.isDiskFull) this.shrink();
  }

  /** Shrinks by one step, whatever the disk reports as free: a user's disk quota may be used up. */
  shrink(): void {
    if (this.#bytes === 0) return;
    const bytes = Math.max(0, this.#bytes - STEP_BYTES);
    try {
      const file = openRegularSync(this.#file, constants.O_RDWR);
      try {
        ftruncateSync(file, bytes);
        // Otherwise ext4 frees the space some seconds later.
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      this.#bytes = bytes;
    } catch {
      // The file was removed.
      this.#bytes = 0;
    }
    this.#announce();
  }

  /** Restores its full size if the disk has space for that. */
  refill(): void {
    if (this.isWhole || this.#free() < this.#required) return;
    const before = this.#bytes;
    try {
      const { O_WRONLY, O_CREAT, O_APPEND } = constants;
      const file = openRegularSync(this.#file, O_WRONLY | O_CREAT | O_APPEND);
      try {
        const piece = randomBytes(MIB);
        for (; this.#bytes < RESERVE_BYTES; this.#bytes += piece.length) writeSync(file, piece);
      } finally {
        closeSync(file);
      }
    } catch {
      this.#bytes = sizeOf(this.#file);
    }
    if (this.#bytes !== before) this.#announce();
  }

  /**
   * Frees space to open the queue.
   * @throws {DiskFullError} when there is still too little space
   */
  makeRoomToOpen(): void {
    this.makeRoom();
    if (this.#free() < MIN_FREE_BYTES) throw this.fullError();
  }

  /** Whether a write failed because the disk was full, not because permissions were missing. */
  get isDiskFull(): boolean {
    return this.#free() < MIN_FREE_BYTES;
  }

  /** The error to report when the folder could not be written to. */
  refusedBy(error: unknown): DiskFullError | FolderUnusableError {
    return this.isDiskFull ? this.fullError(error) : new FolderUnusableError(this.#folder, error);
  }

  fullError(cause?: unknown): DiskFullError {
    return new DiskFullError(this.#folder, this.#free(), this.#required, cause);
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Bytes that must be free for it to become complete. */
  get #required(): number {
    return RESERVE_BYTES - this.#bytes + MARGIN_BYTES;
  }

  #free(): number {
    try {
      return freeBytes(this.#folder);
    } catch {
      // A folder that is temporarily missing does not mean a full disk.
      return Infinity;
    }
  }
}

/** In bytes; 0 without a regular file. */
function sizeOf(file: string): number {
  try {
    const stats = lstatSync(file);
    return stats.isFile() ? stats.size : 0;
  } catch {
    return 0;
  }
}

/** Type of the file system, as `statfs` reports it. */
const EXT4 = 0xef53;

/**
 * Bytes that this user can still write to the disk of a folder. Root may also use the blocks that
 * are reserved for it, except those that ext4 keeps for itself (2 %, 4096 blocks at most).
 */
export function freeBytes(folder: string): number {
  const { type, bavail, bfree, blocks, bsize } = statfsSync(folder);
  if (process.geteuid?.() !== 0) return bavail * bsize;
  return (bfree - (type === EXT4 ? Math.min(blocks / 50, 4096) : 0)) * bsize;
}
