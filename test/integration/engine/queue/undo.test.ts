import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import type { Job } from '../../../../src/contract/job.ts';
import { UNDO_COMMANDS } from '../../../../src/contract/undo-words.ts';
import { userMessage } from '../../../../src/contract/user-message.ts';
import { EngineRig, ORIGIN } from '../../../rigs/engine-rig.ts';

const TITLES = ['One', 'Two', 'Three', 'Four', 'Five'];

/** A paused queue with these rows. */
async function paused(titles: readonly string[] = TITLES) {
  const rig = await EngineRig.open();
  await rig.engine.commands.queue.pause({ origin: ORIGIN, what: 'sending' });
  const ids = await add(rig, 'Batch.csv', titles);
  return { rig, ids, jobs: rig.engine.commands.jobs };
}

async function add(rig: EngineRig, name: string, titles: readonly string[]): Promise<string[]> {
  const source = { name, content: ['title', ...titles].join('\n') };
  return (await rig.engine.commands.batches.add({ origin: ORIGIN, source, options: {} })).jobIds;
}

async function jobNamed(rig: EngineRig, title: string): Promise<Job> {
  const found = (await rig.jobs()).find((job) => job.title === title);
  if (found === undefined) throw new Error(`There is no “${title}”.`);
  return found;
}

async function saved(titles: readonly string[] = TITLES) {
  const rig = await EngineRig.open();
  const ids = await add(rig, 'Batch.csv', titles);
  await rig.until(async () => (await rig.jobs()).every(({ state }) => state === 'done'));
  return { rig, ids, jobs: rig.engine.commands.jobs };
}

/** All that undoing restores: the order, and each job except for its history. */
async function everything(rig: EngineRig): Promise<unknown> {
  const { jobs } = rig.engine.commands;
  const { jobs: listed } = await jobs.list({ offset: 0, limit: 1000 });
  const rows = await Promise.all(
    listed.map(async ({ id }) => {
      const { job, request, requestSha256, row } = await jobs.show({ id });
      return { job: withoutTimes(job), request, requestSha256, row };
    }),
  );
  return { rows, counts: (await rig.update()).counts };
}

function withoutTimes({ forecast: _forecast, wait: _wait, ...job }: Job): Partial<Job> {
  return job;
}

/** The step of a command's answer. */
function stepOf({ step }: { readonly step: string | null }): { readonly step: string } {
  if (step === null) throw new Error('Nothing changed that can be undone.');
  return { step };
}

test.each([
  ['hold', (jobs, [, two = '', , four = '']) => jobs.hold({ ids: [two, four] }), 2],
  ['cancel', (jobs, [one = '', , three = '']) => jobs.cancel({ ids: [one, three] }), 2],
  [
    'move',
    (jobs, [one = '', two = '', , , five = '']) => jobs.move({ ids: [one, five], before: two }),
    2,
  ],
  ['move', (jobs, [one = '', two = '']) => jobs.move({ ids: [one, two], before: null }), 2],
  ['prioritise', (jobs, [, two = '']) => jobs.prioritise({ ids: [two], priority: 1 }), 1],
  [
    'edit',
    (jobs, [, two = '']) => jobs.edit({ id: two, values: { title: 'Zwei', seconds: '9' } }),
    1,
  ],
] satisfies [
  string,
  (jobs: Jobs, ids: readonly string[]) => Promise<{ step: string | null }>,
  number,
][])('%s is undone: everything is as it was', async (command, change, changed) => {
  const { rig, ids, jobs } = await paused();
  const before = await everything(rig);

  const answer = await change(jobs, ids);
  expect(await everything(rig)).not.toEqual(before);

  expect(await jobs.undo(stepOf(answer))).toEqual({ command, changed, refused: [] });
  expect(await everything(rig)).toEqual(before);
});

type Jobs = EngineRig['engine']['commands']['jobs'];

test('a row whose edit is undone is found by its title, and forecast as before', async () => {
  const { rig, ids, jobs } = await paused(['One', 'Two']);
  const found = async (search: string): Promise<number> =>
    (await jobs.ids({ search, offset: 0 })).ids.length;
  const presetOf = (): unknown => {
    using database = new DatabaseSync(path.join(rig.folder, 'spool.db'), { readOnly: true });
    return database.prepare('SELECT preset FROM job WHERE id = ?').get(Number(ids[0]))?.preset;
  };
  const preset = presetOf();
  const values = { title: 'Eins', seconds: '90' };
  const step = stepOf(await jobs.edit({ id: ids[0] ?? '', values }));
  expect([await found('one'), presetOf() === preset]).toEqual([0, false]);

  await jobs.undo(step);

  expect([await found('one'), await found('eins'), presetOf()]).toEqual([1, 0, preset]);
});

