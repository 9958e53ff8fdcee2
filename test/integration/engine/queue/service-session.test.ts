import { expect, test } from 'vitest';
import type { Service, ServiceLink, ServiceSetup } from '../../../../src/engine/engine-options.ts';
import { RETRY_MS } from '../../../../src/engine/service-session.ts';
import { EngineRig, profileWith } from '../../../rigs/engine-rig.ts';
import { FakeService } from '../../../rigs/fake-service.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';
import { commandsOf } from '../../../rigs/open-engine.ts';

const OTHER = 'https://other.example';
const plan = { name: 'custom', limit: 50, anchor: Date.UTC(2026, 0, 1) };
const setup: ServiceSetup = { service: { name: 'the other', baseUrl: OTHER }, plan };
const RENAMED = { ...profileWith({ origin: OTHER }, {}), name: 'Renamed' };

/** A queue that can run another service, whose connections a test makes, ends and breaks. */
async function open() {
  const clock = new VirtualClock();
  const other = new FakeService(clock);
  const rig = await EngineRig.open({ clock, other: { origin: OTHER, service: other } });
  const { engine, shown } = rig.engine;
  const events: string[] = [];
  const ends: (() => void)[] = [];
  const connecting = { error: null as Error | null, held: null as Promise<unknown> | null };
  const connect = async (connection: string): Promise<ServiceLink> => {
    events.push(`connect ${connection}`);
    await connecting.held;
    if (connecting.error) throw connecting.error;
    const { promise: ended, resolve } = Promise.withResolvers<undefined>();
    ends.push(() => resolve(undefined));
    const close = (): Promise<void> => {
      events.push(`close ${connection}`);
      return Promise.resolve();
    };
    return { ...setup, drawFrame: null, ended, close };
  };
  const want = (change: Partial<Service> = {}): void => {
    const { connection = 'first' } = change;
    const service = { id: OTHER, connection, profile: undefined, plan: undefined };
    engine.want([shown, { ...service, connect: () => connect(connection), ...change }]);
  };
  const unwant = (): void => engine.want([shown]);
  const failures = (): string[] =>
    rig.defects.map((each) => (each as { err?: unknown }).err).map(String);
  return { rig, engine, clock, other, want, unwant, events, ends, connecting, failures };
}

test('a service whose process ends is connected again, and its session stays open', async () => {
  const { engine, rig, clock, want, events, ends } = await open();
  want({ startUp: { pause: 'sending' } });
  await engine.whenOpen(OTHER);
  ends[0]?.();
  await clock.advance(RETRY_MS - 1);
  expect(engine.linkOf(OTHER)).toBeNull();
  expect(events).toEqual(['connect first']);
  expect(rig.engine.at(OTHER).summary().flow).toMatchObject({ state: 'paused' });
  await clock.advance(1);
  expect(engine.linkOf(OTHER)).not.toBeNull();
  expect(rig.engine.at(OTHER).summary().flow).toMatchObject({ state: 'paused' });
});

test('a service that does not connect is tried again later, and at once for those who wait', async () => {
  const { engine, rig, clock, want, events, connecting } = await open();
  connecting.error = new Error('No port.');
  want();
  await expect(engine.whenOpen(OTHER)).rejects.toThrow('No port.');
  expect(() => rig.engine.at(OTHER).summary()).toThrow('The queue has no such service.');
  await expect(engine.whenOpen(OTHER)).rejects.toThrow('No port.');
  expect(events).toHaveLength(2);
  await clock.advance(RETRY_MS);
  expect(events).toHaveLength(3);
  connecting.error = null;
  await engine.whenOpen(OTHER);
  expect(events).toHaveLength(4);
  await clock.advance(10 * RETRY_MS);
  expect(events).toHaveLength(4);
});

test('a failure is logged once while its reason stays the same, and again after it has worked', async () => {
  const { engine, clock, want, ends, connecting, failures } = await open();
  connecting.error = new Error('No port.');
  want();
  await clock.advance(2 * RETRY_MS);
  connecting.error = new Error('No certificate.');
  await clock.advance(RETRY_MS);
  connecting.error = null;
  await engine.whenOpen(OTHER);
  ends[0]?.();
  connecting.error = new Error('No port.');
  await clock.advance(2 * RETRY_MS);
  expect(failures()).toEqual(['Error: No port.', 'Error: No certificate.', 'Error: No port.']);
});

test('a service that is not wanted any more is closed, and not tried again', async () => {
  const { engine, rig, clock, want, unwant, events, ends } = await open();
  want();
  await engine.whenOpen(OTHER);
  unwant();
  const notInQueue = 'The queue has no such service.';
  expect(() => rig.engine.at(OTHER).summary()).toThrow(notInQueue);
  await expect(engine.whenOpen(OTHER)).rejects.toThrow(notInQueue);
  ends[0]?.();
  await clock.advance(10 * RETRY_MS);
  expect(events).toEqual(['connect first', 'close first']);
});

