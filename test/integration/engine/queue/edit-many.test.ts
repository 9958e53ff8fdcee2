import { expect, test } from 'vitest';
import { EngineRig, ORIGIN } from '../../../rigs/engine-rig.ts';

async function paused(rows: readonly string[]) {
  const rig = await EngineRig.open();
  await rig.engine.commands.queue.pause({ origin: ORIGIN, what: 'sending' });
  const source = { name: 'Batch.csv', content: ['title,seconds,accent', ...rows].join('\n') };
  const options = { nameTemplate: '{title}.mp4' };
  const { jobIds } = await rig.engine.commands.batches.add({ origin: ORIGIN, source, options });
  const { jobs } = rig.engine.commands;
  const valuesOf = async (id: string) => (await jobs.show({ id })).row.values;
  return { rig, ids: jobIds, jobs, valuesOf };
}

test('a form for many rows has what they have in common, and says what differs', async () => {
  const { ids, jobs } = await paused(['One,10,#ff0000', 'Two,10,#00ff00', 'Three,10,']);

  const { fields, values, various } = await jobs.describeRows({ ids });

  expect(values).toEqual({ seconds: '10' });
  expect(various).toEqual(['title', 'accent']);
  expect(fields.map(({ name }) => name)).toEqual(expect.arrayContaining(['title', 'resolution']));
});

test('only the given values change, in every row, and one step undoes them all', async () => {
  const { ids, jobs, valuesOf } = await paused(['One,10,#ff0000', 'Two,20,#00ff00']);
  const before = await Promise.all(ids.map(valuesOf));

  const edited = await jobs.editMany({ ids, values: { accent: 'blue', seconds: '12' } });

  expect(edited).toMatchObject({ changed: 2, refused: [] });
  expect(await Promise.all(ids.map(valuesOf))).toMatchObject([
    { title: 'One', seconds: '12', accent: '#0000ff' },
    { title: 'Two', seconds: '12', accent: '#0000ff' },
  ]);
  expect(await jobs.undo({ step: edited.step ?? '' })).toMatchObject({ changed: 2, refused: [] });
  expect(await Promise.all(ids.map(valuesOf))).toEqual(before);
});

test('a text is replaced in one column, as it is written; other rows do not count', async () => {
  const { ids, jobs, valuesOf } = await paused(['Sale (50%),10,', 'sale (50%),11,', 'Other,10,']);
  const replace = { field: 'title', find: '(50%)', with: '$& now', exact: true };

  expect(await jobs.editMany({ ids, replace })).toMatchObject({ changed: 2, refused: [] });
  expect((await valuesOf(ids[0] ?? '')).title).toBe('Sale $& now');
  const anyCase = { field: 'title', find: 'SALE', with: 'Fair', exact: false };
  expect(await jobs.editMany({ ids, replace: anyCase })).toMatchObject({ changed: 2 });
  expect((await valuesOf(ids[1] ?? '')).title).toBe('Fair $& now');
});

test('rows that cannot have a value stay as they are, with the reason; the others change', async () => {
  const { rig, ids, jobs, valuesOf } = await paused(['One,10,', 'Two,10,', 'Three,10,']);
  const [one = '', two = '', three = ''] = ids;
  await jobs.cancel({ ids: [one] });

  const { changed, refused } = await jobs.editMany({ ids, values: { title: 'Same' } });

  expect(changed).toBe(1);
  expect(refused.map(({ id, failure }) => [id, failure.message])).toEqual([
    [one, 'It was cancelled. Undo that or retry it first.'],
    [
      three,
      '“Same” would have the same request as another of these videos, and would be paid for twice.',
    ],
  ]);
  for (const { refused } of [
    await jobs.move({ ids: [one], before: null }),
    await jobs.prioritise({ ids: [one], priority: 1 }),
  ])
    expect(refused[0]?.failure.message).toBe('It was cancelled. Undo that or retry it first.');
  const bad = await jobs.editMany({ ids: [two], values: { seconds: 'long' } });
  expect(bad).toMatchObject({
    changed: 0,
    step: null,
    refused: [{ failure: { column: 'seconds' } }],
  });
  expect((await valuesOf(two)).seconds).toBe('10');
  const unknown = await jobs.editMany({ ids: [two], values: { nothing: '1' } });
  expect(unknown.refused[0]?.failure.message).toContain('nothing');
  expect((await rig.jobs()).length).toBe(3);
});

test('files of rows that are renamed together have names of their own', async () => {
  const { rig, ids, jobs } = await paused(['One,10,', 'Two,11,']);
  await jobs.editMany({ ids, values: { title: 'Same' } });
  await rig.engine.commands.queue.resume({ origin: ORIGIN });
  await rig.until(async () => (await rig.update()).counts.done === 2);

  const names = (await rig.jobs()).map(({ file }) => file?.path.split('/').at(-1));
  expect(names.toSorted()).toEqual(['Same (2).mp4', 'Same.mp4']);
});

test('fields have the names of the file’s columns, in the form of one row and of many', async () => {
  const { jobs, ids, rig } = await paused(['One,10,#ff0000']);
  const source = { name: 'Deutsch.csv', content: 'Titel,Hauptfarbe\nEins,#ff0000\nZwei,#00ff00' };
  const options = { nameTemplate: '{title}.mp4', columns: { accent: 'Hauptfarbe' } };
  const added = await rig.engine.commands.batches.add({ origin: ORIGIN, source, options });

  const labels = (fields: readonly { name: string; label?: { en: string } | undefined }[]) =>
    fields
      .filter(({ name }) => ['title', 'accent', 'subtitle'].includes(name))
      .map(({ label }) => label?.en);
  const { row } = await jobs.show({ id: added.jobIds[0] ?? '' });
  expect(labels(row.fields)).toEqual(['Titel', 'Subtitle', 'Hauptfarbe']);
  expect(row.isOwnTemplate).toBe(false);
  expect(labels((await jobs.describeRows({ ids: added.jobIds })).fields)).toEqual([
    'Titel',
    'Subtitle',
    'Hauptfarbe',
  ]);
  // Where files name a column differently, the service's name of it, whichever file is first.
  for (const both of [
    [...added.jobIds, ...ids],
    [...ids, ...added.jobIds],
  ])
    expect(labels((await jobs.describeRows({ ids: both })).fields)).toEqual([
      'Title',
      'Subtitle',
      'Accent colour',
    ]);
  const colour = { id: added.jobIds[0] ?? '', values: { accent: 'redd' } };
  await expect(jobs.edit(colour)).rejects.toThrow('Hauptfarbe: “redd” is not a colour');
});

test('what an edit would make of a row is known before it is stored', async () => {
  const { jobs, ids, valuesOf } = await paused(['One,10,#ff0000']);
  const [id = ''] = ids;

  const planned = await jobs.planEdit({ id, values: { title: 'Two', accent: 'blue' } });

  expect(planned).toMatchObject({ title: 'Two', request: { theme: { accent: '#0000ff' } } });
  expect(await valuesOf(id)).toMatchObject({ title: 'One', accent: '#ff0000' });
  await expect(jobs.planEdit({ id, values: { accent: 'redd' } })).rejects.toThrow('not a colour');
  const replace = { field: 'title', find: 'one', with: 'Three', exact: false };
  const replaced = { title: 'Three', request: { theme: { accent: '#0000ff' } } };
  expect(await jobs.planEdit({ id, values: { accent: 'blue' }, replace })).toMatchObject(replaced);
});
