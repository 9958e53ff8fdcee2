/** Moves files to the system's trash without Electron, by a program of the system. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { userMessage } from '../contract/user-message.ts';
import { NotPossibleNowError } from '../engine/engine-error.ts';
import { windowsFolder } from './windows-folder.ts';

export interface TrashCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** Milliseconds. The program may wait for a drive, or for a dialog that is not visible. */
const TIMEOUT_MS = 60_000;

/**
 * The script takes the file from a variable: PowerShell would interpret an argument. Where Windows
 * has no recycle bin, as on network shares and removable drives, `DeleteFile` deletes for good.
 */
const RECYCLE = String.raw`$ErrorActionPreference = 'Stop'
if ($env:SPOOL_FILE.StartsWith('\\')) { exit 1 }
$root = [IO.Path]::GetPathRoot($env:SPOOL_FILE)
if ([IO.DriveInfo]::new($root).DriveType -ne 'Fixed') { exit 1 }
Add-Type -AssemblyName Microsoft.VisualBasic
[Microsoft.VisualBasic.FileIO.FileSystem]::DeleteFile($env:SPOOL_FILE, 'OnlyErrorDialogs', 'SendToRecycleBin')`;

const FINDER = [
  'on run argv',
  'tell application "Finder" to delete (POSIX file (item 1 of argv) as alias)',
  'end run',
];

/** Nothing passes through a shell. Programs have their full path where the system has one for them. */
export function trashCommand(
  platform: NodeJS.Platform,
  file: string,
  env: NodeJS.ProcessEnv,
): TrashCommand {
  switch (platform) {
    case 'darwin':
      return {
        program: '/usr/bin/osascript',
        args: [...FINDER.flatMap((line) => ['-e', line]), file],
      };
    case 'win32':
      return {
        program: path.win32.join(
          windowsFolder(env),
          'System32',
          'WindowsPowerShell',
          'v1.0',
          'powershell.exe',
        ),
        args: ['-NoProfile', '-NonInteractive', '-Command', RECYCLE],
        env: { SPOOL_FILE: file },
      };
    default:
      return { program: 'gio', args: ['trash', '--', file] };
  }
}

/**
 * A function that moves a file to the trash.
 * @param timeout milliseconds after which the program is stopped
 * @throws {NotPossibleNowError} when the system has no trash for it
 */
export function trashFile(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
  timeout = TIMEOUT_MS,
): (file: string) => Promise<void> {
  return async (file) => {
    const { program, args, env: added } = trashCommand(platform, file, env);
    try {
      await promisify(execFile)(program, [...args], { env: { ...env, ...added }, timeout });
    } catch {
      throw new NotPossibleNowError(userMessage('trash-refused'));
    }
  };
}
