import { execFile } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import open from 'open';
import { userMessage } from '../contract/user-message.ts';
import { NotPossibleNowError } from '../engine/engine-error.ts';
import { bareComputer, type Computer } from './computer.ts';
import { windowsFolder } from './windows-folder.ts';

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** A program that says that it failed although it did not: Explorer always exits with 1. */
  readonly anyStatus?: boolean;
  /** Arguments that are quoted already, as a program of Windows wants them. */
  readonly isVerbatim?: boolean;
}

/**
 * The command by which a system's file manager shows a file, selected. Nothing passes through a
 * shell. On Windows, which searches the current folder for programs first, each program is named by
 * its full path.
 */
export function showCommand(
  platform: NodeJS.Platform,
  file: string,
  env: NodeJS.ProcessEnv = {},
): Command {
  switch (platform) {
    case 'darwin':
      return { program: '/usr/bin/open', args: ['-R', file] };
    case 'win32':
      return {
        program: path.win32.join(windowsFolder(env), 'explorer.exe'),
        // Without quotes, a comma would end the file's name. File names on Windows contain no
        // quotes.
        args: [`/select,"${file}"`],
        ...{ anyStatus: true, isVerbatim: true },
      };
    default:
      return {
        program: 'gdbus',
        args: [
          ...['call', '--session', '--dest', 'org.freedesktop.FileManager1'],
          ...['--object-path', '/org/freedesktop/FileManager1'],
          ...['--method', 'org.freedesktop.FileManager1.ShowItems'],
          // An address has neither quotes nor brackets of its own: they are escaped in it.
          ...[`['${pathToFileURL(file).href.replaceAll("'", '%27')}']`, ''],
        ],
      };
  }
}

/** Whether somebody sits before this computer's screen, as far as a process can know. */
export function hasScreen(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): boolean {
  if (platform !== 'linux') return true;
  return Boolean(env.DISPLAY ?? env.WAYLAND_DISPLAY);
}

/** What a process without Electron can do with the desktop that it runs on. */
export function desktopComputer(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Computer {
  if (!hasScreen(platform, env)) return bareComputer;
  return {
    ...bareComputer,
    abilities: { ...bareComputer.abilities, open: true, show: true },
    open: openPath,
    async show(file) {
      const { program, args, anyStatus, isVerbatim = false } = showCommand(platform, file, env);
      try {
        await promisify(execFile)(program, [...args], {
          ...{ windowsHide: false, windowsVerbatimArguments: isVerbatim },
        });
      } catch {
        // Without such a file manager its folder is the next best.
        if (anyStatus !== true) await openPath(path.dirname(file));
      }
    },
  };
}

async function openPath(target: string): Promise<void> {
  const child = await open(target);
  child.unref();
  child.on('error', () => undefined);
  if (child.pid === undefined) {
    throw new NotPossibleNowError(userMessage('no-program'));
  }
}
