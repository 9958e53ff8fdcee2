import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { channelSignature, publicKeyOf } from '../../../build/update-signing.ts';
import { NotPossibleNowError } from '../../../src/engine/engine-error.ts';
import { proxySettings } from '../../../src/engine/proxy.ts';
import type { QueueStatus } from '../../../src/main/queue-status.ts';
import { channelFileName, type UpdateChannel } from '../../../src/main/update-signature.ts';
import { Updates } from '../../../src/main/updates.ts';
import { removeFolder } from '../../rigs/temporary-folder.ts';

const IDLE: QueueStatus = {
  open: 0,
  saved: 0,
  paused: false,
  blocked: false,
  progress: null,
  savedBy: null,
  held: 0,
  needAttention: 0,
  severalServices: false,
};

/** electron-updater on macOS: with `autoInstallOnAppQuit`, the system gets a download at once. */
const { library, CancellationToken, app } = vi.hoisted(() => {
  class FakeToken {
    isCancelled = false;
    onCancel = (): void => undefined;

    cancel(): void {
      this.isCancelled = true;
      this.onCancel();
    }
  }
  return {
    library: {
      autoInstallOnAppQuit: true,
      handedToSystem: false,
      channels: [] as string[],
      allowDowngrade: false,
      autoDownload: true,
      disableWebInstaller: false,
      requestHeaders: {},
      /** Sessions of Chromium use the system's proxies until they are given others. */
      proxyConfigs: [] as object[],
      netSession: {
        setProxy: (config: object): Promise<void> => {
          library.proxyConfigs.push(config);
          return Promise.resolve();
        },
      },
      onLogin: (_info: object, _answer: (user: string, password: string) => void): void =>
        undefined,
      signals: {
        login: (handler: typeof library.onLogin): void => {
          library.onLogin = handler;
        },
      },
      isUpdateAvailable: true,
      downloaded: 0,
      /** Whether a download ends only when it is cancelled. */
      isSlow: false,
      onError: (): void => undefined,
      /** As the library does. */
      set channel(name: string) {
        this.channels.push(name);
        this.allowDowngrade = true;
      },
      checkForUpdates() {
        if (this.autoDownload) void this.downloadUpdate(new FakeToken());
        const { isUpdateAvailable } = this;
        return Promise.resolve({ isUpdateAvailable, updateInfo: answerOf(this.channels.at(-1)) });
      },
      downloadUpdate(token: FakeToken) {
        this.downloaded += 1;
        this.handedToSystem = this.autoInstallOnAppQuit;
        if (!this.isSlow) return Promise.resolve([]);
        return new Promise<never>((_, reject) => {
          token.onCancel = () => reject(new Error('cancelled'));
          if (token.isCancelled) token.onCancel();
        });
      },
      once(_: 'error', listener: () => void) {
        this.onError = listener;
      },
      quitAndInstall: () => app.happened.push('install'),
    },
    CancellationToken: FakeToken,
    app: {
      happened: [] as string[],
      isPackaged: true,
      getAppPath: () => resources,
      quit: () => app.happened.push('quit'),
      releaseSingleInstanceLock: () => app.happened.push('release lock'),
    },
  };
});

vi.mock('electron', () => ({ app }));
vi.mock('electron-updater', () => ({
  default: { autoUpdater: library, CancellationToken },
}));

const publisher = generateKeyPairSync('ed25519').privateKey;
const CHANNEL_FILE = 'version: 2.0.0\nfiles: [{ url: Spool.zip, sha512: AAAA, size: 90000000 }]\n';
/** The update server: who signs, and for which system the app asks. */
const server: { key: KeyObject; platform: NodeJS.Platform } = {
  key: publisher,
  platform: process.platform,
};

/** The description in a channel's file. */
function answerOf(channel = ''): unknown {
  const name = channelFileName(channel as UpdateChannel, server.platform, process.arch);
  return parse(CHANNEL_FILE + channelSignature(name, CHANNEL_FILE, server.key));
}

