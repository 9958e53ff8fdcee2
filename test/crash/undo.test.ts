import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BundledProgram } from '../rigs/bundled-program.ts';
import { EngineRig, ORIGIN } from '../rigs/engine-rig.ts';
import { temporaryFolder } from '../rigs/temporary-folder.ts';

/** Three transactions of an undo. */
const ROWS = 4500;

test('what was undone before a kill stays undone, and the rest can still be undone', async () => {
  const program = await BundledProgram.build(path.join(import.meta.dirname, 'undo-process.ts'));
  onTestFinished(() => program.remove());
  const [folder, stateDir] = [temporaryFolder(), temporaryFolder()];
  const before = await EngineRig.open({ folder, stateDir });
  await before.engine.commands.queue.pause({ origin: ORIGIN, what: 'sending' });
  await before.add(Array.from({ length: ROWS }, (_, index) => `Row ${index}`));
  await before.close();
  for (const killAt of [1, 2, 3, 4].flatMap((nth) => [
    { nth, when: 'before' },
    { nth, when: 'after' },
  ])) {
    const args = [program.file, folder, stateDir, JSON.stringify(killAt)];
    const { signal, stderr } = spawnSync(process.execPath, args, {
      env: program.env,
      encoding: 'utf8',
    });
    expect([signal, stderr], JSON.stringify(killAt)).toEqual(['SIGKILL', '']);

    const rig = await EngineRig.open({ folder, stateDir });
    const { jobs } = rig.engine.commands;
    const inState = async (state: 'queued' | 'held'): Promise<number> =>
      (await jobs.ids({ states: [state], offset: 0 })).ids.length;
    const done = killAt.nth - (killAt.when === 'before' ? 1 : 0);
    expect(await inState('queued'), JSON.stringify(killAt)).toBe(Math.min(2000 * done, ROWS));
    const [step] = await jobs.undoSteps();
    if (step?.undoneAt === null) {
      const left = await inState('held');
      const undone = await jobs.undo({ step: step.id });
      expect(undone).toEqual({ command: 'hold', changed: left, refused: [] });
    }
    expect([await inState('queued'), await inState('held')]).toEqual([ROWS, 0]);
    await rig.close();
  }
});
