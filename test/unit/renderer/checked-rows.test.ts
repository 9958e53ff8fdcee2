import { expect, it } from 'vitest';
import type { BatchPlan, Duplicates, InvalidRow, PlannedRow } from '../../../src/contract/batch.ts';
import type { BatchIssue } from '../../../src/contract/batch-issue.ts';
import { userMessage, joinMessages } from '../../../src/contract/user-message.ts';
import {
  appliedChoice,
  checkedRows,
  messageWithoutPlace,
  duplicateTotals,
  planTotals,
  duplicateChoices,
} from '../../../src/renderer/views/add/checked-rows.ts';

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
  choices: [],
  forecast: { sendAt: null, readyAt: null, savedAt },
  wait: null,
});

const error = (where: Partial<BatchIssue>): BatchIssue => ({
  severity: 'error',
  kind: 'verbatim',
  code: 'value-invalid',
  ...userMessage('verbatim', { text: 'It does not fit.' }),
  ...where,
});

const plan = (
  rows: PlannedRow[],
  issues: BatchIssue[] = [],
  invalidRows: InvalidRow[] = [],
): BatchPlan => ({
  origin: 'https://service.example',
  name: 'Batch',
  files: [{ name: 'batch.csv', rowsBefore: 0, reading: null }],
  columns: ['title'],
  fileColumns: ['title'],
  fields: [],
  sentAsNumbers: [],
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
  issues,
  invalidRows,
  leftOut: [],
  savedBy: null,
  savedBetween: null,
  cost: null,
  balance: null,
  notThisCycle: 0,
});

it('lists each error at its row, and errors of the whole file first', () => {
  const lines = checkedRows(
    plan(
      [row(2, 'new', 1), row(3, 'new', 2)],
      [error({ row: 3, column: 'aspect' }), error({ row: 4 }), error({})],
    ),
  );
  expect(
    lines.map(({ row: number, planned, error: found }) => [number, planned?.title, found !== null]),
  ).toEqual([
    [null, undefined, true],
    [2, 'Row 2', false],
    [3, 'Row 3', true],
    [4, undefined, true],
  ]);
});

it('names a line by its title, or by its row’s first cells where errors left none', () => {
  const lines = checkedRows(
    plan(
      [row(2, 'new', 1), row(3, 'new', 2)],
      [error({}), error({ row: 3 }), error({ row: 4 }), error({ row: 4 }), error({ row: 5 })],
      [
        { row: 3, name: 'Other' },
        { row: 4, name: 'Film' },
      ],
    ),
  );
  expect(lines.map(({ name }) => name)).toEqual(['', 'Row 2', 'Row 3', 'Film', 'Film', '']);
});

it('shows two errors of one row as two lines', () => {
  const lines = checkedRows(
    plan([row(2, 'new', 1)], [error({ row: 2, column: 'a' }), error({ row: 2, column: 'b' })]),
  );
  expect(lines.map((line) => line.error?.column)).toEqual(['a', 'b']);
});

it('counts new, repeated and saved videos, and those saved today and later', () => {
  const endOfDay = 100;
  const totals = planTotals(
    plan([
      row(2, 'new', 50),
      row(3, 'new', 150),
      row(4, 'new', null),
      row(5, 'downloaded-again', 60),
      row(6, 'saved', 40),
      row(7, 'already-queued', 45),
      row(8, 'skipped', null),
      row(9, 'in-other-batch', 70),
    ]),
    endOfDay,
  );
  expect(totals).toEqual({
    rows: 8,
    all: 8,
    renders: 3,
    downloads: 1,
    inOtherBatches: 1,
    skipped: 3,
    today: 2,
    later: 1,
    last: 150,
  });
});