let resources = '';
beforeEach(() => {
  resources = mkdtempSync(path.join(tmpdir(), 'spool-updates-'));
  for (const name of ['app-update.yml', 'package-type'])
    writeFileSync(path.join(resources, name), '');
  Object.assign(process, { resourcesPath: resources });
  const own = JSON.stringify({ updatesPublicKey: publicKeyOf(publisher) });
  writeFileSync(path.join(resources, 'package.json'), own);
  Object.assign(library, {
    autoInstallOnAppQuit: true,
    handedToSystem: false,
    channels: [],
    proxyConfigs: [],
    requestHeaders: {},
    isUpdateAvailable: true,
    downloaded: 0,
    isSlow: false,
  });
  app.happened.length = 0;
  Object.assign(server, { key: publisher, platform: process.platform });
});
afterEach(() => {
  Reflect.deleteProperty(process, 'resourcesPath');
  removeFolder(resources);
});

async function downloaded(platform: NodeJS.Platform): Promise<Updates> {
  server.platform = platform;
  const updates = new Updates(
    () => 0,
    (error) => expect.unreachable(String(error)),
    { platform },
  );
  updates.consider('stable', IDLE);
  await expect.poll(() => updates.state.value).toMatchObject({ state: 'ready' });
  return updates;
}

describe('a version that is ready', () => {
  it('is not handed to macOS, which would install it in the middle of a batch', async () => {
    const updates = await downloaded('darwin');
    updates.consider('stable', { ...IDLE, open: 3 });
    expect(library).toMatchObject({ handedToSystem: false, autoInstallOnAppQuit: false });
    updates.consider('stable', IDLE);
    expect(library.autoInstallOnAppQuit).toBe(false);
  });

  it('is installed at quitting on other systems, between batches', async () => {
    const updates = await downloaded('win32');
    await expect.poll(() => library.autoInstallOnAppQuit).toBe(true);
    updates.consider('stable', { ...IDLE, open: 3 });
    expect(library.autoInstallOnAppQuit).toBe(false);
  });

  it('belongs to its channel, and is neither shown nor installed for another one', async () => {
    const updates = await downloaded('win32');
    library.isUpdateAvailable = false;
    updates.consider('preview', IDLE);
    await expect.poll(() => library.channels).toEqual(['latest', 'beta']);
    expect(updates.state.value).toEqual({ state: 'none' });
    await expect.poll(() => library.autoInstallOnAppQuit).toBe(false);
    expect(() => updates.restart()).toThrow(NotPossibleNowError);

    updates.consider('stable', IDLE);
    expect(updates.state.value).toMatchObject({ state: 'ready', version: '2.0.0' });
  });

  it('is started only by a restart that the user requested, and not during a batch', async () => {
    const updates = await downloaded('darwin');
    updates.consider('stable', { ...IDLE, open: 3 });
    expect(updates.state.value).toMatchObject({ state: 'ready', waits: true });
    expect(() => updates.restart()).toThrow(NotPossibleNowError);
    updates.consider('stable', IDLE);
    expect(updates.installForRestart()).toBe(false);
    expect(app.happened).toEqual([]);

    updates.restart();
    expect(updates.installForRestart()).toBe(true);
    // The next version could not start while this process has the lock.
    expect(app.happened).toEqual(['quit', 'release lock', 'install']);
    library.onError();
    expect(app.happened.at(-1)).toBe('quit');
  });
});

