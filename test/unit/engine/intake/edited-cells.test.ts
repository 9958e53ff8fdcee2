import { expect, test } from 'vitest';
import type { CellEdits } from '../../../../src/contract/batch.ts';
import { readBatch } from '../../../../src/engine/intake/read-batch.ts';
import {
  requestTemplateSchema,
  type RequestTemplate,
} from '../../../../src/engine/intake/request-template.ts';

const template: RequestTemplate = requestTemplateSchema.parse({
  title: 'title',
  columns: {
    title: { type: 'text', required: true, maxLength: 40, aliases: ['headline'] },
    seconds: { type: 'number', min: 1, max: 60 },
    accent: { type: 'colour' },
  },
  preset: [],
  body: { name: '{{title}}', seconds: '{{seconds}}', accent: '{{accent}}' },
});

const INVALID = 'Headline,seconds,accent\nOne,8,#ffbb22\nTwo,long,no colour\n,9,\n';

function read(content: string, edits: CellEdits, name = 'batch.csv') {
  return readBatch({ name, content }, template, { edits });
}

function bodies(content: string, edits: CellEdits, name?: string): unknown[] {
  const { rows, errors } = read(content, edits, name);
  expect(errors).toEqual([]);
  return rows.map(({ body }) => JSON.parse(body) as unknown);
}

test('corrected cells are checked and sent in place of the file’s', () => {
  expect(
    bodies(INVALID, { 3: { seconds: '12', accent: '#2a6f97' }, 4: { Headline: 'Three' } }),
  ).toEqual([
    { name: 'One', seconds: 8, accent: '#ffbb22' },
    { name: 'Two', seconds: 12, accent: '#2a6f97' },
    { name: 'Three', seconds: 9 },
  ]);
});

test('a correction can be wrong as well', () => {
  const { errors } = read(INVALID, { 3: { seconds: '99', accent: '' }, 4: { Headline: 'Three' } });
  expect(errors).toMatchObject([{ row: 3, column: 'seconds', cell: '99' }]);
});

test('samples and names of rows with errors show the corrected cells', () => {
  const { samples, invalidRows } = read(INVALID, { 3: { Headline: 'Zwei' } });
  expect(samples[1]?.cells).toMatchObject({ Headline: 'Zwei', accent: 'no colour' });
  expect(invalidRows[0]).toEqual({ row: 3, name: 'Zwei' });
});

test('a correction in which nothing can be seen empties the cell', () => {
  expect(bodies('title,seconds\nOne,long\n', { 2: { seconds: '' } })).toEqual([{ name: 'One' }]);
  const { errors } = read('title\nOne\n', { 2: { title: '\u200b' } });
  expect(errors).toMatchObject([
    { row: 2, message: 'Row 2, title: is empty, and every video needs one.' },
  ]);
});

test('a field without a column can be filled in for a row', () => {
  expect(bodies('title\nOne\nTwo\n', { 3: { accent: '#2a6f97' } })).toEqual([
    { name: 'One' },
    { name: 'Two', accent: '#2a6f97' },
  ]);
});

test('corrections of rows that are not in the file change nothing', () => {
  expect(bodies('title\nOne\n', { 9: { title: 'Nine' } })).toEqual([{ name: 'One' }]);
});

test('an entry that spells the column differently is corrected', () => {
  const content = JSON.stringify([{ Title: 'One' }, { title: 'Two', SECONDS: 'long' }]);
  expect(bodies(content, { 2: { seconds: '9' } }, 'batch.json')).toEqual([
    { name: 'One' },
    { name: 'Two', seconds: 9 },
  ]);
});

test('a number of JSON is corrected', () => {
  const content = '[{"title":"One","seconds":5.0}]';
  expect(bodies(content, { 1: { seconds: '9' } }, 'batch.json')).toEqual([
    { name: 'One', seconds: 9 },
  ]);
});

test('rows of several files have their numbers in the batch', () => {
  const further = [{ name: 'b.csv', content: 'headline,seconds\nB,long\n' }];
  const source = { name: 'a.csv', content: 'title,seconds\nA,8\n', further };
  const { rows, errors } = readBatch(source, template, { edits: { 4: { seconds: '9' } } });
  expect(errors).toEqual([]);
  expect(rows.map(({ row, body }) => [row, JSON.parse(body) as unknown])).toEqual([
    [2, { name: 'A', seconds: 8 }],
    [4, { name: 'B', seconds: 9 }],
  ]);
});

test('rows that are left out keep their errors, and prevent nothing', () => {
  const source = { name: 'batch.csv', content: INVALID };
  const reading = readBatch(source, template, { leaveOut: [3, 4, 9] });
  expect(reading.errors).toEqual([]);
  expect(reading.invalidRows).toEqual([]);
  expect(reading.rows.map(({ row, index }) => [row, index])).toEqual([[2, 1]]);
  expect(reading.leftOut).toMatchObject([
    { row: 3, name: 'Two', issues: [{ column: 'seconds' }, { column: 'accent' }] },
    { row: 4, name: '9', issues: [{ column: 'title' }] },
  ]);
});

test('a row without errors can be left out as well', () => {
  const source = { name: 'batch.csv', content: 'title\nOne\nTwo\n' };
  const { rows, leftOut } = readBatch(source, template, { leaveOut: [2] });
  expect(rows.map(({ row }) => row)).toEqual([3]);
  expect(leftOut).toEqual([
    { row: 2, name: 'One', issues: [], cells: expect.any(Array) as string[] },
  ]);
});
