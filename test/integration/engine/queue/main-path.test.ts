import { existsSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EngineRig, ORIGIN } from '../../../rigs/engine-rig.ts';

test('each row is submitted once, in order, and its video is saved', async () => {
  const rig = await EngineRig.open();
  await rig.add(['One', 'Two', 'Three']);

  await rig.until(async () => (await rig.update()).counts.done === 3);

  expect(rig.service.asked).toHaveLength(3);
  expect((await rig.jobs()).map(({ title, remoteId }) => [title, remoteId])).toEqual([
    ['One', 'video-1'],
    ['Two', 'video-2'],
    ['Three', 'video-3'],
  ]);
  for (const { file } of await rig.jobs()) expect(existsSync(file?.path ?? '')).toBe(true);
  expect((await rig.update()).quota).toMatchObject({ used: 3, held: 0 });
  expect(rig.defects).toEqual([]);
});

test('the history has every step and the request is stored as it was sent', async () => {
  const rig = await EngineRig.open();
  const [id = ''] = await rig.add(['One']);

  await rig.until(async () => (await rig.job(0)).state === 'done');

  const { history, request, lastAnswer } = await rig.engine.commands.jobs.show({ id });
  expect(history.map(({ to }) => to)).toEqual([
    'queued',
    'reserved',
    'sending',
    'submitted',
    'rendering',
    'ready',
    'downloading',
    'verifying',
    'done',
  ]);
  expect(JSON.stringify(request)).toContain('One');
  expect(lastAnswer).toContain('200');
});

test('adding the same file again renders nothing', async () => {
  const rig = await EngineRig.open();
  const first = await rig.add(['One', 'Two', 'Three']);
  await rig.until(async () => (await rig.update()).counts.done === 3);

  const again = await rig.engine.commands.batches.add({
    origin: ORIGIN,
    source: { name: 'Batch.csv', content: 'title\nOne\nTwo\nThree\nFour' },
    options: {},
  });

  expect(again).toMatchObject({ submitted: 1, downloadedAgain: 0, alreadyThere: 3 });
  expect(again.jobIds.slice(0, 3)).toEqual(first);
});

test.each([{ before: [] }, { before: ['One'] }])(
  'a batch added by two windows at once is added once (rows before: $before)',
  async ({ before }) => {
    const rig = await EngineRig.open();
    await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
    if (before.length > 0) await rig.add(before);
    const batch = ['One', 'Two', 'Three'];

    const [first, second] = await Promise.all([rig.add(batch), rig.add(batch)]);

    expect(second).toEqual(first);
    expect((await rig.jobs()).map(({ title }) => title)).toEqual(batch);
  },
);

test('a row rendered for another batch is downloaded again and costs no quota', async () => {
  const rig = await EngineRig.open();
  await rig.add(['One', 'Two'], 'January.csv');
  await rig.until(async () => (await rig.update()).counts.done === 2);

  const source = { name: 'February.csv', content: 'title\nOne\nTwo\nThree' };
  const { rows } = await rig.engine.commands.batches.plan({ source, options: {} });
  expect(rows.map(({ outcome }) => outcome)).toEqual([
    'downloaded-again',
    'downloaded-again',
    'new',
  ]);
  await rig.engine.commands.batches.add({ origin: ORIGIN, source, options: {} });
  await rig.until(async () => (await rig.update()).counts.done === 5);

  expect(rig.service.asked).toHaveLength(3);
  expect((await rig.jobs()).map(({ remoteId }) => remoteId)).toEqual([
    'video-1',
    'video-2',
    'video-1',
    'video-2',
    'video-3',
  ]);
  expect((await rig.update()).quota?.used).toBe(3);
});

test('a deleted file is noticed, and downloaded again when its row is added again', async () => {
  const rig = await EngineRig.open();
  await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'done');
  rmSync((await rig.job(0)).file?.path ?? '');

  expect(await rig.engine.commands.files.check()).toEqual({ missing: 1 });
  expect(await rig.job(0)).toMatchObject({ state: 'missing' });
  await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'done');

  expect(rig.service.asked).toHaveLength(1);
  expect(rig.service.links).toHaveLength(2);
});

