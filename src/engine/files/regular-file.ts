/**
 * Opens files of a folder whose content another program may have changed. A link there would lead to
 * somebody else's file, and opening a pipe waits until another process opens it too.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';

/** A link, a folder, a pipe or a device is where a file should be. */
export class NotRegularError extends Error {
  constructor(path: string) {
    super(`${path} is not a regular file.`);
    this.name = 'NotRegularError';
  }
}

/** Windows has neither of these flags; `undefined` counts as 0. */
const WITHOUT_WAITING = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens a regular file and nothing else. What it creates, only this user can read.
 * @param flags of `open(2)`
 * @throws {NotRegularError} or the file system's error
 */
export function openRegularSync(path: string, flags: number): number {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile()) throw new NotRegularError(path);
  // It may have been replaced since.
  const file = openSync(path, flags | WITHOUT_WAITING, 0o600);
  try {
    if (!fstatSync(file).isFile()) throw new NotRegularError(path);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** @throws {NotRegularError} or the file system's error, such as `ENOENT` */
export function readRegularSync(path: string): string {
  const file = openRegularSync(path, constants.O_RDONLY);
  try {
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** `null` when there is no regular file, or it cannot be read. */
export function readIfRegular(path: string): string | null {
  try {
    return readRegularSync(path);
  } catch {
    return null;
  }
}

/** Overwrites a file or creates it. Not durable. */
export function writeRegularSync(path: string, text: string): void {
  const { O_WRONLY, O_CREAT, O_TRUNC } = constants;
  const file = openRegularSync(path, O_WRONLY | O_CREAT | O_TRUNC);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}
