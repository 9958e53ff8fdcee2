import type { BigIntStats } from 'node:fs';

const MAX_FILES_KEPT = 10_000;

/**
 * The hashes of files that were read or stored as a whole, for as long as the file system says that a
 * file is the same one and unchanged: a file is hashed once by each process, not once by each reader.
 * Where a disk returns other bytes of an unchanged file, that is not noticed.
 */
export class CheckedFiles {
  readonly #files = new Map<string, { readonly version: string; readonly sha256: string }>();

  /** The SHA-256 of a file in hexadecimal, if it is known. */
  sha256Of(key: string, stats: BigIntStats): string | undefined {
    const known = this.#files.get(key);
    return known?.version === versionOf(stats) ? known.sha256 : undefined;
  }

  add(key: string, stats: BigIntStats, sha256: string): void {
    if (this.#files.size >= MAX_FILES_KEPT) this.#files.clear();
    this.#files.set(key, { version: versionOf(stats), sha256 });
  }
}

/** A file that is replaced or written to has another inode or time of change. */
function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}
