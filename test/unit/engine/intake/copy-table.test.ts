/** The files that a user saves of a table: with corrections, or of the rows left out. */
import { describe, expect, it } from 'vitest';
import iconv from 'iconv-lite';
import { copyTable, type CopyWanted } from '../../../../src/engine/intake/copy-table.ts';
import { readBatch, type ReadingOptions } from '../../../../src/engine/intake/read-batch.ts';
import { openArchive, type Archive } from '../../../../src/engine/intake/tables/archive.ts';
import { rewriteArchive } from '../../../../src/engine/intake/tables/rewrite-archive.ts';
import type { TableSource } from '../../../../src/engine/intake/tables/table-source.ts';
import { plainCells, writeWorkbook } from '../../../../src/engine/intake/write-workbook.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import { timeOf } from '../../../rigs/growth.ts';
import { zipArchive } from '../../../rigs/zip-archive.ts';

const { request } = storyboardProfile;
const CORRECTED: CopyWanted = { what: 'corrected', file: 0, language: 'en' };

const copy = (source: TableSource, options: ReadingOptions, wanted: Partial<CopyWanted> = {}) =>
  copyTable(source, request, options, { ...CORRECTED, ...wanted });

const textOf = ({ bytes }: { bytes: Uint8Array }) => Buffer.from(bytes).toString('utf8');

const workbook = (rows: readonly (readonly string[])[]): Promise<Uint8Array> =>
  writeWorkbook([{ name: 'Videos', rows: rows.map(plainCells) }]);

const SHEET = 'xl/worksheets/sheet1.xml';

