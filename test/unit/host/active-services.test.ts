import { expect, onTestFinished, test } from 'vitest';
import type { ServiceSetup } from '../../../src/engine/engine-options.ts';
import { CallGate } from '../../../src/host/call-gate.ts';
import type { ServiceChoice, ServiceLink } from '../../../src/host/service-link.ts';
import { ActiveServices } from '../../../src/host/active-services.ts';

const plan = { name: 'starter', anchor: 0 };
const LOCAL: ServiceChoice = { kind: 'local', plan: 'starter' };
const HERE = 'https://127.0.0.1:20000';

function linkTo(choice: ServiceChoice) {
  const baseUrl = choice.kind === 'local' ? HERE : choice.baseUrl;
  const ended = Promise.withResolvers<undefined>();
  const link: ServiceLink = {
    plan,
    drawFrame: null,
    ended: ended.promise,
    service: { name: 'a service', baseUrl },
    close: () => Promise.resolve(),
  };
  return { link, end: () => ended.resolve(undefined) };
}

/** Services with a log of events. The test ends each pause. */
function rig(connect: (choice: ServiceChoice) => Promise<ServiceLink>, gate = new CallGate()) {
  const happened: string[] = [];
  const active = new Map<string, ServiceSetup>();
  const pauses: (() => void)[] = [];
  const opening = { isDone: Promise.resolve() };
  const profile = { name: 'first' };
  const services = new ActiveServices({
    engine: {
      start: async (setup, startUp) => {
        await opening.isDone;
        if (active.has(setup.service.baseUrl)) return;
        happened.push(`start ${setup.service.baseUrl} ${JSON.stringify(startUp)}`);
        active.set(setup.service.baseUrl, setup);
      },
      adapt: (setup) => {
        happened.push(`adapt ${setup.service.baseUrl} ${setup.service.name}`);
        active.set(setup.service.baseUrl, setup);
        return Promise.resolve();
      },
      isActive: (origin) => active.has(origin),
      isActiveWith: ({ service }) => active.get(service.baseUrl)?.service.name === service.name,
    },
    gate,
    connect,
    setupOf: (_, { service, plan: ofLink }) => ({
      service: { ...service, name: profile.name },
      plan: ofLink,
    }),
    sleep: (_, signal) =>
      new Promise((resolve) => {
        pauses.push(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      }),
    onError: (_, error) => happened.push(String(error)),
  });
  onTestFinished(() => services.stop());
  return { services, happened, pauses, opening, profile };
}

test('a service whose process ends is started again, and keeps its pause', async () => {
  const links = [linkTo(LOCAL), linkTo(LOCAL)];
  const connected: ServiceLink[] = [];
  const { services, happened, pauses } = rig((choice) => {
    const { link } = links[connected.length] ?? linkTo(choice);
    connected.push(link);
    return Promise.resolve(link);
  });
  services.start(LOCAL, { startUp: 'run' });
  await services.started(LOCAL);
  expect(services.linkOf(LOCAL)).toBe(links[0]?.link);
  links[0]?.end();
  await expect.poll(() => pauses).toHaveLength(1);
  expect(services.linkOf(LOCAL)).toBeNull();
  const again = services.started(LOCAL);
  pauses[0]?.();
  await again;
  expect(services.linkOf(LOCAL)).toBe(links[1]?.link);
  expect(happened).toEqual([`start ${HERE} "run"`]);
});

test('a service that cannot be started is tried again, and delays no other', async () => {
  const other: ServiceChoice = { kind: 'remote', baseUrl: 'https://other.example', plan };
  let isBroken = true;
  const { services, happened, pauses } = rig((choice) =>
    choice.kind === 'local' && isBroken
      ? Promise.reject(new Error('No port.'))
      : Promise.resolve(linkTo(choice).link),
  );
  services.start(LOCAL);
  services.start(other);
  await expect(services.started(LOCAL)).rejects.toThrow('No port.');
  await services.started(other);
  isBroken = false;
  pauses[0]?.();
  await expect.poll(() => happened).toContain(`start ${HERE} "as-last-time"`);
  expect(happened).toContain('Error: No port.');
  // A new caller does not get the earlier failure.
  await services.started(LOCAL);
});

test('a failure is reported once while its reason stays the same, and again after a start', async () => {
  const failures = ['No port.', 'No port.', 'No certificate.', null, 'No port.'];
  const { link, end } = linkTo(LOCAL);
  const { services, happened, pauses } = rig(() => {
    const failure = failures.shift() ?? null;
    return failure === null ? Promise.resolve(link) : Promise.reject(new Error(failure));
  });
  services.start(LOCAL);
  for (const attempt of [0, 1, 2]) {
    await expect.poll(() => pauses).toHaveLength(attempt + 1);
    pauses[attempt]?.();
  }
  await expect.poll(() => happened).toContain(`start ${HERE} "as-last-time"`);
  end();
  await expect.poll(() => pauses).toHaveLength(4);
  pauses[3]?.();
  await expect.poll(() => pauses).toHaveLength(5);
  expect(happened.filter((each) => each.startsWith('Error'))).toEqual([
    'Error: No port.',
    'Error: No certificate.',
    'Error: No port.',
  ]);
});

test('a service that is taken keeps its connection, and is not restarted', async () => {
  const { link, end } = linkTo(LOCAL);
  const { services, happened } = rig(() => Promise.reject(new Error('It has one.')));
  services.start(LOCAL, { link });
  await services.started(LOCAL);
  expect(await services.take(LOCAL)).toMatchObject({ choice: LOCAL, link });
  end();
  expect(happened).toEqual([`start ${HERE} "as-last-time"`]);
  expect(await services.take(LOCAL)).toBeNull();
});

test('waiting for a service fails when it is taken meanwhile', async () => {
  const connecting = Promise.withResolvers<ServiceLink>();
  const { services } = rig(() => connecting.promise);
  services.start(LOCAL);
  const started = services.started(LOCAL);
  const taken = services.take(LOCAL);
  connecting.resolve(linkTo(LOCAL).link);
  await taken;
  await expect(started).rejects.toThrow('The connection to the service was being renewed.');
});

test('a session is opened at any time, and replaced while no call runs', async () => {
  const gate = new CallGate();
  const { link } = linkTo(LOCAL);
  const { services, happened, profile } = rig(() => Promise.resolve(link), gate);
  const call = Promise.withResolvers<undefined>();
  const running = gate.run(
    () => HERE,
    () => call.promise,
  );
  services.start(LOCAL);
  await services.started(LOCAL);
  expect(happened).toEqual([`start ${HERE} "as-last-time"`]);

  profile.name = 'second';
  const applied = services.applyProfiles();
  // One turn of the event loop, in which the replacement would have begun.
  await new Promise((resolve) => setImmediate(resolve));
  expect(happened).toHaveLength(1);
  call.resolve(undefined);
  await Promise.all([running, applied]);
  expect(happened.slice(1)).toEqual([`adapt ${HERE} second`]);
});

test('a profile that changes while a session opens is applied when no call runs', async () => {
  const gate = new CallGate();
  const opened = Promise.withResolvers<undefined>();
  const { services, happened, profile, opening } = rig(
    () => Promise.resolve(linkTo(LOCAL).link),
    gate,
  );
  opening.isDone = opened.promise;
  services.start(LOCAL);
  await new Promise((resolve) => setImmediate(resolve));
  profile.name = 'second';
  await services.applyProfiles();
  const call = Promise.withResolvers<undefined>();
  const running = gate.run(
    () => HERE,
    () => call.promise,
  );
  opened.resolve(undefined);
  await new Promise((resolve) => setImmediate(resolve));
  expect(happened).toEqual([`start ${HERE} "as-last-time"`]);
  call.resolve(undefined);
  await Promise.all([running, services.started(LOCAL)]);
  expect(happened.slice(1)).toEqual([`adapt ${HERE} second`]);
});

test('a service is started again with the plan that it was changed to', async () => {
  const larger: ServiceChoice = { kind: 'local', plan: 'business' };
  const first = linkTo(LOCAL);
  const connected: ServiceChoice[] = [];
  const { services, pauses } = rig((choice) => {
    connected.push(choice);
    return Promise.resolve(connected.length === 1 ? first.link : linkTo(choice).link);
  });
  services.start(LOCAL);
  await services.started(LOCAL);
  services.changePlan(larger);
  first.end();
  await expect.poll(() => pauses).toHaveLength(1);
  pauses[0]?.();
  await expect.poll(() => connected).toEqual([LOCAL, larger]);
});

test('no service is started once all have stopped', async () => {
  const { services, happened } = rig((choice) => Promise.resolve(linkTo(choice).link));
  await services.stop();
  services.start(LOCAL);
  expect(services.has(LOCAL)).toBe(false);
  await new Promise((resolve) => setImmediate(resolve));
  expect(happened).toEqual([]);
});
