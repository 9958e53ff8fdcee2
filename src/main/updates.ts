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
import { DiskRoom, KEEP_FREE_BYTES } from '../engine/downloads/disk.ts';
import { NotPossibleNowError } from '../engine/engine-error.ts';
import type { ProxySettings } from '../engine/proxy.ts';
import { ObservableValue } from '../host/observable-value.ts';
import { useProxyForUpdates } from './proxies.ts';
import type { QueueStatus } from './queue-status.ts';
import { channelFileName, checkUpdateSignature } from './update-signature.ts';
import { canReplaceItself, updateStep } from './update-step.ts';

/** Interval between checks for a new version, in milliseconds. */
const CHECK_INTERVAL_MS = 6 * 3_600_000;

/** electron-builder's names of the channels; `beta` includes pre-releases. */
const CHANNELS = { stable: 'latest', preview: 'beta' } as const;

/** An update needs a multiple of its size: it is unpacked next to the running version. */
const SPACE_FACTOR = 3;

type Channel = Exclude<Settings['updates'], 'off'>;

interface NewVersion {
  readonly version: string;
  readonly channel: Channel;
}

/** A running download, which a batch may interrupt. */
interface Download extends NewVersion {
  cancel(): void;
}

export interface UpdateOptions {
  /** Those of the environment. */
  readonly proxies?: ProxySettings | null;
  readonly platform?: NodeJS.Platform;
  /** The disk space that a download may use. */
  readonly freeBytes?: () => Promise<number>;
}

/**
 * Downloads a new version between batches, if the settings allow it, and installs it when the app
 * quits (on macOS, by a restart).
 */
export class Updates {
  /** The state that the user sees. */
  readonly state = new ObservableValue<AppUpdate>({ state: 'none' });
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;
  readonly #proxies: ProxySettings | null;
  readonly #freeBytes: () => Promise<number>;
  readonly #platform: NodeJS.Platform;
  /**
   * Whether the library installs a version when the app quits. It reads this setting only at that
   * time.
   */
  readonly #installsAtQuit: boolean;
  #channel: Settings['updates'] = 'off';
  #status: QueueStatus | null = null;
  #isChecking = false;
  #checkedAt = -Infinity;
  #download: Download | null = null;
  #downloaded: NewVersion | null = null;
  /** Updates are wanted, and no batch is active. */
  #isAllowed = false;
  #updater: AppUpdater | null = null;
  #restartRequested = false;

  constructor(
    now: () => number,
    onError: (error: unknown) => void,
    {
      proxies = null,
      platform = process.platform,
      freeBytes = () => new DiskRoom(KEEP_FREE_BYTES).free(homedir()),
    }: UpdateOptions = {},
  ) {
    this.#now = now;
    this.#onError = onError;
    this.#proxies = proxies;
    this.#freeBytes = freeBytes;
    this.#platform = platform;
    // On macOS the system would get each downloaded version, and install it when the app quits even
    // if updates were turned off meanwhile. There, only a restart that the user requested installs.
    this.#installsAtQuit = platform !== 'darwin';
  }

  get isSupported(): boolean {
    return canReplaceItself({
      isPackaged: app.isPackaged,
      platform: process.platform,
      env: process.env,
      has: (name) => existsSync(path.join(process.resourcesPath, name)),
    });
  }

