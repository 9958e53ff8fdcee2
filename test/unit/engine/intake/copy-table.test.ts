/** The files that a user saves of a table: with corrections, or of the rows left out. */
import { describe, expect, it } from 'vitest';
import iconv from 'iconv-lite';
import { copyTable, type CopyWanted } from '../../../../src/engine/intake/copy-table.ts';
import { readBatch, type ReadingOptions } from '../../../../src/engine/intake/read-batch.ts';
import type { TableSource } from '../../../../src/engine/intake/tables/table-source.ts';
import { plainCells, writeWorkbook } from '../../../../src/engine/intake/write-workbook.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';

const { request } = storyboardProfile;
const CORRECTED: CopyWanted = { what: 'corrected', file: 0, language: 'en' };

const copy = (source: TableSource, options: ReadingOptions, wanted: Partial<CopyWanted> = {}) =>
  copyTable(source, request, options, { ...CORRECTED, ...wanted });

const textOf = ({ bytes }: { bytes: Uint8Array }) => Buffer.from(bytes).toString('utf8');

const workbook = (rows: readonly (readonly string[])[]): Promise<Uint8Array> =>
  writeWorkbook([{ name: 'Videos', rows: rows.map(plainCells) }]);

describe('a corrected copy', () => {
  it('of a CSV file differs in the corrected rows alone', async () => {
    const before =
      'Spring;;\r\n\r\nTitel;"Farbe" ; Notiz\r\n"One; two";blau-ish;"a ""b"""\r\nThree ;rot;\r\n';
    const after = await copy(
      { name: 'videos.csv', content: Buffer.from(before) },
      { edits: { 4: { Farbe: '#112233', Titel: 'One "and";\nmore' } } },
    );
    expect(after).toMatchObject({ name: 'videos.corrected.csv', type: 'text/csv', note: null });
    expect(textOf(after)).toBe(
      before.replace('"One; two";blau-ish;', '"One ""and"";\nmore";#112233;'),
    );
  });

  it.each([
    ['windows-1252', 'Titel;Farbe\r\nGrüße für Köln und München;x\r\n'],
    ['utf-16le', '\ufeffTitel;Farbe\r\nÜber uns;x\r\n'],
    ['utf-8', '\ufeffTitel;Farbe\r\nÜber uns;x\r\n'],
    ['macintosh', 'Titel;Farbe\rStraße und Schloß;x\rÄpfel für Köln;y\r'],
  ])('keeps the encoding, its mark and the line ends: %s', async (encoding, text) => {
    const before = iconv.encode(text, encoding, { addBOM: false });
    const source = { name: 'a.csv', content: before };
    const [column = ''] = readBatch(source, request).fileColumns.slice(-1);
    const { bytes } = await copy(source, { edits: { 2: { [column]: 'grün' } } });
    expect(iconv.decode(Buffer.from(bytes), encoding, { stripBOM: false })).toBe(
      text.replace(/x(?=[\r\n])/, 'grün'),
    );
  });

  it('is in UTF-8 when its encoding lacks a character', async () => {
    const source = { name: 'a.csv', content: iconv.encode('Titel;x\nÜber;y\n', 'windows-1252') };
    const after = await copy(source, { edits: { 2: { Titel: '日本語' } } });
    expect(textOf(after)).toBe('\ufeffTitel;x\n日本語;y\n');
  });

  it('adds the cells that a short row lacks', async () => {
    const after = await copy(
      { name: 'a.csv', content: 'title,accent,message\nOne\nTwo,red,Hi\n' },
      { edits: { 2: { message: 'Hello' } } },
    );
    expect(textOf(after)).toBe('\ufefftitle,accent,message\nOne,,Hello\nTwo,red,Hi\n');
  });

  it('of one of several files has the corrections of its rows', async () => {
    const source = {
      name: 'a.csv',
      content: 'title\nOne\nTwo\n',
      further: [{ name: 'b.csv', content: 'Title\nThree\nFour\n' }],
    };
    const edits = { 2: { title: 'Uno' }, 5: { title: 'Tres' } };
    expect(textOf(await copy(source, { edits }))).toBe('\ufefftitle\nUno\nTwo\n');
    const second = await copy(source, { edits }, { file: 1 });
    expect(second.name).toBe('b.corrected.csv');
    expect(textOf(second)).toBe('\ufeffTitle\nTres\nFour\n');
  });

  it('of a workbook is a workbook with the same texts, and says what it lacks', async () => {
    const rows = [
      ['Titel', 'Farbe', 'Notiz'],
      ['=SUM(A1)', 'blau-ish', ' 00123 '],
      ['Two\nlines', 'rot', ''],
    ];
    const source = { name: 'v.xlsx', content: await workbook(rows) };
    const after = await copy(source, { edits: { 2: { Farbe: '#112233', Titel: 'Sum' } } });
    expect(after.name).toBe('v.corrected.xlsx');
    expect(after.note?.message).toContain('without formats');
    const read = readBatch({ name: 'v.xlsx', content: after.bytes }, request);
    expect(read.samples.map(({ cells }) => cells)).toEqual([
      { Titel: 'Sum', Farbe: '#112233', Notiz: ' 00123 ' },
      { Titel: 'Two\nlines', Farbe: 'rot', Notiz: '' },
    ]);
  });

  it('of JSON is a CSV file, and says so', async () => {
    const source = { name: 'v.json', content: '[{"title": "One", "accent": "blau-ish"}]' };
    const after = await copy(source, { edits: { 1: { accent: 'red' } } });
    expect(after.name).toBe('v.corrected.csv');
    expect(textOf(after)).toBe('\ufefftitle,accent\r\nOne,red\r\n');
    expect(after.note?.message).toContain('CSV');
  });
});

describe('a file of the rows left out', () => {
  const source = {
    name: 'videos.csv',
    content: 'title,accent\nOne,plum\n=A1+1,#112233\nThree,red\n',
  };

  it('has their cells and reasons, in the language of the user', async () => {
    const wanted = { what: 'left-out', language: 'de' } as const;
    const after = await copy(source, { leaveOut: [2, 3] }, wanted);
    expect(after.name).toBe('videos.left-out.csv');
    const [header, one, two, end] = textOf(after).split('\r\n');
    expect(header).toBe('\ufefftitle,accent,Grund');
    expect(one).toMatch(/^One,plum,.*„plum“ ist keine Farbe/);
    expect(two).toMatch(/^'=A1\+1,#112233,/);
    expect(end).toBe('');
  });

  it('is separated as its file, so that the same spreadsheet opens it', async () => {
    const content = 'title;accent\nOne, two;plum\nThree;red\n';
    const after = await copy(
      { name: 'videos.csv', content },
      { leaveOut: [2] },
      { what: 'left-out' },
    );
    const [header, row] = textOf(after).split('\r\n');
    expect(header).toBe('\ufefftitle;accent;Reason');
    expect(row).toMatch(/^"One, two";plum;/);
  });

  it('is a workbook for a workbook', async () => {
    const content = await workbook([
      ['title', 'accent'],
      ['One', 'plum'],
      ['Two', 'red'],
    ]);
    const wanted = { what: 'left-out' } as const;
    const after = await copy({ name: 'v.xlsx', content }, { leaveOut: [2] }, wanted);
    expect(after.name).toBe('v.left-out.xlsx');
    const read = readBatch({ name: after.name, content: after.bytes }, request);
    expect(read.samples.map(({ cells }) => Object.values(cells).slice(0, 2))).toEqual([
      ['One', 'plum'],
    ]);
    expect(read.fileColumns).toEqual(['title', 'accent', 'Reason']);
  });
});
