import { expect, test } from 'vitest';
import { DOCUMENTED_API } from '../../../../src/contract/service-profile.ts';
import { EngineRig } from '../../../rigs/engine-rig.ts';

const DAY = 24 * 3_600_000;

async function saveAll(rig: EngineRig, count: number): Promise<void> {
  await rig.until(async () => (await rig.update()).counts.done === count, 3 * DAY);
}

test('sums spent videos by week, month, batch and service', async () => {
  const rig = await EngineRig.open();
  const { activity, batches } = rig.engine.commands;
  const begin = rig.clock.now();
  await rig.add(['One', 'Two']);
  await saveAll(rig, 2);
  await rig.clock.advance(8 * DAY);
  await rig.add(['Three'], 'Later.csv');
  await saveAll(rig, 3);

  const by = async (group: 'week' | 'month' | 'batch' | 'service') =>
    (await activity.costs({ by: group, zone: 'UTC' })).sums;
  const weeks = await by('week');
  expect(weeks.map(({ videos }) => videos)).toEqual([2, 1]);
  // Each is named by its Monday.
  for (const { key } of weeks) expect(new Date(key).getUTCDay()).toBe(1);
  expect((await by('month')).reduce((sum, { videos }) => sum + videos, 0)).toBe(3);
  expect((await by('batch')).map(({ name, videos }) => [name, videos])).toEqual([
    ['Batch', 2],
    ['Later', 1],
  ]);
  const [service] = await by('service');
  expect(service).toMatchObject({ key: rig.engine.summary().service.origin, videos: 3 });
  const none = await activity.costs({ by: 'batch', from: begin - DAY, to: begin });
  expect(none.sums).toEqual([]);

  const batchId = (await by('batch'))[0]?.key ?? '';
  const result = await batches.result({ batchId });
  expect(result).toMatchObject({ saved: 2, cost: { videos: 2, amounts: [] } });
  expect(result.lastSavedAt).toBeGreaterThan(result.firstSentAt ?? Infinity);
});

test('says what videos cost by the profile’s rule, as an estimate', async () => {
  const rule = { fixed: 2.5, perColumn: null };
  const cost = { ...DOCUMENTED_API.cost, unit: 'money', currency: 'EUR', rule } as const;
  const generate = { ...DOCUMENTED_API.generate, path: '/make' };
  const rig = await EngineRig.open({ api: { cost, generate } });
  await rig.add(['One', 'Two']);
  await saveAll(rig, 2);
  const { sums } = await rig.engine.commands.activity.costs({ by: 'batch' });
  expect(sums[0]?.amounts).toEqual([
    { unit: 'money', currency: 'EUR', amount: 5, estimated: true },
  ]);
});

test('exports the sums as a table', async () => {
  const rig = await EngineRig.open();
  await rig.add(['One', 'Two'], '=Batch.csv');
  await saveAll(rig, 2);
  let text = '';
  const wanted = { what: 'costs', by: 'batch', format: 'csv' } as const;
  const pieces = await rig.engine.commands.activity.export(wanted, {
    signal: new AbortController().signal,
  });
  for await (const piece of pieces) text += piece.text;
  const [header, row] = text.trim().split(/\r?\n/);
  expect(header).toContain('batch,videos,amount,unit,estimated');
  // A formula in a name is not one in a spreadsheet.
  expect(row).toBe(`'=Batch,2,,,`);
});

test('refuses the result of a batch that does not exist', async () => {
  const rig = await EngineRig.open();
  await expect(async () => rig.engine.commands.batches.result({ batchId: '99' })).rejects.toThrow();
});
