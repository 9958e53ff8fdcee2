import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../../src/contract/contract.ts';
import { obstacleOf } from '../../../src/contract/flow.ts';
import type { Summary } from '../../../src/contract/summary.ts';
import { MemoryKeyStore, type KeyStore } from '../../../src/engine/keys/key-store.ts';
import type { Profile } from '../../../src/engine/profiles/profile.ts';
import { builtInProfile } from '../../../src/engine/profiles/services.ts';
import { systemClock } from '../../../src/engine/system-clock.ts';
import { openHost } from '../../../src/host/open-host.ts';
import { differenceOf, type WantedService } from '../../../src/host/primary-contract.ts';
import { joinOrOpen, OtherSettingsError } from '../../../src/host/queue.ts';
import { settingsOfChoice } from '../../../src/host/settings/effective-settings.ts';
import { jsonAnswer, ScriptedService } from '../../rigs/scripted-service.ts';
import { ScriptedProgram } from '../../rigs/scripted-program.ts';
import { joinPrimary } from '../../rigs/join-primary.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const ELSEWHERE = 'https://service.invalid';
const LOCAL: WantedService = {
  ...settingsOfChoice({ kind: 'local', plan: 'starter' }, null),
  profile: null,
  start: true,
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
  expect(await client.settings.set({ nameTemplate: '{title}' })).toMatchObject({ errors: [] });
  expect(local.isStarting).toBe(true);
  local.crash();
  await expect(joining).rejects.toThrow();
});

