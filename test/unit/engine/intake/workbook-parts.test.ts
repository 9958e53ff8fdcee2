/** What the parts of a workbook say about its table, each in the smallest workbook that has it. */
import { describe, expect, it } from 'vitest';
import type { ReadingChoices } from '../../../../src/contract/table-reading.ts';
import { textsOf } from '../../../../src/engine/intake/cell.ts';
import { readBatch, type BatchReading } from '../../../../src/engine/intake/read-batch.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
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
  });
}

function read(content: Buffer, language = 'en', reading: ReadingChoices = {}): BatchReading {
  return readBatch({ name: 'videos.xlsx', content }, storyboardProfile.request, {
    language,
    reading,
  });
}

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

  it('is the first one if none has', () => {
    const { errors } = read(workbook({ A: [['x'], ['1']], B: [['y'], ['2']] }));
    expect(errors[0]?.message).toContain('The columns are: x.');
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

describe('a time of day', () => {
  it('is shown in halves of the day in a language that separates dates by points', () => {
    const content = workbook({ A: [['title'], [[0.5, 0]], [[46_353.75, 1]]] }, [
      'h:mm AM/PM',
      'm/d/yyyy h:mm AM/PM',
    ]);
    expect(titlesIn(read(content, 'de'))).toEqual(['12:00 PM', '11.27.2026 6:00 PM']);
  });
});
