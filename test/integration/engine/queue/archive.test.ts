import { expect, test } from 'vitest';
import {
  JOB_COMMAND_NAMES,
  JOB_COMMANDS,
  type JobCommand,
} from '../../../../src/contract/job-commands.ts';
import { canMove } from '../../../../src/engine/jobs/lifecycle.ts';
import { EngineRig, ORIGIN } from '../../../rigs/engine-rig.ts';

async function withSaved(titles: readonly string[]) {
  const rig = await EngineRig.open();
  const source = { name: 'Batch.csv', content: ['title', ...titles].join('\n') };
  await rig.engine.commands.batches.add({ origin: ORIGIN, source, options: {} });
  await rig.until(async () => (await rig.jobs()).every(({ state }) => state === 'done'));
  return { rig, source, ids: (await rig.jobs()).map(({ id }) => id) };
}

test('an archived video leaves the list and the counts, and stays in history and activity', async () => {
  const { rig, ids } = await withSaved(['One', 'Two', 'Three']);
  const [one = '', two = '', three = ''] = ids;
  const { jobs, activity } = rig.engine.commands;
  const before = await activity.list({ limit: 100 });

  expect(await jobs.archive({ ids: [two] })).toMatchObject({ changed: 1, refused: [] });

  expect(await jobs.ids({ archived: false, offset: 0 })).toEqual({ ids: [one, three] });
  expect(await jobs.ids({ archived: true, search: 'tw', offset: 0 })).toEqual({ ids: [two] });
  expect(await rig.update()).toMatchObject({
    counts: { done: 2 },
    batches: [{ counts: { done: 2 } }],
  });
  expect((await jobs.show({ id: two })).history.at(-1)).toMatchObject({ to: 'done' });
  expect(await activity.list({ limit: 100 })).toEqual(before);

  expect(await jobs.unarchive({ ids: [two] })).toMatchObject({ changed: 1, refused: [] });
  expect(await jobs.ids({ archived: false, offset: 0 })).toEqual({ ids });
  expect(await rig.update()).toMatchObject({ counts: { done: 3 } });
});

test('only finished videos can be archived, and only archived ones put back', async () => {
  const { rig, ids } = await withSaved(['One']);
  const { jobs, queue, batches } = rig.engine.commands;
  await queue.pause({ origin: ORIGIN, what: 'sending' });
  const source = { name: 'Later.csv', content: 'title\nLater' };
  const { jobIds } = await batches.add({ origin: ORIGIN, source, options: {} });

  expect(await jobs.archive({ ids: jobIds })).toMatchObject({
    changed: 0,
    refused: [{ failure: { code: 'not-possible-now' } }],
  });
  expect(await jobs.unarchive({ ids })).toMatchObject({ changed: 0 });
});

test('an archived video that is rendered or downloaded again is in the queue again', async () => {
  const { rig, ids } = await withSaved(['One']);
  const { jobs, queue, batches } = rig.engine.commands;
  await queue.pause({ origin: ORIGIN, what: 'sending' });
  const source = { name: 'Later.csv', content: 'title\nLater' };
  const { jobIds } = await batches.add({ origin: ORIGIN, source, options: {} });
  await jobs.cancel({ ids: jobIds });
  await jobs.archive({ ids: [...ids, ...jobIds] });
  expect(await jobs.ids({ archived: false, offset: 0 })).toEqual({ ids: [] });

  await jobs.retry({ ids: jobIds, payAgain: false });

  expect(await jobs.ids({ archived: false, offset: 0 })).toEqual({ ids: jobIds });
  expect(await rig.update()).toMatchObject({ counts: { queued: 1, cancelled: 0 } });
});

test('a row whose video is archived is not paid for again', async () => {
  const { rig, ids, source } = await withSaved(['One']);
  const { jobs, batches } = rig.engine.commands;
  await jobs.archive({ ids });
  const sent = rig.service.asked.filter((what) => what.startsWith('generate')).length;

  const other = await batches.plan({ source: { ...source, name: 'Other.csv' }, options: {} });
  expect(other.rows.map(({ outcome }) => outcome)).toEqual(['downloaded-again']);
  expect(await batches.add({ origin: ORIGIN, source, options: {} })).toMatchObject({
    submitted: 0,
  });
  expect(rig.service.asked.filter((what) => what.startsWith('generate'))).toHaveLength(sent);
});

