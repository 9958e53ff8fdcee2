import { onTestFinished, describe, expect, test } from 'vitest';
import type { Ledger } from '../../../../src/engine/jobs/ledger.ts';
import { addBatch, aRow } from '../../../rigs/filled-store.ts';
import { openStore, type OpenStore } from '../../../rigs/open-store.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const NOW = Date.UTC(2026, 0, 5, 9);
const HOUR = 3_600_000;
const ALL = { before: Number.MAX_SAFE_INTEGER, limit: 100 };

async function open(origin = 'https://service.example', folder = temporaryFolder()) {
  const store = await openStore({ folder, origin, now: NOW });
  onTestFinished(() => store.close().catch(() => undefined));
  return store;
}

function addNamed(store: OpenStore, name: string, titles: readonly string[]) {
  const batch = addBatch(store, { name, addedAt: NOW });
  const rows = titles.map((title) => aRow(title));
  return { batch, ids: store.jobs.insert(batch.id, rows, NOW) };
}

/** A ledger, and a job for each title. */
async function ledgerFor(...titles: string[]): Promise<{ ledger: Ledger; ids: number[] }> {
  const store = await open();
  return { ledger: store.ledger, ids: addNamed(store, 'Batch', titles).ids };
}

const spent = (ledger: Ledger) => ledger.spent(0, Infinity);
const quotas = (ledger: Ledger) => ledger.units(ALL).map(({ quota }) => quota);

describe('a unit of quota', () => {
  test('is held from the request on and charged once the video is accepted', async () => {
    const { ledger, ids } = await ledgerFor('One');
    expect(spent(ledger)).toEqual({ charged: 0, held: 0 });
    ledger.hold(ids[0]!, NOW);
    expect(spent(ledger)).toEqual({ charged: 0, held: 1 });
    ledger.charge(ids[0]!);
    expect(spent(ledger)).toEqual({ charged: 1, held: 0 });
  });

  test('is free again when its request was not executed', async () => {
    const { ledger, ids } = await ledgerFor('One');
    ledger.hold(ids[0]!, NOW);
    ledger.release(ids[0]!);
    expect(spent(ledger)).toEqual({ charged: 0, held: 0 });
    expect(ledger.spentUnits(0, Infinity)).toEqual([]);
    expect(ledger.units(ALL)).toEqual([]);
  });

  test('is refunded, and stays listed, when its render failed', async () => {
    const { ledger, ids } = await ledgerFor('One');
    ledger.hold(ids[0]!, NOW);
    ledger.charge(ids[0]!);
    ledger.refund(ids[0]!);
    expect(spent(ledger)).toEqual({ charged: 0, held: 0 });
    expect(ledger.spentUnits(0, Infinity)).toEqual([]);
    expect(quotas(ledger)).toEqual(['refunded']);
  });

  test('that was charged is not released, and one that is held is not refunded', async () => {
    const { ledger, ids } = await ledgerFor('One', 'Two');
    ledger.hold(ids[0]!, NOW);
    ledger.charge(ids[0]!);
    ledger.hold(ids[1]!, NOW);
    ledger.release(ids[0]!);
    ledger.refund(ids[1]!);
    expect(spent(ledger)).toEqual({ charged: 1, held: 1 });
  });

  test('of one job leaves those of others, and its earlier ones, unchanged', async () => {
    const { ledger, ids } = await ledgerFor('One', 'Two');
    const [one = 0, two = 0] = ids;
    ledger.hold(one, NOW);
    ledger.charge(one, NOW + 1);
    ledger.hold(one, NOW + 2);
    ledger.hold(two, NOW + 3);
    ledger.charge(one, NOW + 4);
    ledger.refund(one);
    expect(ledger.units(ALL).map(({ jobId, quota }) => [jobId, quota])).toEqual([
      [String(two), 'held'],
      [String(one), 'refunded'],
      [String(one), 'charged'],
    ]);
    expect(ledger.spentUnits(0, Infinity)).toEqual([
      { at: NOW + 1, state: 'charged' },
      { at: NOW + 3, state: 'held' },
    ]);
  });
});

