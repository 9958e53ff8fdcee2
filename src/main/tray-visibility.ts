import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The service that shows tray icons on a Linux desktop owns this name on the session bus. */
const STATUS_NOTIFIER_WATCHER = 'org.kde.StatusNotifierWatcher';

/** Milliseconds. A session bus that hangs must not block the app. */
const COMMAND_TIMEOUT_MS = 2000;

/** At login, the panel may start after the app. */
const MAX_CHECKS = 20;
const CHECK_INTERVAL_MS = 500;

/** Whether a tray icon would be visible. GNOME shows none, but accepts one without an error. */
export class TrayVisibility {
  readonly #isTrayAvailable: () => Promise<boolean>;
  #isVisible = false;

  constructor(isTrayAvailable: () => Promise<boolean>) {
    this.#isTrayAvailable = isTrayAvailable;
  }

  /** The result of the last check. */
  get isVisible(): boolean {
    return this.#isVisible;
  }

  async check(): Promise<boolean> {
    this.#isVisible = await this.#isTrayAvailable();
    return this.#isVisible;
  }

  /** Checks repeatedly, for as long as a desktop may take to start after a login. */
  async waitUntilVisible(sleep: (milliseconds: number) => Promise<unknown>): Promise<boolean> {
    for (let checks = 1; !(await this.check()) && checks < MAX_CHECKS; checks += 1) {
      await sleep(CHECK_INTERVAL_MS);
    }
    return this.#isVisible;
  }
}

/** How to check for a tray on a platform; macOS and Windows always have one. */
export function trayCheck(platform: NodeJS.Platform): () => Promise<boolean> {
  return platform === 'linux'
    ? () => isOnSessionBus(STATUS_NOTIFIER_WATCHER)
    : () => Promise.resolve(true);
}

/** Whether a program owns a name on the session bus; false if the bus cannot be asked. */
export async function isOnSessionBus(name: string): Promise<boolean> {
  const bus = ['--dest', 'org.freedesktop.DBus', '--object-path', '/org/freedesktop/DBus'];
  const method = ['--method', 'org.freedesktop.DBus.NameHasOwner', name];
  try {
    const { stdout } = await promisify(execFile)(
      'gdbus',
      ['call', '--session', ...bus, ...method],
      { timeout: COMMAND_TIMEOUT_MS },
    );
    return stdout.includes('true');
  } catch {
    return false;
  }
}