test('a plan checks the files before it reports a video as saved', async () => {
  const rig = await EngineRig.open();
  await rig.add(['One', 'Two'], 'Batch.csv');
  await rig.until(async () => (await rig.update()).counts.done === 2);
  rmSync((await rig.job(0)).file?.path ?? '');

  const source = { name: 'Batch.csv', content: 'title\nOne\nTwo' };
  const { rows } = await rig.engine.commands.batches.plan({ source, options: {} });

  expect(rows.map(({ outcome }) => outcome)).toEqual(['downloaded-again', 'saved']);
});

test('two rows with one title get two file names', async () => {
  const rig = await EngineRig.open();
  const source = { name: 'Batch.csv', content: 'title,subtitle\nOne,a\nOne,b' };

  const { rows } = await rig.engine.commands.batches.plan({
    source,
    options: { nameTemplate: '{title}' },
  });

  expect(rows.map(({ fileName }) => fileName)).toEqual(['One.mp4', 'One (2).mp4']);
});

test.each([
  ['Batch.csv', 'title,accent', (title: string, accent: string) => `${title},${accent}`, '\n', ''],
  [
    'Batch.json',
    '[',
    (title: string, accent: string) => JSON.stringify({ title, accent }),
    ',',
    ']',
  ],
])(
  'a plan numbers the rows of an invalid %s like those of the corrected one',
  async (name, head, rowOf, end, foot) => {
    const rig = await EngineRig.open();
    const options = { nameTemplate: '{index} of {row} {title}' };
    const others = Array.from({ length: 7 }, (_, index) => rowOf(`Other ${index}`, ''));
    const source = (second: string, third: string): { name: string; content: string } => {
      const rows = [rowOf('One', ''), second, third, rowOf('Four', ''), ...others].join(end);
      return { name, content: head + (name.endsWith('.csv') ? end : '') + rows + foot };
    };

    const damaged = name.endsWith('.csv') ? 'Three,,more' : '"Three"';
    const invalid = await rig.engine.commands.batches.plan({
      source: source(rowOf('Two', 'mauve-ish'), damaged),
      options,
    });
    const corrected = source(rowOf('Two', '#fff'), rowOf('Three', ''));
    await rig.engine.commands.batches.add({ origin: ORIGIN, source: corrected, options });

    const planned = (await rig.engine.commands.batches.plan({ source: corrected, options })).rows;
    expect(planned.map(({ fileName }) => fileName).slice(0, 4)).toEqual(
      name.endsWith('.csv')
        ? ['01 of 2 One.mp4', '02 of 3 Two.mp4', '03 of 4 Three.mp4', '04 of 5 Four.mp4']
        : ['01 of 1 One.mp4', '02 of 2 Two.mp4', '03 of 3 Three.mp4', '04 of 4 Four.mp4'],
    );
    expect(invalid.invalidRows.map(({ row }) => row)).toEqual(
      planned.slice(1, 3).map(({ row }) => row),
    );
    expect(invalid.rows.map(({ row, fileName }) => [row, fileName])).toEqual(
      planned.flatMap(({ row, fileName }, at) => (at === 1 || at === 2 ? [] : [[row, fileName]])),
    );
  },
);

test('a batch with an error adds nothing', async () => {
  const rig = await EngineRig.open();

  await expect(
    rig.engine.commands.batches.add({
      origin: ORIGIN,
      source: { name: 'Batch.csv', content: 'title,accent\nOne,\nTwo,mauve-ish' },
      options: {},
    }),
  ).rejects.toMatchObject({ failure: { code: 'value-invalid', row: 3, column: 'accent' } });

  expect(await rig.jobs()).toEqual([]);
});

test('a plan states when each row is saved and how many rows exceed this month’s quota', async () => {
  const rig = await EngineRig.open({ limit: 2 });

  const plan = await rig.engine.commands.batches.plan({
    source: { name: 'Batch.csv', content: 'title\nOne\nTwo\nThree' },
    options: {},
  });

  expect(plan.notThisCycle).toBe(1);
  const { resetAt } = (await rig.update()).quota!;
  const [, , last] = plan.rows;
  expect(last?.wait).toEqual({ reason: 'quota', until: resetAt });
  expect(last?.forecast.sendAt).toBeGreaterThanOrEqual(resetAt);
  expect(plan.savedBy).toBe(last?.forecast.savedAt);
  expect(rig.service.asked).toEqual([]);
});
