import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Client } from '../../../src/contract/contract.ts';
import { userMessage } from '../../../src/contract/user-message.ts';
import type { Summary } from '../../../src/contract/summary.ts';
import { Connections } from '../../../src/engine/downloads/connections.ts';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import { builtInProfile } from '../../../src/engine/profiles/services.ts';
import { openHost, type Host, type HostOptions } from '../../../src/host/open-host.ts';
import { builtService } from '../../rigs/built-programs.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';
import { addBatch } from '../../rigs/add-batch.ts';

const ELSEWHERE = { kind: 'remote', baseUrl: 'https://service.invalid/' } as const;

async function open(
  dataDir: string,
  keys = new MemoryKeyStore(),
  options: Partial<HostOptions> = {},
): Promise<Host> {
  const host = await openHost({
    dataDir,
    defaultFolder: path.join(dataDir, 'videos'),
    keys,
    serviceProgram: builtService,
    isApp: true,
    ...options,
  });
  onTestFinished(() => host.close());
  return host;
}

/** A data folder with a remote service, which opens faster than the local one. */
function folderWithRemote(): string {
  const folder = temporaryFolder();
  const document = { version: 1, service: ELSEWHERE };
  writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(document));
  return folder;
}

async function summaryOf(client: Client): Promise<Summary> {
  for await (const { summary } of await client.watch({})) return summary;
  throw new Error('It is closed.');
}

// abuse.md 22
test('another service gets a separate queue, and the previous one keeps its own', async () => {
  const host = await open(temporaryFolder());
  const { client } = host;
  expect((await summaryOf(client)).service).toMatchObject({ isLocal: true });
  const { origin } = (await summaryOf(client)).service;
  await client.queue.pause({ origin });
  await addBatch(client, { source: { name: 'here.csv', content: 'title\nOne\nTwo' } });
  const updates = await client.watch({});
  await updates.next();

  expect(await client.settings.set({ service: ELSEWHERE })).toMatchObject({ errors: [] });

  let relisted = false;
  for await (const { summary, relist } of updates) {
    relisted ||= relist;
    if (summary.service.origin === 'https://service.invalid') break;
  }
  expect(relisted).toBe(true);
  expect((await client.jobs.list({})).total).toBe(0);
  expect((await client.key.check()).state).toBe('absent');

  await client.settings.set({ service: { kind: 'local' } });
  expect((await client.jobs.list({})).jobs.map(({ state }) => state)).toEqual(['queued', 'queued']);
  expect(await summaryOf(client)).toMatchObject({
    service: { isLocal: true },
    flow: { state: 'paused' },
  });
});

test('the previous service keeps running when another one is shown, and after a restart', async () => {
  const folder = temporaryFolder();
  const keys = new MemoryKeyStore();
  const host = await open(folder, keys);
  const { origin } = (await summaryOf(host.client)).service;
  await host.client.queue.pause({ origin });
  await addBatch(host.client, { source: { name: 'here.csv', content: 'title\nOne' } });
  await host.client.settings.set({ service: ELSEWHERE });
  const [previous] = (await summaryOf(host.client)).others;
  expect(previous).toMatchObject({ isLocal: true, name: 'this computer', counts: { queued: 1 } });
  await host.client.services.resumeAll();
  await untilOthers(host.client, ([other]) => other?.counts.done === 1);
  await host.client.services.pauseAll({});
  await host.client.services.show({ origin: previous!.origin });
  await addBatch(host.client, { source: { name: 'more.csv', content: 'title\nTwo' } });
  await host.client.services.show({ origin: 'https://service.invalid' });
  await host.client.services.resumeAll();
  await host.close();

  const { client } = await open(folder, keys, { startsAll: true });
  expect((await summaryOf(client)).service.origin).toBe('https://service.invalid');
  await untilOthers(client, ([other]) => other?.counts.done === 2);
  expect((await client.settings.export()).text).not.toContain('earlierServices');
});

test('a service is shown again with the plan that was chosen for it', async () => {
  const { client } = await open(folderWithRemote());
  await client.settings.set({ plan: { name: 'custom', limit: 77 } });
  const third = { kind: 'remote', baseUrl: 'https://third.invalid' } as const;
  await client.settings.set({ service: third, plan: { name: 'custom', limit: 5 } });
  expect((await summaryOf(client)).quota?.limit).toBe(5);

  await client.services.show({ origin: 'https://service.invalid' });
  expect((await summaryOf(client)).quota?.limit).toBe(77);
  await client.services.show({ origin: 'https://third.invalid' });
  expect((await summaryOf(client)).quota?.limit).toBe(5);
  await expect(client.services.show({ origin: 'https://unknown.invalid' })).rejects.toThrow(
    'The queue has no such service.',
  );
});

test('rows that a command left for a built-in service are shown with its profile', async () => {
  const folder = folderWithRemote();
  const origin = 'https://api.dev.runwayml.com';
  const plan = { name: 'starter', anchor: 0 };
  const run = await open(folder, new MemoryKeyStore(), {
    service: { kind: 'remote', baseUrl: origin, plan },
    profile: builtInProfile('runway'),
  });
  const source = { name: 'left.csv', content: 'prompt\nA cup of coffee' };
  await addBatch(run.client, { source });
  await run.close();

  const { client } = await open(folder, new MemoryKeyStore(), { startsAll: true });
  expect((await summaryOf(client)).others).toMatchObject([{ origin, flow: null }]);
  await client.services.show({ origin });
  expect((await client.profile.get()).profile).toEqual(builtInProfile('runway'));
});