test('held and released rows, and archived ones, are as they were', async () => {
  const { rig, ids, jobs } = await paused();
  const [one = '', two = ''] = ids;
  await jobs.hold({ ids: [one, two] });
  const held = await everything(rig);
  await jobs.undo(stepOf(await jobs.release({ ids: [one] })));
  expect(await everything(rig)).toEqual(held);

  const rigWithFiles = await saved();
  const before = await everything(rigWithFiles.rig);
  const archived = await rigWithFiles.jobs.archive({ ids: rigWithFiles.ids });
  await rigWithFiles.jobs.undo(stepOf(archived));
  expect(await everything(rigWithFiles.rig)).toEqual(before);
});

test('a cancelled row that was held is held again, and one that waited waits', async () => {
  const { rig, ids, jobs } = await paused();
  const [one = '', two = ''] = ids;
  await jobs.hold({ ids: [one] });

  const cancelled = stepOf(await jobs.cancel({ ids: [one, two] }));
  // Time passes between the moves of one row.
  const { clock } = rig;
  let passed = 0;
  const now = vi.spyOn(clock, 'now').mockImplementation(() => 1_800_000_000_000 + (passed += 1));
  await jobs.undo(cancelled);
  now.mockRestore();

  expect((await rig.jobs()).map(({ state }) => state).slice(0, 2)).toEqual(['held', 'queued']);
  const { history } = await jobs.show({ id: two });
  // It waits again because it was put back: the user did not release it.
  expect(history.slice(-2).map(({ event }) => event)).toEqual(['cancelled', 'restored']);
  const { entries } = await rig.engine.commands.activity.list({ limit: 100 });
  const ofTwo = entries.filter(({ job }) => job?.id === two);
  expect(ofTwo.map(({ job }) => job?.event)).toEqual(['restored', 'cancelled', 'added']);
});

test('steps are undone one by one back to the first, places included', async () => {
  const { rig, ids, jobs } = await paused();
  const [one = '', two = '', three = '', four = '', five = ''] = ids;
  const before = await everything(rig);
  // So often that rows have to make room.
  for (let round = 0; round < 12; round += 1) {
    await jobs.move({ ids: [five], before: two });
    await jobs.move({ ids: [four], before: five });
    await jobs.move({ ids: [three], before: four });
    await jobs.move({ ids: [one], before: three });
  }
  await jobs.prioritise({ ids: [three], priority: 1 });
  await jobs.cancel({ ids: [four] });

  for (const { id } of await jobs.undoSteps()) await jobs.undo({ step: id });

  expect(await everything(rig)).toEqual(before);
  expect((await jobs.undoSteps()).every(({ undoneAt }) => undoneAt !== null)).toBe(true);
});

test('a row goes back between its neighbours after rows made room', async () => {
  const { rig, ids, jobs } = await paused(['One', 'Two', 'Three', 'Four', 'Five', 'Six']);
  const [one = '', two = '', , four = '', five = '', six = ''] = ids;
  const titles = async (): Promise<string[]> => (await rig.jobs()).map(({ title }) => title);
  const first = stepOf(await jobs.move({ ids: [four], before: one }));
  // So often that rows have to make room, and a place before and after a change moves.
  for (let round = 0; round < 12; round += 1)
    for (const id of [five, six]) await jobs.move({ ids: [id], before: two });
  const last = stepOf(await jobs.move({ ids: [four], before: null }));
  for (let round = 0; round < 12; round += 1)
    for (const id of [five, six]) await jobs.move({ ids: [id], before: two });

  expect(await jobs.undo(last)).toMatchObject({ changed: 1, refused: [] });
  expect(await titles()).toEqual(['Four', 'One', 'Five', 'Six', 'Two', 'Three']);
  expect(await jobs.undo(first)).toMatchObject({ changed: 1, refused: [] });
  expect(await titles()).toEqual(['One', 'Five', 'Six', 'Two', 'Three', 'Four']);
});

