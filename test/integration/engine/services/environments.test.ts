import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { serviceIdOf } from '../../../../src/contract/service-id.ts';
import { ApiKey } from '../../../../src/engine/flow/api-key.ts';
import { KeyNotes } from '../../../../src/engine/keys/key-notes.ts';
import { MemoryKeyStore } from '../../../../src/engine/keys/key-store.ts';
import type { Profile } from '../../../../src/engine/profiles/profile.ts';
import { builtInProfile, type BuiltInService } from '../../../../src/engine/profiles/services.ts';
import { commandsOf, openEngine, type TestEngine } from '../../../rigs/open-engine.ts';
import { jsonAnswer, ScriptedService } from '../../../rigs/scripted-service.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const KEYS = { production: 'production-key-1234', sandbox: 'sandbox-key-1234' };
const plan = { name: 'custom', limit: 500, anchor: Date.UTC(2026, 0, 1) };

/** A built-in profile for the address of a test's server, in the same environment. */
function profileAt(service: BuiltInService, address: string): Profile & { readonly id: string } {
  const profile = builtInProfile(service);
  const { api } = profile;
  if (!api?.origin) throw new Error(`${service} has no address.`);
  const id = address + api.origin.slice(new URL(api.origin).origin.length);
  return { ...profile, id, api: { ...api, origin: id } };
}

/** Both environments of Shotstack at one address, in one queue. */
async function open() {
  let accepted = 0;
  const service = await ScriptedService.start(({ method }, wire) => {
    if (method === 'POST') accepted += 1;
    const response = method === 'POST' ? { id: `video-${accepted}` } : { status: 'rendering' };
    wire.write(jsonAnswer(method === 'POST' ? 201 : 200, { response }));
  });
  onTestFinished(() => service.stop());
  const clock = new VirtualClock();
  const keys = new MemoryKeyStore();
  const setupOf = (name: BuiltInService) => {
    const { id, ...profile } = profileAt(name, service.url);
    return { service: { name, baseUrl: id, ca: service.ca, profile }, plan };
  };
  const production = setupOf('shotstack');
  const sandbox = setupOf('shotstack-sandbox');
  await keys.set(production.service.baseUrl, KEYS.production);
  await keys.set(sandbox.service.baseUrl, KEYS.sandbox);
  const dataDir = temporaryFolder();
  const start = (): Promise<TestEngine> =>
    openEngine({
      dataDir,
      ...production,
      defaultFolder: `${dataDir}/renders`,
      keys,
      clock,
      random: () => 0.5,
    });
  const engine = await start();
  onTestFinished(() => engine.close());
  await engine.show(sandbox);
  return { service, clock, dataDir, engine, production, sandbox };
}

const source = (text: string) => ({ name: `${text}.csv`, content: `title,text\n${text},${text}` });

test('a row for one environment is sent there and nowhere else, with its own key', async () => {
  const { service, clock, engine, production, sandbox } = await open();
  const [there, here] = [production, sandbox].map(({ service: { baseUrl } }) => ({
    origin: serviceIdOf(baseUrl),
    view: engine.at(serviceIdOf(baseUrl)),
  })) as [Side, Side];
  await commandsOf(here.view).batches.add({ ...here, source: source('Draft'), options: {} });
  await commandsOf(there.view).batches.add({ ...there, source: source('Final'), options: {} });
  await expect
    .poll(async () => {
      await clock.advance(1000);
      return [here, there].map(({ view }) => view.summary().counts.rendering);
    })
    .toEqual([1, 1]);

  const requests = service.requests.map(({ method, path, headers, body }) => ({
    method,
    path,
    key: headers.get('x-api-key'),
    text: /Draft|Final/.exec(body)?.[0],
  }));
  const sent = requests.filter(({ method }) => method === 'POST');
  expect(sent).toHaveLength(2);
  expect(sent).toEqual(
    expect.arrayContaining([
      { method: 'POST', path: '/edit/stage/render', key: KEYS.sandbox, text: 'Draft' },
      { method: 'POST', path: '/edit/v1/render', key: KEYS.production, text: 'Final' },
    ]),
  );
  for (const { path, key } of requests) {
    expect(key).toBe(path.startsWith('/edit/stage/') ? KEYS.sandbox : KEYS.production);
  }
  // A call for the one does not reach the other.
  const pausing = commandsOf(here.view).queue.pause({ origin: there.origin, what: 'sending' });
  await expect(pausing).rejects.toThrow();
});

test('a profile of one environment cannot be used for the other', async () => {
  const { engine, production, sandbox } = await open();
  const swapped = { ...sandbox.service, profile: production.service.profile };
  await expect(engine.adapt({ ...sandbox, service: swapped })).rejects.toMatchObject({
    failure: { code: 'not-possible-now' },
  });
});

test('keys of two environments are separate, and neither is in the database', async () => {
  const { engine, dataDir, production, sandbox } = await open();
  const views = [production, sandbox].map(({ service }) => engine.at(service.baseUrl).summary());
  expect(views.map(({ key }) => key.lastFour)).toEqual(['1234', '1234']);
  await commandsOf(engine.at(sandbox.service.baseUrl)).key.forget({
    origin: sandbox.service.baseUrl,
  });
  expect(engine.at(sandbox.service.baseUrl).summary().key.state).toBe('absent');
  expect(engine.at(production.service.baseUrl).summary().key.state).not.toBe('absent');
  expect(readFileSync(`${dataDir}/spool.db`, 'latin1')).not.toContain('key-1234');
});

test('the key of an environment is given to the origin of its service, and to no other', async () => {
  const id = 'https://a.example#stage';
  const keys = new MemoryKeyStore();
  await keys.set(id, KEYS.sandbox);
  await keys.set('https://a.example', KEYS.production);
  const key = await ApiKey.open(keys, new KeyNotes(temporaryFolder()), id);
  expect(key.forOrigin('https://a.example')).toBe(KEYS.sandbox);
  expect(key.forOrigin('https://b.example')).toBeNull();
  expect(key.forOrigin('https://a.example:8443')).toBeNull();
});

interface Side {
  readonly origin: string;
  readonly view: ReturnType<TestEngine['at']>;
}
