import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../../src/contract/contract.ts';
import type { Summary } from '../../../src/contract/summary.ts';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import type { Profile } from '../../../src/engine/profiles/profile.ts';
import { builtInProfile } from '../../../src/engine/profiles/services.ts';
import { openHost } from '../../../src/host/open-host.ts';
import type { WantedService } from '../../../src/host/primary-contract.ts';
import { settingsOfChoice } from '../../../src/host/settings/effective-settings.ts';
import { ScriptedProgram } from '../../rigs/scripted-program.ts';
import { joinPrimary } from '../../rigs/join-primary.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const ELSEWHERE = 'https://service.invalid';
const LOCAL: WantedService = {
  ...settingsOfChoice({ kind: 'local', plan: 'starter' }, null),
  ...{ profile: null, start: true },
};

interface Opened {
  readonly client: Client;
  readonly dataDir: string;
  readonly local: ScriptedProgram;
  readonly close: () => Promise<void>;
}

async function open(settings: object): Promise<Opened> {
  const dataDir = temporaryFolder();
  writeFileSync(path.join(dataDir, 'settings.json'), JSON.stringify({ version: 1, ...settings }));
  const local = new ScriptedProgram();
  const host = await openHost({
    dataDir,
    defaultFolder: path.join(dataDir, 'videos'),
    keys: new MemoryKeyStore(),
    serviceProgram: local.program,
  });
  onTestFinished(() => host.close());
  return { client: host.client, dataDir, local, close: () => host.close() };
}

const elsewhere = { service: { kind: 'remote', baseUrl: ELSEWHERE } };

function remote(baseUrl: string, profile: Profile): WantedService {
  const choice = { kind: 'remote', baseUrl, plan: { name: 'starter', anchor: 0 } } as const;
  return { ...settingsOfChoice(choice, null), profile, start: true };
}

async function summaryOf(client: Client): Promise<Summary> {
  for await (const { summary } of await client.watch({})) return summary;
  throw new Error('It is closed.');
}

test('settings can be changed while a service of another process does not start', async () => {
  const { client, dataDir, local } = await open(elsewhere);
  local.hangs = true;
  const joining = joinPrimary(dataDir, LOCAL);
  joining.catch(() => undefined);
  await expect.poll(() => local.starts).toBe(1);
  expect(await client.settings.set({ nameTemplate: '{title}' })).toMatchObject({ faults: [] });
  expect(local.isStarting).toBe(true);
  local.crash();
  await expect(joining).rejects.toThrow();
});

test('a service that could not be saved is not shown, and its plan is no other one’s', async () => {
  const { client, dataDir } = await open(elsewhere);
  const file = path.join(dataDir, 'settings.json');
  rmSync(file);
  mkdirSync(path.join(file, 'in the way'), { recursive: true });
  const origin = 'https://third.invalid';
  const third = { service: { kind: 'remote' as const, baseUrl: origin, ca: null } };
  await expect(client.settings.set(third)).rejects.toThrow();
  expect((await summaryOf(client)).key.origin).toBe(ELSEWHERE);

  rmSync(file, { recursive: true });
  const plan = { plan: { name: 'business' as const } };
  await expect(client.settings.set({ ...plan, origin })).rejects.toThrow();
  await client.settings.set({ ...plan, origin: ELSEWHERE });
  expect((await summaryOf(client)).key.origin).toBe(ELSEWHERE);
});

test('a service is not worked by a profile that differs from its saved one', async () => {
  const origin = 'https://api.dev.runwayml.com';
  const profile = { ...builtInProfile('runway'), name: 'Runway, as we use it' };
  const { client, dataDir } = await open({ ...elsewhere, profiles: { [origin]: profile } });
  await joinPrimary(dataDir, remote(origin, builtInProfile('runway'))).catch(() => undefined);
  expect((await summaryOf(client)).others).toEqual([]);
});

test('a profile of another service is refused, and not stored', async () => {
  const { client, dataDir } = await open(elsewhere);
  const joining = joinPrimary(dataDir, remote('https://third.invalid', builtInProfile('runway')));
  await expect(joining).rejects.toThrow('api.dev.runwayml.com');
  expect((await client.settings.export()).text).not.toContain('third.invalid');
});

test('at the start, an earlier service with videos waits for no other to start', async () => {
  const { client, dataDir, local, close } = await open(elsewhere);
  const source = { name: 'Batch.csv', content: 'title\nOne' };
  await client.batches.add({ origin: ELSEWHERE, source, options: {} });
  await client.settings.set({ service: { kind: 'local' } });
  await close();

  local.hangs = true;
  const lookedUp: string[] = [];
  class Keys extends MemoryKeyStore {
    override get(origin: string): Promise<string | null> {
      lookedUp.push(origin);
      return super.get(origin);
    }
  }
  const opening = openHost({
    ...{ dataDir, defaultFolder: path.join(dataDir, 'videos'), keys: new Keys() },
    ...{ serviceProgram: local.program, worksAll: true },
  });
  opening.catch(() => undefined);
  await expect.poll(() => lookedUp).toEqual([ELSEWHERE]);
  await expect.poll(() => local.isStarting).toBe(true);
  local.crash();
  await expect(opening).rejects.toThrow();
});
