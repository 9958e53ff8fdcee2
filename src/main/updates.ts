import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { app } from 'electron';
import type { AppUpdater } from 'electron-updater';
import { z } from 'zod';
import type { AppUpdate } from '../contract/computer.ts';
import type { Settings } from '../contract/settings.ts';
import { userMessage } from '../contract/user-message.ts';
import { DiskRoom, KEEP_FREE_BYTES } from '../engine/downloads/disk-room.ts';
import { NotPossibleNowError } from '../engine/engine-error.ts';
import { ObservableValue } from '../host/observable-value.ts';
import type { QueueStatus } from './queue-status.ts';
import { checkUpdateSignature } from './update-signature.ts';
import { canReplaceItself, updateStep } from './update-time.ts';

/** How often a new version is looked for. */
const LOOK_EVERY_MS = 6 * 3_600_000;

/**
 * electron-builder's names of the channels; the second one contains versions that are not final.
 */
const CHANNELS = { stable: 'latest', preview: 'beta' } as const;

/** A version needs a multiple of its size: it is unpacked next to the version that runs. */
const SPACE_FACTOR = 3;

type Channel = Exclude<Settings['updates'], 'off'>;

interface NewVersion {
  readonly version: string;
  readonly channel: Channel;
}

/** A download that a batch may interrupt. */
interface Download extends NewVersion {
  cancel(): void;
}

/**
 * Downloads a new version between batches, if the settings allow it, and installs it when the app
 * quits (on macOS, by a restart).
 */
export class Updates {
  /** What the user may know. */
  readonly told = new ObservableValue<AppUpdate>({ state: 'none' });
  readonly #now: () => number;
  readonly #onTrouble: (error: unknown) => void;
  readonly #freeBytes: () => Promise<number>;
  /**
   * Whether the library installs a version when the app quits, and reads this setting only then.
   */
  readonly #installsAtQuit: boolean;
  #channel: Settings['updates'] = 'off';
  #standing: QueueStatus | null = null;
  #isLooking = false;
  #lookedAt = -Infinity;
  #download: Download | null = null;
  #downloaded: NewVersion | null = null;
  /** Nothing is under way now, and updates are wanted. */
  #isTime = false;
  #updater: AppUpdater | null = null;
  #restartIsWanted = false;

  /** @param freeBytes what a download may take of the disk that it goes to */
  constructor(
    now: () => number,
    onTrouble: (error: unknown) => void,
    platform: NodeJS.Platform = process.platform,
    freeBytes = () => new DiskRoom(KEEP_FREE_BYTES).free(homedir()),
  ) {
    this.#now = now;
    this.#onTrouble = onTrouble;
    this.#freeBytes = freeBytes;
    // On macOS the system would get each downloaded version, and install it when the app quits,
    // even if updates were turned off since. There, only a restart that the owner asked for
    // installs.
    this.#installsAtQuit = platform !== 'darwin';
  }

  get possible(): boolean {
    return canReplaceItself({
      isPackaged: app.isPackaged,
      platform: process.platform,
      env: process.env,
      has: (name) => existsSync(path.join(process.resourcesPath, name)),
    });
  }

