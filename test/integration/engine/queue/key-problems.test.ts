import { describe, expect, test } from 'vitest';
import type { Flow } from '../../../../src/contract/summary.ts';
import { userMessage } from '../../../../src/contract/user-message.ts';
import { openKeyStore } from '../../../../src/engine/keys/key-store.ts';
import { EngineRig, ORIGIN } from '../../../rigs/engine-rig.ts';
import { FakeKeychain } from '../../../rigs/fake-keychain.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const MINUTE = 60_000;

function obstacle(flow: Flow): string {
  return flow.state === 'blocked' ? flow.failure.code : flow.state;
}

test('a refused key stops the queue, which keeps its rows until a key works', async () => {
  const rig = await EngineRig.open();
  rig.service.keyIs = 'refused';
  await rig.add(['One', 'Two']);
  await rig.clock.advance(30 * MINUTE);

  expect(obstacle((await rig.update()).flow)).toBe('key-refused');
  expect(rig.service.asked).toHaveLength(1);
  expect((await rig.jobs()).map(({ state }) => state)).toEqual(['queued', 'queued']);
  // It is unknown when the next key will be entered.
  expect((await rig.job(0)).forecast).toEqual({ sendAt: null, readyAt: null, savedAt: null });
  expect((await rig.update()).quota).toMatchObject({ used: 0, held: 0 });

  rig.service.keyIs = 'accepted';
  const set = rig.engine.commands.key.set({ origin: ORIGIN, value: 'svc_live_another_key_wxyz' });
  await rig.clock.advance(1000);
  expect(await set).toMatchObject({ state: 'accepted', lastFour: 'wxyz' });
  await rig.until(async () => (await rig.update()).counts.done === 2);
});

test('a key entered while the previous one is being refused stays in use', async () => {
  const rig = await EngineRig.open();
  rig.service.latencyMs = 10_000;
  const failure = {
    code: 'key-refused',
    ...userMessage('verbatim', { text: 'The key is not valid.' }),
  } as const;
  rig.service.nextGenerate.push({
    kind: 'key-refused',
    failure,
    response: rig.service.response(401),
  });
  await rig.add(['One']);
  await rig.until(() => rig.service.asked.length === 1);

  rig.service.latencyMs = 100;
  const set = rig.engine.commands.key.set({ origin: ORIGIN, value: 'svc_live_another_key_wxyz' });
  await rig.clock.advance(1000);
  await set;

  await rig.until(async () => (await rig.job(0)).state === 'done');
});

test('without a key nothing is sent', async () => {
  const rig = await EngineRig.open({ key: null });
  await rig.add(['One']);
  await rig.clock.advance(5 * MINUTE);

  expect(obstacle((await rig.update()).flow)).toBe('key-missing');
  expect(rig.service.asked).toEqual([]);
});

// abuse.md 21
test.each<[when: string, act: (rig: EngineRig) => Promise<unknown>]>([
  ['a batch is added', (rig) => rig.add(['Two'])],
  ['the queue is resumed', ({ engine }) => engine.commands.queue.resume({ origin: engine.origin })],
  ['the key is tested', ({ engine }) => engine.commands.key.check()],
])('a key in a keychain that was locked at the start is used when %s', async (_when, act) => {
  const clock = new VirtualClock();
  const keychain = new FakeKeychain();
  const store = await openKeyStore({ clock, loadKeychain: () => Promise.resolve(keychain) });
  await store.set(ORIGIN, 'svc_live_from_an_earlier_run');
  keychain.trouble = 'locked';
  const keys = await openKeyStore({
    clock,
    loadKeychain: () => Promise.resolve(keychain),
  });
  const rig = await EngineRig.open({ clock, keys, key: null });
  await rig.add(['One']);
  await clock.advance(5 * MINUTE);
  expect(obstacle((await rig.update()).flow)).toBe('key-missing');
  const tried = keychain.calls;

  keychain.trouble = 'none';
  await clock.advance(60 * MINUTE);
  // A read can show a prompt, so only the user's actions cause one.
  expect(keychain.calls).toBe(tried);
  const done = act(rig);

  await rig.until(async () => (await rig.job(0)).state === 'done');
  await done;
  expect((await rig.update()).key).toMatchObject({ keptIn: 'keychain', trouble: null });
});

test('a key that the service refuses does not replace the one in use', async () => {
  const rig = await EngineRig.open();
  await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'submitted');
  const before = (await rig.update()).key;

  rig.service.keyIs = 'refused';
  const set = rig.engine.commands.key.set({ origin: ORIGIN, value: 'svc_live_mistyped_wxyz' });
  await rig.clock.advance(1000);
  expect(await set).toMatchObject({ entered: 'refused', lastFour: before.lastFour });

  rig.service.keyIs = 'accepted';
  expect((await rig.update()).key).toEqual(before);
  await rig.until(async () => (await rig.job(0)).state === 'done');
});

