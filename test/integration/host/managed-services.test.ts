import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../../src/contract/contract.ts';
import type { Summary } from '../../../src/contract/summary.ts';
import { KeyNotes } from '../../../src/engine/keys/key-notes.ts';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import { FIRST_OF_MONTH } from '../../../src/engine/pacing/quota.ts';
import { openHost, type ServiceChoice } from '../../../src/host/open-host.ts';
import { jsonAnswer, ScriptedService } from '../../rigs/scripted-service.ts';
import { ScriptedProgram } from '../../rigs/scripted-program.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const KEY = 'svc_live_0123456789';
const SOURCE = { name: 'week.csv', content: 'title\nOne\nTwo\nThree' };

let client: Client;
let closeHost: () => Promise<void>;
let keys: MemoryKeyStore;
let dataDir: string;
/** Of a service that accepts every key, and no video. */
let origin: string;
let here: string;
/** What the service answers to a request for a video. */
let ofGenerate: () => string;

beforeEach(async () => {
  ofGenerate = () => jsonAnswer(429, { success: false });
  const service = await ScriptedService.start(({ method }, wire) => {
    wire.end(method === 'POST' ? ofGenerate() : jsonAnswer(404, { success: false }));
  });
  onTestFinished(() => service.stop());
  dataDir = temporaryFolder();
  keys = new MemoryKeyStore();
  await open();
  here = (await client.profile.get()).origin;
  origin = service.url;
  await client.settings.set({
    service: { kind: 'remote', baseUrl: origin, ca: service.ca },
    plan: { name: 'pro' },
  });
});

/** @param service overrides the settings */
async function open(service?: ServiceChoice): Promise<void> {
  const host = await openHost({
    dataDir,
    defaultFolder: path.join(dataDir, 'videos'),
    keys,
    serviceProgram: new ScriptedProgram().program,
    service,
  });
  onTestFinished(() => host.close());
  ({ client } = host);
  closeHost = () => host.close();
}

const savedSettings = (): string => readFileSync(path.join(dataDir, 'settings.json'), 'utf8');

async function summaryOf(of: Client): Promise<Summary> {
  for await (const { summary } of await of.watch({})) return summary;
  throw new Error('It is closed.');
}

const listed = async () => (await client.services.list()).map(({ name }) => name);

async function addRows(): Promise<readonly string[]> {
  await client.queue.pause({ origin });
  await client.batches.add({ origin, source: SOURCE });
  return (await client.jobs.ids({})).ids;
}

describe('renaming a service', () => {
  test('names it everywhere, until the name is removed', async () => {
    const { host } = new URL(origin);
    expect(await listed()).toEqual([host, 'this computer']);
    await client.services.rename({ origin, name: '  Studio ' });
    expect(await listed()).toEqual(['Studio', 'this computer']);
    await client.services.show({ origin: here });
    expect(await listed()).toEqual(['Studio', 'this computer']);
    await client.services.rename({ origin, name: null });
    expect(await listed()).toEqual([host, 'this computer']);
  });

  test('is announced as a change of the settings', async () => {
    const changes = await client.settings.watch();
    await changes.next();
    const next = changes.next();
    await client.services.rename({ origin, name: 'Studio' });
    expect((await next).done).toBe(false);
    await changes.return();
  });

  test('is not possible for this computer, nor with a key as the name', async () => {
    await expect(client.services.rename({ origin: here, name: 'Mac' })).rejects.toMatchObject({
      data: { says: [{ sentence: 'service-is-this-computer' }] },
    });
    await expect(client.services.rename({ origin, name: KEY })).rejects.toThrow();
    await expect(
      client.services.rename({ origin: 'https://elsewhere.invalid', name: 'Mine' }),
    ).rejects.toMatchObject({ data: { says: [{ sentence: 'service-not-in-queue' }] } });
  });
});

describe('removing a service', () => {
  test('removes its key, name, profile and settings, and shows this computer', async () => {
    await client.key.set({ origin, value: KEY, label: 'Mine' });
    expect(await keys.get(origin)).toBe(KEY);
    await client.services.rename({ origin, name: 'Studio' });

    expect(await client.services.remove({ origin, rows: 'archive' })).toEqual({ keyTrouble: null });
    expect(await listed()).toEqual(['this computer']);
    expect((await summaryOf(client)).service).toMatchObject({ origin: here });
    expect((await summaryOf(client)).others).toEqual([]);
    expect(await keys.get(origin)).toBeNull();
    expect(new KeyNotes(dataDir).read(origin).label).toBeNull();
    expect(savedSettings()).not.toContain(origin);
  });

  test('removes it from the settings that name it while another one is shown', async () => {
    await addRows();
    await closeHost();
    const shown = 'https://elsewhere.invalid';
    await open({ kind: 'remote', baseUrl: shown, plan: { name: 'pro', anchor: FIRST_OF_MONTH } });
    await client.services.remove({ origin, rows: 'archive' });
    expect((await client.profile.get()).origin).toBe(shown);
    expect((await client.settings.get()).settings.service.kind).toBe('local');
    expect(savedSettings()).not.toContain(origin);
    expect(JSON.parse(savedSettings())).toMatchObject({ earlierServices: [] });
  });

  test('removes it completely, also if it is being shown at the same time', async () => {
    await client.services.show({ origin: here });
    await Promise.all([
      client.services.show({ origin }),
      client.services.remove({ origin, rows: 'archive' }),
    ]);
    expect((await client.profile.get()).origin).toBe(here);
    expect(savedSettings()).not.toContain(origin);
  });

  test.each(['archive', 'remove'] as const)('cancels its unsent rows: %s', async (rows) => {
    await addRows();
    await client.services.remove({ origin, rows });
    expect(await listed()).toEqual(['this computer']);
    expect((await client.queue.otherServices()).map((each) => each.origin)).toEqual([]);
    // Added again, it has its archive.
    await client.settings.set({ service: { kind: 'remote', baseUrl: origin, ca: null } });
    expect((await client.jobs.ids({ archived: false })).ids).toEqual([]);
    const { jobs } = await client.jobs.list({ archived: true });
    expect(jobs.map(({ state }) => state)).toEqual(
      rows === 'archive' ? ['cancelled', 'cancelled', 'cancelled'] : [],
    );
    const { others, service } = await summaryOf(client);
    expect([service, ...others].map((each) => each.origin)).toContain(origin);
  });

  test('is refused while a video may still be paid for, and changes nothing', async () => {
    ofGenerate = () => jsonAnswer(500, {});
    await client.key.set({ origin, value: KEY, label: null });
    await client.batches.add({ origin, source: SOURCE });
    await expect.poll(async () => (await summaryOf(client)).counts.uncertain).toBe(1);
    await expect(client.services.remove({ origin, rows: 'remove' })).rejects.toMatchObject({
      data: { says: [{ sentence: 'service-has-videos', values: { count: 1 } }] },
    });
    expect((await summaryOf(client)).service.origin).toBe(origin);
    expect(await keys.get(origin)).toBe(KEY);
  });

  test('is not possible for this computer', async () => {
    await expect(client.services.remove({ origin: here, rows: 'archive' })).rejects.toMatchObject({
      data: { says: [{ sentence: 'service-is-this-computer' }] },
    });
  });
});
