import { constants } from 'node:fs';
import { lstat, open, rm, type FileHandle } from 'node:fs/promises';
import { codeOf } from '../error-codes.ts';
import { quarantine } from './place.ts';
import { OPEN_SAFELY } from './safe-open.ts';

/**
 * Another program may take the name between two attempts; if it happens this often, it is
 * deliberate.
 */
export const MAX_ATTEMPTS = 10;

/**
 * Opens a file that has no other name for reading and writing, or creates it.
 *
 * A file at `path` is used only if it is a regular file of this user, has no second hard link, and
 * is empty or known to be ours. Any other file keeps its content: it is renamed, or removed if it
 * is empty.
 *
 * @param isKnown whether a record says that the file is ours
 */
export async function openOwnFile(path: string, isKnown: boolean): Promise<FileHandle> {
  for (let attempt = 1; ; attempt += 1) {
    const existing = await openExisting(path, isKnown);
    if (existing) return existing;
    await clearName(path);
    try {
      const exclusively = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL;
      return await open(path, exclusively | OPEN_SAFELY, 0o644);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** Frees a name. A file with content keeps it under another name. */
export async function clearName(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats) return;
  if (stats.isFile() && stats.size > 0) await quarantine(path, 'kept');
  else await rm(path, { force: true });
}

async function openExisting(path: string, isKnown: boolean): Promise<FileHandle | undefined> {
  // Opening a device may have an effect.
  if (!(await lstat(path).catch(() => undefined))?.isFile()) return undefined;
  const file = await open(path, constants.O_RDWR | OPEN_SAFELY).catch(() => undefined);
  if (!file) return undefined;
  // Only the open file is certain to be the one that is written to.
  const stats = await file.stat();
  const isOfUser = stats.uid === (process.getuid?.() ?? stats.uid);
  const isOurs = isKnown || stats.size === 0;
  if (stats.isFile() && stats.nlink === 1 && isOfUser && isOurs) return file;
  await file.close();
  return undefined;
}
