import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Client } from '../../../src/contract/contract.ts';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import { openHost } from '../../../src/host/open-host.ts';
import { receiveAll } from '../../rigs/receive.ts';
import { ScriptedProgram } from '../../rigs/scripted-program.ts';
import { jsonAnswer, ScriptedService } from '../../rigs/scripted-service.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const KEY = 'svc_live_0123456789';

/** A service that accepts one key, over real HTTPS. */
let service: ScriptedService;
let client: Client;
let dataDir: string;
let close: () => Promise<void>;

beforeEach(async () => {
  service = await ScriptedService.start(({ headers }, wire) => {
    const isAccepted = headers.get('x-api-key') === KEY;
    const refusal = { success: false, message: 'Bad key.', code: 'UNAUTHORIZED' };
    wire.end(isAccepted ? jsonAnswer(404, { success: false }) : jsonAnswer(401, refusal));
  });
  dataDir = temporaryFolder();
  const host = await openHost({
    dataDir,
    defaultFolder: path.join(dataDir, 'videos'),
    keys: new MemoryKeyStore(),
    serviceProgram: new ScriptedProgram().program,
  });
  ({ client } = host);
  close = () => host.close();
});

afterEach(async () => {
  await close();
  await service.stop();
});

function entered(key: string, baseUrl = service.url) {
  const settings = { service: { kind: 'remote' as const, baseUrl, ca: service.ca } };
  return { settings, profile: null, key };
}

test('a key is tested before the service or the key is stored', async () => {
  const before = await client.settings.get();
  const files = filesIn(dataDir);

  const accepted = await tryService(entered(`  ${KEY}\n`));
  expect(accepted.map(({ checks }) => checks.map(({ state }) => state))).toEqual([
    ['running', 'waiting', 'waiting'],
    ['passed', 'passed', 'running'],
    ['passed', 'passed', 'passed'],
  ]);
  expect(accepted.at(-1)).toMatchObject({ errors: [], entered: 'accepted', failure: null });
  expect((await tryService(entered('svc_live_mistyped'))).at(-1)).toMatchObject({
    entered: 'refused',
    failure: { code: 'key-refused' },
  });
  expect(await client.settings.get()).toEqual(before);
  expect(filesIn(dataDir)).toEqual(files);
});

test('a service that cannot be reached is named with the reason', async () => {
  const tried = await tryService(entered(KEY, 'https://nowhere.invalid'));
  expect(tried.at(-1)).toMatchObject({
    errors: [],
    checks: [{ check: 'address', state: 'failed' }, { state: 'waiting' }, { state: 'waiting' }],
    entered: 'unchecked',
    failure: { code: 'service-unreachable', says: [{ sentence: 'address-not-found' }] },
  });
});

test('a certificate that is not trusted is found before the key is sent', async () => {
  const settings = { service: { kind: 'remote' as const, baseUrl: service.url, ca: null } };
  const tried = await tryService({ settings, profile: null, key: KEY });
  expect(tried.at(-1)).toMatchObject({
    checks: [{ state: 'passed' }, { check: 'certificate', state: 'failed' }, { state: 'waiting' }],
    entered: 'unchecked',
    failure: { untrusted: true },
  });
  expect(service.requests).toEqual([]);
});

test('a key with a space is an error of its field, and is not sent', async () => {
  const tried = await tryService(entered('svc_live_01 23'));
  expect(tried).toMatchObject([{ errors: [{ field: 'key' }], checks: [], entered: null }]);
  expect(service.requests).toEqual([]);
});

test('the address of this computer’s own service is not one of a remote service', async () => {
  const { origin } = await client.profile.get();
  const before = await client.settings.get();
  const { port } = new URL(origin);
  for (const baseUrl of [origin, `https://localhost:${port}`, `https://spool.localhost:${port}/`]) {
    const settings = { service: { kind: 'remote' as const, baseUrl, ca: null } };
    const errors = [{ field: 'service.baseUrl', says: [{ sentence: 'address-of-this-computer' }] }];
    expect(await tryService(entered(KEY, baseUrl))).toMatchObject([{ errors }]);
    expect(await client.settings.useService({ settings, profile: null })).toMatchObject({ errors });
    expect(await client.settings.set(settings)).toMatchObject({ errors });
  }
  expect(await client.settings.get()).toEqual(before);
});

/** Every state of the checks. */
async function tryService(wanted: Parameters<Client['settings']['tryService']>[0]) {
  return receiveAll(await client.settings.tryService(wanted));
}

function filesIn(folder: string): string {
  try {
    return readFileSync(path.join(folder, 'settings.json'), 'utf8');
  } catch {
    return '';
  }
}
