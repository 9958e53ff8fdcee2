import { expect, test } from 'vitest';
import { EngineRig } from '../../../rigs/engine-rig.ts';

test('the key’s status tells since when it is there, also after a restart', async () => {
  const rig = await EngineRig.open({ key: null });
  expect(rig.engine.summary().key.since).toBeNull();

  const entered = rig.clock.now();
  const set = rig.engine.setKey('svc_live_ABCDEFGHIJKLMNOP');
  await rig.until(() => rig.engine.summary().key.state === 'accepted');

  expect(await set).toMatchObject({ lastFour: 'MNOP', since: entered });
  await rig.close();
  const again = await EngineRig.open({ folder: rig.folder, clock: rig.clock });
  expect(again.engine.summary().key.since).toBe(entered);
  expect((await again.engine.forgetKey()).since).toBeNull();
});