  /** Called after every change of the queue and at intervals; does work a few times a day. */
  consider(channel: Settings['updates'], status: QueueStatus): void {
    if (!this.isSupported) return;
    // After a change of channel, checks at once; the downloaded version belongs to the old channel.
    if (channel !== this.#channel) this.#checkedAt = -Infinity;
    this.#channel = channel;
    this.#status = status;
    this.#consider();
  }

  /**
   * Installs the downloaded version and starts it, after the app has quit.
   *
   * @throws {NotPossibleNowError} when there is none, or a batch is active
   */
  restart(): void {
    if (!this.#ready || !this.#isAllowed)
      throw new NotPossibleNowError(userMessage('no-update-now'));
    this.#restartRequested = true;
    app.quit();
  }

  /**
   * Call this when everything is closed: starts the installed version, which replaces this process.
   * `false` when no restart was requested and the app should just quit.
   */
  installForRestart(): boolean {
    if (!this.#updater || !this.#restartRequested) return false;
    this.#updater.once('error', () => app.quit());
    app.releaseSingleInstanceLock();
    this.#updater.quitAndInstall(true, true);
    return true;
  }

  /** The downloaded version, if it is of the channel now chosen. */
  get #ready(): NewVersion | null {
    return this.#downloaded?.channel === this.#channel ? this.#downloaded : null;
  }

  #consider(): void {
    const channel = this.#channel;
    if (!this.#status) return;
    const state = { wanted: channel !== 'off', downloaded: this.#ready !== null };
    const step = updateStep(state, this.#status);
    this.#isAllowed = step !== 'nothing';
    this.#applyState();
    if (channel === 'off' || step !== 'look' || this.#isChecking) return;
    if (this.#now() - this.#checkedAt < CHECK_INTERVAL_MS) return;
    this.#checkedAt = this.#now();
    this.#isChecking = true;
    this.#check(channel)
      .catch(this.#onError)
      .finally(() => {
        this.#isChecking = false;
        // The settings or the queue may have changed meanwhile.
        this.#consider();
      });
  }

  async #check(channel: Channel): Promise<void> {
    const { autoUpdater: updater, CancellationToken } = await loadUpdater();
    if (this.#updater === null) await useProxyForUpdates(updater, this.#proxies);
    this.#updater = updater;
    updater.channel = CHANNELS[channel];
    // Setting a channel makes the library allow downgrades as well, which the user did not ask for.
    updater.allowDowngrade = false;
    // The library registers its quit handler only if this is set when its download ends.
    updater.autoInstallOnAppQuit = this.#installsAtQuit;
    const found = await updater.checkForUpdates();
    if (!found?.isUpdateAvailable) return;
    const fileName = channelFileName(CHANNELS[channel], this.#platform, process.arch);
    checkUpdateSignature(found.updateInfo, fileName, publisherKey());
    const { version, files } = found.updateInfo;
    const needed = SPACE_FACTOR * Math.max(...files.map(({ size = 0 }) => size));
    if ((await this.#freeBytes()) < needed) {
      throw new Error(`Version ${version} needs ${Math.ceil(needed / 1e6)} MB on the disk.`);
    }
    const cancellation = new CancellationToken();
    this.#download = { version, channel, cancel: () => cancellation.cancel() };
    this.#applyState();
    try {
      // Compares the file with the hash in the description whose signature was checked above.
      await updater.downloadUpdate(cancellation);
      this.#downloaded = { version, channel };
    } catch (error) {
      // Cancelled for a batch or another channel: checked again as soon as possible.
      if (this.#isAllowed && this.#channel === channel) throw error;
      this.#checkedAt = -Infinity;
    } finally {
      this.#download = null;
    }
  }

  /** Applies the present state to a running download and to the installer, and publishes it. */
  #applyState(): void {
    if (!this.#isAllowed || this.#download?.channel !== this.#channel) this.#download?.cancel();
    if (this.#updater && !this.#isChecking) {
      this.#updater.autoInstallOnAppQuit =
        this.#installsAtQuit && this.#isAllowed && this.#ready !== null;
    }
    this.#publish();
  }

  #publish(): void {
    const ready = this.#ready;
    const update: AppUpdate = ready
      ? { state: 'ready', version: ready.version, waits: !this.#isAllowed }
      : this.#download
        ? { state: 'downloading', version: this.#download.version }
        : { state: 'none' };
    if (!isDeepStrictEqual(update, this.state.value)) this.state.set(update);
  }
}

/** Loaded on first use: the library is large, and most starts do not need it. */
async function loadUpdater(): Promise<typeof import('electron-updater')> {
  const { default: library } = await import('electron-updater');
  const updater = library.autoUpdater;
  updater.logger = null;
  // A found version is verified before it is downloaded.
  updater.autoDownload = false;
  // It would take an installer from where the description says, which the signature does not cover.
  updater.disableWebInstaller = true;
  // By default the library sends an identifier with every check, which would identify this
  // installation.
  updater.requestHeaders = { 'x-user-staging-id': 'none' };
  return library;
}

const packageSchema = z.object({ updatesPublicKey: z.string().optional() });

/**
 * The public key of the publisher whose updates this build accepts; `build/packager.ts` writes it
 * into the app's package.json.
 */
function publisherKey(): string | undefined {
  const text = readFileSync(path.join(app.getAppPath(), 'package.json'), 'utf8');
  return packageSchema.parse(JSON.parse(text)).updatesPublicKey;
}
