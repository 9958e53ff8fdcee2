import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { completePart, partOf, syncFolder } from '../durable-file.ts';
import { codeOf } from '../storage-errors.ts';
import { hashOfHandle } from './file-hash.ts';

const MAX_SYNCED_KEPT = 1_000;

export interface FileToStore {
  readonly file: string;
  /** Its new path, in the root or in a folder of it. */
  readonly target: string;
  /** In hexadecimal; the file is read to compute it when omitted. */
  readonly sha256?: string | undefined;
}

interface Placed extends FileToStore {
  /** Moved, or copied from another disk. */
  readonly how: 'moved' | 'copied';
}

/**
 * Puts files into a folder so that they survive a power cut. What several of them need is done once:
 * each folder is synced when all its files are there, and the root once for all that wait for it.
 */
export class FolderWriter {
  readonly #root: string;
  readonly #rootSync: SharedSync;
  /** Folders whose entry in the root this process made durable, some of the latest. */
  readonly #synced = new Set<string>();

  /** @param root absolute path of an existing folder */
  constructor(root: string) {
    this.#root = root;
    this.#rootSync = new SharedSync(() => syncFolder(root));
  }

  /**
   * Moves files to their targets, in their order. When it rejects, they are where they were.
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
    const placed: Placed[] = [];
    for (const folder of folders) await this.#make(folder);
    try {
      for (const file of files) {
        placed.push({ ...file, how: await this.#place(file, signal) });
      }
      await this.#sync(folders);
    } catch (error) {
      for (const file of placed.reverse()) await takeBack(file).catch(() => undefined);
      throw error;
    }
    for (const { file, how } of placed) if (how === 'copied') await rm(file);
    return hashed;
  }

  async #place(file: FileToStore, signal?: AbortSignal): Promise<Placed['how']> {
    try {
      return await placeFile(file, signal);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      // Another process has just deleted what was in the folder, and the folder.
      await this.#make(path.dirname(file.target));
      return placeFile(file, signal);
    }
  }

  async #make(folder: string): Promise<void> {
    if (folder === this.#root) return;
    try {
      // Without `recursive`, so that a root that is not mounted is not made.
      await mkdir(folder, { mode: 0o700 });
      this.#synced.delete(folder);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' || !(await lstat(folder)).isDirectory()) throw error;
    }
  }

  async #sync(folders: ReadonlySet<string>): Promise<void> {
    for (const folder of folders) {
      if (folder !== this.#root) await syncFolder(folder);
      if (this.#synced.has(folder)) continue;
      await this.#rootSync.run();
      if (folder === this.#root) continue;
      if (this.#synced.size >= MAX_SYNCED_KEPT) this.#synced.clear();
      this.#synced.add(folder);
    }
  }
}

/**
 * Runs work for all that ask for it while it runs: they share the next run, which begins after each of
 * them has asked.
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

/** Moves a file, or copies it to another disk. A reader of the target never finds part of it. */
async function placeFile(
  { file, target }: FileToStore,
  signal?: AbortSignal,
): Promise<Placed['how']> {
  try {
    await rename(file, target);
    return 'moved';
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
  }
  try {
    await rm(partOf(target), { force: true });
    await copyFile(file, partOf(target), constants.COPYFILE_EXCL);
    signal?.throwIfAborted();
    await completePart(target);
    return 'copied';
  } catch (error) {
    await rm(partOf(target), { force: true }).catch(() => undefined);
    throw error;
  }
}

async function takeBack({ file, target, how }: Placed): Promise<void> {
  if (how === 'moved') await rename(target, file);
  else await rm(target);
}
