import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const MAX_FILES_KEPT = 10_000;
/** Files read at a time to be checked: more would only make the disk seek between them. */
const CHECKS_AT_A_TIME = 2;

/**
 * The hashes of files that were read or stored as a whole, for as long as the file system says that a
 * file is the same one and unchanged: a file is hashed once by each process, not once by each reader.
 * Where a disk returns other bytes of an unchanged file, that is not noticed.
 */
export class CheckedFiles {
  readonly #files = new Map<string, { readonly version: string; readonly sha256: string }>();
  /** Files that are being read, by key and version. */
  readonly #reading = new Map<string, Promise<string>>();
  /** Those that wait to be read. */
  readonly #waiting: (() => void)[] = [];
  #free = CHECKS_AT_A_TIME;

  /** The SHA-256 of a file in hexadecimal, if it is known. */
  sha256Of(key: string, stats: BigIntStats): string | undefined {
    const known = this.#files.get(key);
    return known?.version === versionOf(stats) ? known.sha256 : undefined;
  }

  add(key: string, stats: BigIntStats, sha256: string): void {
    // Map keeps the order in which keys were added: the first one is the oldest.
    this.#files.delete(key);
    this.#files.set(key, { version: versionOf(stats), sha256 });
    const [oldest = key] = this.#files.keys();
    if (this.#files.size > MAX_FILES_KEPT) this.#files.delete(oldest);
  }

  /**
   * The SHA-256 of a file in hexadecimal, which is read unless its hash is known. Callers that ask
   * while it is read wait for the same read. A wrong hash is kept like a right one, so that a damaged
   * file is not read again for each request.
   *
   * @param read the whole content; the stream may not be used after the result
   */
  async read(key: string, stats: BigIntStats, read: () => Readable): Promise<string> {
    const known = this.sha256Of(key, stats);
    if (known !== undefined) return known;
    const file = `${key}:${versionOf(stats)}`;
    const reading = this.#reading.get(file) ?? this.#hash(read);
    this.#reading.set(file, reading);
    try {
      const sha256 = await reading;
      this.add(key, stats, sha256);
      return sha256;
    } finally {
      this.#reading.delete(file);
    }
  }

  async #hash(read: () => Readable): Promise<string> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    try {
      const hash = createHash('sha256');
      await pipeline(read(), hash);
      return hash.digest('hex');
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}

/** A file that is replaced or written to has another inode or time of change. */
function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}
