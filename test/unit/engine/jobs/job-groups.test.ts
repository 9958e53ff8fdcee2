import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JOB_SORTS, type JobSort } from '../../../../src/contract/job-order.ts';
import { JobGroups } from '../../../../src/engine/jobs/job-groups.ts';
import { canMove, type MoveName } from '../../../../src/engine/jobs/lifecycle.ts';
import { addBatch, aRow } from '../../../rigs/filled-store.ts';
import { openStore } from '../../../rigs/open-store.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const SAVED = ['reserve', 'send', 'accept', 'finish', 'download', 'verify', 'save'] as const;

interface Row {
  readonly title: string;
  readonly batch?: number;
  readonly moves?: readonly MoveName[];
}

/** A store with two batches and these jobs, whose ids are 1, 2, 3 … */
async function storeOf(rows: readonly Row[]) {
  const store = await openStore({
    folder: temporaryFolder(),
  });
  const batches = ['beta', 'Alpha'].map((name) => addBatch(store, { name }));
  rows.forEach(({ title, batch = 0, moves = [] }, row) => {
    const [id = 0] = store.jobs.insert(
      batches[batch]?.id ?? 0,
      [aRow(title, { row: row + 2, occurrence: row })],
      0,
    );
    moves.forEach((move, at) => {
      const change = move === 'save' ? { savedAt: row * 100 + at, fileBytes: 1000 - row } : {};
      if (canMove(move, store.jobs.get(id).state)) store.jobs.move(id, move, at, change);
    });
  });
  return store;
}

const DAY: readonly Row[] = [
  { title: 'saved first', moves: SAVED },
  { title: 'waits' },
  { title: 'renders', moves: ['reserve', 'send', 'accept'] },
  { title: 'saved second', batch: 1, moves: SAVED },
  { title: 'refused', moves: ['reserve', 'send', 'reject'] },
  { title: 'beyond the quota', batch: 1 },
  { title: 'cancelled', moves: ['cancel'] },
];

test('lists what is in work, needs attention and waits, then what is finished by batch', async () => {
  const store = await storeOf(DAY);
  const groups = new JobGroups(store, () => 2);
  const { total, rows, groups: found } = groups.page({ grouping: 'sections' });
  expect(found).toEqual([
    { key: 'now', total: 1, lines: 1 },
    { key: 'attention', total: 1, lines: 1 },
    { key: 'next', total: 1, lines: 1 },
    { key: 'later', total: 1, lines: 1 },
    { key: 'batch:2', total: 1, lines: 1 },
    { key: 'batch:1', total: 2, lines: 2 },
  ]);
  expect(total).toBe(7);
  expect(rows.map(({ title }) => title)).toEqual([
    'renders',
    'refused',
    'waits',
    'beyond the quota',
    'saved second',
    'saved first',
    'cancelled',
  ]);
  await store.close();
});

test('counts folded groups, and lists none of their jobs', async () => {
  const store = await storeOf(DAY);
  const query = { grouping: 'sections', unfolded: ['now', 'next', 'batch:1'] } as const;
  const groups = new JobGroups(store, () => undefined);
  expect(groups.ids(query)).toEqual([3, 2, 6, 1, 7]);
  expect(groups.page(query).total).toBe(5);
  expect(groups.page(query).groups.find(({ key }) => key === 'batch:2')?.total).toBe(1);
  await store.close();
});

test('has no group “next” when the quota has no room at all', async () => {
  const store = await storeOf([{ title: 'a' }, { title: 'b' }]);
  const groups = new JobGroups(store, () => null);
  expect(groups.page({ grouping: 'sections' }).groups).toEqual([
    { key: 'later', total: 2, lines: 2 },
  ]);
  await store.close();
});

test('narrows the sections to one batch', async () => {
  const store = await storeOf(DAY);
  const groups = new JobGroups(store, () => 2);
  const { groups: found } = groups.page({ grouping: 'sections', batchId: '2' });
  expect(found).toEqual([
    { key: 'later', total: 1, lines: 1 },
    { key: 'batch:2', total: 1, lines: 1 },
  ]);
  await store.close();
});

test('lists saved videos by batch, in each the latest first', async () => {
  const store = await storeOf([...DAY, { title: 'saved third', moves: SAVED }]);
  const groups = new JobGroups(store, () => undefined);
  const query = { grouping: 'batches', states: ['done'] } as const;
  expect(groups.ids(query)).toEqual([4, 8, 1]);
  expect(groups.ids({ ...query, search: 'third' })).toEqual([8]);
  expect(groups.page({ ...query, search: 'third' }).groups).toEqual([
    { key: 'batch:1', total: 1, lines: 1 },
  ]);
  await store.close();
});

