import type { Readable } from 'node:stream';

/** What a store holds under a key. */
export interface BlobInfo {
  readonly key: string;
  /** In bytes. */
  readonly size: number;
}

/** Part of a blob. Both offsets are inclusive, as in RFC 9110 §14.1.2; `last` may be past the end. */
export interface BlobRange {
  readonly first: number;
  readonly last: number;
}

/** What the caller knows of a blob from elsewhere, such as its database. */
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

/** A file of this computer that becomes a blob. */
export interface NewBlob {
  readonly key: string;
  /** Its path. */
  readonly file: string;
  /** Of the whole file, in hexadecimal, where the caller knows it; it is computed otherwise. */
  readonly sha256?: string | undefined;
}

export interface StoredBlob extends BlobInfo {
  /** In hexadecimal. */
  readonly sha256: string;
}

/**
 * A blob that is being read. `content` ends after exactly the bytes that were asked for, or fails:
 * it never ends early. Destroy it to stop reading.
 */
export interface OpenBlob {
  /** Size of the whole blob, in bytes. */
  readonly size: number;
  readonly content: Readable;
}

/**
 * Files by key: a folder, or a store that several computers share. Keys are a name,
 * or a folder and a name (`requireKey`). Except where said otherwise, calls reject with
 *
 * - `RangeError` when a key is not valid
 * - `StorageOutageError` when the store is full, refuses or does not answer; later it may
 * - `BlobDamagedError` when what the store holds is not what was expected
 * - the signal's reason when it is aborted
 *
 * There are no locks and no versions: of two writers of one key, the later one wins.
 */
export interface Blobs {
  /**
   * Stores files of this computer, in their order, and removes them from their old places. Readers see
   * the blob that was there before or the whole new one. Once this resolves, the blobs survive a power
   * cut. When it rejects, all files are still there and can be put again, and some may be stored.
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
  /** Deletes blobs, durably; those that do not exist are ignored. */
  delete(keys: readonly string[]): Promise<void>;
  /** Where a blob is as a file, if the store keeps it as one of this computer; it may be missing. */
  localPath?(key: string): string;
  /** All blobs whose keys begin with the prefix, in no particular order, read page by page. */
  list(prefix: string): AsyncIterable<BlobInfo>;
}

/** Bytes of a key; a store adds its own prefix. */
const MAX_KEY_LENGTH = 200;

/** The end of the names of files that a store has not completed. */
export const PART_SUFFIX = '.part';

/** One folder at most. A name begins with no dot, so that `.`, `..` and hidden files are no keys. */
const keyPattern = /^(?:[\w-][\w.-]*\/)?[\w-][\w.-]*$/;
const prefixPattern = /^(?:[\w-][\w.-]*\/)?(?:[\w-][\w.-]*)?$/;

/** @throws {RangeError} unless the key names something within a store on every system */
export function requireKey(key: string): void {
  const isValid =
    keyPattern.test(key) && key.length <= MAX_KEY_LENGTH && !key.endsWith(PART_SUFFIX);
  if (!isValid) throw new RangeError('not the key of a blob');
}

/** @throws {RangeError} unless keys can begin so; the empty prefix is that of all keys */
export function requirePrefix(prefix: string): void {
  if (!prefixPattern.test(prefix) || prefix.length > MAX_KEY_LENGTH) {
    throw new RangeError('not the prefix of a key');
  }
}

/** Whether a store may give a blob this name. */
export function isKey(name: string): boolean {
  return keyPattern.test(name) && !name.endsWith(PART_SUFFIX);
}
