import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { JobDetails } from '../../../../src/contract/job.ts';
import { inEnglish } from '../../../../src/contract/user-message.ts';
import { EngineRig, ORIGIN } from '../../../rigs/engine-rig.ts';

type Request = Record<string, JobDetails['request']>;

/** A paused queue with rows of a batch that has several columns. */
async function withRows(
  ...rows: readonly string[]
): Promise<{ rig: EngineRig; ids: string[]; requests: Request[] }> {
  const rig = await EngineRig.open();
  await rig.engine.commands.queue.pause({ origin: ORIGIN, what: 'sending' });
  const ids = await addRows(rig, 'Batch.csv', rows);
  const requests = await Promise.all(
    ids.map(async (id) => (await rig.engine.commands.jobs.show({ id })).request as Request),
  );
  return { rig, ids, requests };
}

async function addRows(rig: EngineRig, name: string, rows: readonly string[]): Promise<string[]> {
  const source = sourceOf(name, rows);
  return (await rig.engine.commands.batches.add({ origin: ORIGIN, source, options: {} })).jobIds;
}

function sourceOf(name: string, rows: readonly string[]) {
  return { name, content: ['title,aspect,seconds,resolution,accent', ...rows].join('\n') };
}

/** The same request with its names in the opposite order, as another program may write it. */
function reordered(request: Request): Request {
  return Object.fromEntries(
    Object.entries(request)
      .toReversed()
      .map(([name, value]) => [
        name,
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? reordered(value)
          : value,
      ]),
  );
}

test('an edited request has the hash of a row with the same request', async () => {
  const { rig, ids, requests } = await withRows('One,16:9,10,720,#ff0000', 'Two,9:16,20,1080,');
  const [first = ''] = ids;
  const [request = {}] = requests;
  const changed = { ...reordered(request), aspect: '9:16' };

  await rig.engine.commands.jobs.edit({ id: first, request: changed });
  await addRows(rig, 'Other.csv', ['One,9:16,10,720,#ff0000']);
  await rig.engine.commands.queue.resume({ origin: ORIGIN });
  await rig.until(async () => (await rig.update()).counts.done === 2);

  const { rows } = await rig.engine.commands.batches.plan({
    source: sourceOf('Later.csv', ['One,9:16,10,720,#FF0000']),
    options: {},
  });
  expect(rows.map(({ outcome }) => outcome)).toEqual(['downloaded-again']);
  expect(rig.service.asked).toHaveLength(2);
});

test('the list shows the title of the edited video, or the one that the user gave the row', async () => {
  const { rig, ids, requests } = await withRows('One,16:9,10,720,', 'Two,16:9,10,720,');
  const [first = '', second = ''] = ids;
  const { jobs } = rig.engine.commands;
  // As the app's form changes it: in the scene that shows it, and in the request's own field.
  const titled = (request: Request | undefined, title: string): Request =>
    JSON.parse(
      JSON.stringify(request).replaceAll(/"(?:One|Two)"/g, JSON.stringify(title)),
    ) as Request;
  const retitled = titled(requests[0], 'Three  words\nhere');
  expect(await jobs.edit({ id: first, title: 'One', request: retitled })).toMatchObject({
    title: 'Three words here',
  });
  const other = titled(requests[1], 'In the video');
  expect(await jobs.edit({ id: second, title: 'In the list', request: other })).toMatchObject({
    title: 'In the list',
  });
  expect(await jobs.edit({ id: second, request: { ...other, aspect: '9:16' } })).toMatchObject({
    title: 'In the list',
  });
});

test('an edit that changes nothing keeps the request byte for byte', async () => {
  const { rig, ids, requests } = await withRows(
    'One,16:9,10,720,#ff0000',
    'One,16:9,10,720,#ff0000',
  );
  const before = await rig.engine.commands.jobs.show({ id: ids[0] ?? '' });

  await rig.engine.commands.jobs.edit({
    id: ids[0] ?? '',
    title: 'Uno',
    request: reordered(requests[0] ?? {}),
  });

  const { requestSha256, job } = await rig.engine.commands.jobs.show({ id: ids[0] ?? '' });
  expect([requestSha256, job.title]).toEqual([before.requestSha256, 'Uno']);
});

test('an edited request is forecast by what it contains now', async () => {
  const { rig, ids, requests } = await withRows('One,16:9,10,720,');
  const { jobs } = rig.engine.commands;
  const presetOf = (): unknown => {
    const database = new DatabaseSync(path.join(rig.folder, 'spool.db'), { readOnly: true });
    const row = database.prepare('SELECT preset FROM job').get();
    database.close();
    return row?.preset;
  };
  expect(presetOf()).toBe('resolution=720 aspect=16:9 fps=30 seconds=10+');

  await jobs.edit({
    id: ids[0] ?? '',
    request: { ...requests[0], resolution: 2160, duration: 61 },
  });

  expect(presetOf()).toBe('resolution=2160 aspect=16:9 fps=30 seconds=61+');
});

