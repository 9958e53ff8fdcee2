import { execFile } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import open from 'open';
import { userMessage } from '../contract/user-message.ts';
import { NotPossibleNowError } from '../engine/engine-error.ts';
import { headlessComputer, type Computer } from './computer.ts';
import { trashFile } from './trash.ts';
import { windowsFolder } from './windows-folder.ts';

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** The exit status says nothing: Explorer exits with 1 even when it succeeded. */
  readonly ignoresExitStatus?: boolean;
  /** The arguments are already quoted, as the program on Windows requires. */
  readonly isVerbatim?: boolean;
}

/**
 * The command by which a system's file manager shows a file, selected. Nothing passes through a
 * shell. Windows searches the current folder for programs first, so each program has its full path.
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
        // Without quotes, a comma would end the file name. File names on Windows cannot contain
        // quotes.
        args: [`/select,"${file}"`],
        ignoresExitStatus: true,
        isVerbatim: true,
      };
    default:
      return {
        program: 'gdbus',
        args: [
          'call',
          '--session',
          '--dest',
          'org.freedesktop.FileManager1',
          '--object-path',
          '/org/freedesktop/FileManager1',
          '--method',
          'org.freedesktop.FileManager1.ShowItems',
          // `pathToFileURL` escapes double quotes and brackets; single quotes are escaped here.
          `['${pathToFileURL(file).href.replaceAll("'", '%27')}']`,
          '',
        ],
      };
  }
}

/**
 * Whether a user can see a window of this process. A guess: only Linux reports it, by `DISPLAY`.
 */
export function hasScreen(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): boolean {
  if (platform !== 'linux') return true;
  return Boolean(env.DISPLAY ?? env.WAYLAND_DISPLAY);
}

/** The desktop functions of a process without Electron. */
export function desktopComputer(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Computer {
  if (!hasScreen(platform, env)) return headlessComputer;
  return {
    ...headlessComputer,
    abilities: { ...headlessComputer.abilities, open: true, show: true, trash: true },
    open: openPath,
    trash: trashFile(platform, env),
    async show(file) {
      const {
        program,
        args,
        ignoresExitStatus,
        isVerbatim = false,
      } = showCommand(platform, file, env);
      try {
        await promisify(execFile)(program, [...args], {
          windowsHide: false,
          windowsVerbatimArguments: isVerbatim,
        });
      } catch {
        // Without such a file manager, opens the folder instead.
        if (ignoresExitStatus !== true) await openPath(path.dirname(file));
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
