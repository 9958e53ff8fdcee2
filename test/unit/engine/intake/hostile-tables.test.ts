/** Small files that would take a reader minutes, or all memory: each is refused or read at once. */
import { describe, expect, it } from 'vitest';
import { readBatch } from '../../../../src/engine/intake/read-batch.ts';
import { zipArchive } from '../../../rigs/zip-archive.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';

/** Milliseconds of processor time; the slowest of these files takes a twentieth of it. */
const MAX_CPU_MS = 2000;

function xlsx(sheet: string, styles = ''): Buffer {
  return zipArchive({
    '[Content_Types].xml': '<Types/>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/workbook.xml': '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>',
    ...(styles === '' ? {} : { 'xl/styles.xml': `<styleSheet>${styles}</styleSheet>` }),
    'xl/worksheets/sheet1.xml': `<worksheet>${sheet}</worksheet>`,
  });
}

const text = (reference: string, value: string): string =>
  `<c r="${reference}" t="str"><v>${value}</v></c>`;
const TABLE = `<sheetData><row r="1">${text('A1', 'title')}</row><row r="2">${text('A2', 'One')}</row></sheetData>`;

const styled = (format: string): string =>
  `<numFmts><numFmt numFmtId="200" formatCode="${format}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs>`;
const NUMBERS = `<sheetData><row r="1">${text('A1', 'title')}</row>${Array.from(
  { length: 200 },
  (_, row) => `<row r="${row + 2}"><c r="A${row + 2}" s="0"><v>1</v></c></row>`,
).join('')}</sheetData>`;

function ods(rows: string): Buffer {
  return zipArchive({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': `<office:document-content><table:table table:name="A">${rows}</table:table></office:document-content>`,
  });
}

const odsCell = (attributes: string, value: string): string =>
  `<table:table-cell ${attributes}><text:p>${value}</text:p></table:table-cell>`;
const HEADER = `<table:table-row>${odsCell('', 'title')}</table:table-row>`;

const FILES: Readonly<Record<string, () => Buffer | string>> = {
  'ranges that cover all rows again and again': () =>
    xlsx(`${TABLE}<mergeCells>${'<mergeCell ref="A1:A100001"/>'.repeat(20_000)}</mergeCells>`),
  'elements that are nested without end': () =>
    xlsx(`${TABLE}${'<a>'.repeat(80_000)}${'</b>'.repeat(20_000)}`),
  'columns that are hidden again and again': () =>
    xlsx(`<cols>${'<col min="1" max="16384" hidden="1"/>'.repeat(50_000)}</cols>${TABLE}`),
  'a format of thousands of brackets': () => xlsx(NUMBERS, styled('[$'.repeat(80_000))),
  'a format that no number fits': () => xlsx(NUMBERS, styled('[h'.repeat(10_000))),
  'invisible cells in every column and row': () =>
    ods(
      `${HEADER}<table:table-row table:number-rows-repeated="20000">${odsCell('table:number-columns-repeated="16384"', '\u200b')}</table:table-row>`,
    ),
  'cells that are repeated beyond every column': () =>
    ods(
      `${HEADER}<table:table-row>${odsCell('table:number-columns-repeated="16384"', 'a').repeat(1100)}</table:table-row>`,
    ),
  'a text of repeated spaces': () =>
    ods(
      `${HEADER}<table:table-row>${odsCell('', '<text:s text:c="1000"/>'.repeat(540_000))}</table:table-row>`,
    ),
  'ranges of OpenDocument that cover all rows': () =>
    ods(
      `${HEADER}<table:table-row table:number-rows-repeated="60000">${odsCell('table:number-rows-spanned="1048576"', 'a').repeat(20)}</table:table-row>`,
    ),
  'a page with a row of spans': () =>
    `<table><tr><td>title${'<td colspan=1000>'.repeat(300)}<td>b${'<tr><td>x<td>y'.repeat(3000)}</table>`,
  'a page that is nested without end': () =>
    `<table><tr><td>title<tr><td>${'<b>'.repeat(60_000)}</table>`,
  'a header of many columns above short rows': () =>
    `title,${Array.from({ length: 998 }, (_, at) => `c${at}`).join(',')}\n${'1,2\n'.repeat(12_000)}`,
};

describe('a hostile table', () => {
  it.each(Object.entries(FILES))('with %s is read or refused soon', (_, make) => {
    const content = make();
    const before = process.threadCpuUsage();
    const reading = readBatch({ name: 'table', content }, storyboardProfile.request);
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(MAX_CPU_MS);
    expect(reading.rows.length + reading.errors.length).toBeGreaterThan(0);
  });

  it('does not put a whole text into a message', () => {
    const content = Buffer.from(`title\n${'Ã¼'.repeat(200_000)}`);
    const { errors } = readBatch({ name: 'table', content }, storyboardProfile.request);
    expect(JSON.stringify(errors).length).toBeLessThan(5000);
  });
});
