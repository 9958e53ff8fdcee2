import { constants } from 'node:fs';
import { open, statfs, type FileHandle } from 'node:fs/promises';
import { codeOf } from '../error-codes.ts';

/** Shorter writes are faster through the system's cache. */
const MIN_BYTES = 1024 * 1024;
/**
 * Position, length and memory address of a direct write must be multiples of this on all common
 * disks.
 */
const ALIGNMENT = 4096;
/**
 * File systems on which direct writes are known to be coherent with reads and syncs through the
 * cache: ext4, XFS.
 */
const FILE_SYSTEMS = new Set([0xef53, 0x58465342]);

/**
 * Writes large pieces of an open file without the system's cache, where that is possible. A
 * download is not read again soon, and copying it into the cache takes longer than receiving and
 * hashing it (`docs/measured.md`).
 */
export class DirectWriter {
  #file: FileHandle | undefined;

  private constructor(file: FileHandle | undefined) {
    this.#file = file;
  }

  /**
   * Opens the file behind `file` a second time, whatever its name is now. Never rejects: if that
   * fails, no direct writes are made.
   */
  static async for(file: FileHandle): Promise<DirectWriter> {
    if (process.platform !== 'linux') return new DirectWriter(undefined);
    const itself = `/proc/self/fd/${file.fd}`;
    try {
      const { type } = await statfs(itself);
      if (!FILE_SYSTEMS.has(type)) return new DirectWriter(undefined);
      return new DirectWriter(await open(itself, constants.O_WRONLY | constants.O_DIRECT));
    } catch {
      return new DirectWriter(undefined);
    }
  }

  /** Whether these bytes can be written directly; all others go through the cache. */
  suits(bytes: Buffer, position: number): boolean {
    const isLarge = bytes.length >= MIN_BYTES;
    const isAligned = [position, bytes.length, bytes.byteOffset].every((n) => n % ALIGNMENT === 0);
    return this.#file !== undefined && isLarge && isAligned;
  }

  /**
   * Writes the first of these bytes, or none if the disk refuses direct writes; after that it
   * accepts none.
   *
   * @throws the file system's error, when the disk failed and not the direct write.
   */
  async write(bytes: Buffer, position: number): Promise<{ readonly bytesWritten: number }> {
    try {
      return (await this.#file?.write(bytes, 0, bytes.length, position)) ?? { bytesWritten: 0 };
    } catch (error) {
      if (codeOf(error) !== 'EINVAL') throw error;
      // The disk needs a larger alignment.
      await this.close();
      return { bytesWritten: 0 };
    }
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }
}
