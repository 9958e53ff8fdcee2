import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { App } from 'electron';
import type { Journal } from './journal.ts';
import { KnownEvents } from './strict.ts';

type Used = Pick<
  App,
  | ('whenReady' | 'isReady' | 'quit' | 'exit' | 'setAsDefaultProtocolClient')
  | ('requestSingleInstanceLock' | 'releaseSingleInstanceLock')
  | (
      | 'getPath'
      | 'setPath'
      | 'setAppUserModelId'
      | 'getAppPath'
      | 'getLocale'
      | 'getName'
      | 'getVersion'
      | 'isPackaged'
    )
> & { readonly commandLine: Pick<App['commandLine'], 'getSwitchValue'> };

export interface Closable {
  /** False when a listener prevented it. */
  close(): boolean;
}

/** Electron's `app`: the lifecycle of the process, and one lock per home folder. */
export class StandInApp extends KnownEvents implements Used {
  readonly isPackaged: boolean;
  readonly windows = new Set<Closable>();
  readonly #home: string;
  readonly #journal: Journal;
  readonly #paths = new Map<string, string>();
  readonly #getReady: () => Promise<void>;
  #ready: Promise<void> | null = null;
  #isReady = false;
  readonly #end: () => Promise<void>;

  /**
   * @param home replaces the user's folders
   * @param resources the folder of a packaged app's archive; `null` for one from source
   * @param getReady runs before the app is ready
   * @param end closes the stand-in's own resources
   */
  constructor(
    home: string,
    journal: Journal,
    resources: string | null,
    getReady: () => Promise<void>,
    end: () => Promise<void>,
  ) {
    super('app', [
      'before-quit',
      'will-quit',
      'window-all-closed',
      'second-instance',
      'open-file',
      'open-url',
      'activate',
      'quit',
      'child-process-gone',
    ]);
    this.#home = home;
    this.#journal = journal;
    this.isPackaged = resources !== null;
    if (resources !== null) Object.assign(process, { resourcesPath: resources });
    this.#getReady = getReady;
    this.#end = end;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.quit());
  }

  readonly commandLine = {
    getSwitchValue(name: string): string {
      const prefix = `--${name}=`;
      return process.argv.find((each) => each.startsWith(prefix))?.slice(prefix.length) ?? '';
    },
  };

  /** Starts getting ready on the first call: a second instance never calls it. */
  whenReady(): Promise<void> {
    this.#ready ??= this.#getReady().then(() => {
      this.#isReady = true;
    });
    return this.#ready;
  }

  isReady(): boolean {
    return this.#isReady;
  }

  /** Folders have names as on a system that is not English, so that the app cannot assume them. */
  getPath(name: string): string {
    const path = this.#paths.get(name) ?? this.#usualPath(name);
    if (path === undefined) throw new Error(`Failed to get '${name}' path`);
    return path;
  }

  setPath(name: string, folder: string): void {
    if (this.#usualPath(name) === undefined) throw new Error(`Failed to set path`);
    if (!existsSync(folder)) throw new Error('Path must exist');
    this.#paths.set(name, folder);
  }

  #usualPath(name: string): string | undefined {
    switch (name) {
      case 'home':
        return this.#home;
      case 'appData':
        return path.join(this.#home, 'appData');
      // Below the folder of all apps, by the product's name: on macOS where our own data is as
      // well.
      case 'userData':
        return path.join(this.getPath('appData'), this.getName());
      case 'sessionData':
        return this.getPath('userData');
      case 'videos':
        return path.join(this.#home, 'Filme');
      case 'exe':
        return process.execPath;
      default:
        return undefined;
    }
  }

  /** Windows shows toasts of, and groups windows by, the installed program of this name. */
  setAppUserModelId(id: string): void {
    this.#journal.note('app-user-model-id', id);
  }

  /** The folder in which `package.json` says where the main process begins. */
  getAppPath(): string {
    const [, main = ''] = process.argv;
    return path.join(path.dirname(main), '..', '..');
  }

  getLocale(): string {
    return 'en-GB';
  }

  getName(): string {
    return 'Spool';
  }

  /** The version in the `package.json` of the running app. */
  getVersion(): string {
    const text = readFileSync(path.join(this.getAppPath(), 'package.json'), 'utf8');
    return (JSON.parse(text) as { version: string }).version;
  }

  setAsDefaultProtocolClient(scheme: string): boolean {
    this.#journal.note('protocol-client', scheme);
    return true;
  }

  /** The first process watches a folder into which later ones write their arguments. */
  requestSingleInstanceLock(): boolean {
    const folder = path.join(this.getPath('userData'), 'instance');
    mkdirSync(folder, { recursive: true });
    const lock = path.join(folder, 'lock');
    if (existsSync(lock)) {
      const request = { args: process.argv.slice(1), folder: process.cwd() };
      writeFileSync(path.join(folder, `${randomUUID()}.new`), JSON.stringify(request));
      return false;
    }
    writeFileSync(lock, String(process.pid));
    watch(folder, () => this.#emitSecondInstances(folder)).unref();
    process.on('exit', () => rmSync(lock, { force: true }));
    return true;
  }

  releaseSingleInstanceLock(): void {
    rmSync(path.join(this.getPath('userData'), 'instance', 'lock'), { force: true });
  }

  #emitSecondInstances(folder: string): void {
    if (!existsSync(folder)) return;
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.new'))) {
      const file = path.join(folder, name);
      const text = readFileSync(file, 'utf8');
      if (text === '') continue;
      rmSync(file);
      const request = JSON.parse(text) as { args: string[]; folder: string };
      this.emit('second-instance', {}, [process.argv0, ...request.args], request.folder, null);
    }
  }

  quit(): void {
    if (this.isPrevented('before-quit')) return;
    for (const window of this.windows) if (!window.close()) return;
    if (this.isPrevented('will-quit')) return;
    this.exit();
  }

  /** Exits at once: no window is asked, and only `quit` is emitted. */
  exit(code = 0): void {
    void this.#end().finally(() => {
      this.emit('quit', {}, code);
      process.exit(code);
    });
  }

  windowClosed(window: Closable): void {
    this.windows.delete(window);
    if (this.windows.size === 0 && this.listenerCount('window-all-closed') > 0) {
      this.emit('window-all-closed');
    }
  }
}
