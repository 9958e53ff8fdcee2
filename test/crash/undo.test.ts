import { expect, test } from 'vitest';
import { EngineRig, ORIGIN } from '../rigs/engine-rig.ts';
import { temporaryFolder } from '../rigs/temporary-folder.ts';
import { copyAtCommits } from './left-by-kills.ts';

/** Three transactions of an undo. */
const ROWS = 4500;

test('what was undone before a kill stays undone, and the rest can still be undone', async () => {
  const folders = { folder: temporaryFolder(), stateDir: temporaryFolder() };
  const undoing = await EngineRig.open(folders);
  const { jobs: held, queue } = undoing.engine.commands;
  await queue.pause({ origin: ORIGIN, what: 'sending' });
  await undoing.add(Array.from({ length: ROWS }, (_, index) => `Row ${index}`));
  const { step: undone } = await held.hold(await held.ids({ states: ['queued'], offset: 0 }));
  const kills = copyAtCommits(folders);
  await held.undo({ step: undone ?? '' });
  const around = kills.map(({ nth, when }) => `${when} ${nth}`);
  expect(around).toEqual([1, 2, 3, 4].flatMap((nth) => [`before ${nth}`, `after ${nth}`]));

  // Until the next commit, what a commit left stays as it is.
  for (const { nth, folder, stateDir } of kills.filter(({ when }) => when === 'before')) {
    const at = `killed before commit ${nth}`;
    const rig = await EngineRig.open({ folder, stateDir });
    const { jobs } = rig.engine.commands;
    const inState = async (state: 'queued' | 'held'): Promise<number> =>
      (await jobs.ids({ states: [state], offset: 0 })).ids.length;
    const left = Math.max(ROWS - 2000 * (nth - 1), 0);
    expect([await inState('queued'), await inState('held')], at).toEqual([ROWS - left, left]);
    if (left > 0) {
      const [step] = await jobs.undoSteps();
      const undone = await jobs.undo({ step: step?.id ?? '' });
      expect(undone, at).toEqual({ command: 'hold', changed: left, refused: [] });
      expect([await inState('queued'), await inState('held')], at).toEqual([ROWS, 0]);
    }
    await rig.close();
  }
});
