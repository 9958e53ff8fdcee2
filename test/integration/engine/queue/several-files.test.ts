import { expect, test } from 'vitest';
import { EngineRig, ORIGIN } from '../../../rigs/engine-rig.ts';

const source = {
  name: 'week-1.csv',
  content: 'title\nOne\nTwo',
  further: [
    { name: 'week-2.csv', content: 'Title\nTwo\nThree' },
    { name: 'week-3.jsonl', content: '{"title": "Four"}' },
  ],
};

test('several files form one batch, whose jobs keep the row numbers of their files', async () => {
  const rig = await EngineRig.open();
  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  const nameTemplate = '{index} {row} {title}';

  // Row 5 of the plan is the second “Two”, in the second file.
  const plan = await rig.engine.commands.batches.plan({
    source,
    options: { nameTemplate, duplicates: 'render' },
  });
  const added = await rig.engine.commands.batches.add({
    origin: ORIGIN,
    source,
    options: {
      nameTemplate,
      duplicateRows: { 5: 'skip' },
    },
  });
  const again = await rig.engine.commands.batches.add({
    origin: ORIGIN,
    source,
    options: { nameTemplate, duplicates: 'render' },
  });

  expect(plan.name).toBe('week');
  expect(plan.files.map(({ rowsBefore }) => rowsBefore)).toEqual([0, 3, 6]);
  expect(plan.rows.map(({ row, like }) => [row, like])).toEqual([
    [2, null],
    [3, null],
    [5, { of: 'row', row: 3 }],
    [6, null],
    [7, null],
  ]);
  expect(added.submitted).toBe(4);
  expect(again).toMatchObject({ submitted: 1, alreadyThere: 4 });
  const { jobs } = await rig.engine.commands.jobs.list({
    batchId: added.batchId,
    offset: 0,
    limit: 10,
  });
  expect(jobs.map(({ title, row }) => [title, row])).toEqual([
    ['One', 2],
    ['Two', 3],
    ['Three', 3],
    ['Four', 1],
    ['Two', 2],
  ]);
  expect(plan.rows.map(({ fileName }) => fileName)).toEqual([
    '1 2 One.mp4',
    '2 3 Two.mp4',
    '3 2 Two.mp4',
    '4 3 Three.mp4',
    '5 1 Four.mp4',
  ]);
});
