import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Client } from '../../../src/contract/contract.ts';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import { builtInProfile } from '../../../src/engine/profiles/services.ts';
import { openHost, type Host } from '../../../src/host/open-host.ts';
import type { WantedService } from '../../../src/host/primary-contract.ts';
import { settingsOfChoice } from '../../../src/host/settings/effective-settings.ts';
import { joinPrimary } from '../../rigs/join-primary.ts';
import { spoolHere } from '../../rigs/spool-here.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';
import { addBatch } from '../../rigs/add-batch.ts';

const HERE = 'https://service.invalid';
const RUNWAY = 'https://api.dev.runwayml.com';

async function primary(): Promise<{ host: Host; dataDir: string }> {
  const dataDir = temporaryFolder();
  const document = { version: 1, service: { kind: 'remote', baseUrl: HERE } };
  writeFileSync(path.join(dataDir, 'settings.json'), JSON.stringify(document));
  const host = await openHost({
    dataDir,
    defaultFolder: path.join(dataDir, 'videos'),
    keys: new MemoryKeyStore(),
    serviceProgram: () => {
      throw new Error('There is no local service here.');
    },
  });
  onTestFinished(() => host.close());
  return { host, dataDir };
}

function runway(start: boolean): WantedService {
  const choice = { kind: 'remote', baseUrl: RUNWAY, plan: { name: 'starter', anchor: 0 } } as const;
  return { ...settingsOfChoice(choice, null), profile: builtInProfile('runway'), start };
}

async function add(client: Client, header: string, row: string): Promise<void> {
  const source = { name: `${row}.csv`, content: `${header}\n${row}` };
  await addBatch(client, { source });
}

async function titles(client: Client): Promise<readonly string[]> {
  return (await client.jobs.list({})).jobs.map(({ title }) => title);
}

describe.skipIf(process.platform === 'win32')('a second process that wants a service', () => {
  it('gets it run beside the one that is shown, and stays with it', async () => {
    const { host, dataDir } = await primary();
    await add(host.client, 'title', 'One');
    const { client, primary: process } = await joinPrimary(dataDir, runway(true));
    expect(process).toMatchObject({ service: RUNWAY });
    await add(client, 'prompt', 'A cup of coffee');

    const hereIs = await titles(host.client);
    expect(hereIs).toEqual(['One']);
    expect(await titles(client)).toHaveLength(1);
    expect(await titles(client)).not.toEqual(hereIs);

    await host.client.services.show({ origin: RUNWAY });
    expect(await titles(host.client)).toEqual(await titles(client));
    expect((await host.client.profile.get()).profile.name).toBe(builtInProfile('runway').name);
    await host.client.services.show({ origin: HERE });
    expect(await titles(client)).not.toEqual(hereIs);
    for await (const { summary } of await client.watch({})) {
      expect(summary).toMatchObject({
        service: { origin: RUNWAY, name: 'Runway' },
        others: [{ origin: HERE }],
      });
      break;
    }
  });

  it('gets the one that is shown if it may start none', async () => {
    const { host, dataDir } = await primary();
    const queue = await joinPrimary(dataDir, runway(false));
    expect(queue.primary).toMatchObject({ service: HERE });
    for await (const { summary } of await host.client.watch({})) {
      expect(summary.others).toEqual([]);
      break;
    }
  });

  it('can have its key forgotten by a command while another one is shown', async () => {
    const { host, dataDir } = await primary();
    const { client } = await joinPrimary(dataDir, runway(true));
    await client.key.set({ origin: RUNWAY, value: 'rw_0123456789' });
    await host.client.key.set({ origin: HERE, value: 'svc_live_0123456789' });
    const forget = ['key', 'forget', '--service', 'runway', '--data-dir', dataDir];
    expect(await spoolHere(forget, { cwd: dataDir })).toMatchObject({ code: 0, stderr: '' });

    expect((await client.key.check()).state).toBe('absent');
    expect((await host.client.key.check()).state).not.toBe('absent');
    await host.client.services.show({ origin: RUNWAY });
    const late = host.client.key.set({ origin: HERE, value: 'svc_live_typed_for_the_other' });
    await expect(late).rejects.toThrow('meant for a service that is no longer shown');
    expect((await client.key.check()).state).toBe('absent');
  });

  it('adds no batch that was planned for another one', async () => {
    const { host, dataDir } = await primary();
    const { client } = await joinPrimary(dataDir, runway(true));
    const source = { name: 'week.csv', content: 'title\nOne' };
    const { origin } = await host.client.batches.plan({ source });
    await host.client.services.show({ origin: RUNWAY });

    for (const each of [host.client, client]) {
      const late = each.batches.add({ origin, source });
      await expect(late).rejects.toThrow('meant for a service that is no longer shown');
      expect(await titles(each)).toEqual([]);
    }
    await host.client.services.show({ origin: HERE });
    await host.client.batches.add({ origin, source });
    expect(await titles(host.client)).toEqual(['One']);
  });

  it('is told once that its key from the environment is not used', async () => {
    const { dataDir } = await primary();
    const plan = path.join(dataDir, 'plan.csv');
    writeFileSync(plan, 'title\nOne');
    const { code, stderr } = await spoolHere(
      ['jobs', 'list', '--service', HERE, '--data-dir', dataDir],
      { cwd: dataDir, keyFromEnvironment: 'svc_live_0123456789' },
    );
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'SPOOL_API_KEY is not used: the running Spool has its own key.\n',
    });
  });

  it('is told that its plan is not used', async () => {
    const { dataDir } = await primary();
    const file = path.join(dataDir, 'plan.csv');
    writeFileSync(file, 'title\nOne');
    const list = ['plan', file, '--service', HERE, '--data-dir', dataDir, '--account-plan'];
    const { code, stderr } = await spoolHere([...list, 'pro'], { cwd: dataDir });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: '--account-plan pro is not used: the running Spool uses starter.\n',
    });
    expect(await spoolHere([...list, 'starter'], { cwd: dataDir })).toMatchObject({ stderr: '' });
  });

  it('gets an error when a service cannot run', async () => {
    const { dataDir } = await primary();
    const choice = { kind: 'local', plan: 'starter' } as const;
    const local = { ...settingsOfChoice(choice, null), profile: null, start: true };
    await expect(joinPrimary(dataDir, local)).rejects.toThrow();
  });
});