function withPart(archive: Uint8Array, name: string, change: (text: string) => string): Uint8Array {
  const text = Buffer.from(openArchive(archive).read(name)).toString();
  return rewriteArchive(archive, new Map([[name, Buffer.from(change(text))]]));
}

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

  it('has the backslashes of a database', async () => {
    const before = 'title\tmessage\nOne\tfirst\\\nsecond\nTwo\tb\n';
    const source = { name: 'a.tsv', content: before };
    const after = await copy(source, { edits: { 3: { message: 'C:\\new\n"and"\tmore' } } });
    expect(textOf(after).replace('\ufeff', '')).toBe(
      before.replace('Two\tb', 'Two\tC:\\\\new\\\n"and"\\\tmore'),
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

  it('of a workbook of Excel is that workbook with the corrected cells', async () => {
    const plain = await workbook([
      ['Titel', 'Farbe', 'Notiz', 'Dauer', 'Preis'],
      ['=SUM(A1)', 'blau-ish', ' 00123 ', '3', 'a'],
      ['Two\nlines', 'rot', '', '', ''],
      ['Three', 'rot', '', '', ''],
    ]);
    // As Excel writes numbers, formulas, widths and a cell with a style.
    const content = withPart(plain, SHEET, (xml) =>
      xml
        .replace(/(<row r="3".*?)<\/row>/, '$1<c r="E3" s="1"/></row>')
        .replace('</sheetData>', `<row r="9"><c r="B9" s="1"/></row></sheetData><note>ü</note>`)
        .replace(/<c r="D2"[^>]*>.*?<\/c>/, '<c r="D2" s="1"><v>3</v></c>')
        .replace(/<c r="E2"[^>]*>.*?<\/c>/, '<c r="E2" s="1"><f>D2*2</f><v>6</v></c>'),
    );
    const edits = {
      2: { Farbe: '#112233', Titel: 'Sum & <b>_x000D_', Dauer: '5', Preis: '7' },
      3: { Titel: 'x', Dauer: ' 4\n' },
      4: { Dauer: 'four' },
    };
    const after = await copy({ name: 'v.xlsx', content }, { edits });

    expect(after.name).toBe('v.corrected.xlsx');
    expect(after.note?.message).toContain('formula: 1');
    const [before, now] = [openArchive(content), openArchive(after.bytes)];
    const text = ({ read }: Archive, part: string) => Buffer.from(read(part)).toString();
    expect([...now.names]).toEqual([...before.names]);
    for (const part of before.names) {
      if (part !== SHEET) expect(text(now, part)).toBe(text(before, part));
    }
    const inline = (place: string, value: string, style = '') =>
      `<c r="${place}"${style} t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`;
    expect(text(now, SHEET)).toBe(
      text(before, SHEET)
        .replace(/<c r="A2".*?<\/c>/, inline('A2', 'Sum &amp; &lt;b&gt;_x005F_x000D_'))
        .replace(/<c r="B2".*?<\/c>/, inline('B2', '#112233'))
        .replace(/<c r="D2".*?<\/c>/, '<c r="D2" s="1"><v>5</v></c>')
        .replace(/<c r="E2".*?<\/c>/, '<c r="E2" s="1"><v>7</v></c>')
        .replace(/<c r="A3".*?<\/c>/, inline('A3', 'x'))
        .replace('<c r="E3"', `${inline('D3', ' 4\n')}$&`)
        .replace(/(<row r="4".*?)<\/row>/, `$1${inline('D4', 'four')}</row>`),
    );
  });

  it.each([
    [
      'a formula on which others depend',
      '<c r="B2"><f t="shared" ref="B2:B3" si="0">A2</f><v>1</v></c>',
      '',
    ],
    [
      'a merged range',
      '<c r="B2" t="str"><v>rot</v></c>',
      '<mergeCells><mergeCell ref="A2:B2"/></mergeCells>',
    ],
  ])('of a workbook with %s has the texts, and says what it lacks', async (_, cell, below) => {
    const plain = await workbook([
      ['Titel', 'Farbe'],
      ['One', 'blau-ish'],
      ['Two', 'rot'],
    ]);
    const content = withPart(plain, SHEET, (xml) =>
      xml.replace(/<c r="B2"[^>]*>.*?<\/c>/, cell).replace('</sheetData>', `</sheetData>${below}`),
    );
    const after = await copy({ name: 'v.xlsx', content }, { edits: { 2: { Farbe: '#112233' } } });
    expect(after.name).toBe('v.corrected.xlsx');
    expect(after.note?.message).toContain('without formats');
    const read = readBatch({ name: 'v.xlsx', content: after.bytes }, request);
    expect(read.samples.map(({ cells }) => cells.Farbe)).toEqual(['#112233', 'rot']);
  });

  it('of a workbook has a number as text where the format of its cell would show another', async () => {
    const plain = await workbook([
      ['title', 'seconds'],
      ['One', '5'],
    ]);
    const inPercent = withPart(plain, 'xl/styles.xml', (xml) =>
      xml.replace('</cellXfs>', '<xf numFmtId="9" applyNumberFormat="1"/></cellXfs>'),
    );
    const content = withPart(inPercent, SHEET, (xml) =>
      xml.replace(/<c r="B2".*?<\/c>/, '<c r="B2" s="2"><v>0.5</v></c>'),
    );
    const texts = (bytes: Uint8Array) =>
      readBatch({ name: 'v.xlsx', content: bytes }, request).samples.map(
        ({ cells }) => cells.seconds,
      );
    expect(texts(content)).toEqual(['50%']);
    const after = await copy({ name: 'v.xlsx', content }, { edits: { 2: { seconds: '7' } } });
    expect(after.note).toBeNull();
    expect(texts(after.bytes)).toEqual(['7']);
  });

  it('of a workbook has no list of formulas that names a replaced one, and is calculated', async () => {
    const plain = openArchive(await workbook([['Titel'], ['One']]));
    const texts = Object.fromEntries(
      [...plain.names].map((name) => [name, Buffer.from(plain.read(name)).toString()]),
    );
    const changed = (name: string, pattern: string | RegExp, text: string) => ({
      [name]: (texts[name] ?? '').replace(pattern, text),
    });
    const content = zipArchive({
      ...texts,
      ...changed('[Content_Types].xml', '</Types>', '<Override PartName="/xl/calcChain.xml"/>$&'),
      ...changed(
        'xl/_rels/workbook.xml.rels',
        '</Relationships>',
        '<Relationship Id="c" Type="a/calcChain" Target="calcChain.xml"/>$&',
      ),
      ...changed('xl/workbook.xml', '<calcPr/>', '<calcPr calcId="1" fullCalcOnLoad="0"/>'),
      ...changed(SHEET, /<c r="A2"[^>]*>.*?<\/c>/, '<c r="A2"><f>1+1</f><v>2</v></c>'),
      'xl/calcChain.xml': '<calcChain><c r="A2" i="1"/></calcChain>',
    });
    const after = await copy({ name: 'v.xlsm', content }, { edits: { 2: { Titel: '3' } } });

    expect(after.name).toBe('v.corrected.xlsm');
    const now = openArchive(after.bytes);
    expect([...now.names]).toEqual([...plain.names]);
    const all = [...now.names].map((name) => Buffer.from(now.read(name)).toString()).join('');
    expect(all).not.toContain('calcChain');
    expect(all).toContain('<calcPr fullCalcOnLoad="1" calcId="1"/>');
  });

  it('of a workbook with 50,000 spaces in a tag takes less than 300 ms of processor time', async () => {
    const plain = openArchive(await workbook([['Titel'], ['One']]));
    const texts = Object.fromEntries(
      [...plain.names].map((name) => [name, Buffer.from(plain.read(name)).toString()]),
    );
    const book = (texts['xl/workbook.xml'] ?? '').replace(
      '<calcPr/>',
      `<calcPr${' '.repeat(50_000)}/>`,
    );
    const chain = { 'xl/calcChain.xml': '<calcChain/>' };
    const content = zipArchive({ ...texts, ...chain, 'xl/workbook.xml': book });
    const source = { name: 'v.xlsx', content };
    const make = (): Promise<unknown> => copy(source, { edits: { 2: { Titel: '3' } } });
    expect(await timeOf(make, undefined, { enough: 300 })).toBeLessThan(300);
  });

  it('of a workbook whose parts overlap is a new one', async () => {
    const plain = openArchive(
      await workbook([
        ['Titel', 'Farbe'],
        ['One', 'x'],
      ]),
    );
    const texts = Object.fromEntries(
      [...plain.names].map((name) => [name, Buffer.from(plain.read(name)).toString()]),
    );
    const content = zipArchive(
      { ...texts, other: texts[SHEET] ?? '' },
      { other: { sameAs: SHEET } },
    );
    const after = await copy({ name: 'v.xlsx', content }, { edits: { 2: { Titel: '3' } } });
    expect(after.note?.message).toContain('without formats');
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
