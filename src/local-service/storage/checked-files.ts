import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const MAX_CACHED_HASHES = 10_000;
/** More files at the same time would only make the disk seek between them. */
const MAX_CONCURRENT_READS = 2;

/**
 * Caches the hashes of files that were read or stored as a whole, while the file system reports
 * them as unchanged: each process hashes a file once, not once for each reader. It does not detect
 * a disk that returns other bytes of an unchanged file.
 */
export class CheckedFiles {
  readonly #files = new Map<string, { readonly version: string; readonly sha256: string }>();
  /** Hashes of files that are being read, by key and version. */
  readonly #reading = new Map<string, Promise<string>>();
  /** Start the reads that wait for a slot. */
  readonly #waiting: (() => void)[] = [];
  #freeSlots = MAX_CONCURRENT_READS;

  /** The SHA-256 of a file in hexadecimal, if it is known. */
  sha256Of(key: string, stats: BigIntStats): string | undefined {
    const known = this.#files.get(key);
    return known?.version === versionOf(stats) ? known.sha256 : undefined;
  }

  add(key: string, stats: BigIntStats, sha256: string): void {
    // A Map iterates in insertion order: the first key is the oldest.
    this.#files.delete(key);
    this.#files.set(key, { version: versionOf(stats), sha256 });
    const [oldest = key] = this.#files.keys();
    if (this.#files.size > MAX_CACHED_HASHES) this.#files.delete(oldest);
  }

  /**
   * The SHA-256 of a file in hexadecimal. Reads the file unless its hash is known; concurrent calls
   * share one read. An unexpected hash is cached too, so that a damaged file is not read again for
   * each request.
   *
   * @param read opens the whole content
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
    if (this.#freeSlots > 0) this.#freeSlots -= 1;
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    try {
      const hash = createHash('sha256');
      await pipeline(read(), hash);
      return hash.digest('hex');
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#freeSlots += 1;
    }
  }
}

/** Replacing a file or writing to it changes its inode or its times. */
function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}
