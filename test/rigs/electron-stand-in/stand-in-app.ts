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
import { KnownEvents } from './strict.ts';

type Used = Pick<
  App,
  | ('whenReady' | 'quit' | 'exit' | 'setAsDefaultProtocolClient')
  | ('requestSingleInstanceLock' | 'releaseSingleInstanceLock')
  | ('getPath' | 'getAppPath' | 'getLocale' | 'getName' | 'getVersion' | 'isPackaged')
> & { readonly commandLine: Pick<App['commandLine'], 'getSwitchValue'> };

export interface Closable {
  /** False when somebody prevented it. */
  close(): boolean;
}

/** Electron's `app`: the life of the process, and the lock of which there is one a home folder. */
export class StandInApp extends KnownEvents implements Used {
  readonly isPackaged: boolean;
  readonly windows = new Set<Closable>();
  readonly #home: string;
  readonly #ready: Promise<void>;
  readonly #end: () => Promise<void>;

  /**
   * @param home takes the place of the user's folders
   * @param resources the folder that a packaged app has for its archive; `null` for one from source
   * @param end closes what the stand-in itself has open
   */
  constructor(
    home: string,
    resources: string | null,
    ready: Promise<void>,
    end: () => Promise<void>,
  ) {
    super('app', [
      ...['before-quit', 'will-quit', 'window-all-closed', 'second-instance'],
      ...['open-file', 'open-url', 'activate', 'quit', 'child-process-gone'],
    ]);
    this.#home = home;
    this.isPackaged = resources !== null;
    if (resources !== null) Object.assign(process, { resourcesPath: resources });
    this.#ready = ready;
    this.#end = end;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.quit());
  }

  readonly commandLine = {
    getSwitchValue(name: string): string {
      const prefix = `--${name}=`;
      return process.argv.find((each) => each.startsWith(prefix))?.slice(prefix.length) ?? '';
    },
  };

  whenReady(): Promise<void> {
    return this.#ready;
  }

  getPath(name: string): string {
    return path.join(this.#home, name);
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

  /** The one in the `package.json` of whatever app runs. */
  getVersion(): string {
    const text = readFileSync(path.join(this.getAppPath(), 'package.json'), 'utf8');
    return (JSON.parse(text) as { version: string }).version;
  }

  setAsDefaultProtocolClient(): boolean {
    return true;
  }

  /** The first process watches a folder into which later ones put what they were asked for. */
  requestSingleInstanceLock(): boolean {
    const folder = path.join(this.#home, 'instance');
    mkdirSync(folder, { recursive: true });
    const lock = path.join(folder, 'lock');
    if (existsSync(lock)) {
      const request = { args: process.argv.slice(1), folder: process.cwd() };
      writeFileSync(path.join(folder, `${randomUUID()}.new`), JSON.stringify(request));
      return false;
    }
    writeFileSync(lock, String(process.pid));
    watch(folder, () => this.#takeSecondStarts(folder)).unref();
    process.on('exit', () => rmSync(lock, { force: true }));
    return true;
  }

  releaseSingleInstanceLock(): void {
    rmSync(path.join(this.#home, 'instance', 'lock'), { force: true });
  }

  #takeSecondStarts(folder: string): void {
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
    this.exit();
  }

  exit(code = 0): void {
    this.emit('will-quit', {});
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
