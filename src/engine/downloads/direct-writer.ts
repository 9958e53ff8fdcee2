import { constants } from 'node:fs';
import { open, statfs, type FileHandle } from 'node:fs/promises';
import { codeOf } from '../error-codes.ts';

/** Bytes below which the system's cache serves better than the disk itself. */
const MIN_BYTES = 1024 * 1024;
/** What position, length and memory of a direct write are multiples of, on every disk in use. */
const ALIGNMENT = 4096;
/** Where direct writes are known to keep to what is read and synced through the cache: ext4, XFS. */
const FILE_SYSTEMS = new Set([0xef53, 0x58465342]);

/**
 * Writes large pieces of an open file around the system's cache, where that is possible. A download
 * is not read again soon, and to copy it into the cache costs more time than to receive and to hash
 * it (`docs/measured.md`).
 */
export class DirectWriter {
  #file: FileHandle | undefined;

  private constructor(file: FileHandle | undefined) {
    this.#file = file;
  }

  /** For the very file behind `file`, whatever its name has become. Never fails: it only never writes. */
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

  /** Whether these bytes can be written so; all others go through the cache. */
  suits(bytes: Buffer, position: number): boolean {
    const isLarge = bytes.length >= MIN_BYTES;
    const isAligned = [position, bytes.length, bytes.byteOffset].every((n) => n % ALIGNMENT === 0);
    return this.#file !== undefined && isLarge && isAligned;
  }

  /**
   * Writes the first of these bytes, or none if the disk takes none in this way; then it suits
   * nothing any more.
   *
   * @throws what the file system says, when the disk and not the way of writing is at fault.
   */
  async write(bytes: Buffer, position: number): Promise<{ readonly bytesWritten: number }> {
    try {
      return (await this.#file?.write(bytes, 0, bytes.length, position)) ?? { bytesWritten: 0 };
    } catch (error) {
      if (codeOf(error) !== 'EINVAL') throw error;
      // A disk that wants more than this, or memory that begins elsewhere.
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
