import type { Readable } from 'node:stream';

/** A stored blob's key and size. */
export interface BlobInfo {
  readonly key: string;
  /** In bytes. */
  readonly size: number;
}

/**
 * Part of a blob. Both offsets are inclusive, as in RFC 9110 §14.1.2; `last` may be past the end.
 */
export interface BlobRange {
  readonly first: number;
  readonly last: number;
}

/** What the caller knows about a blob from elsewhere, such as its database. */
export interface ExpectedBlob {
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256?: string | undefined;
}

export interface OpenOptions {
  /** The whole blob when omitted. */
  readonly range?: BlobRange | undefined;
  readonly expected?: ExpectedBlob | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A local file to store as a blob. */
export interface NewBlob {
  readonly key: string;
  /** Its path. */
  readonly file: string;
  /** Of the whole file, in hexadecimal; computed when omitted. */
  readonly sha256?: string | undefined;
}

export interface StoredBlob extends BlobInfo {
  /** In hexadecimal. */
  readonly sha256: string;
}

/**
 * A blob that is being read. `content` ends after exactly the requested bytes, or fails: it never
 * ends early. Destroy it to stop reading.
 */
export interface OpenBlob {
  /** Size of the whole blob, in bytes. */
  readonly size: number;
  readonly content: Readable;
}

/**
 * Files by key, in a folder or in a store that several computers share. A key is a name, or a
 * folder and a name (`requireKey`). Unless documented otherwise, calls reject with
 *
 * - `RangeError` when a key is not valid
 * - `StorageOutageError` when the store is full, refuses access or does not respond; retry later
 * - `BlobDamagedError` when the store's content is not what was expected
 * - the signal's reason when it is aborted
 *
 * There are no locks and no versions: of two writers of one key, the later one wins.
 */
export interface Blobs {
  /**
   * Moves local files to the store, in order. Readers see the previous blob or the whole new one.
   * Once this resolves, the blobs survive a power cut. When it rejects, all local files still
   * exist, some of them may be stored, and the call can be repeated.
   */
  put(blobs: readonly NewBlob[], signal?: AbortSignal): Promise<readonly StoredBlob[]>;
  /**
   * Opens a blob to read; `undefined` when there is none.
   *
   * @throws {RangeError} when the range begins after the end of the blob
   */
  open(key: string, options?: OpenOptions): Promise<OpenBlob | undefined>;
  /** `undefined` when there is no such blob. */
  stat(key: string): Promise<BlobInfo | undefined>;
  /** Deletes blobs, durably; missing ones are ignored. */
  delete(keys: readonly string[]): Promise<void>;
  /** The path of a blob's file, which may be missing. Only in stores of local files. */
  localPath?(key: string): string;
  /** All blobs whose keys begin with the prefix, in no particular order, read page by page. */
  list(prefix: string): AsyncIterable<BlobInfo>;
}

/** In characters, without the prefix that a store adds. */
const MAX_KEY_LENGTH = 200;

/** The suffix of files that are not completely written. */
export const PART_SUFFIX = '.part';

/** At most one folder. No name begins with a dot, so `.`, `..` and hidden files are not keys. */
const keyPattern = /^(?:[\w-][\w.-]*\/)?[\w-][\w.-]*$/;
const prefixPattern = /^(?:[\w-][\w.-]*\/)?(?:[\w-][\w.-]*)?$/;

/** @throws {RangeError} unless the key is a valid file name inside the store on every system */
export function requireKey(key: string): void {
  const isValid =
    keyPattern.test(key) && key.length <= MAX_KEY_LENGTH && !key.endsWith(PART_SUFFIX);
  if (!isValid) throw new RangeError('not the key of a blob');
}

/** @throws {RangeError} unless a key can begin with it; the empty prefix is valid */
export function requirePrefix(prefix: string): void {
  if (!prefixPattern.test(prefix) || prefix.length > MAX_KEY_LENGTH) {
    throw new RangeError('not the prefix of a key');
  }
}

/** Whether a name that a store lists can be a blob's. */
export function isKey(name: string): boolean {
  return keyPattern.test(name) && !name.endsWith(PART_SUFFIX);
}
