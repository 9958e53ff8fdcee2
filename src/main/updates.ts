import { existsSync } from 'node:fs';
import path from 'node:path';
import { app } from 'electron';
import type { AppUpdater } from 'electron-updater';
import type { Settings } from '../contract/settings.ts';
import type { Standing } from './standing.ts';
import { updateStep } from './update-time.ts';

/** How often a new version is looked for. */
const LOOK_EVERY_MS = 6 * 3_600_000;

/** As electron-builder calls them; the second one has versions in it that are not final. */
const CHANNELS = { stable: 'latest', preview: 'beta' } as const;

/** What breaks off a download that a batch came in between of. */
interface Breakable {
  cancel(): void;
}

/** Fetches a new version between batches, if its owner wants that, and installs it at quitting. */
export class Updates {
  readonly #now: () => number;
  readonly #onTrouble: (error: unknown) => void;
  #lookedAt = -Infinity;
  #downloaded = false;
  /** Nothing is under way now, and updates are wanted. */
  #isTime = false;
  #updater: AppUpdater | null = null;
  #download: Breakable | null = null;

  constructor(now: () => number, onTrouble: (error: unknown) => void) {
    this.#now = now;
    this.#onTrouble = onTrouble;
  }

  /** A build from source has nothing to be replaced by; some builds are not told by what. */
  get possible(): boolean {
    return app.isPackaged && existsSync(path.join(process.resourcesPath, 'app-update.yml'));
  }

  /** Called whenever the queue has changed, and now and then; does something a few times a day. */
  consider(channel: Settings['updates'], standing: Standing): void {
    if (!this.possible) return;
    const step = updateStep({ wanted: channel !== 'off', downloaded: this.#downloaded }, standing);
    this.#isTime = step !== 'nothing';
    this.#settle();
    if (channel === 'off' || step !== 'look') return;
    if (this.#now() - this.#lookedAt < LOOK_EVERY_MS) return;
    this.#lookedAt = this.#now();
    this.#look(CHANNELS[channel]).catch(this.#onTrouble);
  }

  async #look(channel: string): Promise<void> {
    const updater = (this.#updater ??= await loadUpdater());
    updater.channel = channel;
    // Naming a channel allows older versions as well, which nobody asked for.
    updater.allowDowngrade = false;
    // The library listens for the end of the app only when it may install as its download ends.
    updater.autoInstallOnAppQuit = true;
    const found = await updater.checkForUpdates();
    if (!found?.downloadPromise) return;
    this.#download = found.cancellationToken ?? null;
    this.#settle();
    try {
      await found.downloadPromise;
      this.#downloaded = true;
    } catch (error) {
      // Broken off for a batch: looked for again as soon as that is done.
      if (this.#isTime) throw error;
      this.#lookedAt = -Infinity;
    } finally {
      this.#download = null;
      this.#settle();
    }
  }

  /** Makes what is under way be as the queue allows. */
  #settle(): void {
    if (!this.#isTime) this.#download?.cancel();
    if (this.#updater && !this.#download) this.#updater.autoInstallOnAppQuit = this.#isTime;
  }
}

/** Loaded when it is needed first: it is large, and most starts do without it. */
async function loadUpdater(): Promise<AppUpdater> {
  const { default: library } = await import('electron-updater');
  const updater = library.autoUpdater;
  updater.logger = null;
  // It would send a number of its own with every look, by which its owner could be told from others.
  updater.requestHeaders = { 'x-user-staging-id': 'none' };
  return updater;
}
