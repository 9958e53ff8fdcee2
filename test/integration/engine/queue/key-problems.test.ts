import { expect, test } from 'vitest';
import type { Flow } from '../../../../src/contract/summary.ts';
import { inEnglish } from '../../../../src/contract/user-message.ts';
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
  const failure = { code: 'key-refused', ...inEnglish('The key is not valid.') } as const;
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