test('archived titles are found by any part, in any case', async () => {
  const { rig, ids } = await withSaved(['Zwölf "Äpfel"', 'Twelve pears']);
  const { jobs } = rig.engine.commands;
  await jobs.archive({ ids });
  const found = async (search: string): Promise<readonly string[]> =>
    (await jobs.list({ archived: true, search, offset: 0, limit: 9 })).jobs.map(({ id }) => id);

  for (const search of ['ÄPFEL', 'f "ä', 'l"', 'ö']) expect(await found(search)).toEqual([ids[0]]);
  expect(await found('WEL')).toEqual([ids[1]]);
  expect(await found('we')).toEqual([ids[1]]);
  expect(await found('apple OR pears')).toEqual([]);
  await jobs.unarchive({ ids: [ids[1] ?? ''] });
  expect(await found('pears')).toEqual([]);
});

test('a batch and a service whose videos are all archived are not in the way', async () => {
  const { rig, ids } = await withSaved(['One']);
  const { jobs, batches } = rig.engine.commands;
  expect(await rig.update()).toMatchObject({ hasArchived: false, batches: [{ name: 'Batch' }] });

  await jobs.archive({ ids });

  expect(await rig.update()).toMatchObject({ hasArchived: true, batches: [] });
  expect(await batches.list()).toMatchObject([{ name: 'Batch' }]);
  expect((await jobs.show({ id: ids[0] ?? '' })).job.batchName).toBe('Batch');
});

test.each(JOB_COMMAND_NAMES)('%s starts where the lifecycle lets it', (name) => {
  const { change, from }: JobCommand = JOB_COMMANDS[name];
  if (change !== undefined && 'move' in change) {
    expect(from.every((state) => canMove(change.move, state))).toBe(true);
  }
});

test('a removed video is in no list, and what it cost stays', async () => {
  const { rig, ids } = await withSaved(['One', 'Two']);
  const [one = '', two = ''] = ids;
  const { jobs, activity } = rig.engine.commands;
  const units = await activity.units({ limit: 10 });
  await jobs.archive({ ids: [two] });

  expect(await jobs.remove({ ids })).toMatchObject({ changed: 2, refused: [] });

  for (const archived of [true, false, undefined])
    expect(await jobs.ids({ archived, offset: 0 })).toEqual({ ids: [] });
  expect(await jobs.ids({ archived: true, search: 'two', offset: 0 })).toEqual({ ids: [] });
  expect(await rig.update()).toMatchObject({ hasArchived: false, batches: [] });
  expect(await activity.units({ limit: 10 })).toEqual(units);
  expect((await jobs.show({ id: one })).job.file).not.toBeNull();
});

test('a removal is undone: archived ones are archived again', async () => {
  const { rig, ids, source } = await withSaved(['One', 'Two']);
  const { jobs, batches } = rig.engine.commands;
  await jobs.archive({ ids: ids.slice(1) });
  const { step } = await jobs.remove({ ids });

  await jobs.undo({ step: step ?? '' });

  const { rows } = await batches.plan({ source, options: {} });
  expect(rows.map(({ outcome }) => outcome)).toEqual(['saved', 'saved']);

  expect(await jobs.ids({ archived: false, offset: 0 })).toEqual({ ids: ids.slice(0, 1) });
  expect(await jobs.ids({ archived: true, offset: 0 })).toEqual({ ids: ids.slice(1) });
  expect(await rig.update()).toMatchObject({ counts: { done: 1 } });
});

test('undoing that a video was put back leaves it archived since the same time', async () => {
  const { rig, ids } = await withSaved(['One', 'Two']);
  const { jobs } = rig.engine.commands;
  const archived = async () => (await jobs.list({ archived: true, offset: 0, limit: 9 })).jobs;
  await jobs.archive({ ids: ids.slice(0, 1) });
  await rig.clock.advance(1000);
  await jobs.archive({ ids: ids.slice(1) });
  const before = await archived();
  await rig.clock.advance(1000);
  const { step } = await jobs.unarchive({ ids });
  await rig.clock.advance(1000);

  expect(await jobs.undo({ step: step ?? '' })).toMatchObject({ changed: 2, refused: [] });

  expect(await archived()).toEqual(before);
  expect(new Set(before.map(({ archivedAt }) => archivedAt)).size).toBe(2);
});