test.each<[string, Request, string]>([
  ['aspect', { aspect: 'banana' }, 'Aspect ratio: “banana” is not one of 16:9, 9:16, 1:1, 4:5.'],
  ['fps', { fps: 240 }, 'Frames per second: “240” is not between 24 and 60.'],
  ['duration', { duration: 0 }, 'Length in seconds: “0” is not between 1 and 600.'],
  ['theme', { theme: { accent: 'red' } }, 'accent: “red” is not a colour such as #ffb020.'],
  ['title', { title: '' }, 'Title: is empty, and every video needs one.'],
  ['title', { title: { en: 'One' } }, 'Title: must be text, a number or a list of texts.'],
  [
    'scenes',
    { scenes: [{ kind: 'title', text: 'One', subtitle: 'x'.repeat(500) }] },
    `subtitle: “${'x'.repeat(40)}…” has 500 characters; at most 200 fit.`,
  ],
])(
  'an edit with a value that the profile does not allow is refused: %s',
  async (column, change, message) => {
    const { rig, ids, requests } = await withRows('One,16:9,10,720,#ff0000');
    const before = await rig.engine.commands.jobs.show({ id: ids[0] ?? '' });

    const edited = rig.engine.commands.jobs.edit({
      id: ids[0] ?? '',
      title: 'Changed',
      request: { ...requests[0], ...change },
    });

    await expect(edited).rejects.toMatchObject({
      failure: { code: 'value-invalid', message, column },
    });
    expect(await rig.engine.commands.jobs.show({ id: ids[0] ?? '' })).toEqual(before);
  },
);

test('an edited value is written as a row’s is', async () => {
  const { rig, ids, requests } = await withRows('One,16:9,10,720,#ff0000');

  await rig.engine.commands.jobs.edit({
    id: ids[0] ?? '',
    request: { ...requests[0], aspect: 'Portrait', fps: '25', theme: { accent: '#0AF' } },
  });

  expect((await rig.engine.commands.jobs.show({ id: ids[0] ?? '' })).request).toMatchObject({
    aspect: '9:16',
    fps: 25,
    theme: { accent: '#00aaff' },
  });
});

test('a request of the user’s own template keeps values that the profile would not allow', async () => {
  const rig = await EngineRig.open();
  await rig.engine.commands.queue.pause({ origin: ORIGIN, what: 'sending' });
  const { jobIds } = await rig.engine.commands.batches.add({
    origin: ORIGIN,
    source: { name: 'Own.csv', content: 'title\nOne' },
    options: { template: { body: { aspect: '2.39:1', duration: 7000, prompt: '{{title}}' } } },
  });
  const [id = ''] = jobIds;
  const request = { aspect: '2.39:1', duration: 7000, prompt: 'Another' };

  await rig.engine.commands.jobs.edit({ id, request });

  expect((await rig.engine.commands.jobs.show({ id })).request).toEqual(request);
});

test('a request is not edited to one that is under way, saved or uncertain already', async () => {
  const { rig, ids, requests } = await withRows('One,16:9,10,720,', 'Two,16:9,10,720,');
  const [one = '', two = ''] = ids;
  const sameAsOne = { id: two, request: reordered(requests[0] ?? {}) };

  await expect(rig.engine.commands.jobs.edit(sameAsOne)).rejects.toMatchObject({
    failure: {
      code: 'not-possible-now',
      message: expect.stringContaining('“One” in Batch') as string,
    },
  });

  await rig.engine.commands.jobs.cancel({ ids: [one] });
  await rig.engine.commands.jobs.edit(sameAsOne);
  await rig.engine.commands.queue.resume({ origin: ORIGIN });
  await rig.until(async () => (await rig.update()).counts.done === 1);
  expect(rig.service.asked).toHaveLength(1);
});

test('a row that was edited is not its original: dropped again, that is a new video', async () => {
  const rig = await EngineRig.open();
  await rig.engine.commands.queue.pause({ origin: ORIGIN, what: 'sending' });
  const [id = ''] = await rig.add(['Tipo', 'Two']);
  await rig.engine.commands.jobs.edit({ id, title: 'Typo', request: { title: 'Typo' } });
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
  await rig.engine.commands.jobs.edit({ id, request: { title: 'Wrong' } });
  rig.service.nextGenerate.push({
    kind: 'rejected',
    about: 'video',
    failure: { code: 'service-refused', ...inEnglish('Not this one.') },
    response: { status: 400, headers: {}, body: '', sentAt: 0, receivedAt: 0 },
  });
  await rig.engine.commands.queue.resume({ origin: ORIGIN });
  await rig.until(async () => (await rig.update()).counts.rejected === 1);
  await rig.until(async () => (await rig.update()).counts.done === 1);

  await rig.add(['Right', 'Two']);
  await rig.until(async () => (await rig.update()).counts.done === 2);

  expect(rig.service.asked).toHaveLength(3);
});