test('a service that could not be saved is not shown, and its plan applies to no other', async () => {
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

test('a service is not run with a profile that differs from its saved one', async () => {
  const origin = 'https://api.dev.runwayml.com';
  const profile = { ...builtInProfile('runway'), name: 'Runway, as we use it' };
  const { client, dataDir } = await open({ ...elsewhere, profiles: { [origin]: profile } });
  await joinPrimary(dataDir, remote(origin, builtInProfile('runway'))).catch(() => undefined);
  expect((await summaryOf(client)).others).toEqual([]);
});

test.skipIf(process.platform === 'win32')(
  'a command with a profile that differs from the saved one gets that as the reason',
  async () => {
    const origin = 'https://api.dev.runwayml.com';
    const saved = { ...builtInProfile('runway'), name: 'Runway, as we use it' };
    const { dataDir } = await open({ ...elsewhere, profiles: { [origin]: saved } });
    const profile = builtInProfile('runway');
    const joining = joinOrOpen({
      dataDir,
      checkPrimary: (primary) => {
        const differs = differenceOf(primary, { service: origin, profile });
        if (differs !== null) throw new OtherSettingsError(primary, differs);
      },
      openOwn: () => expect.unreachable(),
      wanted: () => Promise.resolve(remote(origin, profile)),
      clock: systemClock,
    });
    await expect(joining).rejects.toMatchObject({
      failure: { says: [{ sentence: 'primary-of-other-profile' }] },
    });
  },
);

test('a profile of another service is refused, and not stored', async () => {
  const { client, dataDir } = await open(elsewhere);
  const joining = joinPrimary(dataDir, remote('https://third.invalid', builtInProfile('runway')));
  await expect(joining).rejects.toThrow('api.dev.runwayml.com');
  expect((await client.settings.export()).text).not.toContain('third.invalid');
});

describe('a service that cannot be opened at the start', () => {
  const source = { name: 'Batch.csv', content: 'title\nOne' };

  /** A data folder that shows the local service, with a video for it and for a remote one. */
  async function openTwo() {
    const service = await ScriptedService.start((_, wire) => wire.end(jsonAnswer(503, {})));
    onTestFinished(() => service.stop());
    const { url } = service;
    const other = { kind: 'remote', baseUrl: url, ca: service.ca };
    const { client, dataDir, local, close } = await open({ service: other });
    await client.batches.add({ origin: url, source, options: {} });
    await client.settings.set({ service: { kind: 'local' } });
    const here = (await summaryOf(client)).service.origin;
    await client.batches.add({ origin: here, source, options: {} });
    await close();
    const keys = new MemoryKeyStore();
    await keys.set(url, 'svc_live_0123456789');
    await keys.set(here, 'svc_live_9876543210');
    local.fails = true;
    return { service, url, here, local, dataDir, keys };
  }

  async function openAgain(
    {
      dataDir,
      keys,
      local,
    }: Pick<Awaited<ReturnType<typeof openTwo>>, 'dataDir' | 'local'> & {
      keys: KeyStore;
    },
    startsAll = true,
  ): Promise<Client> {
    const host = await openHost({
      dataDir,
      keys,
      startsAll,
      serviceProgram: local.program,
      defaultFolder: path.join(dataDir, 'videos'),
    });
    onTestFinished(() => host.close());
    return host.client;
  }

  test('is shown as unavailable with the reason, and delays no other', async () => {
    const two = await openTwo();
    const client = await openAgain(two);

    const requests = (): string[] => two.service.requests.map(({ body }) => body);
    await expect.poll(requests).toContainEqual(expect.stringContaining('One'));
    const message = 'The local service did not start.';
    expect(await summaryOf(client)).toMatchObject({
      service: { origin: two.here, isLocal: true },
      flow: { state: 'blocked', failure: { message, detail: 'The database is damaged.' } },
      counts: { queued: 1 },
      others: [{ origin: two.url }],
    });
    expect((await client.jobs.list({})).jobs).toMatchObject([
      { title: 'One', state: 'queued', wait: { reason: 'offline', until: null } },
    ]);
  });

  test('allows changes of its rows and of settings, and showing another service', async () => {
    const two = await openTwo();
    const client = await openAgain(two);
    const another = { name: 'Another.csv', content: 'title\nTwo' };
    await client.batches.add({ origin: two.here, source: another, options: {} });
    await client.queue.pause({ origin: two.here, what: 'sending' });
    expect(await client.settings.set({ nameTemplate: '{title}' })).toMatchObject({ errors: [] });
    await client.services.show({ origin: two.url });
    expect(await summaryOf(client)).toMatchObject({
      service: { origin: two.url },
      others: [{ origin: two.here, counts: { queued: 2 }, flow: { state: 'paused' } }],
    });
  });

  test('keeps Spool from starting if no other has anything to do', async () => {
    const two = await openTwo();
    await expect(openAgain(two, false)).rejects.toThrow('The local service did not start.');

    const alone = await open({ service: { kind: 'local' } });
    await alone.close();
    alone.local.fails = true;
    const opening = openAgain({ ...alone, keys: new MemoryKeyStore() });
    await expect(opening).rejects.toThrow('The local service did not start.');
  });

  test('may be one whose key cannot be read', async () => {
    const two = await openTwo();
    class Keys extends MemoryKeyStore {
      override get(origin: string): Promise<string | null> {
        if (origin === two.here) return Promise.reject(new TypeError('No keychain.'));
        return two.keys.get(origin);
      }
    }
    two.local.fails = false;
    const client = await openAgain({ ...two, keys: new Keys() });
    await expect.poll(() => two.service.requests).not.toHaveLength(0);
    const { flow, key } = await summaryOf(client);
    expect(flow).toMatchObject({ state: 'blocked', failure: { code: 'service-unreachable' } });
    expect(JSON.stringify(flow)).toContain('No keychain.');
    expect(key.state).toBe('absent');
  });
});

describe('a service whose saved profile is unusable', () => {
  const runway = builtInProfile('runway');
  const atRunway = 'https://api.dev.runwayml.com';
  const source = { name: 'Batch.csv', content: 'title\nOne' };

  function dataDirWith(profiles: object): string {
    const dataDir = temporaryFolder();
    const document = { version: 1, ...elsewhere, profiles };
    writeFileSync(path.join(dataDir, 'settings.json'), JSON.stringify(document));
    return dataDir;
  }

  async function openApp(dataDir: string, startsAll = true) {
    const host = await openHost({
      dataDir,
      startsAll,
      defaultFolder: path.join(dataDir, 'videos'),
      keys: new MemoryKeyStore(),
      serviceProgram: new ScriptedProgram().program,
    });
    onTestFinished(() => host.close());
    return host;
  }

  const codeIn = async (client: Client) => obstacleOf((await summaryOf(client)).flow)?.code;

  test.each([
    ['of another service', runway, 'This profile is for https://api.dev.runwayml.com.'],
    ['that is invalid', { name: 'Mine' }, 'The saved profile'],
  ])('is unavailable until it has another one: %s', async (_, profile, reason) => {
    const dataDir = dataDirWith({ [ELSEWHERE]: profile, [atRunway]: runway });
    await expect(openApp(dataDir, false)).rejects.toThrow(reason);
    const host = await openApp(dataDir);
    const { client } = host;
    expect((await client.settings.get()).trouble).toBeNull();
    expect((await client.profile.services()).find(({ id }) => id === 'runway')?.isSaved).toBe(true);
    expect(await codeIn(client)).toBe('profile-unusable');
    // Rows would be built with another profile.
    const adding = client.batches.add({ origin: ELSEWHERE, source, options: {} });
    await expect(adding).rejects.toThrow(reason);
    await host.close();

    const again = await openApp(dataDir);
    expect(await codeIn(again.client)).toBe('profile-unusable');
    expect((await again.client.profile.get()).from).toBe('saved');
    await again.client.profile.reset({ origin: ELSEWHERE });
    await expect.poll(() => codeIn(again.client)).toBe('key-missing');
    await again.client.batches.add({ origin: ELSEWHERE, source, options: {} });
    await again.close();
    const last = await openApp(dataDir);
    expect(await codeIn(last.client)).toBe('key-missing');
  });

  test('does not use the default one when the settings cannot be saved', async () => {
    const dataDir = dataDirWith({ [ELSEWHERE]: runway });
    const host = await openApp(dataDir);
    const { client } = host;
    const file = path.join(dataDir, 'settings.json');
    renameSync(file, `${file}.saved`);
    mkdirSync(path.join(file, 'in the way'), { recursive: true });
    await expect(client.profile.reset({ origin: ELSEWHERE })).rejects.toThrow();
    rmSync(file, { recursive: true });
    renameSync(`${file}.saved`, file);
    expect(await codeIn(client)).toBe('profile-unusable');
    await client.settings.set({ nameTemplate: '{row}' }).catch(() => undefined);
    expect(await codeIn(client)).toBe('profile-unusable');
    await host.close();
    const again = await openApp(dataDir);
    expect(await codeIn(again.client)).toBe('profile-unusable');
  });

  test('uses the documented API only with a confirmation', async () => {
    const { client } = await openApp(dataDirWith({ [ELSEWHERE]: { name: 'Mine' } }));
    const service = { kind: 'remote', baseUrl: ELSEWHERE, ca: null } as const;
    const wanted = { settings: { service }, profile: null };
    const { replaces } = await client.settings.useService(wanted);
    expect(replaces).toMatchObject({ origin: ELSEWHERE });
    expect(await codeIn(client)).toBe('profile-unusable');
    await client.settings.useService({ ...wanted, replace: replaces?.confirmation ?? '' });
    expect(await codeIn(client)).toBe('key-missing');
  });

  test('runs again once it gets another one, and is not shown before', async () => {
    const dataDir = dataDirWith({ [ELSEWHERE]: runway });
    const { client } = await openApp(dataDir);
    const service = { kind: 'remote', baseUrl: ELSEWHERE, ca: null } as const;
    await client.settings.set({ service: { ...service, baseUrl: 'https://third.invalid' } });
    await expect(client.settings.set({ service })).rejects.toThrow('This profile is for');
    await expect(client.services.show({ origin: ELSEWHERE })).rejects.toThrow(
      'This profile is for',
    );
    const profile = { ...runway, api: { ...runway.api!, origin: ELSEWHERE } };
    const wanted = { settings: { service }, profile };
    const { replaces } = await client.settings.useService(wanted);
    await client.settings.useService({ ...wanted, replace: replaces?.confirmation ?? '' });
    expect(await codeIn(client)).toBe('key-missing');
    expect((await client.profile.get()).profile.name).toBe('Runway');
  });
});

test('at the start, an earlier service with videos does not wait for another to start', async () => {
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
    dataDir,
    defaultFolder: path.join(dataDir, 'videos'),
    keys: new Keys(),
    serviceProgram: local.program,
    startsAll: true,
  });
  await expect.poll(() => lookedUp).toEqual([ELSEWHERE]);
  await expect.poll(() => local.isStarting).toBe(true);
  local.crash();
  await (await opening).close();
});

