import { expect, test, vi } from 'vitest';
import { userMessage } from '../../../src/contract/user-message.ts';
import { Serial } from '../../../src/engine/serial.ts';
import type { ServiceLink } from '../../../src/engine/engine-options.ts';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import { storyboardProfile } from '../../../src/engine/profiles/storyboard.ts';
import { OFFLINE_AFTER_MS, RETRY_MS } from '../../../src/engine/service-session.ts';
import { QueueServices } from '../../../src/host/queue-services.ts';
import type { ServiceChoice } from '../../../src/host/service-link.ts';
import { settingsOfChoice } from '../../../src/host/settings/effective-settings.ts';
import { SettingsFile } from '../../../src/host/settings/settings-file.ts';
import { SettingsStore } from '../../../src/host/settings/settings-store.ts';
import { EngineRig, ORIGIN } from '../../rigs/engine-rig.ts';
import { FakeService } from '../../rigs/fake-service.ts';
import { VirtualClock } from '../../rigs/virtual-clock.ts';
import { commandsOf } from '../../rigs/open-engine.ts';

const HERE = 'https://127.0.0.1:20000';
const plan = { name: 'custom', limit: 50, anchor: Date.UTC(2026, 0, 1) };
const LOCAL: ServiceChoice = { kind: 'local', plan: 'starter' };
const ELSEWHERE: ServiceChoice = { kind: 'remote', baseUrl: ORIGIN, plan };

/** A queue with a remote service, which is shown, and a local one whose processes a test ends. */
async function open(dataDir?: string) {
  const clock = new VirtualClock();
  const here = new FakeService(clock);
  const keys = new MemoryKeyStore();
  const engineRig = await EngineRig.open({
    clock,
    keys,
    other: { origin: HERE, service: here },
    ...(dataDir === undefined ? {} : { folder: dataDir }),
  });
  const { folder } = engineRig;
  const { engine } = engineRig.engine;
  const ends: (() => void)[] = [];
  const local = { isBroken: false, hanging: null as Promise<unknown> | null };
  /** Addresses of the connections that were closed. */
  const closed: string[] = [];
  const linkTo = (choice: ServiceChoice): ServiceLink => {
    const { promise: ended, resolve } = Promise.withResolvers<undefined>();
    if (choice.kind === 'local') ends.push(() => resolve(undefined));
    const service =
      choice.kind === 'local'
        ? { name: 'this computer', isLocal: true, baseUrl: HERE }
        : { name: 'the service', baseUrl: ORIGIN };
    const close = (): Promise<void> => {
      closed.push(service.baseUrl);
      return Promise.resolve();
    };
    return { service, plan, drawFrame: null, ended, close };
  };
  const services = new QueueServices({
    engine,
    settingsStore: new SettingsStore(new SettingsFile(folder, () => 0)),
    changes: new Serial(),
    connect: async (choice) => {
      if (choice.kind === 'local' && local.isBroken) throw new Error('No port.');
      if (choice.kind === 'local') await local.hanging;
      return linkTo(choice);
    },
    canCorrectProfiles: false,
    unavailability: () => ({
      code: 'service-unreachable',
      ...userMessage('verbatim', { text: 'No port.' }),
    }),
    localOrigin: () => HERE,
    ensureLocalOrigin: () => Promise.resolve(HERE),
  });
  await services.showFirst(ELSEWHERE);
  const { view } = services;
  const add = (title: string) =>
    commandsOf(view).batches.add({
      origin: view.origin,
      source: { name: 'Batch.csv', content: `title\n${title}` },
      options: {},
    });
  return { engineRig, keys, here, services, view, add, local, ends, closed };
}

/** Logged failures of services. */
function failuresOf({ defects }: EngineRig): unknown[] {
  return defects.filter((each) => typeof each === 'object' && each !== null && 'service' in each);
}

test('the process of the service shown is started again, and no other service is affected', async () => {
  const { engineRig, services, view, ends } = await open();
  await services.show(LOCAL, undefined);
  await commandsOf(view).queue.pause({ origin: HERE, what: 'sending' });
  const { signal } = new AbortController();
  const updates = view.watch(undefined, signal);
  await updates.next();
  ends[0]?.();
  await engineRig.clock.advance(RETRY_MS - 1);
  expect(await services.frame({})).toEqual({ kind: 'unavailable' });
  expect(ends).toHaveLength(1);
  await engineRig.clock.advance(1);
  expect(ends).toHaveLength(2);

  expect(services.shown).toMatchObject({ choice: LOCAL, origin: HERE });
  expect(view.summary()).toMatchObject({
    flow: { state: 'paused' },
    others: [{ origin: ORIGIN, flow: { state: 'running' } }],
  });
  expect(failuresOf(engineRig)).toEqual([]);
  await updates.return();
});

test('a service that could not be shown is tried again in the background', async () => {
  const { engineRig, services, view, local, ends } = await open();
  await services.show(LOCAL, undefined);
  await services.show(ELSEWHERE, undefined);
  local.isBroken = true;
  ends[0]?.();
  await engineRig.clock.advance(1);
  await expect(services.show(LOCAL, undefined)).rejects.toThrow('No port.');
  expect(services.shown.choice).toEqual(ELSEWHERE);
  expect(view.summary().service.origin).toBe(ORIGIN);

  local.isBroken = false;
  await engineRig.clock.advance(RETRY_MS);
  expect(ends).toHaveLength(2);
  await services.show(LOCAL, undefined);
  expect(ends).toHaveLength(2);
});

