/** Files that are not what they say, or that would exhaust a reader: each gets one sentence. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBatch, type BatchReading } from '../../../../src/engine/intake/read-batch.ts';
import { MAX_PART_BYTES, openArchive } from '../../../../src/engine/intake/tables/archive.ts';
import { openXls } from '../../../../src/engine/intake/tables/xls-book.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import { SeededRandom } from '../../../rigs/seeded-random.ts';
import { zipArchive, type PartLies } from '../../../rigs/zip-archive.ts';

const MIB = 1024 * 1024;

const cell = (reference: string, value: string): string =>
  `<c r="${reference}" t="str"><v>${value}</v></c>`;
const HEADER = `<row r="1">${cell('A1', 'title')}</row>`;
const TABLE = `<sheetData>${HEADER}<row r="2">${cell('A2', 'One')}</row></sheetData>`;
const SHEET = 'xl/worksheets/sheet1.xml';

function xlsx(
  sheet: string,
  more: Readonly<Record<string, string>> = {},
  lies: Readonly<Record<string, PartLies>> = {},
): Buffer {
  return zipArchive(
    {
      '[Content_Types].xml': '<Types/>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
      'xl/workbook.xml': '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>',
      [SHEET]: `<worksheet>${sheet}</worksheet>`,
      ...more,
    },
    lies,
  );
}

/** As Microsoft's container of streams begins, with the name of one of them. */
function container(stream: string): Buffer {
  const start = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  return Buffer.concat([start, Buffer.alloc(2000), Buffer.from(stream, 'utf16le')]);
}

function sheets(name: string, count: number): string {
  const all = `<sheet name="${name}" r:id="r1"/>`.repeat(count);
  return `<workbook><sheets>${all}</sheets></workbook>`;
}

const ENTITIES = Array.from(
  { length: 9 },
  (_, at) => `<!ENTITY lol${at + 1} "${`&lol${at === 0 ? '' : at};`.repeat(10)}">`,
).join('');

const TOO_LARGE = 'is larger than a batch can be when it is unpacked.';
const DAMAGED = 'is a damaged workbook. Open and save it in a spreadsheet program.';
const OTHER = 'is not a workbook that can be read. Save it as .xlsx or CSV.';

const REFUSED: Readonly<Record<string, readonly [make: () => Buffer, sentence: string]>> = {
  'a part that says it is 4 GB': [() => xlsx(TABLE, {}, { [SHEET]: { size: 4e9 } }), TOO_LARGE],
  'a part that says it is smaller': [() => xlsx(TABLE, {}, { [SHEET]: { size: 10 } }), DAMAGED],
  'a part with another checksum': [() => xlsx(TABLE, {}, { [SHEET]: { crc: 1 } }), DAMAGED],
  'parts that overlap': [
    () =>
      xlsx(TABLE, { 'xl/sharedStrings.xml': 'x' }, { 'xl/sharedStrings.xml': { sameAs: SHEET } }),
    DAMAGED,
  ],
  'more parts than any workbook': [
    () => zipArchive(Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`f${at}`, '']))),
    OTHER,
  ],
  'entities that multiply': [
    () =>
      xlsx(TABLE, {
        'xl/sharedStrings.xml': `<!DOCTYPE a [<!ENTITY lol "lol">${ENTITIES}]><sst><si><t>&lol9;</t></si></sst>`,
      }),
    DAMAGED,
  ],
  'a hundred thousand sheets': [
    () => xlsx(TABLE, { 'xl/workbook.xml': sheets('A', 100_000) }),
    DAMAGED,
  ],
  'a sheet with an endless name': [
    () => xlsx(TABLE, { 'xl/workbook.xml': sheets('A'.repeat(MIB), 1) }),
    DAMAGED,
  ],
  'no sheet but a file of another computer': [
    () =>
      xlsx(TABLE, {
        'xl/_rels/workbook.xml.rels':
          '<Relationships><Relationship Id="r1" Target="https://example.com/sheet.xml" TargetMode="External"/></Relationships>',
      }),
    'has no rows to make videos from.',
  ],
  'millions of empty rows': [
    () => xlsx(`<sheetData>${HEADER}${'<row/>'.repeat(2_000_000)}</sheetData>`),
    DAMAGED,
  ],
  'an encrypted part': [
    () => xlsx(TABLE, {}, { [SHEET]: { isEncrypted: true } }),
    'is protected by a password. Save a copy without one.',
  ],
  'a password of Excel': [
    () => container('EncryptedPackage'),
    'is protected by a password. Save a copy without one.',
  ],
  'Excel’s oldest format': [
    () => container('Book'),
    'is a workbook of Excel 95 or earlier. Save it as an Excel workbook (.xlsx).',
  ],
  'a workbook that was cut off': [() => xlsx(TABLE).subarray(0, 500), OTHER],
  'a picture': [
    () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    'is neither a text nor a workbook. Save the table as .xlsx or CSV.',
  ],
};

