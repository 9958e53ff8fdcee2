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

/** Opening a pipe would wait for who writes to it. Windows has neither flag: `undefined` is 0. */
const OPEN_SAFELY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Blobs as files of a folder: of this computer, or one that several computers share. No symbolic
 * link is followed below the folder. A file whose hash the caller knows is checked by it once by each
 * process while the file stays unchanged: one that is read as a whole on the way, and before the first
 * part of it is read. The latter costs a read of the whole file.
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
   * The blobs of a folder that this process alone writes to. It is made when it is missing, closed
   * to other users; unfinished files of an earlier process are deleted.
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
      // What changed while it was read has another version from now on.
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
        // Also what is no file: a deletion of it fails, and shows that.
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

  /** Without this, a shared folder that is not mounted would look like one without blobs. */
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

/** All of a file, which stays open. */
function contentOf(file: FileHandle): Readable {
  return file.createReadStream({ start: 0, highWaterMark: CHUNK_BYTES, autoClose: false });
}

/**
 * A file that was hashed before it is sent may have been written to in between. Its inode's time is not
 * compared: a deletion changes it, and what is deleted or replaced meanwhile is sent to its end.
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

/** Another process may store a blob in the folder at the same moment; then it stays. */
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

/** `undefined` when the file was deleted meanwhile. */
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