test('the process on this computer ends only after the answer to a running request', async () => {
  const sent = Promise.withResolvers<undefined>();
  const service = await ScriptedService.start(({ method }, wire) => {
    if (method === 'POST') sent.resolve(undefined);
    else wire.end(jsonAnswer(404, {}));
  });
  onTestFinished(() => service.stop());
  const local = new ScriptedProgram();
  const folder = temporaryFolder();
  const caFile = path.join(folder, 'ca.pem');
  writeFileSync(caFile, service.ca);
  const dataDir = path.join(folder, 'data');
  mkdirSync(path.join(dataDir, 'local-service'), { recursive: true });
  writeFileSync(path.join(dataDir, 'local-service', 'port'), new URL(service.url).port);
  const host = await openHost({
    dataDir,
    defaultFolder: path.join(folder, 'videos'),
    keys: new MemoryKeyStore(),
    serviceProgram: (args, lifetime, onLine) =>
      local.program(args, lifetime, (line) =>
        onLine(
          args[0] === 'start'
            ? JSON.stringify({ url: service.url, caFile, rendersAtOnce: 1 })
            : line,
        ),
      ),
  });
  onTestFinished(() => host.close());
  const { origin } = (await summaryOf(host.client)).service;
  const source = { name: 'Batch.csv', content: 'title\nOne' };
  await host.client.batches.add({ origin, source, options: {} });
  await sent.promise;

  const closing = host.close();
  const address = path.join(folder, 'data', 'endpoint', 'address');
  await expect.poll(() => existsSync(address)).toBe(false);
  // Turns of the event loop, in which the process would have been stopped.
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(local.runs).toBe(true);
  service.answerLast(jsonAnswer(202, { id: 'video-1', status: 'queued' }));
  await closing;
  expect(local.runs).toBe(false);
});