async function untilOthers(
  client: Client,
  isSo: (others: Summary['others']) => boolean,
): Promise<void> {
  for await (const { summary } of await client.watch({})) if (isSo(summary.others)) return;
  throw new Error('It is closed.');
}

test('settings apply at once where possible, and all of them after a restart', async () => {
  const folder = folderWithRemote();
  const keys = new MemoryKeyStore();
  const host = await open(folder, keys);
  const elsewhere = path.join(folder, 'elsewhere');
  const views = await host.client.settings.watch();
  expect((await views.next()).value).toMatchObject({ settings: { closeToTray: true } });
  await host.client.settings.set({
    plan: { name: 'custom', limit: 77, billingDate: '2026-03-17' },
    folder: elsewhere,
    closeToTray: false,
    startUp: 'paused',
  });
  expect((await views.next()).value).toMatchObject({ settings: { closeToTray: false } });
  await views.return();
  const source = { name: 'week.csv', content: 'title\nOne' };
  const settingsIn = async (client: Client) => {
    const { defaultFolder, quota, flow } = await summaryOf(client);
    const { limit, resetAt } = quota!;
    return { defaultFolder, limit, day: new Date(resetAt).getUTCDate(), flow };
  };
  expect(await settingsIn(host.client)).toMatchObject({
    defaultFolder: elsewhere,
    limit: 77,
    day: 17,
  });
  await host.client.settings.set({ nameTemplate: '{title} of {batch}.mp4' });
  expect((await host.client.batches.plan({ source })).rows[0]?.fileName).toBe('One of week.mp4');
  await host.close();

  const { client } = await open(folder, keys);

  expect(await settingsIn(client)).toMatchObject({
    defaultFolder: elsewhere,
    limit: 77,
    flow: { state: 'paused' },
  });
  expect((await client.batches.plan({ source })).rows[0]?.fileName).toBe('One of week.mp4');
});

test('addresses of VPNs are allowed only by the setting, and at once', async () => {
  const allow = vi.spyOn(Connections.prototype, 'allowVpnAddresses', 'set');
  const { client } = await open(folderWithRemote());
  expect((await client.settings.get()).settings.allowVpnAddresses).toBe(false);

  expect(await client.settings.set({ allowVpnAddresses: true })).toMatchObject({ errors: [] });
  expect(allow).toHaveBeenLastCalledWith(true);
  await client.settings.set({ allowVpnAddresses: false });
  expect(allow).toHaveBeenLastCalledWith(false);
});

test('a patch with an error changes nothing', async () => {
  const { client } = await open(folderWithRemote());

  const { errors, settings } = await client.settings.set({ closeToTray: false, folder: 'here' });

  expect(errors).toEqual([{ field: 'folder', ...userMessage('folder-not-absolute') }]);
  expect(settings.closeToTray).toBe(true);
});

test('trying the local service sets up a service, a key and a sample', async () => {
  const folder = temporaryFolder();
  const { client } = await open(folder);
  expect(await client.setup.state()).toEqual({ isSetUp: false });
  await client.key.forget({ origin: (await summaryOf(client)).key.origin });

  const { sample } = await client.setup.tryHere();

  expect(await client.setup.state()).toEqual({ isSetUp: true });
  expect((await client.key.check()).state).toBe('accepted');
  expect(
    (await client.batches.plan({ source: sample ?? { name: '', content: '' } })).issues,
  ).toEqual([]);
});

test('neither an export nor the file has the key', async () => {
  const folder = folderWithRemote();
  const { client } = await open(folder);
  await client.key
    .set({ origin: 'https://service.invalid', value: 'svc_live_0123456789abcdef' })
    .catch(() => undefined);

  const { text } = await client.settings.export();

  expect(text).not.toContain('svc_live_');
  expect(readFileSync(path.join(folder, 'settings.json'), 'utf8')).not.toContain('svc_live_');
  const { confirmation } = await client.settings.previewImport({ text });
  expect(await client.settings.import({ text, confirmation })).toMatchObject({ errors: [] });
  expect((await client.settings.previewImport({ text: '{}' })).errors).toHaveLength(1);
});

test('a plan and a profile apply only to the service that they are meant for', async () => {
  const { client } = await open(temporaryFolder());
  const { origin } = (await summaryOf(client)).service;
  await client.settings.set({ service: ELSEWHERE });
  const before = await client.settings.get();
  const profileBefore = await client.profile.get();
  const meantForOther = {
    code: 'FAILED',
    data: { says: [{ sentence: 'meant-for-other-service' }] },
  };
  const plan = { name: 'custom', limit: 9 } as const;
  const { profile } = profileBefore;
  await expect(client.settings.set({ origin, plan })).rejects.toMatchObject(meantForOther);
  await expect(client.profile.save({ origin, profile })).rejects.toMatchObject(meantForOther);
  await expect(client.profile.reset({ origin })).rejects.toMatchObject(meantForOther);
  expect(await client.settings.get()).toEqual(before);
  expect(await client.profile.get()).toEqual(profileBefore);

  const shown = profileBefore.origin;
  expect(await client.settings.set({ origin: shown, plan })).toMatchObject({
    errors: [],
    settings: { plan: { limit: 9 } },
  });
});
