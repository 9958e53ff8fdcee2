import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { BatchOptions, Duplicates } from '../../../../src/contract/batch.ts';
import { userMessage } from '../../../../src/contract/user-message.ts';
import { EngineRig, ORIGIN } from '../../../rigs/engine-rig.ts';
import { openStore } from '../../../rigs/open-store.ts';
import { saveVideos } from '../../../rigs/saved-files.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

/** A finished batch, and a queued row of another one. */
async function withEarlierBatches() {
  const rig = await EngineRig.open();
  await rig.add(['One', 'Two', 'Two'], 'January.csv', { duplicates: 'render' });
  await rig.until(async () => (await rig.update()).counts.done === 3);
  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  await rig.add(['Three'], 'Waiting.csv');
  return rig;
}

const AGAIN = ['One', 'Two', 'Two', 'Three', 'Four', 'Four'];
const source = (name: string) => ({ name, content: ['title', ...AGAIN].join('\n') });

test.each<[string, string, Duplicates, string[]]>([
  [
    'reuse',
    'January.csv',
    'reuse',
    ['saved', 'saved', 'saved', 'in-other-batch', 'new', 'duplicate-skipped'],
  ],
  [
    'reuse elsewhere',
    'May.csv',
    'reuse',
    [
      'downloaded-again',
      'downloaded-again',
      'downloaded-again',
      'in-other-batch',
      'new',
      'duplicate-skipped',
    ],
  ],
  ['render', 'January.csv', 'render', ['new', 'new', 'new', 'new', 'new', 'new']],
  ['render elsewhere', 'May.csv', 'render', ['new', 'new', 'new', 'new', 'new', 'new']],
  [
    'leave out',
    'May.csv',
    'skip',
    [
      'duplicate-skipped',
      'duplicate-skipped',
      'duplicate-skipped',
      'duplicate-skipped',
      'new',
      'duplicate-skipped',
    ],
  ],
])('duplicate rows are treated as the user chose: %s', async (_, name, duplicates, to) => {
  const rig = await withEarlierBatches();

  const { rows } = await rig.engine.commands.batches.plan({
    source: source(name),
    options: { duplicates },
  });
  const result = await rig.engine.commands.batches.add({
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
  expect(result.submitted).toBe(to.filter((outcome) => outcome === 'new').length);
  const added = to.filter(
    (outcome) => outcome !== 'duplicate-skipped' && outcome !== 'in-other-batch',
  );
  expect(result.jobIds).toHaveLength(added.length);
  expect(result.inOtherBatches).toHaveLength(
    to.filter((outcome) => outcome === 'in-other-batch').length,
  );
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
  const store = await openStore({ folder, origin: ORIGIN });
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
    duplicates: 'skip',
    duplicateRows: { 2: 'reuse', 4: 'render', 7: 'render' },
  };

  const { rows } = await rig.engine.commands.batches.plan({ source: source('May.csv'), options });
  const added = await rig.engine.commands.batches.add({
    origin: ORIGIN,
    source: source('May.csv'),
    options,
  });

  expect(rows.map(({ row, outcome }) => [row, outcome])).toEqual([
    [2, 'downloaded-again'],
    [3, 'duplicate-skipped'],
    [4, 'new'],
    [5, 'duplicate-skipped'],
    [6, 'new'],
    [7, 'new'],
  ]);
  expect(added).toMatchObject({ submitted: 3, downloadedAgain: 1 });
  expect(added.jobIds).toHaveLength(4);
});

test('a plan shows each choice for a row, and what it costs', async () => {
  const rig = await withEarlierBatches();

  const outcomesIn = async (name: string): Promise<string[][]> => {
    const { rows } = await rig.engine.commands.batches.plan({ source: source(name), options: {} });
    return rows.map(({ choices }) =>
      choices.map((choice) => `${choice.duplicates}: ${choice.outcome}`),
    );
  };

  const [saved, , , elsewhere, none, duplicate] = await outcomesIn('January.csv');
  expect(saved).toEqual(['reuse: saved', 'render: new', 'skip: duplicate-skipped']);
  expect(elsewhere).toEqual(['reuse: in-other-batch', 'render: new', 'skip: duplicate-skipped']);
  expect(none).toEqual([]);
  expect(duplicate).toEqual(['reuse: duplicate-skipped', 'render: new', 'skip: duplicate-skipped']);
  expect((await outcomesIn('May.csv'))[0]).toEqual([
    'reuse: downloaded-again',
    'render: new',
    'skip: duplicate-skipped',
  ]);
});

test('a video that was rendered again is reused when the same file is added again', async () => {
  const rig = await withEarlierBatches();
  await rig.engine.commands.batches.add({
    origin: ORIGIN,
    source: source('January.csv'),
    options: { duplicates: 'render' },
  });

  const { rows } = await rig.engine.commands.batches.plan({
    source: source('January.csv'),
    options: {},
  });
  expect(rows.map(({ outcome }) => outcome)).toEqual([
    'saved',
    'saved',
    'saved',
    'already-queued',
    'already-queued',
    'already-queued',
  ]);
  const once = await rig.engine.commands.batches.add({
    origin: ORIGIN,
    source: source('January.csv'),
    options: { duplicates: 'render' },
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
    options: { duplicates: 'render' },
  });

  expect(rows.map(({ outcome, like }) => [outcome, like?.of])).toEqual([
    ['already-queued', 'job'],
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

  expect(rows.map(({ outcome }) => outcome)).toEqual(['downloaded-again', 'duplicate-skipped']);
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

const failure = {
  code: 'outcome-unknown',
  ...userMessage('verbatim', { text: 'The connection broke.' }),
} as const;

/** Brings a row of another batch into a state in which it may still be accepted, or was. */
const PENDING: Readonly<Record<string, (rig: EngineRig) => Promise<unknown>>> = {
  queued: async (rig) => {
    await rig.engine.commands.queue.pause({ origin: ORIGIN, what: 'sending' });
    await addTo(rig, 'January.csv');
  },
  held: async (rig) => {
    await PENDING.queued?.(rig);
    await rig.engine.commands.jobs.hold({ ids: [(await rig.job(0)).id] });
  },
  rendering: async (rig) => {
    await addTo(rig, 'January.csv');
    await rig.until(async () => (await rig.job(0)).state === 'rendering');
  },
  uncertain: async (rig) => {
    rig.service.nextGenerate.push({ kind: 'unknown', failure, response: null });
    await addTo(rig, 'January.csv');
    await rig.until(async () => (await rig.job(0)).state === 'uncertain');
  },
  failed: async (rig) => {
    rig.service.statusResponses.set('video-1', { status: 200, body: { status: 'on_hold' } });
    await addTo(rig, 'January.csv');
    await rig.until(async () => (await rig.job(0)).state === 'failed', 90 * 24 * 3_600_000, 60_000);
    expect((await rig.job(0)).failure).toMatchObject({ code: 'status-unknown' });
  },
  abandoned: async (rig) => {
    await PENDING.uncertain?.(rig);
    const { id } = await rig.job(0);
    await rig.engine.commands.jobs.resolve({ id, attempts: 1, as: 'abandon' });
  },
};

const ONE = 'title\nOne';

async function addTo(rig: EngineRig, name: string, options: BatchOptions = {}, content = ONE) {
  return rig.engine.commands.batches.add({ origin: ORIGIN, source: { name, content }, options });
}

async function planOf(rig: EngineRig, name: string, options: BatchOptions = {}, content = ONE) {
  return rig.engine.commands.batches.plan({ source: { name, content }, options });
}

test.each(Object.entries(PENDING))(
  'a row that another batch has as %s is not paid for again, unless the user says so',
  async (state, prepare) => {
    const rig = await EngineRig.open();
    await prepare(rig);

    const { rows } = await planOf(rig, 'May.csv');
    expect(rows.map(({ outcome, like, choices }) => [outcome, like, choices])).toEqual([
      [
        'in-other-batch',
        { of: 'job', batch: 'January', state },
        [
          { duplicates: 'reuse', outcome: 'in-other-batch' },
          { duplicates: 'render', outcome: 'new' },
          { duplicates: 'skip', outcome: 'duplicate-skipped' },
        ],
      ],
    ]);
    expect(await addTo(rig, 'May.csv')).toMatchObject({
      submitted: 0,
      inOtherBatches: ['1'],
      alreadyThere: 0,
      jobIds: [],
    });
    expect(await rig.jobs()).toHaveLength(1);
    expect(await addTo(rig, 'June.csv', { duplicateRows: { 2: 'render' } })).toMatchObject({
      submitted: 1,
    });
    expect(await addTo(rig, 'July.csv', { duplicates: 'render' })).toMatchObject({ submitted: 1 });
  },
);

test('a row that another batch was rendering is downloaded once that one is saved', async () => {
  const rig = await EngineRig.open();
  await PENDING.rendering?.(rig);
  await addTo(rig, 'May.csv');
  await rig.until(async () => (await rig.update()).counts.done === 1);

  expect(await addTo(rig, 'May.csv')).toMatchObject({ downloadedAgain: 1, inOtherBatches: [] });
  await rig.until(async () => (await rig.update()).counts.done === 2);

  expect(rig.service.asked).toHaveLength(1);
});

test('of three equal rows, none is rendered that another batch has or the file repeats', async () => {
  const rig = await EngineRig.open();
  await addTo(rig, 'January.csv');
  await rig.until(async () => (await rig.update()).counts.done === 1);
  await rig.engine.commands.queue.pause({ origin: ORIGIN, what: 'sending' });
  await addTo(rig, 'March.csv', { duplicates: 'render' });

  const { rows } = await planOf(rig, 'May.csv', {}, 'title\nOne\nOne\nOne');

  expect(rows.map(({ outcome }) => outcome)).toEqual([
    'downloaded-again',
    'in-other-batch',
    'duplicate-skipped',
  ]);
});

test('a cancelled row that is added again stays cancelled while another batch has it', async () => {
  const rig = await EngineRig.open();
  await rig.engine.commands.queue.pause({ origin: ORIGIN, what: 'sending' });
  const { jobIds } = await addTo(rig, 'January.csv');
  await rig.engine.commands.jobs.cancel({ ids: jobIds });
  await addTo(rig, 'May.csv');

  expect(await addTo(rig, 'January.csv')).toMatchObject({ submitted: 0, inOtherBatches: ['2'] });
  expect((await rig.job(0)).state).toBe('cancelled');
});

test('a failed render of another batch does not stop a row from being rendered', async () => {
  const rig = await EngineRig.open();
  rig.service.nextStatus.push({ state: 'failed', word: 'failed', progress: null, error: null });
  await addTo(rig, 'January.csv');
  await rig.until(async () => (await rig.update()).counts.failed === 1);

  expect((await planOf(rig, 'May.csv')).rows.map(({ outcome }) => outcome)).toEqual(['new']);
});

test.each<[string, BatchOptions, string]>([
  ['no duplicate', { duplicateRows: { 3: 'skip' } }, 'Row 3 is not a duplicate'],
  ['no duplicate, rendered', { duplicateRows: { 3: 'render' } }, 'Row 3 is not a duplicate'],
  ['not in the file', { duplicateRows: { 30: 'render' } }, 'Row 30 is not a duplicate'],
  ['queued in this batch', { duplicateRows: { 2: 'render' } }, 'Row 2 is in this batch already'],
])('a choice for a row that cannot apply is an error: %s', async (_, options, message) => {
  const rig = await EngineRig.open();
  await rig.engine.commands.queue.pause({ origin: ORIGIN, what: 'sending' });
  await addTo(rig, 'January.csv');
  const content = 'title\nOne\nNew';

  const { issues, rows } = await planOf(rig, 'January.csv', options, content);

  const row = Number(Object.keys(options.duplicateRows ?? {})[0]);
  expect(issues).toMatchObject([
    { code: 'value-invalid', row, message: expect.stringContaining(message) as string },
  ]);
  expect(rows.map(({ choices }) => choices.map(({ duplicates }) => duplicates))).toEqual([
    ['reuse', 'skip'],
    [],
  ]);
  await expect(addTo(rig, 'January.csv', options, content)).rejects.toMatchObject({
    failure: { code: 'value-invalid' },
  });
});

test('a row that failed in this batch can be rendered again alone', async () => {
  const rig = await EngineRig.open();
  rig.service.nextGenerate.push({
    kind: 'rejected',
    about: 'video',
    failure: { code: 'service-refused', ...userMessage('verbatim', { text: 'Not this one.' }) },
    response: { status: 400, headers: {}, body: '', sentAt: 0, receivedAt: 0 },
  });
  const content = 'title\nOne\nTwo';
  await addTo(rig, 'January.csv', {}, content);
  await rig.until(async () => (await rig.update()).counts.done === 1);

  expect(
    (await planOf(rig, 'January.csv', {}, content)).rows.map(({ choices }) => choices),
  ).toEqual([
    [
      { duplicates: 'reuse', outcome: 'failed-before' },
      { duplicates: 'render', outcome: 'new' },
      { duplicates: 'skip', outcome: 'duplicate-skipped' },
    ],
    [
      { duplicates: 'reuse', outcome: 'saved' },
      { duplicates: 'render', outcome: 'new' },
      { duplicates: 'skip', outcome: 'duplicate-skipped' },
    ],
  ]);
  const added = await addTo(rig, 'January.csv', { duplicateRows: { 2: 'render' } }, content);
  expect(added).toMatchObject({ submitted: 1, alreadyThere: 1 });
});

test('a row whose file name is taken is rendered under another name if the user says so', async () => {
  const rig = await EngineRig.open();
  const taken = path.join(rig.folder, 'renders', 'One.mp4');
  mkdirSync(path.dirname(taken), { recursive: true });
  writeFileSync(taken, 'Another program’s');
  const naming = { nameTemplate: '{title}', onCollision: 'skip' } as const;

  const { rows } = await planOf(rig, 'January.csv', naming);
  expect(rows.map(({ outcome, choices }) => [outcome, choices])).toEqual([
    [
      'skipped',
      [
        { duplicates: 'reuse', outcome: 'skipped' },
        { duplicates: 'render', outcome: 'new' },
        { duplicates: 'skip', outcome: 'duplicate-skipped' },
      ],
    ],
  ]);
  const skipping = await planOf(rig, 'January.csv', {
    ...naming,
    duplicateRows: { 2: 'skip' },
  });
  expect(skipping).toMatchObject({ issues: [], rows: [{ outcome: 'duplicate-skipped' }] });
  await addTo(rig, 'January.csv', { ...naming, duplicateRows: { 2: 'render' } });
  await rig.until(async () => (await rig.update()).counts.done === 1);

  expect((await rig.job(0)).file?.path).toBe(path.join(rig.folder, 'renders', 'One (2).mp4'));
  expect(readFileSync(taken, 'utf8')).toBe('Another program’s');
});