test('a service that never ran is not tried again after it could not be shown', async () => {
  const { engineRig, services, local, ends } = await open();
  local.isBroken = true;
  await expect(services.show(LOCAL, undefined)).rejects.toThrow('No port.');
  local.isBroken = false;
  await engineRig.clock.advance(10 * RETRY_MS);
  expect(ends).toEqual([]);
});

test('a first service that is unavailable is tried again until it is open, and shown', async () => {
  const { engineRig, here, services, view, add, local } = await open();
  local.isBroken = true;
  await services.showFirst(LOCAL, undefined, { pause: 'sending' });
  expect(services.shown).toMatchObject({ choice: LOCAL, origin: HERE });
  const failure = { message: 'No port.' };
  expect(view.summary().flow).toMatchObject({ state: 'paused', failure });
  await services.resumeAll();
  expect(view.summary().flow).toMatchObject({ state: 'blocked', failure });
  await add('One');
  await commandsOf(view).service.tryNow();
  await engineRig.clock.advance(3_600_000);
  expect(here.videos).toEqual([]);
  expect(view.summary().flow).toMatchObject({ state: 'blocked', failure });

  local.isBroken = false;
  await engineRig.clock.advance(RETRY_MS);
  expect(view.summary().flow).toEqual({ state: 'running' });
  expect(services.shown.origin).toBe(HERE);
  await engineRig.until(() => view.summary().counts.done === 1);
  expect(here.videos).toHaveLength(1);
  expect(failuresOf(engineRig)).toHaveLength(1);
});

test('a first service whose process hangs is shown as starting, and used once it has started', async () => {
  const { engineRig, services, view, local } = await open();
  const { promise: hanging, resolve } = Promise.withResolvers<undefined>();
  local.hanging = hanging;
  let isShown = false;
  const shown = services.showFirst(LOCAL).then(() => (isShown = true));
  await engineRig.clock.advance(OFFLINE_AFTER_MS - 1);
  expect(isShown).toBe(false);
  await engineRig.clock.advance(1);
  await shown;
  expect(services.shown).toMatchObject({ choice: LOCAL, origin: HERE });
  expect(view.summary().flow).toMatchObject({ state: 'blocked' });
  resolve(undefined);
  await expect.poll(() => view.summary().flow).toEqual({ state: 'running' });
});

test('pausing all services pauses one that starts later, until all are resumed', async () => {
  const { engineRig, services, view, local, ends } = await open();
  local.isBroken = true;
  const flow = (): unknown => view.summary().others[0]?.flow;
  await services
    .startFor({ ...settingsOfChoice(LOCAL, null), profile: null, start: true })
    .catch(() => undefined);
  await services.pauseAll('sending');
  local.isBroken = false;
  await engineRig.clock.advance(RETRY_MS);
  expect(flow()).toMatchObject({ state: 'paused' });
  expect(ends).toHaveLength(1);
  await services.resumeAll();
  expect(flow()).toEqual({ state: 'running' });
});

test('pausing all services is kept after a restart for one that was not open yet', async () => {
  const { engineRig, here, services, local } = await open();
  const { folder, clock } = engineRig;
  const wanted = { ...settingsOfChoice(LOCAL, null), profile: null, start: true };
  const openHere = () => EngineRig.open({ folder, clock, origin: HERE, service: here });
  local.isBroken = true;
  await services.startFor(wanted).catch(() => undefined);
  await services.pauseAll('everything');
  await engineRig.close();
  const paused = await openHere();
  expect((await paused.update()).flow).toMatchObject({ state: 'paused', what: 'everything' });
  await paused.close();

  const again = await open(folder);
  again.local.isBroken = true;
  await again.services.startFor(wanted).catch(() => undefined);
  await again.services.resumeAll();
  await again.engineRig.close();
  expect((await (await openHere()).update()).flow).toMatchObject({ state: 'running' });
});

test('another service is shown while a call to one that hangs runs, and no call waits', async () => {
  const { engineRig, services, view, add } = await open();
  await commandsOf(view).queue.pause({ origin: ORIGIN, what: 'sending' });
  await add('One');
  engineRig.service.latencyMs = 60_000;
  const call = commandsOf(view).key.check();
  await services.show(LOCAL, undefined);
  expect(view.summary().service.origin).toBe(HERE);
  await services.show(ELSEWHERE, undefined);
  expect((await commandsOf(view).jobs.list({ offset: 0, limit: 1 })).total).toBe(1);

  // Another profile replaces the session, which that call may still need.
  const renamed = services.show(ELSEWHERE, { ...storyboardProfile, name: 'Renamed' });
  let isReplaced = false;
  void renamed.then(() => (isReplaced = true));
  await engineRig.clock.advance(59_000);
  expect(isReplaced).toBe(false);
  await engineRig.clock.advance(1000);
  await call;
  await engineRig.until(() => isReplaced);
  expect(services.shown.profile?.name).toBe('Renamed');
});

test('a connection whose session cannot be opened is closed, and those in use are not', async () => {
  const { keys, services, local, closed } = await open();
  const fails = new Error('The keychain is locked.');
  vi.spyOn(keys, 'get').mockRejectedValueOnce(fails);
  await expect(services.show(LOCAL, undefined)).rejects.toThrow(fails);
  expect(closed).toEqual([HERE]);
  expect(services.shown.choice).toEqual(ELSEWHERE);

  local.isBroken = true;
  await services.showFirst(LOCAL);
  await services.show(ELSEWHERE, undefined);
  expect(closed).toEqual([HERE]);
});

test('a connection with another certificate replaces the former one, which is closed', async () => {
  const { services, closed } = await open();
  await services.show({ ...ELSEWHERE, ca: { pem: 'another' } }, undefined);
  expect(closed).toEqual([ORIGIN]);
});
