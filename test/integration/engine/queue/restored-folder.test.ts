import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { EngineRig } from '../../../rigs/engine-rig.ts';
import { FakeService, offline } from '../../../rigs/fake-service.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const HOUR = 3_600_000;

/** A queue whose folder was copied while it ran, with two videos to send, and that sent them since. */
async function sentSinceCopied() {
  const clock = new VirtualClock();
  const service = new FakeService(clock);
  const common = { clock, service, folder: temporaryFolder(), stateDir: temporaryFolder() };
  const copy = temporaryFolder();
  const rig = await EngineRig.open(common);
  await rig.add(['One', 'Two']);
  await rig.until(async () => (await rig.update()).counts.done === 2);
  service.trouble = offline;
  await rig.add(['Three', 'Four'], 'More.csv');
  cpSync(common.folder, copy, { recursive: true });
  service.trouble = null;
  await rig.until(async () => (await rig.update()).counts.done === 4);
  await rig.close();
  expect(service.asked).toHaveLength(4);
  return { ...common, copy };
}

/** Writes a copy's files over those of a folder and removes all others: no inode number changes. */
function writeBack(copy: string, folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!readdirSync(copy).includes(name)) rmSync(path.join(folder, name), { recursive: true });
  }
  for (const { name } of readdirSync(copy, { withFileTypes: true }).filter((it) => it.isFile())) {
    writeFileSync(path.join(folder, name), readFileSync(path.join(copy, name)));
  }
}

// abuse.md 64
test('a folder that was restored in place asks before it sends, and what left since is uncertain', async () => {
  const { copy, ...common } = await sentSinceCopied();
  for (let restored = 0; restored < 2; restored++) {
    writeBack(copy, common.folder);
    for (let start = 0; start < 2; start++) {
      const rig = await EngineRig.open(common);
      await rig.clock.advance(HOUR);

      const { flow, counts } = await rig.update();
      expect(flow).toMatchObject({ state: 'blocked', failure: { code: 'store-copied' } });
      expect(flow.state === 'blocked' && flow.failure.message).toContain(': 2.');
      expect(counts).toMatchObject({ done: 2, uncertain: 2, queued: 0 });
      await rig.close();
    }
  }
  const rig = await EngineRig.open(common);
  await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
  await rig.add(['Five'], 'Later.csv');
  await rig.until(async () => (await rig.update()).counts.done === 3);
  await rig.close();
  expect(common.service.asked).toHaveLength(5);

  const again = await EngineRig.open(common);
  await again.add(['Six'], 'Last.csv');
  await again.until(async () => (await again.update()).counts.done === 4);
});
