import {
  chmodSync,
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
  statSync,
} from 'node:fs';
import type { Stats } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import { codeOf } from '../error-codes.ts';
import { EngineError } from '../engine-error.ts';

/** The files that Spool keeps in a data folder. All others are the user's and are not changed. */
const FILES =
  /^(?:spool\.(?:db|backup\.db|lock|pid|closed|reserve)|primary\.lock|sent\.log(?:\.new)?$|settings\.(?:json|damaged)|keys\.json|desktop\.json|web-(?:port|secret)$|open-spool-)/;
const FOLDERS = /^(?:endpoint|local-service|logs|posters|window)$/;

/** Mode bits: all rights of group and others, their write rights, and the sticky bit of `/tmp`. */
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

const ROOT = 0;

/**
 * Removes the rights of other users to a data folder and to what Spool keeps in it. What cannot be
 * changed stays as it is; `exposureOf` reports it. Windows has no such rights: files in a user's
 * profile inherit rights that keep others out.
 *
 * @throws {EngineError} `folder-unusable` when another user who can write to the folder put a file
 *   where Spool keeps one
 */
export function closeToOthers(folder: string): void {
  if (process.platform === 'win32') return;
  const uid = process.geteuid?.();
  if (statSync(folder).uid === uid && !isShared(folder)) takeFromOthers(folder);
  const { uid: owner, mode } = statSync(folder);
  const isWritable = (mode & OTHERS_WRITE) !== 0;
  for (const name of namesIn(folder)) {
    const file = path.join(folder, name);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (!stats) continue;
    const isTrusted = [uid, owner, ROOT].includes(stats.uid);
    if (isWritable && !isTrusted) {
      const message = userMessage('data-file-of-other', { folder, name });
      throw new EngineError({ code: 'folder-unusable', ...message });
    }
    // Another user could exchange the file between the check and the change.
    if (stats.uid !== uid || (isWritable && (mode & STICKY) === 0)) continue;
    if (stats.isDirectory() || (stats.isFile() && stats.nlink === 1)) takeFromOthers(file);
  }
}

/**
 * Refuses a data folder in which something else is where Spool keeps a file or a folder: a link leads
 * to somebody else's file, and opening a pipe waits for another process (`abuse.md` 68).
 * @throws {EngineError} `folder-unusable`
 */
export function assertOrdinary(folder: string): void {
  for (const name of namesIn(folder)) {
    const stats = lstatSync(path.join(folder, name), { throwIfNoEntry: false });
    if (!stats || (FOLDERS.test(name) ? stats.isDirectory() : stats.isFile())) continue;
    const what = FOLDERS.test(name) ? 'data-file-no-folder' : 'data-file-no-file';
    throw new EngineError({ code: 'folder-unusable', ...userMessage(what, { folder, name }) });
  }
}

/** What other users of this computer can do with a data folder; `null` when it is nothing. */
export function exposureOf(folder: string): UserMessage | null {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (process.platform === 'win32' || !stats) return null;
  if (stats.uid !== process.geteuid?.() && stats.uid !== ROOT) {
    return userMessage('data-folder-of-other', { folder });
  }
  if ((stats.mode & OTHERS_WRITE) !== 0) return userMessage('data-folder-writable', { folder });
  if ((stats.mode & OTHERS) === 0) return null;
  const isReadable = namesIn(folder).some((name) => {
    const found = lstatSync(path.join(folder, name), { throwIfNoEntry: false });
    return found && !found.isSymbolicLink() && (found.mode & OTHERS) !== 0;
  });
  return isReadable ? userMessage('data-folder-readable', { folder }) : null;
}

/** Whether a file belongs to this user, to root or to the owner of its folder. */
export function isOfTrustedUser(stats: Stats, folder: Stats): boolean {
  return [process.geteuid?.(), folder.uid, ROOT].includes(stats.uid);
}

/**
 * Creates an empty file that only this user can read, before a library creates one that all can
 * read. An existing file is not changed.
 */
export function makePrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** Folders with other programs' or users' files, whose rights Spool must not change. */
function isShared(folder: string): boolean {
  return (statSync(folder).mode & STICKY) !== 0 || realpathSync(folder) === homeFolder();
}

function homeFolder(): string | null {
  try {
    return realpathSync(homedir());
  } catch {
    return null;
  }
}

function namesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => FILES.test(name) || FOLDERS.test(name));
}

function takeFromOthers(file: string): void {
  const { mode } = statSync(file);
  if ((mode & OTHERS) === 0) return;
  try {
    chmodSync(file, mode & 0o7777 & ~OTHERS);
  } catch {
    // Some drives keep no permissions.
  }
}