test('a key that nobody could check does not replace one that works', async () => {
  const rig = await EngineRig.open();
  await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'submitted');
  const before = (await rig.update()).key;
  const failure = {
    code: 'service-unreachable',
    ...userMessage('verbatim', { text: 'No answer.' }),
  } as const;
  rig.service.trouble = { kind: 'unreachable', failure, response: null };

  const set = rig.engine.commands.key.set({ origin: ORIGIN, value: 'svc_live_another_key_wxyz' });
  await rig.clock.advance(1000);
  expect(await set).toMatchObject({ entered: 'unchecked', lastFour: before.lastFour });
});

test('a key whose check ends after another change is not used', async () => {
  const rig = await EngineRig.open();
  rig.service.latencyMs = 10_000;
  const { key } = rig.engine.commands;
  const slow = key.set({ origin: ORIGIN, value: 'svc_live_another_key_wxyz' });
  slow.catch(() => undefined);
  await rig.clock.advance(1000);
  await key.forget({ origin: ORIGIN });
  await rig.clock.advance(20_000);
  await expect(slow).rejects.toMatchObject({
    failure: { says: [{ sentence: 'key-changed-meanwhile' }] },
  });
  expect((await rig.update()).key.state).toBe('absent');
});

test('a first key that nobody could check is kept, and checked later', async () => {
  const rig = await EngineRig.open({ key: null });
  const failure = {
    code: 'service-unreachable',
    ...userMessage('verbatim', { text: 'No answer.' }),
  } as const;
  rig.service.trouble = { kind: 'unreachable', failure, response: null };
  const set = rig.engine.commands.key.set({ origin: ORIGIN, value: 'svc_live_another_key_wxyz' });
  await rig.clock.advance(1000);
  expect(await set).toMatchObject({ entered: 'unchecked', state: 'untested', lastFour: 'wxyz' });
});

test.each(['svc_live_with a space', 'svc_live_with\na line', 'svc_live_ä', 'svc_live_\u00a0x'])(
  'a key with a character that no key has is an error: %j',
  async (value) => {
    const rig = await EngineRig.open();
    const before = (await rig.update()).key;
    await expect(rig.engine.commands.key.set({ origin: ORIGIN, value })).rejects.toMatchObject({
      failure: { code: 'value-invalid', says: [{ sentence: 'key-malformed' }] },
    });
    expect((await rig.update()).key).toEqual(before);
  },
);

test('spaces and line ends around a key are removed', async () => {
  const rig = await EngineRig.open({ key: null });
  const value = '\u00a0 svc_live_another_key_wxyz\r\n';
  const set = rig.engine.commands.key.set({ origin: ORIGIN, value });
  await rig.clock.advance(1000);
  expect(await set).toMatchObject({ entered: 'accepted', state: 'accepted', lastFour: 'wxyz' });
});

describe('on this computer', () => {
  const value = 'svc_live_typed_by_hand';
  const newKey = (): Promise<string> => Promise.resolve('svc_live_of_this_computer');

  test('no key is entered by hand', async () => {
    const rig = await EngineRig.open({ newKey });
    const before = (await rig.update()).key;
    const refused = { failure: { says: [{ sentence: 'key-of-this-computer' }] } };
    const { commands } = rig.engine;
    await expect(commands.key.set({ origin: ORIGIN, value })).rejects.toMatchObject(refused);
    expect((await rig.update()).key).toEqual(before);
  });

  test('a key that is refused is replaced by a new one', async () => {
    const rig = await EngineRig.open({ newKey });
    rig.service.keyIs = 'refused';
    await rig.add(['One']);
    await rig.clock.advance(MINUTE);
    expect(obstacle((await rig.update()).flow)).toBe('key-refused');

    rig.service.keyIs = 'accepted';
    const restored = rig.engine.commands.key.renew({ origin: ORIGIN });
    await rig.clock.advance(1000);
    expect(await restored).toMatchObject({ state: 'accepted', lastFour: 'uter' });
    await rig.until(async () => (await rig.job(0)).state === 'done');
  });

  test('a service elsewhere has no new key to give', async () => {
    const rig = await EngineRig.open();
    await expect(rig.engine.commands.key.renew({ origin: ORIGIN })).rejects.toMatchObject({
      failure: { code: 'not-possible-now' },
    });
  });
});