test('two environments of one address are two services, with their own keys and rows', async () => {
  const dataDir = temporaryFolder();
  const keys = new MemoryKeyStore();
  const openAgain = () =>
    openHost({
      dataDir,
      defaultFolder: path.join(dataDir, 'videos'),
      keys,
      serviceProgram: new ScriptedProgram().program,
      startsAll: true,
    });
  let host = await openAgain();
  onTestFinished(() => host.close());
  const use = async (name: 'shotstack' | 'shotstack-sandbox'): Promise<string> => {
    const profile = builtInProfile(name);
    const baseUrl = profile.api?.origin ?? '';
    const service = { kind: 'remote', baseUrl, ca: null } as const;
    const used = await host.client.settings.useService({ settings: { service }, profile });
    expect(used).toMatchObject({ errors: [], replaces: null });
    return baseUrl;
  };
  const add = (origin: string, text: string) =>
    host.client.batches.add({
      origin,
      source: { name: `${text}.csv`, content: `title,text\n${text},${text}` },
      options: {},
    });
  const production = await use('shotstack');
  await add(production, 'Final');
  const sandbox = await use('shotstack-sandbox');
  expect(sandbox).toBe(`${production}#stage`);
  await expect(add(production, 'Draft')).rejects.toThrow();
  await host.client.queue.pause({ origin: sandbox, what: 'sending' });
  await add(sandbox, 'Draft');
  await keys.set(sandbox, 'sandbox-key');
  expect(await keys.get(production)).toBeNull();
  await host.close();

  host = await openAgain();
  const { service, others, counts } = await summaryOf(host.client);
  expect([service.name, service.origin, counts.queued]).toEqual(['Shotstack sandbox', sandbox, 1]);
  expect(others.find(({ isLocal }) => !isLocal)).toMatchObject({
    name: 'Shotstack',
    origin: production,
    counts: { queued: 1 },
  });
  await host.client.services.show({ origin: production });
  const { jobs } = await host.client.jobs.list({ offset: 0, limit: 9 });
  expect(jobs.map(({ title }) => title)).toEqual(['Final']);
  expect((await host.client.profile.get()).profile.api?.generate.path).toBe('/edit/v1/render');
});
