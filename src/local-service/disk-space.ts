import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';

const MIB = 1024 * 1024;

/** The type number that `statfs` reports. */
const EXT4 = 0xef53;

/** Space that videos and images must leave free, mainly for the service's database. */
const KEEP_FREE_BYTES = 64 * MIB;

/** Reserved for the databases: the write-ahead log of each grows to 4 MiB before a checkpoint. */
const RESERVE_BYTES = 8 * MIB;

/** Minimum free space before a database write. */
const MIN_FREE_BYTES = MIB;

/** Step by which the reserve shrinks. */
const STEP_BYTES = 2 * MIB;

/**
 * Space on the disk of the data folder. A file of random bytes reserves some of it. When another
 * program has filled the disk, the reserve shrinks step by step, so that the service can still
 * start, answer requests and finish videos. The service accepts no video until the reserve is
 * complete again.
 */
export class DiskSpace {
  readonly #folder: string;
  readonly #reserve: string;

  /** @param folder absolute path of an existing folder */
  constructor(folder: string) {
    this.#folder = folder;
    this.#reserve = path.join(folder, 'service.reserve');
  }

  /** Whether there is space for so many bytes besides the free space that must remain. */
  hasRoomFor(bytes: number): boolean {
    const { bavail, bsize } = statfsSync(this.#folder);
    return bavail * bsize >= bytes + KEEP_FREE_BYTES;
  }

  /** Whether the reserve is in use, and cannot be refilled: no new work may begin. */
  get isShort(): boolean {
    this.makeRoom();
    return !this.#isWhole() && !this.#refill();
  }

  /** Shrinks the reserve if there is too little space for a database write. */
  makeRoom(): void {
    if (this.#free() >= MIN_FREE_BYTES) return;
    const bytes = this.#reserved();
    if (bytes === 0) return;
    const file = openSync(this.#reserve, 'r+');
    try {
      ftruncateSync(file, Math.max(0, bytes - STEP_BYTES));
      // Without a sync, ext4 frees the space only some seconds later.
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  #refill(): boolean {
    const missing = RESERVE_BYTES - this.#reserved();
    // Extra space, so that the next database write does not shrink the reserve again.
    if (this.#free() < missing + 2 * STEP_BYTES) return false;
    const piece = randomBytes(MIB);
    const file = openSync(this.#reserve, 'a', 0o600);
    try {
      for (let bytes = 0; bytes < missing; bytes += piece.length) writeSync(file, piece);
      return true;
    } catch {
      return false;
    } finally {
      closeSync(file);
    }
  }

  #isWhole(): boolean {
    return this.#reserved() >= RESERVE_BYTES;
  }

  #reserved(): number {
    return statSync(this.#reserve, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Bytes that this user may still write. Root may also use reserved blocks, except ext4's own. */
  #free(): number {
    const { type, bavail, bfree, blocks, bsize } = statfsSync(this.#folder);
    if (process.geteuid?.() !== 0) return bavail * bsize;
    return (bfree - (type === EXT4 ? Math.min(blocks / 50, 4096) : 0)) * bsize;
  }
}
