import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { DOCUMENTED_API } from '../../../../src/contract/service-profile.ts';
import { userMessage } from '../../../../src/contract/user-message.ts';
import { editRow, type StoredRow } from '../../../../src/engine/intake/edited-row.ts';
import { requestTemplateSchema } from '../../../../src/engine/intake/request-template.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import { EngineRig, ORIGIN } from '../../../rigs/engine-rig.ts';

/** A paused queue with rows of a batch that has several columns. */
async function withRows(
  ...rows: readonly string[]
): Promise<{ rig: EngineRig; ids: readonly [string, string] }> {
  const rig = await EngineRig.open();
  await rig.engine.commands.queue.pause({ origin: ORIGIN, what: 'sending' });
  const [first = '', second = ''] = await addRows(rig, 'Batch.csv', rows);
  return { rig, ids: [first, second] };
}

async function addRows(rig: EngineRig, name: string, rows: readonly string[]): Promise<string[]> {
  const source = sourceOf(name, rows);
  return (await rig.engine.commands.batches.add({ origin: ORIGIN, source, options: {} })).jobIds;
}

function sourceOf(name: string, rows: readonly string[]) {
  return { name, content: ['title,aspect,seconds,resolution,accent', ...rows].join('\n') };
}

/** What the database has of one job. */
function stored(rig: EngineRig, id: string): Record<string, unknown> {
  using database = new DatabaseSync(path.join(rig.folder, 'spool.db'), { readOnly: true });
  return (
    database
      .prepare('SELECT * FROM job JOIN request ON request.job_id = job.id WHERE job.id = ?')
      .get(id) ?? {}
  );
}

test('a row that is edited to another row’s values has its request, whatever their order', async () => {
  const { rig, ids } = await withRows('One,16:9,10,720,#ff0000', 'Two,9:16,20,1080,');
  const [first] = ids;

  await rig.engine.commands.jobs.edit({ id: first, values: { aspect: 'Portrait', seconds: '11' } });
  await addRows(rig, 'Other.csv', ['One,9:16,11,720,#ff0000']);
  await rig.engine.commands.queue.resume({ origin: ORIGIN });
  await rig.until(async () => (await rig.update()).counts.done === 2);

  const { rows } = await rig.engine.commands.batches.plan({
    source: { name: 'Later.csv', content: 'seconds,accent,title,aspect\n11,#FF0000,One,9:16' },
    options: {},
  });
  expect(rows.map(({ outcome }) => outcome)).toEqual(['downloaded-again']);
  expect(rig.service.asked).toHaveLength(2);
});

test('title, preset, cost and file name follow from the values after every edit', async () => {
  const { rig, ids } = await withRows('One,16:9,10,720,', 'Two,16:9,10,720,');
  const [id] = ids;
  const { jobs } = rig.engine.commands;
  const derived = (): unknown[] => {
    const { title, preset, file_name, body } = stored(rig, id);
    return [title, preset, file_name, (JSON.parse(String(body)) as { title: string }).title];
  };
  expect(derived()).toEqual(['One', PRESET('720', '10'), 'Batch/1 One.mp4', 'One']);

  const { job: edited } = await jobs.edit({
    id,
    values: { title: 'Three  words\nhere', resolution: '4k', seconds: '61,5' },
  });

  expect(edited.title).toBe('Three words here');
  expect(derived()).toEqual([
    'Three words here',
    PRESET('2160', '61'),
    'Batch/1 Three words here.mp4',
    'Three  words\nhere',
  ]);
  const { row, request } = await jobs.show({ id });
  expect(row.values).toMatchObject({ resolution: '2160', seconds: '61.5' });
  expect(request).toMatchObject({ resolution: 2160, duration: 61.5, scenes: [{ kind: 'title' }] });
});

const PRESET = (resolution: string, seconds: string): string =>
  `resolution=${resolution} aspect=16:9 fps=30 seconds=${seconds}+`;

test('the cost of an edited row is that of its present values', async () => {
  const rule = { fixed: 0, perColumn: { column: 'seconds', each: 2, cases: [] } };
  const cost = { ...DOCUMENTED_API.cost, unit: 'credit', rule } as const;
  const generate = { ...DOCUMENTED_API.generate, path: '/videos' };
  const rig = await EngineRig.open({ api: { cost, generate } });
  await rig.engine.commands.queue.pause({ origin: ORIGIN, what: 'sending' });
  const [id = ''] = await addRows(rig, 'Batch.csv', ['One,16:9,10,720,']);
  const { jobs } = rig.engine.commands;
  const amount = async () => (await jobs.show({ id })).cost.estimated?.amount;
  expect(await amount()).toBe(20);

  await jobs.edit({ id, values: { seconds: '60' } });

  expect(await amount()).toBe(120);
});

