import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { App } from 'electron';
import {
  fileIdentitySchema,
  identityOf,
  isSameFileLater,
  type FileIdentity,
} from '../engine/files/file-identity.ts';
import { replaceFileSync } from '../engine/files/replace-file.ts';
import { LINK_SCHEME } from './opened.ts';

/** The id that the installer registers (`appId` in build/electron-builder.yml). */
export const APP_ID = 'app.spool.desktop';

/**
 * Links by which Chromium finds the running app of a folder on Linux and macOS. A copy of the folder
 * leads to the app of the original, which would get the files that are opened with the copy.
 */
const LINKS_TO_RUNNING_APP = ['SingletonLock', 'SingletonSocket', 'SingletonCookie'];

/**
 * Gives Electron and Chromium a separate folder for their data. Their default folder has the name
 * of the app; on a Mac, whose file system ignores case, that is our own data folder. The folder
 * contains the single-instance lock, so each data folder has one.
 *
 * Call this before anything else of `app`.
 *
 * @param dataDir absolute path
 */
export function separateUserData(app: Pick<App, 'setPath'>, dataDir: string): void {
  const folder = path.join(dataDir, 'window');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const identityFile = path.join(folder, 'identity.json');
  const identity = identityOf(folder);
  if (!isStoredIdentity(identityFile, identity)) {
    for (const link of LINKS_TO_RUNNING_APP) rmSync(path.join(folder, link), { force: true });
    replaceFileSync(identityFile, JSON.stringify(identity));
  }
  app.setPath('userData', folder);
}

function isStoredIdentity(file: string, identity: FileIdentity): boolean {
  try {
    const stored = fileIdentitySchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    return isSameFileLater(stored, identity);
  } catch {
    return false;
  }
}

/** Registers the app with the system, including for its links. */
export function registerApp(
  app: Pick<App, 'isPackaged' | 'setAppUserModelId' | 'setAsDefaultProtocolClient'>,
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
): void {
  // Without the id, Windows attributes notifications and the taskbar entry to another program or
  // none.
  if (platform === 'win32') app.setAppUserModelId(APP_ID);
  // A portable program runs from a temporary folder, and a source tree is not an installed program.
  const isInstalled = app.isPackaged && env.PORTABLE_EXECUTABLE_FILE === undefined;
  if (!isInstalled) return;
  // Windows inserts a link into the command line unchanged. After `--`, no part of it can be read
  // as a switch, such as another data folder.
  if (platform === 'win32') app.setAsDefaultProtocolClient(LINK_SCHEME, process.execPath, ['--']);
  else app.setAsDefaultProtocolClient(LINK_SCHEME);
}
