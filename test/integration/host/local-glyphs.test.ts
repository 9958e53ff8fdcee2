import { expect, test, onTestFinished } from 'vitest';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import { systemClock } from '../../../src/engine/system-clock.ts';
import { findUndrawableLocally } from '../../../src/host/local-glyphs.ts';
import { linkService } from '../../../src/host/service-link.ts';
import { builtService } from '../../rigs/built-programs.ts';
import { jsonAnswer, ScriptedService } from '../../rigs/scripted-service.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

/** Never assigned, so no computer has a font for it. */
const UNASSIGNED = '\u{378}';

test('the service on this computer knows which characters its fonts lack', async () => {
  const options = { dataDir: temporaryFolder(), keys: new MemoryKeyStore() };
  const link = await linkService(
    { kind: 'local', plan: 'starter' },
    { ...options, serviceProgram: builtService },
  );
  onTestFinished(() => link.close());
  const found = await link.service.findUndrawable?.(new Set(['ж', UNASSIGNED, 'é']));
  expect(found).toEqual(new Set([UNASSIGNED]));
});

test('asks once about what can be drawn, and knows nothing without a good answer', async () => {
  const answers = [{ undrawable: ['𓀀'] }, { undrawable: ['𓀀'] }, { undrawable: 'all' }];
  const service = await ScriptedService.start((_request, wire) => {
    wire.write(jsonAnswer(200, { success: true, ...answers.shift() }));
  });
  onTestFinished(() => service.stop());
  const { url, ca } = service;
  const keys = new MemoryKeyStore();
  await keys.set(new URL(url).origin, 'svc_live_of-this-test');
  const find = findUndrawableLocally({ url, ca, keys, clock: systemClock });
  expect(await find(new Set(['ж', '𓀀']))).toEqual(new Set(['𓀀']));
  expect(await find(new Set(['ж']))).toEqual(new Set());
  expect(await find(new Set(['ж', '𓀀']))).toEqual(new Set(['𓀀']));
  expect(await find(new Set(['𓀁']))).toBeNull();
  expect(service.requests.map(({ path }) => path)).toEqual(Array(3).fill('/local/glyphs'));
  expect(String(service.requests[1]?.body)).not.toContain('ж');
});