it('omits the place from an error that is shown at its place', () => {
  const message = joinMessages(
    userMessage('at-row', { row: 3, column: 'aspect' }),
    userMessage('cell-empty'),
  );
  expect(messageWithoutPlace(error({ ...message, row: 3, column: 'aspect' }), plan([]))).toEqual(
    userMessage('cell-empty'),
  );
  expect(messageWithoutPlace(error({ ...message, row: 3, column: 'shape' }), plan([]))).toEqual(
    userMessage('cell-empty'),
  );
  expect(messageWithoutPlace(error({ ...message, row: 4, column: 'aspect' }), plan([]))).toEqual(
    message,
  );
  const wide = userMessage('row-of-other-width', { row: 3, cells: 2, columns: 3 });
  expect(messageWithoutPlace(error({ ...wide, row: 3 }), plan([]))).toEqual(wide);
});

it('counts duplicate rows, and what they cost with the current choices', () => {
  const job = { of: 'job', batch: 'May', state: 'done' } as const;
  const rows: PlannedRow[] = [
    { ...row(2, 'downloaded-again', 1), like: job },
    { ...row(3, 'new', 1), like: job },
    { ...row(4, 'new', 1), like: { of: 'row', row: 3 } },
    row(5, 'new', 1),
  ];
  expect(duplicateTotals(plan(rows))).toEqual({ rows: 3, inFile: 1, cost: 2 });
});

it('tells when the last video with a forecast is saved', () => {
  const rows = [row(2, 'new', 50), row(3, 'new', 900), row(4, 'new', null)];
  expect(planTotals(plan(rows), 100)).toMatchObject({ today: 1, later: 1, last: 900 });
  expect(planTotals(plan([row(2, 'new', null)]), 100).last).toBeNull();
});

it('counts rows that are left out with the others, where each row is one video', () => {
  const rows = [row(2, 'new', 50), row(3, 'new', 60)];
  const leftOut = [{ row: 4, name: 'Left out', issues: [] }];
  expect(planTotals({ ...plan(rows), leftOut }, 100).all).toBe(3);
  const languages = ['de', 'en'].map((variant) => ({ ...row(2, 'new', 50), variant }));
  expect(planTotals({ ...plan(languages), leftOut }, 100).all).toBeNull();
});

it('counts rows that wait for the quota apart, and says when the last is saved', () => {
  const later = { ...row(3, 'new', 900), wait: { reason: 'quota', until: 800 } as const };
  const rows = [row(2, 'new', 10), later];
  expect(planTotals(plan(rows), 100)).toMatchObject({ today: 1, later: 0, last: 900 });
  const far = { ...row(4, 'new', null), wait: { reason: 'years-away', until: null } as const };
  expect(planTotals(plan([...rows, far]), 100).last).toBe('years-away');
});

it('offers each outcome of a row once, by the current choice where several have it', () => {
  const duplicate: PlannedRow = {
    ...row(4, 'new', 1),
    like: { of: 'row', row: 3 },
    choices: [
      { duplicates: 'reuse', outcome: 'new' },
      { duplicates: 'render', outcome: 'new' },
      { duplicates: 'skip', outcome: 'duplicate-skipped' },
    ],
  };
  const offered = (chosen: Duplicates): string[] =>
    duplicateChoices(duplicate, chosen).map(({ duplicates }) => duplicates);
  expect(offered('reuse')).toEqual(['reuse', 'skip']);
  expect(offered('render')).toEqual(['render', 'skip']);
  expect(offered('skip')).toEqual(['reuse', 'skip']);
  expect(duplicateChoices(row(5, 'new', 1), 'render')).toEqual([]);
});

it('a row that the choice for all rows does not apply to has the default one', () => {
  const queued: PlannedRow = {
    ...row(4, 'already-queued', 1),
    like: { of: 'job', batch: 'May', state: 'queued' },
    choices: [
      { duplicates: 'reuse', outcome: 'already-queued' },
      { duplicates: 'skip', outcome: 'duplicate-skipped' },
    ],
  };
  expect(appliedChoice(queued, 'render')).toBe('reuse');
  expect(appliedChoice(queued, 'skip')).toBe('skip');
});
