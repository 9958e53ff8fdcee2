import { type BigIntStats, constants, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { syncFolder } from '../durable-file.ts';
import {
  type BlobInfo,
  type Blobs,
  isKey,
  type NewBlob,
  type OpenBlob,
  type OpenOptions,
  PART_SUFFIX,
  requireKey,
  requirePrefix,
  type StoredBlob,
} from './blobs.ts';
import { checkedContent } from './checked-content.ts';
import { CheckedFiles } from './checked-files.ts';
import { FolderWriter } from './folder-writer.ts';
import { BlobDamagedError, codeOf, StorageOutageError, storageErrorOf } from '../storage-errors.ts';

/** Bytes per read from the disk. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Does not follow links, or wait for a pipe's writer. Windows has neither flag: `undefined` is 0.
 */
const OPEN_SAFELY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Blobs as files in a folder, which several computers may share. Follows no symbolic links below
 * the folder. If the caller knows a file's hash, each process checks it once while the file is
 * unchanged: during a read of the whole file, or before a read of a part, which then reads the
 * whole file first.
 */
export class FolderBlobs implements Blobs {
  readonly #folder: string;
  readonly #writer: FolderWriter;
  readonly #checked = new CheckedFiles();

  /** @param folder absolute path of an existing folder */
  constructor(folder: string) {
    this.#folder = folder;
    this.#writer = new FolderWriter(folder);
  }

  /**
   * Opens a folder that only this process writes to. Creates it if it is missing, for this user
   * only, and deletes unfinished files of an earlier process.
   */
  static openOwn(folder: string): FolderBlobs {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)) {
      if (name.endsWith(PART_SUFFIX)) rmSync(path.join(folder, name), { force: true });
    }
    return new FolderBlobs(folder);
  }

  async put(blobs: readonly NewBlob[], signal?: AbortSignal): Promise<readonly StoredBlob[]> {
    const files = blobs.map((blob) => ({ ...blob, target: this.#pathOf(blob.key) }));
    try {
      signal?.throwIfAborted();
      const stored = await this.#writer.store(files, signal);
      return await Promise.all(
        stored.map(async ({ key, target, sha256 }) => {
          const stats = await stat(target, { bigint: true });
          this.#checked.add(key, stats, sha256);
          return { key, size: Number(stats.size), sha256 };
        }),
      );
    } catch (error) {
      throw await this.#errorOf(error);
    }
  }

  async open(key: string, options: OpenOptions = {}): Promise<OpenBlob | undefined> {
    const { range, expected, signal } = options;
    signal?.throwIfAborted();
    const file = await this.#openFile(key);
    if (!file) return undefined;
    try {
      const stats = await file.stat({ bigint: true });
      const size = Number(stats.size);
      if (expected && expected.size !== size) {
        throw new BlobDamagedError(key, `it has ${size} of ${expected.size} bytes`);
      }
      const first = range?.first ?? 0;
      const last = Math.min(range?.last ?? size - 1, size - 1);
      if (range && (first > last || first < 0)) throw new RangeError('beyond the end of the blob');
      const length = last - first + 1;
      const sha256 = expected?.sha256;
      const isPart = length < size;
      const known =
        isPart && sha256 !== undefined
          ? await this.#checked.read(key, stats, () => contentOf(file))
          : this.#checked.sha256Of(key, stats);
      if (known !== undefined && sha256 !== undefined && known !== sha256) {
        throw new BlobDamagedError(key, 'its bytes are others');
      }
      if (size === 0) {
        await file.close();
        return { size, content: Readable.from([]) };
      }
      const content = file.createReadStream({
        start: first,
        end: last,
        highWaterMark: CHUNK_BYTES,
        autoClose: false,
        signal,
      });
      const isToCheck = sha256 !== undefined && known === undefined;
      const checked = checkedContent(content, {
        key,
        length,
        errorOf: storageErrorOf,
        sha256: isToCheck ? sha256 : undefined,
        confirm: known === undefined ? undefined : () => requireUnchanged(file, stats, key),
      });
      checked.once('close', () => void file.close().catch(() => undefined));
      // If the file changed during the read, its version no longer matches these stats.
      if (isToCheck) checked.once('end', () => this.#checked.add(key, stats, sha256));
      return { size, content: checked };
    } catch (error) {
      await file.close();
      throw storageErrorOf(error);
    }
  }

  async stat(key: string): Promise<BlobInfo | undefined> {
    await using file = await this.#openFile(key);
    return file && { key, size: (await file.stat()).size };
  }

  async delete(keys: readonly string[]): Promise<void> {
    const files = keys.map((key) => this.#pathOf(key));
    try {
      await Promise.all(files.map((file) => rm(file, { force: true })));
      const folders = new Set(files.map((file) => path.dirname(file)));
      folders.delete(this.#folder);
      for (const folder of folders) await removeIfEmpty(folder);
      await syncFolder(this.#folder);
    } catch (error) {
      throw await this.#errorOf(error);
    }
  }

  localPath(key: string): string {
    return this.#pathOf(key);
  }

  async *list(prefix: string): AsyncIterable<BlobInfo> {
    requirePrefix(prefix);
    const start = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    yield* this.#listFolder(start, prefix);
  }

  async *#listFolder(parent: string, prefix: string): AsyncIterable<BlobInfo> {
    for (const entry of await this.#entriesOf(parent)) {
      const key = parent + entry.name;
      if (!isKey(key) || !(key.startsWith(prefix) || prefix.startsWith(`${key}/`))) continue;
      if (parent === '' && entry.isDirectory()) yield* this.#listFolder(`${key}/`, prefix);
      else {
        // Includes entries that are not files: deleting them fails, which reveals them.
        const size = await sizeOf(path.join(this.#folder, key));
        if (size !== undefined) yield { key, size };
      }
    }
  }

  async #entriesOf(parent: string) {
    try {
      return await readdir(path.join(this.#folder, parent), { withFileTypes: true });
    } catch (error) {
      if (isMissing(error)) {
        await this.#requireFolder();
        return [];
      }
      throw storageErrorOf(error);
    }
  }

  async #openFile(key: string): Promise<FileHandle | undefined> {
    const file = this.#pathOf(key);
    try {
      const folder = path.dirname(file);
      if (folder !== this.#folder && !(await lstat(folder)).isDirectory()) return undefined;
      const handle = await open(file, OPEN_SAFELY);
      if ((await handle.stat()).isFile()) return handle;
      await handle.close();
      return undefined;
    } catch (error) {
      if (!isMissing(error)) throw storageErrorOf(error);
      await this.#requireFolder();
      return undefined;
    }
  }

  async #errorOf(error: unknown): Promise<unknown> {
    if (isMissing(error)) await this.#requireFolder();
    return storageErrorOf(error);
  }

  /** Distinguishes a shared folder that is not mounted from one without blobs. */
  async #requireFolder(): Promise<void> {
    try {
      await stat(this.#folder);
    } catch (error) {
      throw new StorageOutageError('unreachable', error);
    }
  }

  #pathOf(key: string): string {
    requireKey(key);
    return path.join(this.#folder, key);
  }
}

/** The whole content; does not close the file. */
function contentOf(file: FileHandle): Readable {
  return file.createReadStream({ start: 0, highWaterMark: CHUNK_BYTES, autoClose: false });
}

/**
 * Detects a write to a file between its check and the end of its read. It does not compare `ctime`,
 * which a deletion changes: a deleted or replaced file is still sent completely.
 */
async function requireUnchanged(
  file: FileHandle,
  { size, mtimeNs }: BigIntStats,
  key: string,
): Promise<void> {
  const now = await file.stat({ bigint: true });
  if (now.size !== size || now.mtimeNs !== mtimeNs) {
    throw new BlobDamagedError(key, 'it was written to while it was read');
  }
}

/** Keeps the folder if another process has just stored a blob in it. */
async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    await syncFolder(folder);
  }
}

/** `undefined` when the file has just been deleted. */
async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await lstat(file)).size;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw storageErrorOf(error);
  }
}

function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ELOOP' || code === 'ENOTDIR';
}
