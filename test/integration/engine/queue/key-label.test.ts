import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { EngineRig, ORIGIN } from '../../../rigs/engine-rig.ts';

const KEY = 'svc_live_ABCDEFGHIJKLMNOP';

/** An engine whose user has just entered a key. */
async function withKey(label: string | null): Promise<EngineRig> {
  const rig = await EngineRig.open({ key: null });
  const set = rig.engine.commands.key.set({ origin: ORIGIN, value: KEY, label });
  await rig.until(() => rig.engine.summary().key.state === 'accepted');
  await set;
  return rig;
}

test('the key’s status has its name and when it was added, also after a restart', async () => {
  const rig = await EngineRig.open({ key: null });
  expect(rig.engine.summary().key).toMatchObject({ since: null, label: null });

  const entered = rig.clock.now();
  const set = rig.engine.commands.key.set({ origin: ORIGIN, value: KEY, label: 'Studio' });
  await rig.until(() => rig.engine.summary().key.state === 'accepted');

  expect(await set).toMatchObject({ lastFour: 'MNOP', since: entered, label: 'Studio' });
  await rig.close();
  expect(readFileSync(path.join(rig.folder, 'keys.json'), 'utf8')).not.toContain('svc_live_');
  const again = await EngineRig.open({ folder: rig.folder, clock: rig.clock });
  expect(again.engine.summary().key).toMatchObject({ since: entered, label: 'Studio' });
});

// abuse.md 17
test('a label that contains the key of any service is refused, and not stored', async () => {
  const key = 'rw_0123456789';
  const rig = await EngineRig.open({ key: null });
  const { commands } = rig.engine;
  const set = commands.key.set({ origin: ORIGIN, value: ` ${key} `, label: `my ${key}` });
  await expect(set).rejects.toMatchObject({ failure: { code: 'not-possible-now' } });
  expect(rig.engine.summary().key).toMatchObject({ state: 'absent', label: null });

  const labelled = commands.key.set({ origin: ORIGIN, value: key, label: 'Studio' });
  await rig.until(() => rig.engine.summary().key.state === 'accepted');
  await labelled;
  const renamed = Promise.resolve().then(() =>
    commands.key.label({ origin: ORIGIN, label: `${key} (old)` }),
  );
  await expect(renamed).rejects.toMatchObject({ failure: { code: 'not-possible-now' } });
  expect(rig.engine.summary().key.label).toBe('Studio');
});

test('a key is relabelled without being entered again', async () => {
  const rig = await withKey('Studio');
  const { since } = rig.engine.summary().key;

  expect(await rig.engine.commands.key.label({ origin: ORIGIN, label: 'Mine' })).toMatchObject({
    label: 'Mine',
    since,
  });
  expect((await rig.update()).key.label).toBe('Mine');
  expect(await rig.engine.commands.key.label({ origin: ORIGIN, label: null })).toMatchObject({
    label: null,
    since,
  });
});

test('a label is forgotten with its key, and is not kept without one', async () => {
  const rig = await withKey('Studio');
  expect(await rig.engine.commands.key.forget({ origin: ORIGIN })).toMatchObject({
    since: null,
    label: null,
  });
  await rig.engine.commands.key.label({ origin: ORIGIN, label: 'Of no key' });
  await rig.close();

  const again = await EngineRig.open({ folder: rig.folder, clock: rig.clock });
  expect(again.engine.summary().key).toMatchObject({ state: 'untested', label: null });
});

test('a damaged label file, or one that contains a key, is ignored', async () => {
  for (const text of [
    '{',
    JSON.stringify({ 'https://service.example': { since: 1, label: KEY } }),
  ]) {
    const rig = await withKey('Studio');
    await rig.close();
    writeFileSync(path.join(rig.folder, 'keys.json'), text);
    const again = await EngineRig.open({ folder: rig.folder, clock: rig.clock });
    expect(again.engine.summary().key).toMatchObject({
      state: 'untested',
      since: null,
      label: null,
    });
  }
});

test('a key of another service than the session’s is neither kept, labelled nor forgotten', async () => {
  const rig = await withKey('Studio');
  const { commands } = rig.engine;
  const origin = 'https://other.example';
  const refused = { failure: { code: 'not-possible-now' } };
  for (const call of [
    () => commands.key.set({ origin, value: 'svc_live_of_another_service' }),
    () => commands.key.label({ origin, label: 'Other' }),
    () => commands.key.forget({ origin }),
  ]) {
    await expect(call()).rejects.toMatchObject(refused);
  }
  expect(rig.engine.summary().key).toMatchObject({ lastFour: 'MNOP', label: 'Studio' });
});
