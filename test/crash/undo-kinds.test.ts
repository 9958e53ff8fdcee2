import { expect, test } from 'vitest';
import type { UndoCommand } from '../../src/contract/undo-words.ts';
import { EngineRig, ORIGIN } from '../rigs/engine-rig.ts';
import { temporaryFolder } from '../rigs/temporary-folder.ts';
import { copyAtCommits } from './left-by-kills.ts';

type Jobs = EngineRig['engine']['commands']['jobs'];

/**
 * Every command that can be undone, each on videos as the one before leaves them. Renames change
 * files, which `renames.test.ts` is about.
 */
const CHANGES: Readonly<
  Record<
    Exclude<UndoCommand, 'rename'>,
    (jobs: Jobs, ids: string[]) => Promise<{ readonly step: string | null }>
  >
> = {
  hold: (jobs, ids) => jobs.hold({ ids }),
  move: (jobs, ids) => jobs.move({ ids: ids.slice(0, 1), before: null }),
  prioritise: (jobs, ids) => jobs.prioritise({ ids, priority: 1 }),
  edit: (jobs, ids) =>
    jobs.editMany({ ids, replace: { field: 'title', find: 'Row', with: 'Line', exact: true } }),
  release: (jobs, ids) => jobs.release({ ids }),
  cancel: (jobs, ids) => jobs.cancel({ ids }),
  archive: (jobs, ids) => jobs.archive({ ids }),
  unarchive: (jobs, ids) => jobs.unarchive({ ids }),
  remove: (jobs, ids) => jobs.remove({ ids: ids.slice(0, 1) }),
};

/** What undoing restores of each video, in their order; without those that are removed. */
async function videosOf(jobs: Jobs): Promise<unknown> {
  const { jobs: listed } = await jobs.list({ offset: 0, limit: 10 });
  return listed.map(({ id, title, state, priority, archivedAt }) => ({
    ...{ id, title, state, priority },
    isArchived: archivedAt !== null,
  }));
}

/** Of each undo: what it changes, and that nothing of the step is left. It is killed in between. */
const COMMITS = 2;

test('what was undone of any command before a kill stays undone, and earlier ones can still be undone', async () => {
  const folders = { folder: temporaryFolder(), stateDir: temporaryFolder() };
  const undoing = await EngineRig.open(folders);
  const { jobs, queue } = undoing.engine.commands;
  await queue.pause({ origin: ORIGIN, what: 'sending' });
  const ids = await undoing.add(['Row 1', 'Row 2', 'Row 3']);
  const states = [await videosOf(jobs)];
  for (const [name, change] of Object.entries(CHANGES)) {
    const before = states.at(-1);
    await change(jobs, ids);
    states.push(await videosOf(jobs));
    expect(states.at(-1), name).not.toEqual(before);
  }
  const steps = await jobs.undoSteps();
  expect(steps.map(({ command }) => command)).toEqual(Object.keys(CHANGES).toReversed());
  const last = COMMITS * steps.length;
  const kills = copyAtCommits(
    folders,
    (nth, when) => when === 'before' && nth % COMMITS === 0 && nth <= last,
  );
  for (const { id } of steps) await jobs.undo({ step: id });
  expect(kills).toHaveLength(steps.length);
  await undoing.close();

  for (const { nth, ...left } of kills) {
    const at = `killed before commit ${nth}`;
    const undone = nth / COMMITS;
    const rig = await EngineRig.open(left);
    const { jobs: again } = rig.engine.commands;
    expect(await videosOf(again), at).toEqual(states.at(-1 - undone));
    const open = (await again.undoSteps()).filter(({ undoneAt }) => undoneAt === null);
    for (const { id } of open) expect((await again.undo({ step: id })).refused, at).toEqual([]);
    expect(await videosOf(again), at).toEqual(states[0]);
    await rig.close();
  }
});
