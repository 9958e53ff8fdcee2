import { expect, onTestFinished, test } from 'vitest';
import { BackgroundServices } from '../../../src/host/background-services.ts';
import { CallGate } from '../../../src/host/call-gate.ts';
import type { ServiceChoice, ServiceLink } from '../../../src/host/service-link.ts';

const plan = { name: 'starter', anchor: 0 };
const LOCAL: ServiceChoice = { kind: 'local', plan: 'starter' };

function linkTo(choice: ServiceChoice) {
  const baseUrl = choice.kind === 'local' ? 'https://127.0.0.1:20000' : choice.baseUrl;
  const ended = Promise.withResolvers<undefined>();
  const link: ServiceLink = {
    ...{ choice, plan, drawFrame: null, ended: ended.promise },
    service: { name: 'a service', baseUrl },
    close: () => Promise.resolve(),
  };
  return { link, end: () => ended.resolve(undefined) };
}

/** What happened, in order; each pause ends when the test says so. */
function rig(connect: (choice: ServiceChoice) => Promise<ServiceLink>, gate = new CallGate()) {
  const happened: string[] = [];
  const worked = new Set<string>();
  const pauses: (() => void)[] = [];
  const services = new BackgroundServices({
    engine: {
      workAlso: ({ service }) => {
        happened.push(`work ${service.baseUrl}`);
        worked.add(service.baseUrl);
        return Promise.resolve();
      },
      stopWorking: (origin) => {
        happened.push(`stop ${origin}`);
        worked.delete(origin);
        return Promise.resolve();
      },
      isWorked: (origin) => worked.has(origin),
    },
    gate,
    connect,
    setupOf: ({ service, plan: ofLink }) => ({ service, plan: ofLink }),
    sleep: (_, signal) =>
      new Promise((resolve) => {
        pauses.push(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      }),
    onError: (_, error) => happened.push(String(error)),
  });
  onTestFinished(() => services.stop());
  return { services, happened, pauses };
}

test('a service whose process ends is stopped, and worked again by a new one', async () => {
  const links = [linkTo(LOCAL), linkTo(LOCAL)];
  const connected: ServiceLink[] = [];
  const { services, happened, pauses } = rig((choice) => {
    const { link } = links[connected.length] ?? linkTo(choice);
    connected.push(link);
    return Promise.resolve(link);
  });
  services.work(LOCAL);
  expect(await services.started(LOCAL)).toBe(links[0]?.link);
  links[0]?.end();
  await expect.poll(() => pauses).toHaveLength(1);
  pauses[0]?.();
  await expect.poll(() => connected).toHaveLength(2);
  await expect
    .poll(() => happened)
    .toEqual([
      ...['work https://127.0.0.1:20000', 'stop https://127.0.0.1:20000'],
      'work https://127.0.0.1:20000',
    ]);
});

test('a service that cannot be started is tried again, and holds up no other', async () => {
  const other: ServiceChoice = { kind: 'remote', baseUrl: 'https://other.example', plan };
  let isBroken = true;
  const { services, happened, pauses } = rig((choice) =>
    choice.kind === 'local' && isBroken
      ? Promise.reject(new Error('No port.'))
      : Promise.resolve(linkTo(choice).link),
  );
  services.work(LOCAL);
  services.work(other);
  await expect(services.started(LOCAL)).rejects.toThrow('No port.');
  expect(await services.started(other)).not.toBeNull();
  isBroken = false;
  pauses[0]?.();
  await expect.poll(() => happened).toContain('work https://127.0.0.1:20000');
  expect(happened).toContain('Error: No port.');
});

test('a service that is taken keeps its connection, and is left alone', async () => {
  const { link, end } = linkTo(LOCAL);
  const { services, happened } = rig(() => Promise.reject(new Error('It has one.')));
  services.work(LOCAL, link);
  await services.started(LOCAL);
  expect(await services.take(LOCAL)).toBe(link);
  end();
  expect(happened).toEqual(['work https://127.0.0.1:20000']);
  expect(await services.take(LOCAL)).toBeNull();
});

test('a session is replaced or closed while no call runs, and opened at any time', async () => {
  const gate = new CallGate();
  const { link, end } = linkTo(LOCAL);
  const { services, happened } = rig(() => Promise.resolve(link), gate);
  const call = Promise.withResolvers<undefined>();
  const running = gate.run(() => call.promise);
  services.work(LOCAL);
  await services.started(LOCAL);
  expect(happened).toEqual(['work https://127.0.0.1:20000']);

  const applied = services.applyProfiles();
  end();
  // A round of the event loop, in which either would have begun.
  await new Promise((resolve) => setImmediate(resolve));
  expect(happened).toHaveLength(1);
  call.resolve(undefined);
  await Promise.all([running, applied]);
  await expect
    .poll(() => happened.slice(1).toSorted())
    .toEqual(['stop https://127.0.0.1:20000', 'work https://127.0.0.1:20000']);
});
