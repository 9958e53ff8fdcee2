import { expect, onTestFinished, test, vi } from 'vitest';
import { inEnglish } from '../../../src/contract/user-message.ts';
import { Serial } from '../../../src/engine/serial.ts';
import { storyboardProfile } from '../../../src/engine/profiles/storyboard.ts';
import { CallGate } from '../../../src/host/call-gate.ts';
import { FIRST_WAIT_MS, QueueServices } from '../../../src/host/queue-services.ts';
import type { ServiceChoice, ServiceLink } from '../../../src/host/service-link.ts';
import { settingsOfChoice } from '../../../src/host/settings/effective-settings.ts';
import { SettingsFile } from '../../../src/host/settings/settings-file.ts';
import { SettingsStore } from '../../../src/host/settings/settings-store.ts';
import { EngineRig, ORIGIN } from '../../rigs/engine-rig.ts';
import { FakeService } from '../../rigs/fake-service.ts';
import { VirtualClock } from '../../rigs/virtual-clock.ts';

const HERE = 'https://127.0.0.1:20000';
const plan = { name: 'custom', limit: 50, anchor: Date.UTC(2026, 0, 1) };
const LOCAL: ServiceChoice = { kind: 'local', plan: 'starter' };
const ELSEWHERE: ServiceChoice = { kind: 'remote', baseUrl: ORIGIN, plan };

/** A queue with a remote service, which is shown, and a local one whose processes a test ends. */
async function open(dataDir?: string) {
  const clock = new VirtualClock();
  const here = new FakeService(clock);
  const engineRig = await EngineRig.open({
    clock,
    other: { origin: HERE, service: here },
    ...(dataDir === undefined ? {} : { folder: dataDir }),
  });
  const { engine, folder } = engineRig;
  const ends: (() => void)[] = [];
  const pauses: (() => void)[] = [];
  const errors: unknown[] = [];
  const local = { isBroken: false, hangs: false };
  /** Addresses of the connections that were closed. */
  const closed: string[] = [];
  const firstWaits: (() => void)[] = [];
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
  const gate = new CallGate();
  const services = new QueueServices({
    engine,
    gate,
    settingsStore: new SettingsStore(new SettingsFile(folder, () => 0)),
    changes: new Serial(),
    connect: (choice, signal) => {
      if (local.isBroken) return Promise.reject(new Error('No port.'));
      if (!local.hangs) return Promise.resolve(linkTo(choice));
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('Stopped.')), { once: true });
      });
    },
    canCorrectProfiles: false,
    unavailable: (choice) => {
      const link = linkTo(choice);
      const unavailable = { code: 'service-unreachable', ...inEnglish('No port.') } as const;
      return { ...link, service: { ...link.service, unavailable } };
    },
    localOrigin: () => HERE,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        (ms === FIRST_WAIT_MS ? firstWaits : pauses).push(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      }),
    onError: (_, error) => errors.push(error),
  });
  onTestFinished(() => services.stop());
  services.begin(ELSEWHERE, linkTo(ELSEWHERE), undefined);
  return {
    engineRig,
    here,
    engine,
    gate,
    services,
    local,
    ends,
    pauses,
    firstWaits,
    errors,
    closed,
  };
}

test('the process of the service shown is started again, and no other service is affected', async () => {
  const { engine, services, ends, pauses, errors } = await open();
  await services.show(LOCAL, undefined);
  await engine.commands.queue.pause({ origin: engine.origin, what: 'sending' });
  const { signal } = new AbortController();
  const updates = engine.watch(undefined, signal);
  await updates.next();
  ends[0]?.();
  await expect.poll(() => pauses).toHaveLength(1);
  expect(await services.frame({})).toEqual({ kind: 'unavailable' });
  pauses[0]?.();
  await expect.poll(() => ends).toHaveLength(2);

  expect(services.shown).toMatchObject({ choice: LOCAL, origin: HERE });
  expect(engine.summary()).toMatchObject({
    flow: { state: 'paused' },
    others: [{ origin: ORIGIN, flow: { state: 'running' } }],
  });
  expect(errors).toEqual([]);
  await updates.return();
});

test('a service that could not be shown is tried again in the background', async () => {
  const { engine, services, local, ends, pauses } = await open();
  await services.show(LOCAL, undefined);
  await services.show(ELSEWHERE, undefined);
  local.isBroken = true;
  ends[0]?.();
  await expect.poll(() => pauses).toHaveLength(1);
  await expect(services.show(LOCAL, undefined)).rejects.toThrow('No port.');
  expect(services.shown.choice).toEqual(ELSEWHERE);
  expect(engine.summary().service.origin).toBe(ORIGIN);

  await expect.poll(() => pauses).toHaveLength(2);
  local.isBroken = false;
  pauses[1]?.();
  await expect.poll(() => ends).toHaveLength(2);
  await services.show(LOCAL, undefined);
  expect(ends).toHaveLength(2);
});