test('an edit that changes nothing keeps the request byte for byte', async () => {
  const { rig, ids } = await withRows('One,16:9,10,720,#ff0000', 'One,16:9,10,720,#ff0000');
  const before = stored(rig, ids[0]);

  await rig.engine.commands.jobs.edit({ id: ids[0], values: { aspect: 'wide', title: ' One ' } });

  expect(stored(rig, ids[0])).toEqual(before);
});

test.each([
  ['aspect', 'banana', 'Aspect ratio: “banana” is not one of 16:9, 9:16, 1:1, 4:5.'],
  ['fps', '240', 'Frames per second: “240” is not between 24 and 60.'],
  ['seconds', '0', 'Length in seconds: “0” is not between 1 and 600.'],
  ['accent', 'reddish', 'Accent colour: “reddish” is not a colour such as #ffb020.'],
  ['title', '', 'Title: is empty, and every video needs one.'],
  [
    'subtitle',
    'x'.repeat(500),
    `Subtitle: “${'x'.repeat(40)}…” has 500 characters; at most 200 fit.`,
  ],
  ['budget', '9', 'These videos have no field “budget”.'],
])(
  'an edit with a value that the profile does not allow is refused: %s',
  async (column, value, message) => {
    const { rig, ids } = await withRows('One,16:9,10,720,#ff0000');
    const before = stored(rig, ids[0]);

    const edited = rig.engine.commands.jobs.edit({
      id: ids[0],
      values: { message: 'Changed', [column]: value },
    });

    await expect(edited).rejects.toMatchObject({
      failure: { code: 'value-invalid', message, column },
    });
    expect(stored(rig, ids[0])).toEqual(before);
  },
);

test('a limit between two columns holds for an edit of either', () => {
  const template = requestTemplateSchema.parse({
    columns: {
      title: { type: 'text' },
      size: { type: 'choice', options: ['small', 'large'] },
      model: { type: 'choice', options: ['fast', 'good'], default: 'fast' },
    },
    title: 'title',
    body: { title: '{{title}}', size: '{{size}}', model: '{{model}}' },
    preset: [],
    limits: [{ when: [{ column: 'model', is: ['fast'] }], column: 'size', options: ['small'] }],
  });
  const row = { template, values: [['title', 'One']] } as const;
  const edit = (of: StoredRow, values: Record<string, string>) => editRow(of, { values }, template);
  const large = edit(row, { size: 'large' });
  expect(large).toMatchObject({
    kind: 'invalid',
    error: { column: 'size', message: expect.stringContaining('“large”') as string },
  });
  const good = edit(row, { size: 'large', model: 'good' });
  expect(good.kind).toBe('row');
  if (good.kind === 'row')
    expect(edit(good, { model: '' })).toMatchObject({ error: { column: 'size' } });
});

test('a row keeps the request that was shown when the profile changes', async () => {
  const { rig, ids } = await withRows('One,16:9,10,720,');
  const before = await rig.engine.commands.jobs.show({ id: ids[0] });
  expect(before.request).toMatchObject({ fps: 30, soundtrack: 'calm' });
  await rig.close();
  const { request } = storyboardProfile;
  const profile = { ...storyboardProfile, request: { ...request, body: { prompt: '{{title}}' } } };
  const again = await EngineRig.open({ folder: rig.folder, clock: rig.clock, profile });
  const { jobs } = again.engine.commands;

  expect((await jobs.show({ id: ids[0] })).request).toEqual(before.request);
  await jobs.edit({ id: ids[0], values: { seconds: '11' } });

  const { row, request: edited } = await jobs.show({ id: ids[0] });
  expect(edited).toEqual({ ...(before.request as object), duration: 11 });
  expect(row.isOwnTemplate).toBe(true);
});

