import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { EngineRig } from '../../../rigs/engine-rig.ts';
import { noisePng } from '../../../rigs/pictures.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const HEADER = 'title[de],title[en],aspect';

async function plan(rig: EngineRig, lines: readonly string[], options = {}) {
  const source = { name: 'Week.csv', content: lines.join('\n') };
  return rig.engine.commands.batches.plan({ source, options });
}

it('a row with two shapes in two languages costs four videos, each with a file of its own', async () => {
  const rig = await EngineRig.open();
  const { rows, naming, samples, issues } = await plan(rig, [HEADER, 'See,Lake,"16:9, 9:16"']);
  expect(issues).toEqual([]);
  expect(
    rows.map(({ row, variant, outcome, fileName }) => [row, variant, outcome, fileName]),
  ).toEqual([
    [2, '16:9 · de', 'new', 'Week/1 See 16_9 de.mp4'],
    [2, '9:16 · de', 'new', 'Week/1 See 9_16 de.mp4'],
    [2, '16:9 · en', 'new', 'Week/1 Lake 16_9 en.mp4'],
    [2, '9:16 · en', 'new', 'Week/1 Lake 9_16 en.mp4'],
  ]);
  expect(naming.nameTemplate).toBe('{batch}/{index} {title} {aspect} {language}.mp4');
  expect(naming.unknown).toEqual([]);
  expect(samples[0]?.videos?.map(({ request }) => request)).toMatchObject([
    { title: 'See', aspect: '16:9' },
    { title: 'See', aspect: '9:16' },
    { title: 'Lake', aspect: '16:9' },
    { title: 'Lake', aspect: '9:16' },
  ]);
});

it('a table whose rows make one video each is named as before', async () => {
  const rig = await EngineRig.open();
  const { rows, naming } = await plan(rig, ['title,aspect', 'Lake,16:9', 'Tree,9:16']);
  expect(naming.nameTemplate).toBe('{batch}/{index} {title}.mp4');
  expect(rows.map(({ variant, fileName }) => [variant, fileName])).toEqual([
    [undefined, 'Week/1 Lake.mp4'],
    [undefined, 'Week/2 Tree.mp4'],
  ]);
});

it('a chosen name is kept', async () => {
  const rig = await EngineRig.open();
  const nameTemplate = '{language}/{title}.mp4';
  const { rows } = await plan(rig, [HEADER, 'See,Lake,1:1'], { nameTemplate });
  expect(rows.map(({ fileName }) => fileName)).toEqual(['de/See.mp4', 'en/Lake.mp4']);
});

it('all videos of a row are sent, once, and are recognised when the table is added again', async () => {
  const rig = await EngineRig.open();
  const { origin } = rig.engine.summary().service;
  const source = { name: 'Week.csv', content: [HEADER, 'See,Lake,"16:9, 9:16"'].join('\n') };
  const add = () => rig.engine.commands.batches.add({ origin, source, options: {} });
  const { jobIds } = await add();
  await rig.until(() => rig.service.asked.length === 4);
  const again = await add();
  expect(again).toMatchObject({ submitted: 0, alreadyThere: 4, jobIds });
  const asked = rig.service.asked.map((body) => JSON.parse(body) as { title: string });
  expect(asked.map(({ title }) => title)).toEqual(['See', 'See', 'Lake', 'Lake']);
});

it('the videos of a row belong together, also those that are added to it later', async () => {
  const rig = await EngineRig.open();
  const { commands, origin } = rig.engine;
  await commands.queue.pause({ origin, what: 'sending' });
  const add = (...rows: readonly string[]) =>
    commands.batches.add({
      origin,
      source: { name: 'Week.csv', content: ['title,aspect', ...rows].join('\n') },
      options: {},
    });
  const [first = '', , alone = ''] = (await add('Lake,"16:9, 9:16"', 'Tree,1:1')).jobIds;
  const rowsOf = async () =>
    (await commands.jobs.list({ offset: 0, limit: 9 })).jobs.map((job) => [
      job.title,
      job.variant,
      job.rowId,
    ]);
  const before = [
    ['Lake', '16:9', first],
    ['Lake', '9:16', first],
  ];
  expect(await rowsOf()).toEqual([...before, ['Tree', null, null]]);
  await add('Lake,"16:9, 9:16, 1:1"', 'Tree,"1:1, 4:5"');
  expect(await rowsOf()).toEqual([
    ...before,
    ['Tree', '1:1', alone],
    ['Lake', '1:1', first],
    ['Tree', '4:5', alone],
  ]);
});

it('an edit of what distinguishes a video of a row changes its name, and can be undone', async () => {
  const rig = await EngineRig.open();
  const { commands, origin } = rig.engine;
  await commands.queue.pause({ origin, what: 'sending' });
  const source = { name: 'Week.csv', content: [HEADER, 'See,Lake,"16:9, 9:16"'].join('\n') };
  const { jobIds } = await commands.batches.add({ origin, source, options: {} });
  const [id = ''] = jobIds;
  const variant = async () => (await commands.jobs.show({ id })).job.variant;
  expect(await variant()).toBe('16:9 · de');
  const { step } = await commands.jobs.edit({ id, values: { aspect: '4:5' } });
  expect(await variant()).toBe('4:5 · de');
  await commands.jobs.undo({ step: step ?? '' });
  expect(await variant()).toBe('16:9 · de');
});

it('a picture that cannot be used is one error of its row, whatever videos it makes', async () => {
  const rig = await EngineRig.open();
  const folder = path.join(temporaryFolder(), 'table');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'boat.png'), noisePng(40, 30));
  const rows = ['Lake,none.png,"16:9, 9:16"', 'Boat,boat.png,"16:9, 9:16"'];
  const content = ['title,picture,aspect', ...rows].join('\n');
  const { issues, invalidRows, samples } = await rig.engine.commands.batches.plan({
    source: { name: 'Week.csv', content, folder },
    options: {},
  });
  expect(issues.map(({ row, column }) => [row, column])).toEqual([[2, 'picture']]);
  expect(invalidRows).toEqual([{ row: 2, name: 'Lake' }]);
  expect(samples.map(({ request, videos }) => [request !== null, videos?.length])).toEqual([
    [false, undefined],
    [true, 2],
  ]);
});