test('every page is the part of the whole list that it asks for', async () => {
  const store = await storeOf([...DAY, ...DAY]);
  const groups = new JobGroups(store, () => 2);
  const all = groups.ids({ grouping: 'sections' });
  fc.assert(
    fc.property(fc.nat(16), fc.integer({ min: 1, max: 16 }), (offset, limit) => {
      const { rows } = groups.page({ grouping: 'sections', offset, limit });
      expect(rows.map(({ id }) => id)).toEqual(all.slice(offset, offset + limit));
    }),
  );
  await store.close();
});

describe('the videos of a row', () => {
  const VARIANTS = ['16:9', '9:16', '1:1'];

  /** A batch of rows that make three videos each, and one that makes one; by id: 1 to 3, 4 to 6, 7. */
  async function storeOfRows() {
    const store = await storeOf(VARIANTS.concat(VARIANTS, 'alone').map((title) => ({ title })));
    for (const first of [1, 4])
      store.jobs.joinRow(VARIANTS.map((variant, at) => ({ id: first + at, variant })));
    return store;
  }

  const FOLDED = { grouping: 'sections', unfoldedRows: [] } as const;

  test('have one line in each section', async () => {
    const store = await storeOfRows();
    store.jobs.move(1, 'reserve', 0);
    const groups = new JobGroups(store, () => undefined);
    const { total, rows, folded, groups: found } = groups.page(FOLDED);
    expect(rows.map(({ id }) => id)).toEqual([1, 2, 4, 7]);
    expect([...folded].map(([id, jobs]) => [id, jobs.map(({ variant }) => variant)])).toEqual([
      [2, ['1:1']],
      [4, ['9:16', '1:1']],
    ]);
    expect([total, found]).toEqual([
      4,
      [
        { key: 'now', total: 1, lines: 1 },
        { key: 'next', total: 6, lines: 3 },
      ],
    ]);
    expect(groups.ids(FOLDED)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(groups.ids({ ...FOLDED, oneALine: true })).toEqual([1, 2, 4, 7]);
    await store.close();
  });

  test('are counted in the section of their line when the quota ends between them', async () => {
    const store = await storeOfRows();
    const groups = new JobGroups(store, () => 6);
    store.jobs.move(7, 'cancel', 0);
    const last = new JobGroups(store, () => 4);
    expect(groups.page(FOLDED).groups[0]).toEqual({ key: 'next', total: 6, lines: 2 });
    expect(last.page(FOLDED).groups[0]).toEqual({ key: 'next', total: 6, lines: 2 });
    expect(last.page({ ...FOLDED, unfoldedRows: ['4'] }).groups.slice(0, 2)).toEqual([
      { key: 'next', total: 4, lines: 2 },
      { key: 'later', total: 2, lines: 2 },
    ]);
    await store.close();
  });

  test('are listed where their line is, and nowhere else', async () => {
    const store = await storeOfRows();
    store.order.move([1], null);
    const groups = new JobGroups(store, () => 3);
    const isNext = { ...FOLDED, unfolded: ['next'] };
    const isLater = { ...FOLDED, unfolded: ['later'] };
    // Before the end of the quota are two videos whose line is beyond it.
    expect([groups.ids(isNext), groups.ids(isLater)]).toEqual([[], [4, 5, 6, 7, 1, 2, 3]]);
    expect(groups.ids({ grouping: 'sections', unfolded: ['next'] })).toEqual([2, 3]);
    await store.close();
  });

  test('have a line each once their row is unfolded', async () => {
    const store = await storeOfRows();
    const groups = new JobGroups(store, () => undefined);
    const { rows, folded } = groups.page({ ...FOLDED, unfoldedRows: ['4'] });
    expect(rows.map(({ id }) => id)).toEqual([1, 4, 5, 6, 7]);
    expect([...folded.keys()]).toEqual([1]);
    await store.close();
  });

  test('are listed one after the other among saved videos, the row that was saved last first', async () => {
    const rows = ['a', 'b', 'c', 'd'].map((title) => ({ title, moves: SAVED }));
    const store = await storeOf(rows);
    store.jobs.joinRow([1, 4].map((id) => ({ id, variant: String(id) })));
    const groups = new JobGroups(store, () => undefined);
    const query = { grouping: 'batches', states: ['done'], unfoldedRows: [] } as const;
    expect(groups.ids(query)).toEqual([1, 4, 3, 2]);
    expect(groups.page(query)).toMatchObject({ total: 4, folded: new Map() });
    await store.close();
  });

  test('stay one row when another video of it is added', async () => {
    const store = await storeOfRows();
    store.jobs.insert(1, [aRow('4:5', { occurrence: 9 })], 0);
    store.jobs.joinRow([
      { id: 8, variant: '4:5' },
      { id: 1, variant: '16:9' },
    ]);
    expect(store.jobs.get(8)).toMatchObject({ rowId: 1, variant: '4:5', foldedInto: 1 });
    await store.close();
  });

  test('have a line when the first of them becomes a video of another row', async () => {
    const store = await storeOfRows();
    store.jobs.joinRow([1, 4].map((id) => ({ id, variant: String(id) })));
    const groups = new JobGroups(store, () => undefined);
    expect(groups.ids({ ...FOLDED, oneALine: true })).toEqual([1, 5, 7]);
    expect(groups.ids(FOLDED).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    await store.close();
  });

  test('are two rows when their row is divided', async () => {
    const store = await storeOfRows();
    store.jobs.insert(
      1,
      ['a', 'b'].map((title) => aRow(title, { occurrence: 9 })),
      0,
    );
    for (const row of [
      [1, 8],
      [2, 3, 9],
    ])
      store.jobs.joinRow(row.map((id) => ({ id, variant: String(id) })));
    const groups = new JobGroups(store, () => undefined);
    expect(groups.ids({ ...FOLDED, oneALine: true })).toEqual([1, 2, 4, 7]);
    await store.close();
  });

  test('are each listed once, whatever their states, places and the end of the quota', async () => {
    const store = await storeOfRows();
    const ids = [1, 2, 3, 4, 5, 6, 7];
    let last: number | null | undefined;
    const groups = new JobGroups(store, () => last);
    const change = fc.record({
      id: fc.constantFrom(...ids),
      move: fc.constantFrom(...(['reserve', 'send', 'accept', 'reject', 'cancel'] as const)),
      before: fc.option(fc.constantFrom(...ids)),
      last: fc.constantFrom(null, undefined, ...ids),
      archived: fc.boolean(),
      unfoldedRows: fc.subarray(['1', '4']),
      offset: fc.nat(7),
    });
    fc.assert(
      fc.property(change, ({ id, move, before, archived, unfoldedRows, offset, ...other }) => {
        ({ last } = other);
        if (canMove(move, store.jobs.get(id).state)) store.jobs.move(id, move, 0);
        if (before !== id) store.order.move([id], before);
        store.jobs.archive(id, archived ? 1 : null);
        const query = { ...FOLDED, unfoldedRows };
        const listed = groups.ids({ grouping: 'sections' });
        expect(groups.ids(query).toSorted((a, b) => a - b)).toEqual(
          listed.toSorted((a, b) => a - b),
        );
        const lines = groups.ids({ ...query, oneALine: true });
        const page = groups.page(query);
        expect(page.rows.map((row) => row.id)).toEqual(lines);
        expect(page.total).toBe(lines.length);
        expect(page.groups.filter((group) => group.lines === 0)).toEqual([]);
        expect(page.groups.reduce((sum, { total }) => sum + total, 0)).toBe(listed.length);
        expect(groups.page({ ...query, offset, limit: 2 }).rows.map((row) => row.id)).toEqual(
          lines.slice(offset, offset + 2),
        );
      }),
      { numRuns: 60 },
    );
    await store.close();
  });
});

const SORTED: Readonly<Record<JobSort, readonly string[]>> = {
  queue: DAY.map(({ title }) => title),
  title: [...DAY].map(({ title }) => title).toSorted(),
  batch: [
    ...['saved second', 'beyond the quota'],
    ...['saved first', 'waits', 'renders', 'refused', 'cancelled'],
  ],
  state: [
    ...['waits', 'beyond the quota', 'renders'],
    ...['saved first', 'saved second', 'refused', 'cancelled'],
  ],
  when: [
    ...['saved first', 'saved second'],
    ...['waits', 'renders', 'refused', 'beyond the quota', 'cancelled'],
  ],
  file: DAY.map(({ title }) => title),
  length: DAY.map(({ title }) => title),
  size: [
    ...['saved second', 'saved first'],
    ...['waits', 'renders', 'refused', 'beyond the quota', 'cancelled'],
  ],
};

test.each(JOB_SORTS)('sorts by %s', async (by) => {
  const store = await storeOf(DAY);
  const titles = (descending: boolean) =>
    store.jobs.page({ order: { by, descending } }).rows.map(({ title }) => title);
  expect(titles(false)).toEqual(SORTED[by]);
  // Rows without a value stay at the end.
  if (by === 'size') expect(titles(true)[0]).toBe('saved first');
  if (by === 'size') expect(titles(true).at(-1)).toBe('cancelled');
  await store.close();
});