function read(name: string, content: Buffer): BatchReading {
  return readBatch({ name, content }, storyboardProfile.request, { language: 'en' });
}

describe('a file with', () => {
  it.each(Object.entries(REFUSED))('%s is refused with a sentence', (_, [make, sentence]) => {
    const { rows, errors, files } = read('Videos.csv', make());
    expect(rows).toEqual([]);
    expect(errors.map(({ message }) => message)).toEqual([`“Videos.csv” ${sentence}`]);
    expect(JSON.stringify(files).length).toBeLessThan(1000);
  });
});

it('parts are not read that are too large together', () => {
  const large = { size: MAX_PART_BYTES };
  const { read: part } = openArchive(
    zipArchive({ a: 'a', b: 'b', c: 'c' }, { a: large, b: large, c: large }),
  );
  // They are smaller than they say, which is found when they are unpacked.
  expect(() => part('a')).toThrow('damaged');
  expect(() => part('b')).toThrow('damaged');
  expect(() => part('c')).toThrow('too-large');
});

const titles = (reading: BatchReading): string[] => reading.rows.map(({ title }) => title);

it('a workbook is read whatever its name, and so is a text', () => {
  expect(titles(read('Videos.csv', xlsx(TABLE)))).toEqual(['One']);
  expect(titles(read('Videos.xlsx', Buffer.from('title\nOne\n')))).toEqual(['One']);
  expect(titles(read('Videos.numbers', Buffer.from('[{"title":"One"}]')))).toEqual(['One']);
});

it('a table is listed once, however often its sheet and its part name it', () => {
  const relation = '<Relationship Type="x/table" Target="../tables/t.xml"/>';
  const table = '<table displayName="T" ref="A1:A2"/>';
  const more = {
    'xl/worksheets/_rels/sheet1.xml.rels': `<Relationships>${relation.repeat(40)}</Relationships>`,
    'xl/tables/t.xml': `<x>${table.repeat(50)}</x>`,
  };
  const reading = read('a.xlsx', xlsx(TABLE, more));
  expect(reading.files[0]?.reading?.sheets.map(({ name }) => name)).toEqual(['A', 'A!T']);
});

it('macros and links to other files are not followed: the stored value is read', () => {
  const linked = `<row r="2"><c r="A2" t="str"><f>[1]Sheet1!A1</f><v>Stored</v></c></row>`;
  const more = { 'xl/vbaProject.bin': 'x', 'xl/externalLinks/externalLink1.xml': '<a/>' };
  const sheet = `<sheetData>${HEADER}${linked}</sheetData>`;
  expect(titles(read('Videos.xlsm', xlsx(sheet, more)))).toEqual(['Stored']);
});

it('a cell whose shared text is missing, or is 5 MB long, is named', () => {
  const shared = `<row r="2"><c r="A2" t="s"><v>99</v></c></row>`;
  const long = `<row r="3">${cell('A3', 'x'.repeat(5 * MIB))}</row>`;
  const sheet = `<sheetData>${HEADER}${shared}${long}</sheetData>`;
  expect(read('Videos.xlsx', xlsx(sheet)).errors.map(({ message }) => message)).toEqual([
    'Row 2, title: has damaged characters. Correct the cell, or choose another encoding.',
    expect.stringMatching(/^Row 3, title: “x{40}…” has 5,242,880 characters; at most 200 fit.$/),
  ]);
});