test('a row goes back although rows made room for it', async () => {
  const others = Array.from({ length: 12 }, (_, index) => `Other ${index}`);
  const { rig, ids, jobs } = await paused(['One', 'Two', ...others]);
  const [, two = ''] = ids;
  const titles = async (): Promise<string[]> => (await rig.jobs()).map(({ title }) => title);
  // Each of them halves the space before the second row; others come before it at its old place.
  for (const id of ids.slice(2).toReversed()) {
    const before = await titles();
    await jobs.undo(stepOf(await jobs.move({ ids: [id], before: two })));
    expect(await titles()).toEqual(before);
    await jobs.move({ ids: [id], before: two });
  }
  expect(await titles()).toEqual(['One', ...others.toReversed(), 'Two']);
});

test('what was sent meanwhile stays as it is, with the reason; the others are undone', async () => {
  const { rig, ids, jobs } = await paused(['One', 'Two']);
  const [one = '', two = ''] = ids;
  const { step } = stepOf(await jobs.prioritise({ ids: [one, two], priority: 1 }));
  await jobs.hold({ ids: [two] });
  await rig.engine.commands.queue.resume({ origin: ORIGIN });
  await rig.until(async () => (await jobNamed(rig, 'One')).state === 'done');

  const undone = await jobs.undo({ step });

  expect(undone).toMatchObject({ changed: 1, refused: [{ id: one }] });
  expect(undone.refused[0]?.failure.message).toBe('It has been sent in the meantime.');
  expect((await jobNamed(rig, 'Two')).priority).toBe(0);
  await expect(jobs.undo({ step })).rejects.toMatchObject({
    message: 'This can no longer be undone.',
  });
});

test('what was changed again since is not overwritten', async () => {
  const { ids, jobs } = await paused(['One']);
  const [one = ''] = ids;
  const first = stepOf(await jobs.edit({ id: one, values: { title: 'Two' } }));
  await jobs.edit({ id: one, values: { title: 'Three' } });

  const { changed, refused } = await jobs.undo(first);

  expect([changed, refused[0]?.failure.message]).toEqual([
    0,
    'It was changed again in the meantime.',
  ]);
  expect((await jobs.show({ id: one })).job.title).toBe('Three');
});

test('a row that was ever sent is not put back by undoing its cancelling', async () => {
  const { rig, ids, jobs } = await paused(['One']);
  const failure = {
    code: 'value-invalid' as const,
    ...userMessage('render-failed-there', { word: 'no' }),
  };
  const response = rig.service.response(422);
  rig.service.nextGenerate.push({ kind: 'rejected', about: 'video', failure, response });
  await rig.engine.commands.queue.resume({ origin: ORIGIN });
  await rig.until(async () => (await jobNamed(rig, 'One')).state === 'rejected');
  await rig.engine.commands.queue.pause({ origin: ORIGIN, what: 'sending' });
  await jobs.retry({ ids, payAgain: false });

  const { changed, refused } = await jobs.undo(stepOf(await jobs.cancel({ ids })));

  expect(changed).toBe(0);
  expect(refused[0]?.failure.message).toContain('had been sent before');
  expect((await jobNamed(rig, 'One')).state).toBe('cancelled');
});

test('abandoning what was sent is no step, and the rest of a cancelling is undone', async () => {
  const rig = await EngineRig.open();
  const { jobs, queue } = rig.engine.commands;
  rig.service.renderMs = 3_600_000;
  const [one = ''] = await add(rig, 'Batch.csv', ['One']);
  await rig.until(async () => (await jobNamed(rig, 'One')).state === 'rendering');
  await queue.pause({ origin: ORIGIN, what: 'sending' });
  const [two = ''] = await add(rig, 'Later.csv', ['Two']);

  const step = stepOf(await jobs.cancel({ ids: [one, two] }));

  expect(await jobs.undo(step)).toEqual({ command: 'cancel', changed: 1, refused: [] });
  expect((await jobNamed(rig, 'Two')).state).toBe('queued');
  await jobs.downloadAgain({ ids: [one] });
  expect(await jobs.cancel({ ids: [one] })).toEqual({ changed: 1, refused: [], step: null });
});

