import {
  closeSync,
  constants,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, isHeldFile } from '../error-codes.ts';
import { systemClock } from '../system-clock.ts';

/** How long a virus scanner or an indexer of Windows may hold a file, try by try: 630 ms in all. */
const RETRY_DELAYS_MS = [10, 20, 40, 80, 160, 320];

/** The system calls that replacing a file needs; tests replace them. */
export interface ReplacingSystem {
  readonly platform: NodeJS.Platform;
  readonly rename: (from: string, to: string) => void;
  /** Blocks this thread. */
  readonly pause: (ms: number) => void;
}

const THIS_SYSTEM: ReplacingSystem = {
  platform: process.platform,
  rename: renameSync,
  pause: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
};

/**
 * Replaces a small file that only its user may read, or creates it. The whole file is on disk when
 * this returns. When this throws, the file is unchanged, unless the disk failed after the change.
 *
 * On Windows a file that a scanner has open cannot be replaced, so this waits for the scanner to
 * close it.
 */
export function replaceFileSync(
  file: string,
  text: string,
  system: ReplacingSystem = THIS_SYSTEM,
): void {
  const fresh = `${file}.new`;
  // Nothing that has this name is written to: a link may lead anywhere.
  rmSync(fresh, { force: true });
  const opened = openSync(fresh, 'wx', 0o600);
  try {
    writeFileSync(opened, text);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
  const waits = retryWaitsOn(system.platform);
  for (;;) {
    try {
      system.rename(fresh, file);
      break;
    } catch (error) {
      system.pause(nextWait(waits, error));
    }
  }
  syncFolderSync(dirname(file));
}

/** As {@link ReplacingSystem}, for a thread that does other work meanwhile. */
export interface RenamingSystem {
  readonly platform: NodeJS.Platform;
  readonly rename: (from: string, to: string) => Promise<void>;
  readonly sleep: (ms: number) => Promise<void>;
}

const THIS_SYSTEM_ASYNC: RenamingSystem = {
  platform: process.platform,
  rename,
  sleep: (ms) => systemClock.sleep(ms),
};

/** Renames a file, over another one if there is one; waits on Windows as {@link replaceFileSync} does. */
export async function renameOver(
  from: string,
  to: string,
  system: RenamingSystem = THIS_SYSTEM_ASYNC,
): Promise<void> {
  const waits = retryWaitsOn(system.platform);
  for (;;) {
    try {
      await system.rename(from, to);
      return;
    } catch (error) {
      await system.sleep(nextWait(waits, error));
    }
  }
}

function retryWaitsOn(platform: NodeJS.Platform): number[] {
  return platform === 'win32' ? [...RETRY_DELAYS_MS] : [];
}

/** @throws the error itself if it is not temporary, or lasts too long */
function nextWait(waits: number[], error: unknown): number {
  const wait = isHeldFile(error) ? waits.shift() : undefined;
  if (wait === undefined) throw error;
  return wait;
}

/**
 * How systems refuse to sync any folder: Windows, some network drives, and folders that may not be
 * read. Files in them are durable all the same, or cannot be made so.
 */
const CANNOT_SYNC_FOLDERS: ReadonlySet<string | undefined> = new Set([
  'EACCES',
  'EBADF',
  'EINVAL',
  'EISDIR',
  'ENOSYS',
  'ENOTSUP',
  'EPERM',
]);

/**
 * Makes names in a folder survive a power cut: a rename is durable once its folder is. Does nothing
 * where folders cannot be synced.
 * @throws the file system's error if the disk fails: names may be as they were before
 */
export async function syncFolder(folder: string): Promise<void> {
  try {
    await using handle = await open(folder, constants.O_RDONLY);
    await handle.sync();
  } catch (error) {
    if (!CANNOT_SYNC_FOLDERS.has(codeOf(error))) throw error;
  }
}

/** The same, blocking this thread. */
export function syncFolderSync(folder: string): void {
  try {
    const handle = openSync(folder, constants.O_RDONLY);
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (!CANNOT_SYNC_FOLDERS.has(codeOf(error))) throw error;
  }
}
