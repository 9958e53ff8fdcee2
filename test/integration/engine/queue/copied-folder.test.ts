import { cpSync, renameSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { EngineRig } from '../../../rigs/engine-rig.ts';
import { offline } from '../../../rigs/fake-service.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const HOUR = 3_600_000;

/** A data folder whose engine was closed before it could send what is queued. */
async function queueOf(titles: readonly string[]): Promise<string> {
  const rig = await EngineRig.open();
  rig.service.trouble = offline;
  await rig.add(titles);
  await rig.close();
  return rig.folder;
}

function copyOf(folder: string): string {
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true });
  return copy;
}

test('a copied queue sends nothing until its owner says that it is the one to go on', async () => {
  const folder = copyOf(await queueOf(['One', 'Two']));
  const first = await EngineRig.open({ folder });
  await first.clock.advance(HOUR);
  expect(first.service.asked).toEqual([]);
  await first.close();

  const rig = await EngineRig.open({ folder });
  await rig.clock.advance(HOUR);
  expect((await rig.update()).flow).toMatchObject({
    state: 'blocked',
    failure: { code: 'store-copied' },
  });
  expect(rig.service.asked).toEqual([]);

  await rig.engine.resume();
  await rig.until(async () => (await rig.update()).counts.done === 2);
});

test.each([
  ['the original of a copy', (folder: string) => (copyOf(folder), folder)],
  [
    'a folder that was renamed',
    (folder: string) => {
      const renamed = path.join(temporaryFolder(), 'renamed');
      renameSync(folder, renamed);
      return renamed;
    },
  ],
])('%s goes on by itself', async (_what, after) => {
  const folder = after(await queueOf(['One']));

  const rig = await EngineRig.open({ folder });

  await rig.until(async () => (await rig.update()).counts.done === 1);
});

test('a copy with nothing left to send asks nobody', async () => {
  const original = await EngineRig.open();
  await original.add(['One']);
  await original.until(async () => (await original.update()).counts.done === 1);
  await original.close();

  const rig = await EngineRig.open({ folder: copyOf(original.folder) });

  expect((await rig.update()).flow).toEqual({ state: 'running' });
});