test('undoing pays for no video twice: a row that was added again since counts', async () => {
  const { rig, ids, jobs } = await paused(['One']);
  const cancelled = stepOf(await jobs.cancel({ ids }));
  await add(rig, 'Again.csv', ['One']);

  const { changed, refused } = await jobs.undo(cancelled);

  expect([changed, refused[0]?.failure.message]).toEqual([
    0,
    '“One” in Again has the same request: the same video would be paid for twice.',
  ]);
});

test('wanted duplicates are put back like others', async () => {
  const rig = await EngineRig.open();
  await rig.engine.commands.queue.pause({ origin: ORIGIN, what: 'sending' });
  const source = { name: 'Batch.csv', content: 'title\nOne\nOne' };
  const options = { duplicates: 'render' as const };
  const { jobIds } = await rig.engine.commands.batches.add({ origin: ORIGIN, source, options });
  const { jobs } = rig.engine.commands;

  const undone = await jobs.undo(stepOf(await jobs.cancel({ ids: jobIds.slice(0, 1) })));

  expect(undone).toMatchObject({ changed: 1, refused: [] });
});

test('a name that was taken meanwhile gets a number', async () => {
  const rig = await EngineRig.open();
  await rig.engine.commands.queue.pause({ origin: ORIGIN, what: 'sending' });
  const addNamed = async (name: string, title: string): Promise<string[]> => {
    const source = { name, content: `title\n${title}` };
    const options = { nameTemplate: 'video.mp4' };
    return (await rig.engine.commands.batches.add({ origin: ORIGIN, source, options })).jobIds;
  };
  const ids = await addNamed('One.csv', 'One');
  const { jobs } = rig.engine.commands;
  const step = stepOf(await jobs.cancel({ ids }));
  await addNamed('Two.csv', 'Two');
  await jobs.undo(step);
  await rig.engine.commands.queue.resume({ origin: ORIGIN });

  await rig.until(async () => (await rig.update()).counts.done === 2);

  const names = (await rig.jobs()).map(({ file }) => path.basename(file?.path ?? ''));
  expect(names.toSorted()).toEqual(['video (2).mp4', 'video.mp4']);
});

test('renamed files have their names again, also where they took each other’s', async () => {
  const { rig, ids, jobs } = await saved(['One', 'Two']);
  const { files } = rig.engine.commands;
  const namesOf = async (): Promise<string[]> =>
    (await rig.jobs()).map(({ file }) => path.basename(file?.path ?? ''));
  const before = await namesOf();
  const renamed = await files.rename({ ids, nameTemplate: '{batch}/{title} new.mp4' });
  const folder = path.dirname((await rig.jobs())[0]?.file?.path ?? '');

  expect(await jobs.undo(stepOf(renamed))).toEqual({ command: 'rename', changed: 2, refused: [] });

  expect(await namesOf()).toEqual(before);
  expect(readdirSync(folder).toSorted()).toEqual(before.toSorted());
});

test('a file keeps its new name where another file has the old one', async () => {
  const { rig, ids, jobs } = await saved(['One']);
  const { files } = rig.engine.commands;
  const old = (await jobNamed(rig, 'One')).file?.path ?? '';
  const renamed = await files.rename({ ids, nameTemplate: '{batch}/new.mp4' });
  writeFileSync(old, 'mine');

  const { changed, refused } = await jobs.undo(stepOf(renamed));

  expect([changed, refused[0]?.failure.message]).toEqual([
    0,
    `Another file is already called ${path.basename(old)}.`,
  ]);
  expect((await jobNamed(rig, 'One')).file?.path).toMatch(/new\.mp4$/);
});

test('the history keeps a hundred steps, and survives a new start', async () => {
  const { rig, ids, jobs } = await paused(['One']);
  for (let step = 0; step < 55; step += 1) {
    await jobs.hold({ ids });
    await jobs.release({ ids });
  }
  const steps = await jobs.undoSteps();
  expect(steps).toHaveLength(100);
  expect(steps[0]).toMatchObject({ command: 'release', jobs: 1, undoneAt: null });
  const step = stepOf(await jobs.cancel({ ids }));
  await rig.close();

  const again = await EngineRig.open({
    folder: rig.folder,
    clock: rig.clock,
    service: rig.service,
  });
  await again.engine.commands.jobs.undo(step);

  expect((await jobNamed(again, 'One')).state).toBe('queued');
});

test('every command that can be undone has words for it', () => {
  expect(UNDO_COMMANDS).toEqual(expect.arrayContaining(['hold', 'cancel', 'edit', 'rename']));
});