test('removing again changes nothing, so the last undo brings the video back', async () => {
  const { rig, ids } = await withSaved(['One']);
  const { jobs } = rig.engine.commands;
  await jobs.remove({ ids });
  await rig.clock.advance(1000);

  expect(await jobs.remove({ ids })).toMatchObject({ refused: [], step: null });

  const [last] = await jobs.undoSteps();
  await jobs.undo({ step: last?.id ?? '' });
  expect(await jobs.ids({ archived: false, offset: 0 })).toEqual({ ids });
});

test('a removed video that is put back is in the archive when it is archived again', async () => {
  const { rig, ids } = await withSaved(['One']);
  const { jobs } = rig.engine.commands;
  await jobs.remove({ ids });

  await jobs.unarchive({ ids });
  await jobs.archive({ ids });

  expect(await jobs.ids({ archived: true, offset: 0 })).toEqual({ ids });
});

test('a removed row can be added again, without being paid for again', async () => {
  const { rig, ids, source } = await withSaved(['One']);
  const { jobs, batches } = rig.engine.commands;
  const { step } = await jobs.remove({ ids });
  const sent = rig.service.asked.filter((what) => what.startsWith('generate')).length;

  const { rows } = await batches.plan({ source, options: {} });
  expect(rows).toMatchObject([
    { outcome: 'downloaded-again', like: { of: 'job', batch: 'Batch', state: 'done' } },
  ]);
  const added = await batches.add({ origin: ORIGIN, source, options: {} });

  expect(added).toMatchObject({ downloadedAgain: 1, submitted: 0 });
  await rig.until(async () => (await rig.jobs()).every(({ state }) => state === 'done'));
  expect(rig.service.asked.filter((what) => what.startsWith('generate'))).toHaveLength(sent);
  // Both are there; the older one is no row of the file any more.
  await jobs.undo({ step: step ?? '' });
  expect((await jobs.ids({ archived: false, offset: 0 })).ids).toHaveLength(2);
});

test('a video in work cannot be removed, and a removed one that is retried is back', async () => {
  const rig = await EngineRig.open();
  const { jobs, queue, batches } = rig.engine.commands;
  await queue.pause({ origin: ORIGIN, what: 'sending' });
  const source = { name: 'Later.csv', content: 'title\nLater' };
  const { jobIds } = await batches.add({ origin: ORIGIN, source, options: {} });
  expect((await jobs.remove({ ids: jobIds })).refused[0]?.failure.message).toContain(
    'Cancel it first',
  );
  await jobs.cancel({ ids: jobIds });
  await jobs.remove({ ids: jobIds });

  await jobs.retry({ ids: jobIds, payAgain: false });

  expect(await jobs.ids({ archived: false, offset: 0 })).toEqual({ ids: jobIds });
});

test('finished batches are archived by themselves after the days of the setting, others never', async () => {
  const { rig, ids } = await withSaved(['One']);
  const { jobs, queue, batches } = rig.engine.commands;
  await queue.pause({ origin: ORIGIN, what: 'sending' });
  const source = { name: 'Open.csv', content: 'title\nOpen' };
  const { jobIds } = await batches.add({ origin: ORIGIN, source, options: {} });
  await rig.clock.advance(8 * 86_400_000);
  expect(await jobs.ids({ archived: true, offset: 0 })).toEqual({ ids: [] });

  rig.engine.applySettings({ archiveAfterDays: 10 });
  await rig.clock.advance(86_400_000);
  expect(await jobs.ids({ archived: true, offset: 0 })).toEqual({ ids: [] });
  await rig.clock.advance(86_400_000);

  await rig.until(async () => (await jobs.ids({ archived: true, offset: 0 })).ids.length > 0);
  expect(await jobs.ids({ archived: true, offset: 0 })).toEqual({ ids });
  expect(await jobs.ids({ archived: false, offset: 0 })).toEqual({ ids: jobIds });
  // Nobody did that, so there is nothing to undo.
  expect(await jobs.undoSteps()).toEqual([]);
});