  /** Called whenever the queue has changed, and now and then; does something a few times a day. */
  consider(channel: Settings['updates'], standing: QueueStatus): void {
    if (!this.possible) return;
    // Who asks for other versions wants to know at once, and has no use for the one that came.
    if (channel !== this.#channel) this.#lookedAt = -Infinity;
    this.#channel = channel;
    this.#standing = standing;
    this.#consider();
  }

  /**
   * Has the version that is ready put in place, and started, when the app has quit.
   *
   * @throws {NotPossibleNowError} when there is none, or a batch is under way
   */
  restart(): void {
    if (!this.#ready || !this.#isTime) throw new NotPossibleNowError(userMessage('no-update-now'));
    this.#restartIsWanted = true;
    app.quit();
  }

  /**
   * To be called when all is closed: what was installed starts at once and takes the app's place.
   * `false` when nobody asked for that, and the app is simply to quit.
   */
  installForRestart(): boolean {
    if (!this.#updater || !this.#restartIsWanted) return false;
    this.#updater.once('error', () => app.quit());
    app.releaseSingleInstanceLock();
    this.#updater.quitAndInstall(true, true);
    return true;
  }

  /** The one that may be installed, of the kind that the user wants now. */
  get #ready(): NewVersion | null {
    return this.#downloaded?.channel === this.#channel ? this.#downloaded : null;
  }

  #consider(): void {
    const channel = this.#channel;
    if (!this.#standing) return;
    const state = { wanted: channel !== 'off', downloaded: this.#ready !== null };
    const step = updateStep(state, this.#standing);
    this.#isTime = step !== 'nothing';
    this.#settle();
    if (channel === 'off' || step !== 'look' || this.#isLooking) return;
    if (this.#now() - this.#lookedAt < LOOK_EVERY_MS) return;
    this.#lookedAt = this.#now();
    this.#isLooking = true;
    this.#look(channel)
      .catch(this.#onTrouble)
      .finally(() => {
        this.#isLooking = false;
        // Something else may be wanted by now.
        this.#consider();
      });
  }

  async #look(channel: Channel): Promise<void> {
    const { autoUpdater: updater, CancellationToken } = await loadUpdater();
    this.#updater = updater;
    updater.channel = CHANNELS[channel];
    // Naming a channel allows older versions as well, which nobody asked for.
    updater.allowDowngrade = false;
    // The library listens for the end of the app only when it may install as its download ends.
    updater.autoInstallOnAppQuit = this.#installsAtQuit;
    const found = await updater.checkForUpdates();
    if (!found?.isUpdateAvailable) return;
    checkUpdateSignature(found.updateInfo, publisherKey());
    const { version, files } = found.updateInfo;
    const needed = SPACE_FACTOR * Math.max(...files.map(({ size = 0 }) => size));
    if ((await this.#freeBytes()) < needed) {
      throw new Error(`Version ${version} needs ${Math.ceil(needed / 1e6)} MB on the disk.`);
    }
    const cancellation = new CancellationToken();
    this.#download = { version, channel, cancel: () => cancellation.cancel() };
    this.#settle();
    try {
      // Compares the file with the hash in the description that was checked above.
      await updater.downloadUpdate(cancellation);
      this.#downloaded = { version, channel };
    } catch (error) {
      // Broken off for a batch: looked for again as soon as that is done.
      if (this.#isTime && this.#channel === channel) throw error;
      this.#lookedAt = -Infinity;
    } finally {
      this.#download = null;
    }
  }

  /** Makes what is under way be as the queue allows, and says so. */
  #settle(): void {
    if (!this.#isTime || this.#download?.channel !== this.#channel) this.#download?.cancel();
    if (this.#updater && !this.#isLooking) {
      this.#updater.autoInstallOnAppQuit =
        this.#installsAtQuit && this.#isTime && this.#ready !== null;
    }
    this.#tell();
  }

  #tell(): void {
    const ready = this.#ready;
    const update: AppUpdate = ready
      ? { state: 'ready', version: ready.version, waits: !this.#isTime }
      : this.#download
        ? { state: 'downloading', version: this.#download.version }
        : { state: 'none' };
    if (!isDeepStrictEqual(update, this.told.value)) this.told.set(update);
  }
}

/** Loaded when it is needed first: it is large, and most starts do without it. */
async function loadUpdater(): Promise<typeof import('electron-updater')> {
  const { default: library } = await import('electron-updater');
  const updater = library.autoUpdater;
  updater.logger = null;
  // What it finds is checked before it is fetched.
  updater.autoDownload = false;
  // It would send an identifier with every check, which would make this installation recognizable.
  updater.requestHeaders = { 'x-user-staging-id': 'none' };
  return library;
}

const packageSchema = z.object({ updatesPublicKey: z.string().optional() });

/**
 * The publisher whose updates this build accepts; `build/packager.ts` writes it into the app's
 * package.json.
 */
function publisherKey(): string | undefined {
  const text = readFileSync(path.join(app.getAppPath(), 'package.json'), 'utf8');
  return packageSchema.parse(JSON.parse(text)).updatesPublicKey;
}
