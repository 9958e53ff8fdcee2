import path from 'node:path';
import { expect, test } from 'vitest';
import type { BatchOptions, Duplicates } from '../../../../src/contract/batch.ts';
import { EngineRig, ORIGIN } from '../../../rigs/engine-rig.ts';
import { openStore } from '../../../rigs/open-store.ts';
import { saveVideos } from '../../../rigs/saved-files.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

/** A finished batch, and a queued row of another one. */
async function withEarlierBatches() {
  const rig = await EngineRig.open();
  await rig.add(['One', 'Two', 'Two'], 'January.csv');
  await rig.until(async () => (await rig.update()).counts.done === 3);
  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  await rig.add(['Three'], 'Waiting.csv');
  return rig;
}

const AGAIN = ['One', 'Two', 'Two', 'Three', 'Four', 'Four'];
const source = (name: string) => ({ name, content: ['title', ...AGAIN].join('\n') });

test.each<[string, string, Duplicates, string[]]>([
  ['reuse', 'January.csv', 'reuse', ['saved', 'saved', 'saved', 'new', 'new', 'new']],
  [
    'reuse elsewhere',
    'May.csv',
    'reuse',
    ['fetched-again', 'fetched-again', 'fetched-again', 'new', 'new', 'new'],
  ],
  ['make', 'January.csv', 'make', ['new', 'new', 'new', 'new', 'new', 'new']],
  ['make elsewhere', 'May.csv', 'make', ['new', 'new', 'new', 'new', 'new', 'new']],
  [
    'leave out',
    'May.csv',
    'leave-out',
    ['left-out', 'left-out', 'left-out', 'left-out', 'new', 'left-out'],
  ],
])('duplicate rows are treated as the user chose: %s', async (_, name, duplicates, to) => {
  const rig = await withEarlierBatches();

  const { rows } = await rig.engine.commands.batches.plan({
    source: source(name),
    options: { duplicates },
  });
  const added = await rig.engine.commands.batches.add({
    origin: ORIGIN,
    source: source(name),
    options: { duplicates },
  });

  expect(rows.map(({ outcome }) => outcome)).toEqual(to);
  expect(rows.map(({ like }) => like)).toEqual([
    { of: 'job', batch: 'January', state: 'done' },
    { of: 'job', batch: 'January', state: 'done' },
    name === 'January.csv' ? { of: 'job', batch: 'January', state: 'done' } : { of: 'row', row: 3 },
    { of: 'job', batch: 'Waiting', state: 'queued' },
    null,
    { of: 'row', row: 6 },
  ]);
  expect(added.submitted).toBe(to.filter((outcome) => outcome === 'new').length);
  expect(added.jobIds).toHaveLength(to.filter((outcome) => outcome !== 'left-out').length);
});

test.each(['/', '/.', '//', '/May/..'])(
  'rows are recognised when their folder is written with “%s” at its end',
  async (end) => {
    const rig = await withEarlierBatches();
    const batch = { origin: ORIGIN, source: { name: 'Waiting.csv', content: 'title\nThree' } };
    const folder = `${rig.folder}/renders${end}`;

    const added = await rig.engine.commands.batches.add({ ...batch, options: { folder } });

    expect(added).toMatchObject({ submitted: 0, alreadyThere: 1 });
    expect(rig.engine.summary().batches).toHaveLength(2);
  },
);

test('a batch whose folder an earlier version stored as it was typed is recognised', async () => {
  const folder = temporaryFolder();
  const store = await openStore({ folder, origin: ORIGIN, now: 0, onChange: () => undefined });
  const renders = path.join(folder, 'renders');
  saveVideos(store, renders, [{ file: 'One.mp4' }]);
  store.transactions.run('UPDATE batch SET folder = ?', `${renders}/`);
  await store.close();
  const rig = await EngineRig.open({ folder });

  const plan = await rig.engine.commands.batches.plan({
    source: { name: 'Batch.csv', content: 'title\nTwo' },
    options: { nameTemplate: 'One', folder: renders },
  });

  expect(plan.rows.map(({ fileName }) => fileName)).toEqual(['One (2).mp4']);
  await rig.add(['Two']);
  expect(rig.engine.summary().batches).toHaveLength(1);
});

test('single rows follow their own choice, and the others the batch’s', async () => {
  const rig = await withEarlierBatches();
  const options: BatchOptions = {
    duplicates: 'leave-out',
    // Row 6 duplicates no earlier row, so its choice is ignored.
    duplicateRows: { 2: 'reuse', 4: 'make', 6: 'leave-out', 7: 'make' },
  };

  const { rows } = await rig.engine.commands.batches.plan({ source: source('May.csv'), options });
  const added = await rig.engine.commands.batches.add({
    origin: ORIGIN,
    source: source('May.csv'),
    options,
  });

  expect(rows.map(({ row, outcome }) => [row, outcome])).toEqual([
    [2, 'fetched-again'],
    [3, 'left-out'],
    [4, 'new'],
    [5, 'left-out'],
    [6, 'new'],
    [7, 'new'],
  ]);
  expect(added).toMatchObject({ submitted: 3, fetchedAgain: 1 });
  expect(added.jobIds).toHaveLength(4);
});

