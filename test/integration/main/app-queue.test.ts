import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Settings } from '../../../src/contract/settings.ts';
import type { Update } from '../../../src/contract/summary.ts';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import { noProxy } from '../../../src/engine/proxy.ts';
import { headlessComputer } from '../../../src/host/computer.ts';
import { openLog } from '../../../src/host/log.ts';
import { appQueue } from '../../../src/main/app-queue.ts';
import { addBatch } from '../../rigs/add-batch.ts';
import { receive } from '../../rigs/receive.ts';
import { fillDisk, smallDisk } from '../../rigs/small-disk.ts';

// Another file of this worker may have loaded the modules with its own stand-in for Electron.
vi.hoisted(() => vi.resetModules());

vi.mock('electron', () => ({ utilityProcess: { fork: () => expect.unreachable() } }));

/** Settings with a remote service that has no key, so that nothing is sent. */
function writeSettings(dataDir: string, settings: Partial<Settings> = {}): void {
  const service = { kind: 'remote', baseUrl: 'https://service.invalid' };
  const document = { version: 1, service, ...settings };
  writeFileSync(path.join(dataDir, 'settings.json'), JSON.stringify(document));
}

function openApp(dataDir: string) {
  const queue = appQueue({
    dataDir,
    videoFolder: path.join(dataDir, 'videos'),
    keys: new MemoryKeyStore(),
    findProxy: noProxy,
    isOnBattery: () => false,
    computer: headlessComputer,
    log: openLog(dataDir),
  });
  onTestFinished(() => queue.close());
  return queue;
}

it('starts as the settings say once a full disk has space', async (context) => {
  const disk = await smallDisk(context, 64, 'ext4');
  const dataDir = path.join(disk, 'data');
  mkdirSync(dataDir);
  writeSettings(dataDir);
  const first = openApp(dataDir);
  await addBatch(first.client, { source: { name: 'week.csv', content: 'title\nOne' } });
  await first.close();
  writeSettings(dataDir, { startUp: 'paused' });
  rmSync(path.join(dataDir, 'spool.reserve'));
  const release = fillDisk(disk);

  const { client } = openApp(dataDir);
  const updates = receive<Update>(client.watch({}));
  const flow = (): unknown => updates.at(-1)?.summary.flow;
  await expect.poll(flow).toMatchObject({ state: 'blocked', failure: { code: 'disk-full' } });
  release();
  await expect.poll(flow).toMatchObject({ state: 'paused', what: 'sending' });
});
