import { expect, test, onTestFinished } from 'vitest';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import { systemClock } from '../../../src/engine/system-clock.ts';
import { checkLayoutsLocally } from '../../../src/host/local-layouts.ts';
import { linkService } from '../../../src/host/service-link.ts';
import { builtService } from '../../rigs/built-programs.ts';
import { jsonAnswer, ScriptedService } from '../../rigs/scripted-service.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const board = (text: string) => ({ title: 'A', aspect: '9:16', scenes: [{ kind: 'title', text }] });

test('the service on this computer knows which texts of a video would be hard to read', async () => {
  const options = { dataDir: temporaryFolder(), keys: new MemoryKeyStore() };
  const link = await linkService(
    { kind: 'local', plan: 'starter' },
    { ...options, serviceProgram: builtService },
  );
  onTestFinished(() => link.close());
  const word = 'w'.repeat(120);
  const found = await link.service.checkLayouts?.([board('Hello'), { no: 'video' }, board(word)]);
  expect(found).toMatchObject([[], [], [{ text: word, kind: 'broken-word' }]]);
});

test('sends fifty requests at a time, and knows nothing without a good answer', async () => {
  const answers: unknown[] = [Array(50).fill([]), Array(10).fill([]), [[]]];
  const service = await ScriptedService.start((_request, wire) => {
    wire.write(jsonAnswer(200, { success: true, issues: answers.shift() }));
  });
  onTestFinished(() => service.stop());
  const { url, ca } = service;
  const keys = new MemoryKeyStore();
  await keys.set(new URL(url).origin, 'svc_live_of-this-test');
  const check = checkLayoutsLocally({ url, ca, keys, clock: systemClock });
  expect(await check(Array(60).fill(board('Hello')))).toHaveLength(60);
  // An answer about fewer videos than were asked about.
  expect(await check([board('Hello'), board('Hello')])).toBeNull();
  expect(service.requests.map(({ path }) => path)).toEqual(Array(3).fill('/local/layouts'));
});
