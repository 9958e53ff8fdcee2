import { constants, type BigIntStats } from 'node:fs';
import { copyFile, link, lstat, open, rename, rm, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../clock.ts';
import { codeOf, isHeldFile, isMissing } from '../error-codes.ts';
import { syncFolder } from '../files/replace-file.ts';
import { withNumber, withRemark } from './file-name.ts';
import { readPlainText } from './safe-open.ts';

/** How long a virus scanner or an indexer may hold a new file before the move counts as refused. */
export const REFUSED_FOR_MS = 60_000;
const RETRY_MS = 500;

/** Another file took the target's name while the download ran. Nothing was overwritten. */
export class TargetExistsError extends Error {
  override readonly name = 'TargetExistsError';
  readonly code = 'target-exists';
  constructor(target: string) {
    super(`${path.basename(target)} exists already.`);
  }
}

/** The file has its new name, but the disk failed: after a power cut it may have its old one. */
export class UnsyncedMoveError extends Error {
  override readonly name = 'UnsyncedMoveError';
  readonly code: string | undefined;
  constructor(cause: unknown) {
    super('The new name of a file could not be synced to the disk.', { cause });
    this.code = codeOf(cause);
  }
}

/** Whether anything has this name: a file, a folder, or a symbolic link, even a dangling one. */
export async function exists(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** The first of `name`, `name (2)`, `name (3)` … that does not exist. */
export async function freeName(target: string): Promise<string> {
  const { dir, base } = path.parse(target);
  for (let number = 1; ; number += 1) {
    const candidate = path.join(dir, withNumber(base, number));
    if (!(await exists(candidate))) return candidate;
  }
}

/**
 * Moves a finished file to its target in one step, so that half of it is never visible. Unless
 * `replace` is set, an existing file is never touched, however late it appeared.
 *
 * @throws {TargetExistsError} at once when the target exists and may not be replaced.
 * @param retryForMs how long a refusal counts as temporary, such as by a virus scanner
 * @throws {UnsyncedMoveError} when the file was moved, and the disk failed before that was durable
 * @throws the file system's error, when it refused for so long.
 */
export async function moveIntoPlace(
  from: string,
  target: string,
  replace: boolean,
  clock: Clock,
  signal: AbortSignal,
  retryForMs = REFUSED_FOR_MS,
): Promise<void> {
  const giveUpAt = clock.monotonic() + retryForMs;
  for (;;) {
    try {
      await (replace ? rename(from, target) : renameExclusively(from, target));
      break;
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EEXIST' && !replace) throw new TargetExistsError(target);
      if (code === 'EXDEV') {
        await copyIntoPlace(from, target, replace);
        break;
      }
      if (!isHeldFile(error) || clock.monotonic() >= giveUpAt) throw error;
      await clock.sleep(RETRY_MS, signal);
    }
  }
  try {
    await syncFolder(path.dirname(target));
    if (path.dirname(from) !== path.dirname(target)) await syncFolder(path.dirname(from));
  } catch (error) {
    throw new UnsyncedMoveError(error);
  }
}

/**
 * Renames a file that is not what was saved to `film (damaged).mp4`, so that the right one can have
 * its name. The user who changed it may still want it, so it is never deleted. Does nothing if the
 * file is gone or its folder refuses.
 */
export async function quarantine(file: string, remark = 'damaged'): Promise<void> {
  const { dir, base } = path.parse(file);
  for (;;) {
    try {
      await renameExclusively(file, await freeName(path.join(dir, withRemark(base, remark))));
      return;
    } catch (error) {
      // Another file was created between the check and the move: check again.
      if (codeOf(error) !== 'EEXIST') return;
    }
  }
}

/**
 * `rename` would overwrite an existing file; a hard link does not, nor does creating the name
 * first.
 */
export async function renameExclusively(from: string, target: string): Promise<void> {
  try {
    await link(from, target);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST' || code === 'EXDEV' || code === 'ENOENT') throw error;
    await renameOverPlaceholder(from, target);
    return;
  }
  try {
    // After EPERM, `rm` tries to remove a folder and fails with ENOTDIR, which is not retried.
    await unlink(from);
  } catch (error) {
    // The file keeps its old name, because that cannot be removed; so the new one is.
    await rm(target, { force: true });
    throw error;
  }
}

/**
 * Text of a placeholder file, for a person who finds one. A later run recognises it by this text.
 */
const PLACEHOLDER = 'Spool was about to move a video here.\n';

/**
 * Whether a file is a placeholder, or the beginning of one: a stop may have cut the write short. An
 * empty file counts, so the caller must know that a move to this name was under way.
 */
export async function isPlaceholder(file: string): Promise<boolean> {
  if (!(await lstatOf(file))?.isFile()) return false;
  const text = await readPlainText(file, PLACEHOLDER.length);
  return text !== undefined && PLACEHOLDER.startsWith(text);
}

/**
 * Removes what an interrupted move to `target` may have left there while `from` still exists: a
 * second name of the same file, or the placeholder. Other files are not touched.
 */
export async function undoHalfMove(from: string, target: string): Promise<void> {
  const [source, found] = await Promise.all([lstatOf(from), lstatOf(target)]);
  if (!source?.isFile() || !found?.isFile()) return;
  // Where case is ignored, one entry has both names; then the file has no second link.
  const isSecondName =
    source.ino === found.ino && source.dev === found.dev && found.nlink > 1n && from !== target;
  if (isSecondName || (await isPlaceholder(target))) await rm(target);
}

/** With inode numbers as `bigint`: those of some file systems do not fit a double. */
async function lstatOf(file: string): Promise<BigIntStats | undefined> {
  return lstat(file, { bigint: true }).catch(() => undefined);
}

/** For file systems without hard links (FAT, many network drives). */
async function renameOverPlaceholder(from: string, target: string): Promise<void> {
  await writeFile(target, PLACEHOLDER, { flag: 'wx', flush: true });
  try {
    await rename(from, target);
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  }
}

/** The part is on another volume than its target: copy, sync, then move within one volume. */
async function copyIntoPlace(from: string, target: string, replace: boolean): Promise<void> {
  const copy = await copyBeside(from, target);
  try {
    await syncFile(copy);
    await (replace ? rename(copy, target) : renameExclusively(copy, target));
  } catch (error) {
    await rm(copy, { force: true });
    throw codeOf(error) === 'EEXIST' ? new TargetExistsError(target) : error;
  }
  try {
    await unlink(from);
  } catch (error) {
    // The file keeps its old name, as above. A file that was replaced cannot be restored.
    if (!replace) await rm(target, { force: true });
    throw error;
  }
}

/**
 * Copies a file to a name that nothing else has. A failed copy leaves nothing behind: the system's
 * call removes it.
 */
async function copyBeside(from: string, target: string): Promise<string> {
  for (;;) {
    const copy = await freeName(`${target}.copy`);
    try {
      await copyFile(from, copy, constants.COPYFILE_EXCL);
      return copy;
    } catch (error) {
      // Another move took the name between the check and the copy: check again.
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}

async function syncFile(path: string): Promise<void> {
  await using file = await open(path, 'r+');
  await file.datasync();
}
