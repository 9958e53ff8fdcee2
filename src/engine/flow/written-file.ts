/**
 * A file beside the user's own that Spool writes again and again, and that other programs may change
 * meanwhile: it is replaced only while it is as Spool wrote it.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, rm, type FileHandle } from 'node:fs/promises';
import { hashOf } from '../downloads/verify.ts';
import { codeOf } from '../error-codes.ts';
import { renameOver } from '../files/replace-file.ts';

/** It may become a pipe after it was looked at. Windows lacks the flag; `undefined` counts as 0. */
const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

/** What is there was not written by Spool, or was changed since. */
export class ChangedOutsideError extends Error {
  readonly file: string;

  constructor(file: string) {
    super(`${file} is not as it was written.`);
    this.file = file;
  }
}

/** What is written beside a file before it takes its place. */
export function unfinishedOf(file: string): string {
  return `${file}.new`;
}

interface Replacement {
  readonly file: string;
  readonly content: string;
  /** Bytes that each content begins with: by these a part of one is recognised after a stop. */
  readonly beginning: Buffer;
  /** SHA-256 of the contents that the file may have, in hex. */
  readonly written: readonly string[];
  /** Stores `written` for the next replacement, before the file changes. */
  readonly remember: (written: string[]) => void;
}

/**
 * Replaces the file, or creates it.
 * @throws {ChangedOutsideError}, or the file system's error; the file is then unchanged
 */
export async function replaceWritten(replacement: Replacement): Promise<void> {
  const { file, content, beginning, written, remember } = replacement;
  const before = await sha256Of(file);
  if (before !== null && !written.includes(before)) throw new ChangedOutsideError(file);
  const fresh = unfinishedOf(file);
  if (!(await isPart(fresh, beginning))) throw new ChangedOutsideError(fresh);
  const after = createHash('sha256').update(content).digest('hex');
  remember(before === null ? [after] : [before, after]);
  // Nothing that has this name is written to: a link may lead anywhere.
  await rm(fresh, { force: true });
  try {
    await using handle = await open(fresh, 'wx');
    await handle.writeFile(content);
    await handle.sync();
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => undefined);
    throw error;
  }
  try {
    await renameOver(fresh, file);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

/** `null` when there is no file. */
function sha256Of(file: string): Promise<string | null> {
  return readIfThere(file, async (handle) => (await hashOf(handle, Infinity)).hash.digest('hex'));
}

/** Whether a file, if there is one, is a part of a content, however short. */
async function isPart(file: string, beginning: Buffer): Promise<boolean> {
  const is = await readIfThere(file, async (handle) => {
    const begins = Buffer.alloc(beginning.length);
    const { bytesRead } = await handle.read(begins, 0, begins.length, 0);
    return begins.subarray(0, bytesRead).equals(beginning.subarray(0, bytesRead));
  });
  return is ?? true;
}

/** `null` when there is no file. @throws {ChangedOutsideError} for a link, a pipe or a device */
async function readIfThere<T>(
  file: string,
  read: (handle: FileHandle) => Promise<T>,
): Promise<T | null> {
  try {
    const found = await lstat(file);
    // Opening a pipe waits for another process. A folder's own error says more.
    if (!found.isFile() && !found.isDirectory()) throw new ChangedOutsideError(file);
    await using handle = await open(file, WITHOUT_WAITING);
    return await read(handle);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