test('a plan shows each choice for a row, and what it costs', async () => {
  const rig = await withEarlierBatches();

  const outcomesIn = async (name: string): Promise<string[][]> => {
    const { rows } = await rig.engine.commands.batches.plan({ source: source(name), options: {} });
    return rows.map(({ ways }) => ways.map((way) => `${way.duplicates}: ${way.outcome}`));
  };

  const [saved, , , elsewhere, none, duplicate] = await outcomesIn('January.csv');
  expect(saved).toEqual(['reuse: saved', 'make: new', 'leave-out: left-out']);
  expect(elsewhere).toEqual(['reuse: new', 'make: new', 'leave-out: left-out']);
  expect(none).toEqual([]);
  expect(duplicate).toEqual(['reuse: new', 'make: new', 'leave-out: left-out']);
  expect((await outcomesIn('May.csv'))[0]).toEqual([
    'reuse: fetched-again',
    'make: new',
    'leave-out: left-out',
  ]);
});

test('a video that was rendered again is reused when the same file is added again', async () => {
  const rig = await withEarlierBatches();
  await rig.engine.commands.batches.add({
    origin: ORIGIN,
    source: source('January.csv'),
    options: { duplicates: 'make' },
  });

  const { rows } = await rig.engine.commands.batches.plan({
    source: source('January.csv'),
    options: {},
  });
  expect(rows.map(({ outcome }) => outcome)).toEqual([
    'saved',
    'saved',
    'saved',
    'under-way',
    'under-way',
    'under-way',
  ]);
  const once = await rig.engine.commands.batches.add({
    origin: ORIGIN,
    source: source('January.csv'),
    options: { duplicates: 'make' },
  });
  expect(once).toMatchObject({ submitted: 3, alreadyThere: 3 });
  expect((await rig.jobs()).filter(({ state }) => state === 'queued')).toHaveLength(10);
});

test('a row already in this batch is not rendered twice, and a cancelled row has no duplicates', async () => {
  const rig = await EngineRig.open();
  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  await rig.add(['One', 'Two']);
  await rig.engine.commands.jobs.cancel({ ids: [(await rig.job(1)).id] });

  const { rows } = await rig.engine.commands.batches.plan({
    source: { name: 'Batch.csv', content: 'title\nOne\nTwo' },
    options: { duplicates: 'make' },
  });

  expect(rows.map(({ outcome, like }) => [outcome, like?.of])).toEqual([
    ['under-way', 'job'],
    ['new', undefined],
  ]);
});

test('a video that two batches share is downloaded for one row of another, and not for two', async () => {
  const rig = await EngineRig.open();
  await rig.add(['One'], 'January.csv');
  await rig.until(async () => (await rig.update()).counts.done === 1);
  await rig.add(['One'], 'May.csv');
  await rig.until(async () => (await rig.update()).counts.done === 2);
  expect(rig.service.asked).toHaveLength(1);

  const { rows } = await rig.engine.commands.batches.plan({
    source: { name: 'June.csv', content: 'title\nOne\nOne' },
    options: {},
  });

  expect(rows.map(({ outcome }) => outcome)).toEqual(['fetched-again', 'new']);
});

test('a cancelled row that is added again gets the video that another batch has by now', async () => {
  const rig = await EngineRig.open();
  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  const ids = await rig.add(['One'], 'January.csv');
  await rig.engine.commands.jobs.cancel({ ids });
  await rig.add(['One'], 'May.csv');
  await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
  await rig.until(async () => (await rig.update()).counts.done === 1);

  expect(await rig.add(['One'], 'January.csv')).toEqual(ids);
  await rig.until(async () => (await rig.update()).counts.done === 2);

  expect(rig.service.asked).toHaveLength(1);
});

test('a plan states how files would be named, and which placeholders are unknown', async () => {
  const rig = await EngineRig.open();
  const { naming, template } = await rig.engine.commands.batches.plan({
    source: { name: 'Batch.csv', content: 'title,Client\nOne,Kestrel' },
    options: { nameTemplate: '{client}/{titel}', onCollision: 'skip' },
  });

  expect(naming).toMatchObject({ nameTemplate: '{client}/{titel}', onCollision: 'skip' });
  expect(naming.placeholders).toEqual(['title', 'Client', 'row', 'batch', 'index']);
  expect(naming.unknown).toEqual(['titel']);
  expect(template.title).toBe('title');
});
