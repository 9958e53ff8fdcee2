import { app } from 'electron';
import type { Settings } from '../contract/settings.ts';
import type { Standing } from './standing.ts';
import { updateStep } from './update-time.ts';

/** How often a new version is looked for. */
const LOOK_EVERY_MS = 6 * 3_600_000;

/** Fetches a new version between batches, if its owner wants that, and installs it at quitting. */
export class Updates {
  readonly #now: () => number;
  readonly #onTrouble: (error: unknown) => void;
  #lookedAt = -Infinity;
  #downloaded = false;
  #installs = false;

  constructor(now: () => number, onTrouble: (error: unknown) => void) {
    this.#now = now;
    this.#onTrouble = onTrouble;
  }

  /** A build from source has nothing to be replaced by. */
  get possible(): boolean {
    return app.isPackaged;
  }

  /** Called whenever the queue has changed; does something a few times a day at most. */
  consider(channel: Settings['updates'], standing: Standing): void {
    if (!this.possible) return;
    switch (updateStep({ wanted: channel !== 'off', downloaded: this.#downloaded }, standing)) {
      case 'nothing':
        if (this.#installs) this.#installAtQuit(false);
        return;
      case 'look':
        if (this.#now() - this.#lookedAt < LOOK_EVERY_MS) return;
        this.#lookedAt = this.#now();
        this.#look(channel === 'preview').catch(this.#onTrouble);
        return;
      case 'install-at-quit':
        if (!this.#installs) this.#installAtQuit(true);
    }
  }

  async #look(previews: boolean): Promise<void> {
    const autoUpdater = await updater();
    autoUpdater.allowPrerelease = previews;
    autoUpdater.autoInstallOnAppQuit = false;
    const found = await autoUpdater.checkForUpdates();
    if (!found?.downloadPromise) return;
    await found.downloadPromise;
    this.#downloaded = true;
  }

  #installAtQuit(on: boolean): void {
    this.#installs = on;
    updater()
      .then((autoUpdater) => {
        autoUpdater.autoInstallOnAppQuit = on;
      })
      .catch(this.#onTrouble);
  }
}

/** Loaded when it is needed first: it is large, and most starts do without it. */
async function updater() {
  const { default: library } = await import('electron-updater');
  return library.autoUpdater;
}