test('a service that is wanted again while its session closes is opened after that', async () => {
  const { engine, rig, clock, other, want, unwant, events } = await open();
  want();
  await engine.whenOpen(OTHER);
  other.latencyMs = 5000;
  const source = { name: 'There.csv', content: 'title\nOne' };
  const commands = commandsOf(rig.engine.at(OTHER));
  await commands.batches.add({ origin: OTHER, source, options: {} });
  await rig.until(() => other.asked.length === 1);
  unwant();
  want({ connection: 'second' });
  // The answer to the request is awaited.
  await clock.advance(4000);
  expect(events).toEqual(['connect first']);
  await rig.until(() => events.length === 3);
  expect(events).toEqual(['connect first', 'close first', 'connect second']);
  await engine.whenOpen(OTHER);
  await rig.until(() => rig.engine.at(OTHER).summary().counts.done === 1);
  expect(other.asked).toHaveLength(1);
});

test('waiting for a service fails when it is not wanted any more', async () => {
  const { engine, want, unwant, events, connecting } = await open();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  connecting.held = promise;
  want();
  const waiting = engine.whenOpen(OTHER);
  await expect.poll(() => events).toEqual(['connect first']);
  unwant();
  await expect(waiting).rejects.toThrow('The queue has no such service.');
  resolve(undefined);
  // What was connected too late is closed.
  await expect.poll(() => events).toEqual(['connect first', 'close first']);
});

test('a session is replaced when no call runs, and calls that arrive meanwhile wait', async () => {
  const { engine, rig, clock, other, want } = await open();
  want();
  await engine.whenOpen(OTHER);
  const view = rig.engine.at(OTHER);
  other.latencyMs = 60_000;
  const running = commandsOf(view).key.check();
  want({ profile: RENAMED });
  await clock.advance(30_000);
  let isListed = false;
  const listed = commandsOf(view)
    .jobs.list({ offset: 0, limit: 1 })
    .then(() => (isListed = true));
  // Calls to other services do not.
  await rig.jobs();
  await clock.advance(29_000);
  expect(isListed).toBe(false);
  expect(view.summary().service.name).toBe('the other');
  await clock.advance(1000);
  await Promise.all([running, listed, engine.whenOpen(OTHER)]);
  expect(view.summary().service.name).toBe('Renamed');
});

test('a call that fails does not delay the replacement of its session', async () => {
  const { engine, rig, want } = await open();
  want();
  await engine.whenOpen(OTHER);
  const commands = commandsOf(rig.engine.at(OTHER));
  await expect(commands.jobs.show({ id: '99' })).rejects.toThrow();
  want({ profile: RENAMED });
  await engine.whenOpen(OTHER);
  await commands.jobs.list({ offset: 0, limit: 1 });
});

test('a former connection has ended before another one is made', async () => {
  const { engine, want, events, connecting } = await open();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  connecting.held = promise;
  want();
  await expect.poll(() => events).toEqual(['connect first']);
  want({ connection: 'second' });
  // Turns of the event loop, in which it would have been made.
  for (let turn = 0; turn < 20; turn += 1) await new Promise((done) => setImmediate(done));
  expect(events).toEqual(['connect first']);
  resolve(undefined);
  await engine.whenOpen(OTHER);
  want({ connection: 'third' });
  await engine.whenOpen(OTHER);
  expect(events).toEqual([
    'connect first',
    'close first',
    'connect second',
    'close second',
    'connect third',
  ]);
});

test('a connection that leads to another service is closed and not used', async () => {
  const { engine, want, events } = await open();
  const elsewhere = { ...setup, service: { ...setup.service, baseUrl: 'https://third.example' } };
  const close = (): Promise<void> => Promise.resolve(void events.push('close'));
  const link = { ...elsewhere, drawFrame: null, ended: new Promise<void>(() => undefined), close };
  want({ connect: () => Promise.resolve(link) });
  await expect(engine.whenOpen(OTHER)).rejects.toThrow('leads to another service');
  expect(events).toEqual(['close']);
});

test('a service connects while its engine closes: the connection is closed, too', async () => {
  const { rig, want, events, connecting } = await open();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  connecting.held = promise;
  want();
  await expect.poll(() => events).toEqual(['connect first']);
  const closed = rig.close();
  resolve(undefined);
  await closed;
  expect(events).toEqual(['connect first', 'close first']);
  want({ connection: 'second' });
  expect(events).toHaveLength(2);
});
