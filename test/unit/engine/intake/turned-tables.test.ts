/** Tables on their side: the names of the columns are in the first column, a video in each other one. */
import { describe, expect, it } from 'vitest';
import { readingText } from '../../../../src/cli/reading-options.ts';
import { MAX_BATCH_COLUMNS } from '../../../../src/contract/batch-limits.ts';
import { textsOf } from '../../../../src/engine/intake/cell.ts';
import { copyTable } from '../../../../src/engine/intake/copy-table.ts';
import type { BatchReading } from '../../../../src/engine/intake/read-batch.ts';
import { plainCells, writeWorkbook } from '../../../../src/engine/intake/write-workbook.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import { readTableText as read } from '../../../rigs/asked-rows.ts';
import { zipArchive } from '../../../rigs/zip-archive.ts';

const { request } = storyboardProfile;

function titlesIn({ rows }: BatchReading): unknown[] {
  return rows.map(({ row, values }) => {
    const { title, message } = textsOf(values);
    return [row, title, message];
  });
}

const CELLS = [['title', 'One', 'Two', 'Three'], [], ['message', 'a', 'b', 'c']];
const CSV = CELLS.map((cells) => `${cells.join(',')}\n`).join('');
const HTML = `<table>${CELLS.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`;
const TURNED = [
  [2, 'One', 'a'],
  [3, 'Two', 'b'],
  [4, 'Three', 'c'],
];

