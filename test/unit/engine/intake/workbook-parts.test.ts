/** What the parts of a workbook say about its table, each in the smallest workbook that has it. */
import { describe, expect, it } from 'vitest';
import type { ReadingChoices } from '../../../../src/contract/table-reading.ts';
import { textsOf } from '../../../../src/engine/intake/cell.ts';
import { readBatch, type BatchReading } from '../../../../src/engine/intake/read-batch.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import { flatDocument } from '../../../rigs/table-writers.ts';
import { zipArchive } from '../../../rigs/zip-archive.ts';

/** A sheet's rows: texts, or numbers with the index of their format. */
type Rows = readonly (readonly (string | readonly [number, format: number])[])[];

/** @param after elements below the rows, such as merged cells */
function sheetXml(rows: Rows, after: string): string {
  const xml = rows.map((cells, row) => {
    const written = cells.map((cell, column) => {
      const reference = `${String.fromCharCode(0x41 + column)}${row + 1}`;
      return typeof cell === 'string'
        ? `<c r="${reference}" t="str"><v>${cell}</v></c>`
        : `<c r="${reference}" s="${cell[1]}"><v>${cell[0]}</v></c>`;
    });
    return `<row r="${row + 1}">${written.join('')}</row>`;
  });
  return `<worksheet><sheetData>${xml.join('')}</sheetData>${after}</worksheet>`;
}

function workbook(
  sheets: Readonly<Record<string, Rows>>,
  formats: readonly string[] = [],
  after = '',
  parts: Readonly<Record<string, string>> = {},
): Buffer {
  const names = Object.keys(sheets);
  const each = (make: (name: string, number: number) => string): string =>
    names.map((name, at) => make(name, at + 1)).join('');
  return zipArchive({
    '[Content_Types].xml': '<Types/>',
    'xl/_rels/workbook.xml.rels': `<Relationships>${each(
      (_, number) => `<Relationship Id="r${number}" Target="worksheets/sheet${number}.xml"/>`,
    )}</Relationships>`,
    'xl/workbook.xml': `<workbook><sheets>${each(
      (name, number) => `<sheet name="${name}" r:id="r${number}"/>`,
    )}</sheets></workbook>`,
    'xl/styles.xml': `<styleSheet><numFmts>${formats
      .map((code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${code}"/>`)
      .join(
        '',
      )}</numFmts><cellXfs>${formats.map((_, at) => `<xf numFmtId="${200 + at}"/>`).join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        sheetXml(rows, after),
      ]),
    ),
    ...parts,
  });
}

function read(content: Buffer, language = 'en', reading: ReadingChoices = {}): BatchReading {
  return readBatch({ name: 'videos.xlsx', content }, storyboardProfile.request, {
    language,
    reading,
  });
}

const PRICE = { template: { body: { p: '{{price:number}}' } } };

