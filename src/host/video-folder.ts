import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { windowsFolder } from './windows-folder.ts';

/** The inputs that determine a user's folders. */
export interface UserFolders {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  /** Absolute path. */
  readonly home: string;
  /** A value of `User Shell Folders` in the Windows registry; throws if it is missing. */
  readonly shellFolder: (name: string) => string;
}

/** The folder for videos unless a batch, a command or the settings name another one. */
export function defaultVideoFolder(): string {
  return videoFolderIn(systemVideoFolder());
}

/** @param videos absolute path of the user's folder for videos of all programs */
export function videoFolderIn(videos: string): string {
  return path.join(videos, 'Spool');
}

/**
 * The user's video folder, whose name depends on the system's language. Equals Electron's
 * `app.getPath('videos')`, for processes without Electron.
 */
export function systemVideoFolder({
  platform = process.platform,
  env = process.env,
  home = homedir(),
  shellFolder = readShellFolder,
}: Partial<UserFolders> = {}): string {
  switch (platform) {
    case 'darwin':
      // Finder shows a translated name; on disk the folder has this name in every language.
      return path.posix.join(home, 'Movies');
    case 'win32':
      return folderInRegistry({ platform, env, home, shellFolder });
    default:
      return folderInUserDirs(env, home) ?? path.posix.join(home, 'Videos');
  }
}

/**
 * `user-dirs.dirs` of xdg-user-dirs: a path below `$HOME`, or an absolute one, quoted as in a
 * shell.
 */
function folderInUserDirs(env: NodeJS.ProcessEnv, home: string): string | undefined {
  const { XDG_CONFIG_HOME: named = '' } = env;
  const config = path.isAbsolute(named) ? named : path.join(home, '.config');
  const text = readTextOrEmpty(path.join(config, 'user-dirs.dirs'));
  const [value] = [...text.matchAll(/^\s*XDG_VIDEOS_DIR\s*=\s*"((?:[^"\\]|\\.)*)"/gm)]
    .map(([, quoted = '']) => quoted.replaceAll(/\\(.)/g, '$1'))
    .reverse();
  if (value === undefined) return undefined;
  if (/^\$HOME(?:\/|$)/.test(value)) return path.posix.join(home, value.slice('$HOME'.length));
  return value.startsWith('/') ? value : undefined;
}

function folderInRegistry({ env, home, shellFolder }: UserFolders): string {
  const fallback = path.win32.join(home, 'Videos');
  try {
    const folder = shellFolder('My Video').replaceAll(
      /%([^%]+)%/g,
      (whole, name: string) => env[name] ?? (name.toUpperCase() === 'USERPROFILE' ? home : whole),
    );
    // `reg.exe` prints characters that the console's code page lacks as `?` or U+FFFD.
    const isComplete = path.win32.isAbsolute(folder) && !/[%?\uFFFD]/.test(folder);
    return isComplete ? folder : fallback;
  } catch {
    return fallback;
  }
}

const SHELL_FOLDERS = String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Explorer\User Shell Folders`;

/** Milliseconds, enough for a busy computer; without an answer the default folder is used. */
const COMMAND_TIMEOUT_MS = 5000;

function readShellFolder(name: string): string {
  const options = { encoding: 'utf8', timeout: COMMAND_TIMEOUT_MS, windowsHide: true } as const;
  const reg = path.win32.join(windowsFolder(process.env), 'System32', 'reg.exe');
  const answer = execFileSync(reg, ['query', SHELL_FOLDERS, '/v', name], options);
  const [, value] = /REG_(?:EXPAND_)?SZ\s+(.+?)\s*$/m.exec(answer) ?? [];
  if (value === undefined) throw new Error(`The registry has no folder “${name}”.`);
  return value;
}

function readTextOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
