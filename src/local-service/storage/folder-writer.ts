import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { completePart, partPath, syncFolder } from '../durable-file.ts';
import { codeOf } from '../storage-errors.ts';
import { hashOfHandle } from './file-hash.ts';

const MAX_CACHED_FOLDERS = 1_000;

export interface FileToStore {
  readonly file: string;
  /** Its new path, in the root or in a subfolder. */
  readonly target: string;
  /** In hexadecimal; the file is read to compute it when omitted. */
  readonly sha256?: string | undefined;
}

interface PlacedFile extends FileToStore {
  /** Copied from another disk, or moved on the same. */
  readonly method: 'moved' | 'copied';
}

/**
 * Moves files into a folder so that they survive a power cut. Files share syncs: each subfolder is
 * synced once after all its files, and the root once for all concurrent calls.
 */
export class FolderWriter {
  readonly #root: string;
  readonly #rootSync: SharedSync;
  /** Subfolders whose entry in the root is durable; cleared when it has too many entries. */
  readonly #durableFolders = new Set<string>();

  /** @param root absolute path of an existing folder */
  constructor(root: string) {
    this.#root = root;
    this.#rootSync = new SharedSync(() => syncFolder(root));
  }

  /**
   * Moves files to their targets, in order. When it rejects, it has moved them back.
   *
   * @returns the same files with their SHA-256
   */
  async store<File extends FileToStore>(
    files: readonly File[],
    signal?: AbortSignal,
  ): Promise<readonly (File & { readonly sha256: string })[]> {
    const hashed = await Promise.all(
      files.map(async (file) => ({ ...file, sha256: await syncFile(file) })),
    );
    const folders = new Set(files.map(({ target }) => path.dirname(target)));
    const placed: PlacedFile[] = [];
    for (const folder of folders) await this.#createFolder(folder);
    try {
      for (const file of files) {
        placed.push({ ...file, method: await this.#place(file, signal) });
      }
      await this.#sync(folders);
    } catch (error) {
      for (const file of placed.reverse()) await undoPlacement(file).catch(() => undefined);
      throw error;
    }
    for (const { file, method } of placed) if (method === 'copied') await rm(file);
    return hashed;
  }

  async #place(file: FileToStore, signal?: AbortSignal): Promise<PlacedFile['method']> {
    try {
      return await placeFile(file, signal);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      // Another process has just deleted the folder's files, and the empty folder.
      await this.#createFolder(path.dirname(file.target));
      return placeFile(file, signal);
    }
  }

  async #createFolder(folder: string): Promise<void> {
    if (folder === this.#root) return;
    try {
      // Without `recursive`, so that a root that is not mounted is not created.
      await mkdir(folder, { mode: 0o700 });
      this.#durableFolders.delete(folder);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' || !(await lstat(folder)).isDirectory()) throw error;
    }
  }

  async #sync(folders: ReadonlySet<string>): Promise<void> {
    for (const folder of folders) {
      if (folder !== this.#root) await syncFolder(folder);
      if (this.#durableFolders.has(folder)) continue;
      await this.#rootSync.run();
      if (folder === this.#root) continue;
      if (this.#durableFolders.size >= MAX_CACHED_FOLDERS) this.#durableFolders.clear();
      this.#durableFolders.add(folder);
    }
  }
}

/**
 * Shares runs of `work` between concurrent calls. A call waits for a run that begins after the
 * call: all calls during a run share the next one.
 */
export class SharedSync {
  readonly #work: () => Promise<void>;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  run(): Promise<void> {
    this.#next ??= this.#runNext();
    return this.#next;
  }

  async #runNext(): Promise<void> {
    await this.#running.catch(() => undefined);
    this.#next = undefined;
    this.#running = this.#work();
    await this.#running;
  }
}

/** Writes a file's content to the disk. Returns its SHA-256. */
async function syncFile({ file, sha256: known }: FileToStore): Promise<string> {
  await using handle = await open(file, 'r+');
  const sha256 = known ?? (await hashOfHandle(handle));
  await handle.sync();
  return sha256;
}

/** Moves a file, or copies it to another disk. The target is never incomplete. */
async function placeFile(
  { file, target }: FileToStore,
  signal?: AbortSignal,
): Promise<PlacedFile['method']> {
  try {
    await rename(file, target);
    return 'moved';
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
  }
  try {
    await rm(partPath(target), { force: true });
    await copyFile(file, partPath(target), constants.COPYFILE_EXCL);
    signal?.throwIfAborted();
    await completePart(target);
    return 'copied';
  } catch (error) {
    await rm(partPath(target), { force: true }).catch(() => undefined);
    throw error;
  }
}

async function undoPlacement({ file, target, method }: PlacedFile): Promise<void> {
  if (method === 'moved') await rename(target, file);
  else await rm(target);
}
