import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { App } from 'electron';

type LoginItems = Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>;

/** Given to the program where the system starts it at login: it then opens no window. */
export const AT_LOGIN = '--at-login';

/**
 * Whether Spool starts when the user logs in. The system keeps that, and so no file of ours does.
 */
export interface LoginStart {
  readonly isOn: boolean;
  set(wanted: boolean): void;
}

/** What the system is to start. */
export interface Program {
  /** Absolute path. */
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * The program that runs now. Those that unpack themselves run from another folder every time, and
 * say where they really are.
 *
 * @param dataDir absolute path of the data folder that it was given; `null` for the usual one
 */
export function thisProgram(
  app: Pick<App, 'isPackaged' | 'getAppPath'>,
  dataDir: string | null,
): Program {
  const { APPIMAGE, PORTABLE_EXECUTABLE_FILE } = process.env;
  return {
    file: APPIMAGE ?? PORTABLE_EXECUTABLE_FILE ?? process.execPath,
    args: [
      ...(app.isPackaged ? [] : [app.getAppPath()]),
      ...(dataDir === null ? [] : [`--data-dir=${dataDir}`]),
      AT_LOGIN,
    ],
  };
}

/** Whether the system started this run because the user logged in. */
export function isLoginStart(
  platform: NodeJS.Platform,
  app: LoginItems,
  args: readonly string[],
): boolean {
  if (platform === 'darwin') return app.getLoginItemSettings().wasOpenedAtLogin;
  return args.includes(AT_LOGIN);
}

/** macOS and Windows keep it themselves; Linux desktops look into a folder. */
export function loginStart(
  platform: NodeJS.Platform,
  app: LoginItems & Pick<App, 'getPath'>,
  program: Program,
): LoginStart {
  return platform === 'linux'
    ? new AutostartFile(app.getPath('appData'), program)
    : new SystemLoginItem(app, program);
}

/** macOS knows the program itself and gives it no arguments; Windows has a command line. */
class SystemLoginItem implements LoginStart {
  readonly #app: LoginItems;
  readonly #command: { readonly path: string; readonly args: string[] };

  constructor(app: LoginItems, { file, args }: Program) {
    this.#app = app;
    this.#command = {
      path: file,
      args: args.map((each) => (/\s/.test(each) ? `"${each}"` : each)),
    };
  }

  get isOn(): boolean {
    return this.#app.getLoginItemSettings(this.#command).openAtLogin;
  }

  set(wanted: boolean): void {
    this.#app.setLoginItemSettings({ ...this.#command, openAtLogin: wanted });
  }
}

/** An entry of the freedesktop autostart specification. */
class AutostartFile implements LoginStart {
  readonly #file: string;
  readonly #command: string;

  constructor(configFolder: string, { file, args }: Program) {
    this.#file = path.join(configFolder, 'autostart', 'spool.desktop');
    this.#command = `Exec=${[file, ...args].map(quoted).join(' ')}`;
  }

  /**
   * An entry for a program that was moved since is none. One that the desktop's own settings have
   * turned off says so in another line, and stays as it is.
   */
  get isOn(): boolean {
    try {
      return readFileSync(this.#file, 'utf8').split('\n').includes(this.#command);
    } catch {
      return false;
    }
  }

  set(wanted: boolean): void {
    if (!wanted) {
      rmSync(this.#file, { force: true });
      return;
    }
    const entry = ['[Desktop Entry]', 'Type=Application', 'Name=Spool', this.#command, ''];
    mkdirSync(path.dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, entry.join('\n'));
  }
}

/**
 * As the Desktop Entry Specification quotes an argument of `Exec`, and after that the value of any
 * key: a backslash that quotes is itself written as two.
 */
function quoted(argument: string): string {
  const inQuotes = argument.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%');
  return `"${inQuotes.replaceAll('\\', '\\\\')}"`;
}
