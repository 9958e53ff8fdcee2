import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { App } from 'electron';

type LoginItems = Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>;

/** Argument that the system passes when it starts the app at login: no window opens then. */
export const AT_LOGIN = '--at-login';

/** Whether Spool starts when the user logs in. The operating system stores this; Spool does not. */
export interface LoginStart {
  readonly isOn: boolean;
  set(wanted: boolean): void;
}

/** The program that the system should start. */
export interface Program {
  /** Absolute path. */
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * The running program. Programs that unpack themselves run from another folder each time, and
 * report their real path in an environment variable.
 *
 * @param dataDir absolute path of the data folder given at start; `null` for the default one
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

/** macOS and Windows have an API for login items; Linux desktops read a folder. */
export function loginStart(
  platform: NodeJS.Platform,
  app: LoginItems & Pick<App, 'getPath'>,
  program: Program,
): LoginStart {
  return platform === 'linux'
    ? new AutostartFile(app.getPath('appData'), program)
    : new SystemLoginItem(app, program);
}

/** macOS knows the program and passes no arguments; Windows stores a command line. */
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
   * False for an entry whose program has been moved. An entry that the desktop's own settings have
   * disabled says so in another line, and is left unchanged.
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
 * Quotes an argument of `Exec` by the Desktop Entry Specification, then escapes it as any key's
 * value: a backslash of the quoting is itself written as two.
 */
function quoted(argument: string): string {
  const inQuotes = argument.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%');
  return `"${inQuotes.replaceAll('\\', '\\\\')}"`;
}