describe('a running download', () => {
  async function downloading(): Promise<Updates> {
    library.isSlow = true;
    server.platform = 'win32';
    const updates = new Updates(
      () => 0,
      (error) => expect.unreachable(String(error)),
      { platform: 'win32', freeBytes: () => Promise.resolve(1e9) },
    );
    updates.consider('stable', IDLE);
    await expect
      .poll(() => updates.state.value)
      .toEqual({ state: 'downloading', version: '2.0.0' });
    library.isSlow = false;
    return updates;
  }

  it('is cancelled when a batch starts, and repeated as soon as that has ended', async () => {
    const updates = await downloading();
    updates.consider('stable', { ...IDLE, open: 1 });
    await expect.poll(() => updates.state.value).toEqual({ state: 'none' });
    expect(library.downloaded).toBe(1);
    updates.consider('stable', IDLE);
    await expect.poll(() => updates.state.value).toMatchObject({ state: 'ready' });
    expect(library.downloaded).toBe(2);
  });

  it('is cancelled when another channel is selected, which is checked at once', async () => {
    const updates = await downloading();
    updates.consider('preview', IDLE);
    await expect.poll(() => updates.state.value).toMatchObject({ state: 'ready' });
    expect(library.channels).toEqual(['latest', 'beta']);
    expect(library.downloaded).toBe(2);
  });
});

it('the proxy of the environment is used from the first check on', async () => {
  const proxies = proxySettings({ HTTPS_PROXY: 'http://proxy.example:3128' });
  const updates = new Updates(
    () => 0,
    (error) => expect.unreachable(String(error)),
    { proxies },
  );
  updates.consider('stable', IDLE);
  await expect.poll(() => library.channels).toEqual(['latest']);
  expect(library.proxyConfigs).toMatchObject([{ proxyRules: 'http://proxy.example:3128' }]);
  // Its download would otherwise end in a later test.
  await expect.poll(() => updates.state.value).toMatchObject({ state: 'ready' });
});

it('a new version is looked for every six hours, and only a newer one, without an identifier', async () => {
  library.isUpdateAvailable = false;
  let now = 0;
  const updates = new Updates(
    () => now,
    (error) => expect.unreachable(String(error)),
  );
  updates.consider('stable', IDLE);
  await expect.poll(() => library.channels).toEqual(['latest']);
  expect(library).toMatchObject({
    allowDowngrade: false,
    requestHeaders: { 'x-user-staging-id': 'none' },
    disableWebInstaller: true,
  });
  now += 6 * 3_600_000 - 1;
  updates.consider('stable', IDLE);
  // One turn of the event loop, in which a check would have begun.
  await new Promise((resolve) => setImmediate(resolve));
  expect(library.channels).toEqual(['latest']);
  now += 1;
  updates.consider('stable', IDLE);
  await expect.poll(() => library.channels).toEqual(['latest', 'latest']);
});

// abuse.md 38
it('an update is not downloaded when its publisher did not sign it', async () => {
  server.key = generateKeyPairSync('ed25519').privateKey;
  const troubles: unknown[] = [];
  const updates = new Updates(
    () => 0,
    (error) => troubles.push(error),
  );
  updates.consider('stable', IDLE);
  await expect.poll(() => String(troubles)).toContain('not signed by the publisher');
  expect(library.downloaded).toBe(0);
  expect(updates.state.value).toEqual({ state: 'none' });
});

// abuse.md 38
it('an update of another system is not downloaded', async () => {
  server.platform = process.platform === 'darwin' ? 'win32' : 'darwin';
  const troubles: unknown[] = [];
  const updates = new Updates(
    () => 0,
    (error) => troubles.push(error),
  );
  updates.consider('stable', IDLE);
  await expect.poll(() => String(troubles)).toContain('not signed by the publisher');
  expect(library.downloaded).toBe(0);
});

// abuse.md 50
it('an update is not downloaded to a disk that is too full, and is tried again', async () => {
  const troubles: unknown[] = [];
  let free = 200e6;
  server.platform = 'win32';
  let now = 0;
  const updates = new Updates(
    () => now,
    (error) => troubles.push(error),
    { platform: 'win32', freeBytes: () => Promise.resolve(free) },
  );
  updates.consider('stable', IDLE);
  await expect.poll(() => String(troubles)).toContain('needs 270 MB');
  expect(library.downloaded).toBe(0);

  free = 300e6;
  now += 86_400_000;
  updates.consider('stable', IDLE);
  await expect.poll(() => updates.state.value).toMatchObject({ state: 'ready' });
});