/** The title row, and cells that are merged across columns and across rows. */
const MERGED_XLSX = zipArchive({
  'xl/_rels/workbook.xml.rels':
    '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
  'xl/workbook.xml': '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>',
  'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${[
    ['title', 'One', 'Two'],
    ['message', 'both'],
    ['subtitle', 'x', 'y'],
    ['closing', '', 'z'],
  ]
    .map((cells) => `<row>${cells.map((cell) => `<c t="str"><v>${cell}</v></c>`).join('')}</row>`)
    .join(
      '',
    )}</sheetData><mergeCells><mergeCell ref="B2:C2"/><mergeCell ref="B3:B4"/></mergeCells></worksheet>`,
});

describe('a table on its side', () => {
  it('is not read, but turning it is proposed', () => {
    const { errors, files } = read(CSV);
    expect(errors.map(({ message }) => message).join()).toMatch(/“Turn it” .*--turn/);
    expect(files[0]?.reading).toMatchObject({ turn: 'proposed', rows: 0 });
  });

  it.each([
    ['separated values', () => CSV],
    ['a page', () => HTML],
    ['a workbook', () => writeWorkbook([{ name: 'S', rows: CELLS.map(plainCells) }])],
  ])('of %s has a video for each column when it is turned', async (_, content) => {
    const batch = read(await content(), { turn: true });
    expect(batch.errors).toEqual([]);
    expect(titlesIn(batch)).toEqual(TURNED);
    expect(batch.files[0]?.reading).toMatchObject({ turn: 'turned', headerRow: 1, rows: 3 });
  });

  it.each([
    ['a sentence', 'Title,A,B,C,D\nMessage,x, really,y\n', [2, 3, 4, 5]],
    [
      'a sentence as long as others',
      'Title,A,B,C\nMessage,x, really,y\nCaption,1,2,3\n',
      [2, 3, 4],
    ],
    ['a price', 'Title,A,B,C,D\nMessage,Nur 19,90 €,y,z\n', [2, 3, 4, 5]],
  ])('asks about its columns when a comma divides %s', (_, content, columns) => {
    const { errors } = read(content, { turn: true });
    const asked = errors.filter(({ kind }) => kind === 'column-is-unlikely');
    expect(asked.map(({ row }) => row)).toEqual(columns);
    expect(read(content, { turn: true, keepRows: columns }).errors).toEqual([]);
    const [, ...others] = columns;
    expect(read(content, { turn: true, skipRows: others }).errors.map(({ row }) => row)).toEqual([
      2,
    ]);
  });

  it.each([
    ['spaces beside separators', 'Title, A, B\nMessage, x, y\n'],
    ['spaces in one line', 'Title,A,B\nMessage, one, two\n'],
    ['numbers', 'Title,A,B\nSeconds,5,30\n'],
    ['enclosed texts', 'Title,A,B\nMessage,"x, really",y\n'],
  ])('is read without a question with %s', (_, content) => {
    expect(read(content, { turn: true }).errors).toEqual([]);
  });

  it('says which column of the file a row is', () => {
    const [file] = read(CSV, { turn: true }).files;
    expect(file && readingText({ ...file, rowsBefore: 0 })).toContain(
      'turned, so that row 2 is column B of the file',
    );
  });

  it('names the column of the file in errors of cells', () => {
    const { errors } = read(`${CSV}seconds,3,x,4\n`, { turn: true });
    expect(errors).toMatchObject([
      { row: 3, kind: 'cell-not-number', message: 'Column C, seconds: “x” is not a number.' },
    ]);
  });

  it('has errors for what a spreadsheet left in a cell', () => {
    const { errors, rows } = read('title,A,B\nmessage,#N/A,"=""00123"""\n', { turn: true });
    expect(errors.map(({ message }) => message)).toEqual([
      'Column B, message: “#N/A” is an error of the spreadsheet, not a text.',
    ]);
    expect(rows.map(({ values }) => textsOf(values).message)).toEqual(['00123']);
  });

  it.each([
    ['a workbook', () => MERGED_XLSX],
    [
      'a page',
      () =>
        '<table><tr><td>title</td><td>One</td><td>Two</td></tr><tr><td>message</td><td colspan="2">both</td></tr><tr><td>subtitle</td><td rowspan="2">x</td><td>y</td></tr><tr><td>closing</td><td>z</td></tr></table>',
    ],
  ])('of %s has a text that covers several columns in each of their videos', (_, content) => {
    const { rows, errors } = read(content(), { turn: true });
    expect(errors).toEqual([]);
    expect(rows.map(({ values }) => textsOf(values))).toEqual([
      { title: 'One', message: 'both', subtitle: 'x', closing: '' },
      { title: 'Two', message: 'both', subtitle: 'y', closing: 'z' },
    ]);
  });

  it('leaves columns out by their number', () => {
    expect(titlesIn(read(CSV, { turn: true, skipRows: [3] }))).toEqual([TURNED[0], TURNED[2]]);
  });

  it('is refused with more rows than a table may have columns', () => {
    const long = CSV + 'other,x\n'.repeat(MAX_BATCH_COLUMNS);
    const { errors } = read(long, { turn: true });
    expect(errors.flatMap(({ says }) => says.map(({ sentence }) => sentence))).toEqual([
      'file-too-many-columns',
    ]);
  });

  it('is not read when a quotation mark of a row is not closed', () => {
    const { rows, errors, files } = read('title,One,Two\nmessage,a,"b\n', { turn: true });
    expect(rows).toEqual([]);
    expect(errors.map(({ message }) => message)).toEqual([
      'Row 2 has a quotation mark that is opened and never closed.',
    ]);
    expect(files[0]?.reading).toMatchObject({ turn: 'turned', separator: ',' });
  });

  it('is corrected in a copy with the rows of the table', async () => {
    const options = { reading: { turn: true }, edits: { 3: { title: 'Second' } } };
    const wanted = { what: 'corrected', file: 0, language: 'en' } as const;
    const copy = await copyTable({ name: 'v.csv', content: CSV }, request, options, wanted);
    expect(copy.note?.says.map(({ sentence }) => sentence)).toEqual(['copy-is-csv']);
    const again = read(copy.bytes);
    expect(titlesIn(again)).toEqual([TURNED[0], [3, 'Second', 'b'], TURNED[2]]);
  });
});
