import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Whoever shows the tray on a Linux desktop has this name on its session bus. */
const WATCHER = 'org.kde.StatusNotifierWatcher';

/** A session bus that hangs must not keep the app from its end. */
const COMMAND_TIMEOUT_MS = 2000;

/** A panel that starts at login, as the app does, may come after it. */
const LOOKS_AT_LOGIN = 20;
const LOOK_AGAIN_MS = 500;

/** Whether a tray's icon can be seen here. GNOME shows none, and takes one without saying so. */
export class TrayPlace {
  readonly #ask: () => Promise<boolean>;
  #isThere = false;

  constructor(ask: () => Promise<boolean>) {
    this.#ask = ask;
  }

  /** As it was at the last look. */
  get isThere(): boolean {
    return this.#isThere;
  }

  async look(): Promise<boolean> {
    this.#isThere = await this.#ask();
    return this.#isThere;
  }

  /** Looks for one for as long as a desktop may take to come up after a login. */
  async appears(pause: (milliseconds: number) => Promise<unknown>): Promise<boolean> {
    for (let looks = 1; !(await this.look()) && looks < LOOKS_AT_LOGIN; looks += 1) {
      await pause(LOOK_AGAIN_MS);
    }
    return this.#isThere;
  }
}

/** How a platform's tray is looked for; macOS and Windows always have one. */
export function askForTray(platform: NodeJS.Platform): () => Promise<boolean> {
  return platform === 'linux' ? () => isOnSessionBus(WATCHER) : () => Promise.resolve(true);
}

/** Whether somebody has a name on the session bus; not, where it cannot be asked. */
export async function isOnSessionBus(name: string): Promise<boolean> {
  const bus = ['--dest', 'org.freedesktop.DBus', '--object-path', '/org/freedesktop/DBus'];
  const question = ['--method', 'org.freedesktop.DBus.NameHasOwner', name];
  try {
    const { stdout } = await promisify(execFile)(
      'gdbus',
      ['call', '--session', ...bus, ...question],
      { timeout: COMMAND_TIMEOUT_MS },
    );
    return stdout.includes('true');
  } catch {
    return false;
  }
}
