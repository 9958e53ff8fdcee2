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

/** As `statfs` names it. */
const EXT4 = 0xef53;

/** What videos and pictures leave free on the disk, for the database of the service above all. */
const KEEP_FREE_BYTES = 64 * MIB;

/** What is set aside for the databases: their logs grow to 4 MiB each before they are moved. */
const RESERVE_BYTES = 8 * MIB;

/** The least that a change of a database should find free. */
const MIN_FREE_BYTES = MIB;

/** The reserve shrinks by this much at a time. */
const STEP_BYTES = 2 * MIB;

/**
 * Space on the disk of the data folder. A file of random bytes reserves some of it. When another
 * program has filled the disk, the reserve shrinks step by step, so that the service can still
 * start, answer and finish what it began. The service accepts no video until the reserve is
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

  /** Whether so many bytes leave enough free for everything else. */
  hasRoomFor(bytes: number): boolean {
    const { bavail, bsize } = statfsSync(this.#folder);
    return bavail * bsize >= bytes + KEEP_FREE_BYTES;
  }

  /** Whether what is set aside is needed: nothing new is to be begun. */
  get isShort(): boolean {
    this.makeRoom();
    return !this.#isWhole() && !this.#refill();
  }

  /** Sees to it that a change of a database finds room, as long as something is set aside. */
  makeRoom(): void {
    if (this.#free() >= MIN_FREE_BYTES) return;
    const bytes = this.#reserved();
    if (bytes === 0) return;
    const file = openSync(this.#reserve, 'r+');
    try {
      ftruncateSync(file, Math.max(0, bytes - STEP_BYTES));
      // Without this, ext4 frees the space only some seconds later.
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  #refill(): boolean {
    const missing = RESERVE_BYTES - this.#reserved();
    // Some more, so that the next change does not shrink the reserve again.
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

  /**
   * What this user may still write: root more than others, except for what ext4 reserves for
   * itself.
   */
  #free(): number {
    const { type, bavail, bfree, blocks, bsize } = statfsSync(this.#folder);
    if (process.geteuid?.() !== 0) return bavail * bsize;
    return (bfree - (type === EXT4 ? Math.min(blocks / 50, 4096) : 0)) * bsize;
  }
}
