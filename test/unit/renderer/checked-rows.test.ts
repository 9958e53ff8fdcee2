import { expect, it } from 'vitest';
import type { BatchPlan, PlannedRow } from '../../../src/contract/batch.ts';
import type { Failure } from '../../../src/contract/failure.ts';
import { checkedRows, planTotals } from '../../../src/renderer/views/add/checked-rows.ts';

const row = (
  number: number,
  outcome: PlannedRow['outcome'],
  savedAt: number | null,
): PlannedRow => ({
  row: number,
  title: `Row ${number}`,
  fileName: `${number}.mp4`,
  outcome,
  like: null,
  forecast: { sendAt: null, readyAt: null, savedAt },
});

const fault = (where: Partial<Failure>): Failure => ({
  code: 'value-invalid',
  message: 'It does not fit.',
  ...where,
});

const plan = (rows: PlannedRow[], faults: Failure[] = []): BatchPlan => ({
  name: 'Batch',
  columns: ['title'],
  fileColumns: ['title'],
  fields: [],
  samples: [],
  template: { body: {} },
  naming: {
    folder: '/videos',
    nameTemplate: '{title}',
    onCollision: 'number',
    placeholders: [],
    unknown: [],
  },
  rows,
  faults,
  savedBy: null,
  notThisCycle: 0,
});

it('puts each fault where its row is, and faults of the whole file first', () => {
  const lines = checkedRows(
    plan(
      [row(2, 'new', 1), row(3, 'new', 2)],
      [fault({ row: 3, column: 'aspect' }), fault({ row: 4 }), fault({})],
    ),
  );
  expect(
    lines.map(({ row: number, planned, fault: found }) => [number, planned?.title, found !== null]),
  ).toEqual([
    [null, undefined, true],
    [2, 'Row 2', false],
    [3, 'Row 3', true],
    [4, undefined, true],
  ]);
});

it('shows two faults of one row as two lines', () => {
  const lines = checkedRows(
    plan([row(2, 'new', 1)], [fault({ row: 2, column: 'a' }), fault({ row: 2, column: 'b' })]),
  );
  expect(lines.map((line) => line.fault?.column)).toEqual(['a', 'b']);
});

it('counts what costs, what comes today and what is left out', () => {
  const endOfDay = 100;
  const totals = planTotals(
    plan([
      row(2, 'new', 50),
      row(3, 'new', 150),
      row(4, 'new', null),
      row(5, 'fetched-again', 60),
      row(6, 'saved', 40),
      row(7, 'under-way', 45),
      row(8, 'skipped', null),
    ]),
    endOfDay,
  );
  expect(totals).toEqual({ fresh: 3, again: 1, there: 3, today: 2, later: 1 });
});
