import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { DomainError } from './domain-error.ts';

/** The files in the service's folder. */
const CONTENT = /^(?:service\.|counters\.|port$|studio-host$|(?:images|tls|videos)$)/;

/** Access of group and others. */
const OTHERS = 0o077;
/** The sticky bit of a shared folder such as `/tmp`. */
const STICKY = 0o1000;

/**
 * Creates the service's data folder, with missing parent folders. Only this user can enter it: an
 * existing folder, and the service's files in it, lose the permissions of other users.
 *
 * @throws {DomainError} `DATA_FOLDER_UNUSABLE` when the folder cannot be created
 */
export function makeDataFolder(folder: string): void {
  try {
    createFolder(path.resolve(folder));
    restrictToUser(folder);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DomainError('DATA_FOLDER_UNUSABLE', `The data folder cannot be created: ${reason}.`);
  }
}

/**
 * Creates one folder at a time: Node's `recursive` option loops endlessly below a folder that
 * refuses new ones, as in `/proc`.
 */
function createFolder(folder: string): void {
  if (isFolder(folder)) return;
  if (!existsSync(folder)) createFolder(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Does nothing on Windows, where folders in a user's profile inherit its access control. */
function restrictToUser(folder: string): void {
  const { uid, mode } = statSync(folder);
  if (process.platform === 'win32' || uid !== process.geteuid?.() || (mode & STICKY) !== 0) return;
  removeOthersAccess(folder, mode);
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    const stats = CONTENT.test(name) ? lstatSync(file, { throwIfNoEntry: false }) : undefined;
    if (stats?.uid === uid && (stats.isFile() || stats.isDirectory())) {
      removeOthersAccess(file, stats.mode);
    }
  }
}

function removeOthersAccess(file: string, mode: number): void {
  if ((mode & OTHERS) === 0) return;
  try {
    chmodSync(file, mode & 0o7777 & ~OTHERS);
  } catch {
    // Some file systems have no permissions.
  }
}