describe('a number of a workbook', () => {
  const content = workbook(
    {
      A: [
        ['title', 'price', 'seconds'],
        ['One', [1299, 0], [15, 1]],
        ['Two', [19.9, 2], [20, 1]],
      ],
    },
    ['#,##0', 'General', '0.00'],
  );

  it.each(['de', 'en'])('is sent with its value, as it is shown (%s)', (language) => {
    const reading = readBatch({ name: 'a.xlsx', content }, storyboardProfile.request, {
      ...PRICE,
      language,
    });
    expect(reading.errors).toEqual([]);
    expect(reading.rows.map(({ body }) => body)).toEqual(['{"p":1299}', '{"p":19.90}']);
  });

  it('is the corrected one', () => {
    const edits = { '2': { seconds: '9' } };
    const reading = readBatch({ name: 'a.xlsx', content }, storyboardProfile.request, { edits });
    expect(reading.rows.map(({ values }) => textsOf(values).seconds)).toEqual(['9', '20']);
  });

  it('is named in errors by the text that is shown', () => {
    const wrong = workbook(
      {
        A: [
          ['title', 'seconds'],
          ['One', [1500, 0]],
        ],
      },
      ['#,##0'],
    );
    expect(read(wrong, 'de').errors).toMatchObject([{ column: 'seconds', cell: '1.500' }]);
  });

  it('is an error if the workbook shortens it', () => {
    const long = workbook(
      {
        A: [
          ['title', 'price'],
          ['One', [2 ** 63, 0]],
        ],
      },
      ['General'],
    );
    const { errors } = readBatch({ name: 'a.xlsx', content: long }, storyboardProfile.request, {
      ...PRICE,
      language: 'en',
    });
    expect(errors).toMatchObject([{ kind: 'cell-not-number', cell: '9.22337E+18' }]);
  });

  it('keeps digits that the format shows as others', () => {
    const long = workbook({ A: [['title'], [[1, 0]], [[1, 1]]] }, ['0', '#,##0'], '', {
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>title</v></c></row>${[2, 3].map((row) => `<row r="${row}"><c r="A${row}" s="${row - 2}"><v>1234567890123456789</v></c></row>`).join('')}</sheetData></worksheet>`,
    });
    expect(titlesIn(read(long))).toEqual(['1234567890123456789', '1,234,567,890,123,456,789']);
  });

  it('is that of the cell which others are merged with', () => {
    const merged = workbook(
      { A: [['title', 'seconds'], ['One', [15, 0]], ['Two']] },
      ['0.000'],
      '<mergeCells><mergeCell ref="B2:B3"/></mergeCells>',
    );
    const turned = workbook(
      {
        A: [
          ['title', 'One', 'Two'],
          ['seconds', [15, 0]],
        ],
      },
      ['0.000'],
      '<mergeCells><mergeCell ref="B2:C2"/></mergeCells>',
    );
    for (const reading of [read(merged, 'de'), read(turned, 'de', { turn: true })]) {
      const seconds = reading.rows.map(({ values }) => textsOf(values).seconds);
      expect(seconds).toEqual(['15', '15']);
    }
  });
});

function titlesIn({ rows }: BatchReading): readonly string[] {
  return rows.map(({ values }) => textsOf(values).title ?? '');
}

describe('the sheet of the table', () => {
  const VIDEOS: Rows = [
    ['title', 'message'],
    ['One', 'a'],
  ];

  it('is the first one with columns of videos', () => {
    const notes: Rows = [['Read me first'], ['The videos are on the next sheet']];
    const reading = read(workbook({ Cover: [], Notes: notes, Prices: [['EUR']], Videos: VIDEOS }));
    expect(reading.files[0]?.reading?.sheet).toBe('Videos');
    expect(titlesIn(reading)).toEqual(['One']);
  });

  it('is the first one if that has a column of videos', () => {
    const content = workbook({ Plan: [['title'], ['First']], Videos: VIDEOS });
    expect(titlesIn(read(content))).toEqual(['First']);
    expect(titlesIn(read(content, 'en', { sheet: 'Videos' }))).toEqual(['One']);
  });

  it('is the one with the most names in its first column, once it is turned', () => {
    const cover: Rows = [
      ['Name', 'Text'],
      ['Jo', 'x'],
    ];
    const turned: Rows = [
      ['title', 'One', 'Two'],
      ['message', 'a', 'b'],
    ];
    const content = workbook({ Cover: cover, Videos: turned });
    expect(titlesIn(read(content, 'en', { turn: true }))).toEqual(['One', 'Two']);
  });

  it('is the first one if none has', () => {
    const { errors } = read(workbook({ A: [['x'], ['1']], B: [['y'], ['2']] }));
    expect(errors[0]?.message).toContain('The columns are: x.');
  });
});

it('shows dates in ISO 8601 as the formats of their cells say', () => {
  const cell = (at: string, value: string, style: number): string =>
    `<c r="${at}" t="d" s="${style}"><v>${value}</v></c>`;
  const content = workbook({ Videos: [['title', 'message']] }, ['dd.mm.yyyy', 'General'], '', {
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>title</v></c><c r="B1" t="str"><v>message</v></c></row><row r="2">${cell('A2', '2026-11-27T00:00:00', 0)}${cell('B2', '2026-11-27', 1)}</row></sheetData></worksheet>`,
  });
  expect(read(content).rows.map(({ values }) => textsOf(values))).toMatchObject([
    { title: '27.11.2026', message: '2026-11-27' },
  ]);
});

describe('a named table', () => {
  const ROWS: Rows = [
    ['Plan of Jo', '', '', '', 'Colour', 'Use'],
    ['', 'title', 'message', '', 'red', 'Sale'],
    ['note', 'One', 'a', '', 'blue', 'News'],
    ['', 'Two', 'b'],
    ['', 'Three', 'c'],
    [],
    ['', 'Done', 'by Jo'],
  ];

  function withTables(ranges: Readonly<Record<string, string>>): Buffer {
    const names = Object.keys(ranges);
    return workbook({ Plan: ROWS }, [], '', {
      'xl/worksheets/_rels/sheet1.xml.rels': `<Relationships>${names
        .map((name) => `<Relationship Id="${name}" Type="x/table" Target="../tables/${name}.xml"/>`)
        .join('')}</Relationships>`,
      ...Object.fromEntries(
        names.map((name) => [
          `xl/tables/${name}.xml`,
          `<table displayName="${name}" ref="${ranges[name] ?? ''}"/>`,
        ]),
      ),
    });
  }

  it('is proposed if it is beside other cells, with rows right below it', () => {
    const reading = read(withTables({ Colours: 'E1:F3', Videos: 'B2:C4' }));
    expect(reading.files[0]?.reading?.sheet).toBe('Plan!Videos');
    expect(reading.files[0]?.reading?.sheets.map(({ name }) => name)).toEqual([
      'Plan',
      'Plan!Colours',
      'Plan!Videos',
    ]);
    expect(reading.errors).toEqual([]);
    expect(reading.fileColumns).toEqual(['title', 'message']);
    expect(titlesIn(reading)).toEqual(['One', 'Two', 'Three']);
  });

  it('can be chosen, as can its whole sheet', () => {
    const content = withTables({ Colours: 'E1:F3', Videos: 'B2:C4' });
    expect(read(content, 'en', { sheet: 'Plan!Colours' }).fileColumns).toEqual(['Colour', 'Use']);
    expect(read(content, 'en', { sheet: 'Plan' }).fileColumns).toContain('red');
  });

  it('is not proposed if it has no column of videos', () => {
    const reading = read(withTables({ Colours: 'E1:F3' }));
    expect(reading.files[0]?.reading?.sheet).toBe('Plan');
  });
});

describe('a workbook whose sheets have other columns', () => {
  it('is read from the same sheet after a column is matched', () => {
    const content = workbook({
      Old: [
        ['Archive', 'Tint'],
        ['A', 'red'],
      ],
      New: [
        ['title', 'Tint'],
        ['One', 'red'],
      ],
    });
    const source = { name: 'videos.xlsx', content };
    const columns = { accent: 'Tint' };
    const sheetWith = (options: object): string | null | undefined =>
      readBatch(source, storyboardProfile.request, options).files[0]?.reading?.sheet;
    expect([sheetWith({}), sheetWith({ columns })]).toEqual(['New', 'New']);
  });
});

describe('an OpenDocument workbook in one XML file', () => {
  const cell = (attributes: string, text = ''): string =>
    `<table:table-cell ${attributes}>${text}</table:table-cell>`;
  const row = (...cells: readonly string[]): string =>
    `<table:table-row>${cells.join('')}</table:table-row>`;
  const header = row(cell('', '<text:p>title</text:p>'), cell('', '<text:p>message</text:p>'));

  it('is read, with the values of cells for which it has no text', () => {
    const table = [
      row(cell('', '<text:p>One</text:p>'), cell('office:value-type="float" office:value="7.5"')),
      row(cell('office:string-value="Two"'), cell('office:date-value="2026-12-24"')),
      row(cell('', '<text:p>Three</text:p>'), cell('office:boolean-value="true"')),
    ];
    const content = flatDocument(
      `<table:table table:name="A">${header}${table.join('')}</table:table>`,
    );
    const reading = read(Buffer.from(content));
    expect(reading.errors).toEqual([]);
    expect(reading.files[0]?.reading).toMatchObject({ kind: 'ods', sheet: 'A' });
    expect(reading.rows.map(({ values }) => textsOf(values))).toMatchObject([
      { title: 'One', message: '7.5' },
      { title: 'Two', message: '2026-12-24' },
      { title: 'Three', message: 'TRUE' },
    ]);
  });

  it('has an error for a formula without its value', () => {
    const formula = row(cell('', '<text:p>One</text:p>'), cell('table:formula="of:=[.A1]&amp;1"'));
    const content = flatDocument(`<table:table table:name="A">${header}${formula}</table:table>`);
    expect(read(Buffer.from(content)).errors).toMatchObject([{ kind: 'cell-is-formula', row: 2 }]);
  });
});

describe('rows that programs show differently', () => {
  const raw = (rows: string): BatchReading =>
    read(
      workbook({ A: [] }, [], '', { 'xl/worksheets/sheet1.xml': `<worksheet>${rows}</worksheet>` }),
    );
  const rowOf = (row: number, text: string, attributes = '', column = 'A'): string =>
    `<row r="${row}" ${attributes}><c r="${column}${row}" t="str"><v>${text}</v></c></row>`;

  it.each([
    ['that are not in their order', rowOf(1, 'title') + rowOf(3, 'Two') + rowOf(2, 'One')],
    ['that are there twice', rowOf(1, 'title') + rowOf(2, 'One') + rowOf(2, 'Two')],
    ['with a cell twice', rowOf(1, 'title') + rowOf(2, 'One').replace(/<c .*<\/c>/, '$&$&')],
  ])('are refused: %s', (_, rows) => {
    expect(raw(rows).errors).toMatchObject([{ kind: 'workbook-damaged' }]);
  });

  it('count as hidden if they have no height', () => {
    const reading = raw(rowOf(1, 'title') + rowOf(2, 'One', 'ht="0"') + rowOf(3, 'Two'));
    expect(reading.files[0]?.reading).toMatchObject({ hiddenRows: 1, rows: 2 });
  });
});

it('asks about a heading whose cell is merged across columns', () => {
  const rows: Rows = [['title', 'message'], ['Newsletter'], ['One', 'a']];
  const merged = (range: string): string => `<mergeCells><mergeCell ref="${range}"/></mergeCells>`;
  const askedIn = (after: string) =>
    read(workbook({ A: rows }, [], after)).files[0]?.reading?.undecided;
  expect(askedIn(merged('A2:B2'))).toEqual([
    { looksLike: 'section', row: 2, end: 2, text: 'Newsletter' },
  ]);
  expect(askedIn('')).toEqual([]);
});

describe('text that is struck through', () => {
  const struckRows = ({ warnings }: BatchReading) =>
    warnings.flatMap(({ kind, row }) => (kind === 'row-is-struck' ? [row] : []));

  it('is named in a workbook of Excel, for a cell and for a part of its text', () => {
    const cell = (at: string, more: string) => `<c r="${at}" ${more}</c>`;
    const content = workbook({ A: [] }, [], '', {
      'xl/styles.xml':
        '<styleSheet><fonts><font/><font><strike/></font><font><strike val="0"/></font></fonts><cellXfs><xf/><xf fontId="1"/><xf fontId="2"/></cellXfs><dxfs><dxf><font><strike/></font></dxf></dxfs></styleSheet>',
      'xl/sharedStrings.xml':
        '<sst><si><t>Plain</t></si><si><r><rPr><strike/></rPr><t>99 €</t></r><r><t> 79 €</t></r></si></sst>',
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${[
        cell('A1', 't="str"><v>title</v>'),
        cell('A2', 't="str" s="1"><v>One</v>'),
        cell('A3', 't="s" s="2"><v>0</v>'),
        cell('A4', 't="s"><v>1</v>'),
        cell('A5', 't="inlineStr"><is><r><rPr><strike/></rPr><t>In</t></r></is>'),
        cell('A6', 't="str"><v>Last</v>'),
      ]
        .map((each, at) => `<row r="${at + 1}">${each}</row>`)
        .join('')}</sheetData></worksheet>`,
    });
    const reading = read(content);
    expect(titlesIn(reading)).toEqual(['One', 'Plain', '99 € 79 €', 'In', 'Last']);
    expect(struckRows(reading)).toEqual([2, 4, 5]);
  });

  it('is named in an OpenDocument workbook', () => {
    const style = (name: string, line: string) =>
      `<style:style style:name="${name}"><style:text-properties style:text-line-through-style="${line}"/></style:style>`;
    const row = (attributes: string, text: string) =>
      `<table:table-row><table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell></table:table-row>`;
    const content = flatDocument(
      `<table:table table:name="A">${[
        row('', 'title'),
        row('table:style-name="s"', 'One'),
        row('table:style-name="n"', 'Two'),
        row('', '<text:span text:style-name="s">99</text:span> 79'),
      ].join('')}</table:table>`,
      `<office:automatic-styles>${style('s', 'solid')}${style('n', 'none')}</office:automatic-styles>`,
    );
    expect(struckRows(read(Buffer.from(content)))).toEqual([2, 4]);
  });
});

describe('a time of day', () => {
  it('is shown in halves of the day in a language that separates dates by points', () => {
    const content = workbook({ A: [['title'], [[0.5, 0]], [[46_353.75, 1]]] }, [
      'h:mm AM/PM',
      'm/d/yyyy h:mm AM/PM',
    ]);
    expect(titlesIn(read(content, 'de'))).toEqual(['12:00 PM', '11.27.2026 6:00 PM']);
  });
});