describe('the units spent in a period', () => {
  test('are counted by the service’s clock, with its first moment and without its last', async () => {
    const { ledger, ids } = await ledgerFor('Before', 'First', 'Last', 'After');
    const service = NOW + 48 * HOUR;
    for (const [n, id] of ids.entries()) ledger.hold(id, NOW, service + (n - 1) * HOUR);
    ledger.charge(ids[2]!);
    expect(ledger.spent(service, service + HOUR)).toEqual({ charged: 0, held: 1 });
    expect(ledger.spent(service, service + 2 * HOUR)).toEqual({ charged: 1, held: 1 });
    expect(ledger.spentUnits(service, service + 2 * HOUR)).toEqual([
      { at: service, state: 'held' },
      { at: service + HOUR, state: 'charged' },
    ]);
    expect(ledger.spentUnits(service, service + HOUR)).toHaveLength(1);
    expect(ledger.spent(NOW, NOW + 1)).toEqual({ charged: 0, held: 0 });
  });

  test('count in the cycle in which the service accepted the video', async () => {
    const { ledger, ids } = await ledgerFor('Across the reset', 'Without a date');
    const reset = NOW + HOUR;
    for (const id of ids) ledger.hold(id, NOW, reset - 1);
    ledger.charge(ids[0]!, reset);
    ledger.charge(ids[1]!);
    expect(ledger.spent(0, reset)).toEqual({ charged: 1, held: 0 });
    expect(ledger.spent(reset, Infinity)).toEqual({ charged: 1, held: 0 });
  });

  test('are read oldest first, in whatever order they were stored', async () => {
    const { ledger, ids } = await ledgerFor('A', 'B', 'C');
    for (const [n, at] of [2, 0, 1].entries()) ledger.hold(ids[n]!, NOW, NOW + at);
    expect(ledger.spentUnits(0, Infinity).map(({ at }) => at - NOW)).toEqual([0, 1, 2]);
  });

  test('are of this service alone', async () => {
    const folder = temporaryFolder();
    const store = await open('https://one.example', folder);
    store.ledger.hold(addNamed(store, 'Batch', ['One']).ids[0]!, NOW);
    store.ledger.record({ at: NOW, used: 3, difference: 2 });
    await store.close();

    const { ledger } = await open('https://two.example', folder);
    expect(spent(ledger)).toEqual({ charged: 0, held: 0 });
    expect(ledger.spentUnits(0, Infinity)).toEqual([]);
    expect(ledger.units(ALL)).toEqual([]);
    expect(ledger.recorded(0, Infinity)).toEqual([]);
  });
});

describe('the list of units', () => {
  test('has each with its job, newest first, a page at a time', async () => {
    const { ledger, ids } = await ledgerFor('One', 'Two', 'Three');
    for (const [n, id] of ids.entries()) ledger.hold(id, NOW + n);
    const all = ledger.units(ALL);
    expect(all.map(({ title }) => title)).toEqual(['Three', 'Two', 'One']);
    const page = ledger.units({ before: all[0]!.id, limit: 1 });
    expect(page.map(({ title }) => title)).toEqual(['Two']);
  });

  test('is filtered by batch, by words of a title in any case, and by time', async () => {
    const store = await open();
    const { ledger } = store;
    const march = addNamed(store, 'March', ['Élan vital', 'Plain']);
    const april = addNamed(store, 'April', ['Plain']);
    for (const [n, id] of [...march.ids, ...april.ids].entries()) {
      ledger.hold(id, NOW + n * HOUR, NOW + 99 * HOUR);
    }
    const titles = (query: object) =>
      ledger.units({ ...ALL, ...query }).map(({ batchName, title }) => `${batchName} ${title}`);
    expect(titles({ batchId: march.batch.id })).toEqual(['March Plain', 'March Élan vital']);
    expect(titles({ search: 'ÉLAN' })).toEqual(['March Élan vital']);
    expect(titles({ search: 'nowhere' })).toEqual([]);
    expect(titles({ search: '' })).toHaveLength(3);
    expect(titles({ batchId: april.batch.id, search: 'plain' })).toEqual(['April Plain']);
    // By the clock of this computer, which is the one that is shown.
    expect(titles({ from: NOW + HOUR })).toEqual(['April Plain', 'March Plain']);
    expect(titles({ to: NOW + HOUR })).toEqual(['March Élan vital']);
  });

  test('shows the video with the unit that bought it, and not with an earlier one', async () => {
    const store = await open();
    const { ledger, jobs } = store;
    const id = addNamed(store, 'Batch', ['One']).ids[0]!;
    ledger.hold(id, NOW);
    ledger.charge(id);
    ledger.refund(id);
    ledger.hold(id, NOW + HOUR);
    ledger.charge(id);
    for (const move of ['reserve', 'send', 'accept'] as const) jobs.move(id, move, NOW);
    const cost = { amount: 0.5, unit: 'money', currency: 'USD' } as const;
    const saved = {
      filePath: '/renders/One.mp4',
      fileBytes: 5,
      fileSeconds: 2.5,
      cost,
      savedAt: NOW,
    };
    jobs.change(id, { remoteId: 'video-2', ...saved });

    const unit = { jobId: String(id), title: 'One', batchName: 'Batch' };
    const nothing = {
      filePath: null,
      fileBytes: null,
      fileSeconds: null,
      cost: null,
      savedAt: null,
    };
    const [late, early] = ledger.units(ALL);
    expect(late).toEqual({
      ...unit,
      id: late!.id,
      at: NOW + HOUR,
      quota: 'charged',
      state: 'submitted',
      remoteId: 'video-2',
      ...saved,
    });
    expect(early).toEqual({
      ...unit,
      id: early!.id,
      at: NOW,
      quota: 'refunded',
      state: null,
      remoteId: null,
      ...nothing,
    });
  });
});

test('records about the quota are kept, and listed in order of time', async () => {
  const { ledger } = await ledgerFor();
  const records = [
    { at: NOW + HOUR, used: null, difference: -1 },
    { at: NOW, used: 7, difference: 2 },
    { at: NOW, used: 8, difference: 1 },
  ] as const;
  for (const record of records) ledger.record(record);
  expect(ledger.recorded(0, Infinity)).toEqual([records[1], records[2], records[0]]);
  expect(ledger.recorded(NOW, NOW + HOUR)).toEqual([records[1], records[2]]);
  expect(ledger.recorded(NOW + 1, NOW + HOUR + 1)).toEqual([records[0]]);
});
