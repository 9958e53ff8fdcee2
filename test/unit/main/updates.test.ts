import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { channelSignature, publicKeyOf } from '../../../build/update-signing.ts';
import type { QueueStatus } from '../../../src/main/queue-status.ts';
import { Updates } from '../../../src/main/updates.ts';
import { removeFolder } from '../../rigs/temporary-folder.ts';

const IDLE: QueueStatus = {
  open: 0,
  saved: 0,
  paused: false,
  blocked: false,
  progress: null,
  savedBy: null,
  severalServices: false,
};

/** electron-updater on macOS: with `autoInstallOnAppQuit`, the system gets a download at once. */
const { library } = vi.hoisted(() => ({
  library: {
    autoInstallOnAppQuit: true,
    handedToSystem: false,
    channel: '',
    autoDownload: true,
    downloaded: 0,
    checkForUpdates() {
      if (this.autoDownload) void this.downloadUpdate();
      return Promise.resolve({ isUpdateAvailable: true, updateInfo: server.found });
    },
    downloadUpdate() {
      this.downloaded += 1;
      this.handedToSystem = this.autoInstallOnAppQuit;
      return Promise.resolve([]);
    },
  },
}));

/** The answer of the update server. */
const server: { found?: unknown } = {};

vi.mock('electron', () => ({ app: { isPackaged: true, getAppPath: () => resources } }));
vi.mock('electron-updater', () => ({
  default: { autoUpdater: library, CancellationToken: vi.fn() },
}));

const publisher = generateKeyPairSync('ed25519').privateKey;
const CHANNEL_FILE = 'version: 2.0.0\nfiles: [{ url: Spool.zip, sha512: AAAA, size: 90000000 }]\n';
const signedBy = (key: KeyObject): unknown =>
  parse(CHANNEL_FILE + channelSignature(CHANNEL_FILE, key));

let resources = '';
beforeEach(() => {
  resources = mkdtempSync(path.join(tmpdir(), 'spool-updates-'));
  for (const name of ['app-update.yml', 'package-type'])
    writeFileSync(path.join(resources, name), '');
  Object.assign(process, { resourcesPath: resources });
  const own = JSON.stringify({ updatesPublicKey: publicKeyOf(publisher) });
  writeFileSync(path.join(resources, 'package.json'), own);
  Object.assign(library, { autoInstallOnAppQuit: true, handedToSystem: false, downloaded: 0 });
  server.found = signedBy(publisher);
});
afterEach(() => {
  Reflect.deleteProperty(process, 'resourcesPath');
  removeFolder(resources);
});

async function downloaded(platform: NodeJS.Platform): Promise<Updates> {
  const updates = new Updates(
    () => 0,
    (error) => expect.unreachable(String(error)),
    platform,
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
});

// abuse.md 38
it('an update is not downloaded when its publisher did not sign it', async () => {
  server.found = signedBy(generateKeyPairSync('ed25519').privateKey);
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

// abuse.md 50
it('an update is not downloaded to a disk that is too full, and is tried again', async () => {
  const troubles: unknown[] = [];
  let free = 200e6;
  let now = 0;
  const updates = new Updates(
    () => now,
    (error) => troubles.push(error),
    'win32',
    () => Promise.resolve(free),
  );
  updates.consider('stable', IDLE);
  await expect.poll(() => String(troubles)).toContain('needs 270 MB');
  expect(library.downloaded).toBe(0);

  free = 300e6;
  now += 86_400_000;
  updates.consider('stable', IDLE);
  await expect.poll(() => updates.state.value).toMatchObject({ state: 'ready' });
});