test('a first service that is unavailable is tried again until it is open, and shown', async () => {
  const { engineRig, here, engine, services, local, pauses, errors } = await open();
  local.isBroken = true;
  await services.showFirst(LOCAL, undefined, { pause: 'sending' });
  await expect.poll(() => pauses).toHaveLength(1);
  expect(services.shown).toMatchObject({ choice: LOCAL, origin: HERE });
  const failure = { message: 'No port.' };
  expect(engine.summary().flow).toMatchObject({ state: 'paused', failure });
  await services.resumeAll();
  expect(engine.summary().flow).toMatchObject({ state: 'blocked', failure });
  await engineRig.add(['One']);
  await engine.commands.service.tryNow();
  await engineRig.clock.advance(3_600_000);
  expect(here.videos).toEqual([]);
  expect(engine.summary().flow).toMatchObject({ state: 'blocked', failure });

  pauses[0]?.();
  await expect.poll(() => pauses).toHaveLength(2);
  local.isBroken = false;
  pauses[1]?.();
  await expect.poll(() => engine.summary().flow).toEqual({ state: 'running' });
  expect(services.shown.origin).toBe(HERE);
  await engineRig.until(async () => (await engineRig.job(0)).state === 'done');
  expect(here.videos).toHaveLength(1);
  expect(errors).toHaveLength(1);
});

test('a first service whose process hangs is shown as starting, and used once it has started', async () => {
  const { engine, services, local, ends, firstWaits } = await open();
  local.hangs = true;
  const shown = services.showFirst(LOCAL);
  await expect.poll(() => firstWaits).toHaveLength(1);
  local.hangs = false;
  firstWaits[0]?.();
  await shown;
  expect(services.shown).toMatchObject({ choice: LOCAL, origin: HERE });
  // It connects in the background.
  await expect.poll(() => ends.length).toBeGreaterThan(0);
  await expect.poll(() => engine.summary().flow).toEqual({ state: 'running' });
});

test('pausing all services pauses one that starts later, until all are resumed', async () => {
  const { engine, services, local, ends, pauses } = await open();
  local.isBroken = true;
  const flow = (): unknown => engine.summary().others[0]?.flow;
  await services
    .startFor({ ...settingsOfChoice(LOCAL, null), profile: null, start: true })
    .catch(() => undefined);
  await services.pauseAll('sending');
  local.isBroken = false;
  pauses[0]?.();
  await expect.poll(flow).toMatchObject({ state: 'paused' });
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
  await services.stop();
  await engineRig.close();
  const paused = await openHere();
  expect((await paused.update()).flow).toMatchObject({ state: 'paused', what: 'everything' });
  await paused.close();

  const again = await open(folder);
  again.local.isBroken = true;
  await again.services.startFor(wanted).catch(() => undefined);
  await again.services.resumeAll();
  await again.services.stop();
  await again.engineRig.close();
  expect((await (await openHere()).update()).flow).toMatchObject({ state: 'running' });
});

test('another service is shown while a call to one that hangs runs, and no call waits', async () => {
  const { engine, gate, services } = await open();
  const call = Promise.withResolvers<undefined>();
  const hanging = gate.run(
    () => ORIGIN,
    () => call.promise,
  );
  await services.show(LOCAL, undefined);
  expect(engine.summary().service.origin).toBe(HERE);
  expect(
    await gate.run(
      () => ORIGIN,
      () => Promise.resolve('answered'),
    ),
  ).toBe('answered');
  await services.show(ELSEWHERE, undefined);

  // Another profile replaces the session, which that call may still need.
  const renamed = services.show(ELSEWHERE, { ...storyboardProfile, name: 'Renamed' });
  let isReplaced = false;
  void renamed.then(() => (isReplaced = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isReplaced).toBe(false);
  call.resolve(undefined);
  await hanging;
  await renamed;
  expect(services.shown.profile?.name).toBe('Renamed');
});

test('a connection whose session cannot be opened is closed, and those in use are not', async () => {
  const { engine, services, closed } = await open();
  const show = vi.spyOn(engine, 'show');
  const fails = new Error('The keychain is locked.');
  show.mockRejectedValueOnce(fails);
  await expect(services.show(LOCAL, undefined)).rejects.toThrow(fails);
  expect(closed).toEqual([HERE]);
  expect(services.shown.choice).toEqual(ELSEWHERE);

  show.mockRejectedValueOnce(fails);
  await services.showFirst(LOCAL);
  expect(closed).toEqual([HERE, HERE]);
  await services.show(ELSEWHERE, undefined);
  expect(closed).toEqual([HERE, HERE]);
});

test('a connection with another certificate replaces the former one, which is closed', async () => {
  const { services, closed } = await open();
  await services.show({ ...ELSEWHERE, ca: { pem: 'another' } }, undefined);
  expect(closed).toEqual([ORIGIN]);
});