describe('a row with a template of its own', () => {
  const addOwn = async (body: Record<string, string | number>) => {
    const rig = await EngineRig.open();
    await rig.engine.commands.queue.pause({ origin: ORIGIN, what: 'sending' });
    const { jobIds } = await rig.engine.commands.batches.add({
      origin: ORIGIN,
      source: { name: 'Own.csv', content: 'title,price\nOne,19.90' },
      options: { template: { body } },
    });
    return { rig, id: jobIds[0] ?? '' };
  };

  test('is edited by its values, and keeps what the profile would not allow', async () => {
    const { rig, id } = await addOwn({
      aspect: '2.39:1',
      prompt: '{{title}} for {{price}}',
      price: '{{price}}',
    });
    const { jobs } = rig.engine.commands;
    expect((await jobs.show({ id })).row).toMatchObject({
      isOwnTemplate: true,
      values: { title: 'One', price: '19.90' },
    });

    await jobs.edit({ id, values: { title: 'Two', price: '20.50' } });

    expect((await jobs.show({ id })).request).toEqual({
      aspect: '2.39:1',
      prompt: 'Two for 20.50',
      price: '20.50',
    });
  });

  test('is edited by its template', async () => {
    const { rig, id } = await addOwn({ prompt: '{{title}}' });
    const { jobs } = rig.engine.commands;

    await jobs.edit({
      id,
      values: { price: '5' },
      template: { text: '{{title}}', cost: '{{price}}' },
    });

    expect((await jobs.show({ id })).request).toEqual({ text: 'One', cost: '5' });
    await expect(jobs.edit({ id, template: { text: '{{nothing}}' } })).rejects.toMatchObject({
      failure: { code: 'template-invalid' },
    });
  });
});

test('a request is not edited to one that is under way, saved or uncertain already', async () => {
  const { rig, ids } = await withRows('One,16:9,10,720,', 'Two,16:9,10,720,');
  const [one, two] = ids;
  const sameAsOne = { id: two, values: { title: 'One' } };
  const { request } = await rig.engine.commands.jobs.show({ id: one });

  for (const edit of [sameAsOne, { id: two, template: request as Record<string, never> }]) {
    await expect(rig.engine.commands.jobs.edit(edit)).rejects.toMatchObject({
      failure: {
        code: 'not-possible-now',
        message: expect.stringContaining('“One” in Batch') as string,
      },
    });
  }

  await rig.engine.commands.jobs.cancel({ ids: [one] });
  await rig.engine.commands.jobs.edit(sameAsOne);
  await rig.engine.commands.queue.resume({ origin: ORIGIN });
  await rig.until(async () => (await rig.update()).counts.done === 1);
  expect(rig.service.asked).toHaveLength(1);
});

test('a row that was edited to the request of a removed one is its file’s row', async () => {
  const { rig, ids } = await withRows('Two,16:9,10,720,', 'One,16:9,10,720,');
  const [two, one] = ids;
  await rig.engine.commands.jobs.cancel({ ids: [one] });
  await rig.engine.commands.jobs.remove({ ids: [one] });
  await rig.engine.commands.jobs.edit({ id: two, values: { title: 'One' } });

  const { rows } = await rig.engine.commands.batches.plan({
    source: sourceOf('Batch.csv', ['One,16:9,10,720,']),
    options: {},
  });
  expect(rows.map(({ outcome }) => outcome)).toEqual(['already-queued']);
});

test('a row that was edited is not its original: dropped again, that is a new video', async () => {
  const rig = await EngineRig.open();
  await rig.engine.commands.queue.pause({ origin: ORIGIN, what: 'sending' });
  const [id = ''] = await rig.add(['Tipo', 'Two']);
  await rig.engine.commands.jobs.edit({ id, values: { title: 'Typo' } });
  await rig.engine.commands.queue.resume({ origin: ORIGIN });
  await rig.until(async () => (await rig.update()).counts.done === 2);

  const plan = async (rows: string, options = {}) =>
    (
      await rig.engine.commands.batches.plan({
        source: { name: 'Batch.csv', content: `title\n${rows}` },
        options,
      })
    ).rows.map(({ outcome }) => outcome);
  expect(await plan('Tipo\nTwo')).toEqual(['new', 'saved']);
});

test('an edited row that the service refused is repaired by its right file', async () => {
  const rig = await EngineRig.open();
  await rig.engine.commands.queue.pause({ origin: ORIGIN, what: 'sending' });
  const [id = ''] = await rig.add(['Right', 'Two']);
  await rig.engine.commands.jobs.edit({ id, values: { title: 'Wrong' } });
  rig.service.nextGenerate.push({
    kind: 'rejected',
    about: 'video',
    failure: { code: 'service-refused', ...userMessage('verbatim', { text: 'Not this one.' }) },
    response: { status: 400, headers: {}, body: '', sentAt: 0, receivedAt: 0 },
  });
  await rig.engine.commands.queue.resume({ origin: ORIGIN });
  await rig.until(async () => (await rig.update()).counts.rejected === 1);
  await rig.until(async () => (await rig.update()).counts.done === 1);

  await rig.add(['Right', 'Two']);
  await rig.until(async () => (await rig.update()).counts.done === 2);

  expect(rig.service.asked).toHaveLength(3);
});