it('a phonetic hint is not a part of a text', () => {
  const hinted = `<row r="2"><c r="A2" t="inlineStr"><is><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></is></c></row>`;
  expect(titles(read('a.xlsx', xlsx(`<sheetData>${HEADER}${hinted}</sheetData>`)))).toEqual([
    '東京',
  ]);
});

it('a cell that a merged one covers keeps a text of its own', () => {
  const header = `<row r="1">${cell('A1', 'title')}${cell('B1', 'message')}</row>`;
  const rows = `${header}<row r="2">${cell('A2', 'One')}</row><row r="3">${cell('A3', 'Two')}</row><row r="4">${cell('B4', 'x')}</row>`;
  const sheet = `<sheetData>${rows}</sheetData><mergeCells><mergeCell ref="A2:A4"/></mergeCells>`;
  expect(titles(read('a.xlsx', xlsx(sheet)))).toEqual(['One', 'Two', 'One']);
});

describe('a workbook of Excel 97 that is damaged', () => {
  const whole = readFileSync(
    path.join(import.meta.dirname, '..', '..', '..', 'rigs', 'workbooks', 'german.xls'),
  );

  function sentencesOf(content: Buffer): readonly string[] {
    return readBatch({ name: 'a.xls', content }, storyboardProfile.request).errors.map(
      ({ message }) => message,
    );
  }

  it('is refused with one sentence wherever it ends', () => {
    for (let end = 520; end < whole.length - 2048; end += 97) {
      const sentences = sentencesOf(whole.subarray(0, end));
      expect(sentences, `${end} bytes`).toHaveLength(1);
    }
  });

  it.each([
    ['names itself at the cut-off end', 4],
    ['names itself for ever', 512],
  ])('is refused when a sector of its table %s', (_, length) => {
    const file = Buffer.concat([whole, Buffer.alloc(16 * 512 + length)]);
    const last = (whole.length + 16 * 512) / 512 - 1;
    file.writeUInt32LE(last, 68);
    file.writeUInt32LE(last, file.length - 4);
    const sentence = expect.stringContaining('“a.xls” is a damaged workbook.') as string;
    expect(sentencesOf(file)).toEqual([sentence]);
  });

  it('is refused when its small sectors have another size than all have', () => {
    const file = Buffer.from(whole);
    file.writeUInt16LE(0, 32);
    file.writeUInt32LE(file.length, 56);
    const sentence = expect.stringContaining('“a.xls” is a damaged workbook.') as string;
    expect(sentencesOf(file)).toEqual([sentence]);
  });

  it('has no format that is longer than those of Excel', () => {
    const record = (type: number, ...bytes: readonly number[]): Buffer => {
      const header = Buffer.alloc(4);
      header.writeUInt16LE(type);
      header.writeUInt16LE(bytes.length, 2);
      return Buffer.concat([header, Buffer.from(bytes)]);
    };
    const format = (id: number, length: number): Buffer =>
      record(0x041e, id, 0, length % 256, length >> 8, 0, ...Buffer.alloc(length, '['));
    const style = (id: number): Buffer => record(0x00e0, 0, 0, id, 0);
    const book = openXls(
      Buffer.concat([
        ...[record(0x0809, 0, 6), format(164, 255), format(165, 256)],
        ...[style(164), style(165), record(0x000a)],
      ]),
    );
    expect(book.styles.formats).toEqual(['['.repeat(255), 165]);
  });

  it('never ends the reading, whichever byte is wrong', () => {
    const random = new SeededRandom(34);
    for (let run = 0; run < 300; run += 1) {
      const content = Buffer.from(whole);
      for (let left = random.integer(1, 8); left > 0; left -= 1) {
        content[random.integer(8, content.length - 1)] = random.integer(0, 255);
      }
      expect(() => sentencesOf(content)).not.toThrow();
    }
  });
});
