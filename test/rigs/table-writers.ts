/** Writes tables as spreadsheets do: what they quote, how their lines end, which marks they begin with. */
import type { TextRow } from './table-texts.ts';

type Table = readonly (readonly string[])[];

interface Delimited {
  readonly separator: ',' | ';' | '\t' | '|';
  readonly lineEnd: '\r\n' | '\n' | '\r';
  /** Whether a cell is enclosed in quotation marks. */
  readonly quotes: (cell: string, column: number) => boolean;
}

function delimited(table: Table, { separator, lineEnd, quotes }: Delimited): string {
  const cellOf = (cell: string, column: number): string =>
    quotes(cell, column) ? `"${cell.replaceAll('"', '""')}"` : cell;
  return table.map((row) => row.map(cellOf).join(separator) + lineEnd).join('');
}

const has =
  (...characters: readonly string[]) =>
  (cell: string): boolean =>
    characters.some((character) => cell.includes(character));

const asUtf8 = (text: string, mark = ''): Buffer => Buffer.from(mark + text);

/** Each writes the bytes, or the text of the clipboard, of one program. */
export const SPREADSHEET_WRITERS: Readonly<Record<string, (table: Table) => string | Buffer>> = {
  'Excel, CSV UTF-8': (table) =>
    asUtf8(
      delimited(table, { separator: ',', lineEnd: '\r\n', quotes: has(',', '"', '\n') }),
      '\ufeff',
    ),
  'Excel in German, CSV UTF-8': (table) =>
    asUtf8(
      delimited(table, { separator: ';', lineEnd: '\r\n', quotes: has(';', '"', '\n') }),
      '\ufeff',
    ),
  'Excel on a Mac': (table) =>
    asUtf8(
      delimited(table, { separator: ',', lineEnd: '\r', quotes: has(',', '"', '\n') }),
      '\ufeff',
    ),
  'Excel, Unicode text': (table) =>
    Buffer.from(
      `\ufeff${delimited(table, { separator: '\t', lineEnd: '\r\n', quotes: has('\t', ',', '"', '\n') })}`,
      'utf16le',
    ),
  'Google Sheets, CSV': (table) =>
    asUtf8(
      delimited(table, { separator: ',', lineEnd: '\r\n', quotes: has(',', '"', '\n') }).trimEnd(),
    ),
  'Google Sheets, TSV': (table) =>
    // It writes spaces for tabs and line breaks within cells.
    asUtf8(
      table.map((row) => row.map((cell) => cell.replace(/[\t\n]/g, ' ')).join('\t')).join('\r\n'),
    ),
  'Numbers, CSV': (table) =>
    asUtf8(delimited(table, { separator: ',', lineEnd: '\r\n', quotes: has(',', '"', '\n') })),
  'Numbers in German, CSV': (table) =>
    asUtf8(delimited(table, { separator: ';', lineEnd: '\n', quotes: has(';', '"', '\n') })),
  'Numbers with the names of tables': (table) =>
    asUtf8(
      `Table 1\r\n${delimited(table, { separator: ',', lineEnd: '\r\n', quotes: has(',', '"', '\n') })}`,
    ),
  'LibreOffice, texts quoted': (table) =>
    asUtf8(delimited(table, { separator: ',', lineEnd: '\n', quotes: (cell) => cell !== '' })),
  'R and pandas, everything quoted, tabs': (table) =>
    asUtf8(delimited(table, { separator: '\t', lineEnd: '\n', quotes: () => true })),
  'Airtable, CSV': (table) =>
    asUtf8(
      delimited(table, { separator: ',', lineEnd: '\n', quotes: has(',', '"', '\n') }).trimEnd(),
      '\ufeff',
    ),
  'clipboard of Excel': (table) =>
    delimited(table, { separator: '\t', lineEnd: '\r\n', quotes: has('\t', '\n') }),
  'clipboard of Google Sheets': (table) =>
    delimited(table, { separator: '\t', lineEnd: '\n', quotes: has('\t', '\n') }).slice(0, -1),
  'clipboard of LibreOffice': (table) =>
    delimited(table, { separator: '\t', lineEnd: '\n', quotes: has('\t', '\n', '"') }),
  'clipboard of Numbers': (table) =>
    delimited(table, { separator: '\t', lineEnd: '\n', quotes: has('\t', '\n', '"') }).slice(0, -1),
};

export function tableOf(rows: readonly TextRow[]): Table {
  return [['title', 'message'], ...rows];
}

function xmlText(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped
    .split('\n')
    .map((line) => {
      const spaced = line
        .replace(/ {2,}|^ | $/g, (spaces) => `<text:s text:c="${spaces.length}"/>`)
        .replaceAll('\t', '<text:tab/>');
      return `<text:p>${spaced}</text:p>`;
    })
    .join('');
}

/** Sheets of texts, called `1`, `2` and so on, in one XML file, which LibreOffice converts. */
export function flatWorkbook(tables: readonly Table[]): string {
  const sheets = tables.map((table, at) => {
    const rows = table.map((row) => {
      const cells = row.map((cell) =>
        cell === ''
          ? '<table:table-cell/>'
          : `<table:table-cell office:value-type="string">${xmlText(cell)}</table:table-cell>`,
      );
      return `<table:table-row>${cells.join('')}</table:table-row>`;
    });
    return `<table:table table:name="${at + 1}">${rows.join('')}</table:table>`;
  });
  return flatDocument(sheets.join(''));
}

/** @param tables elements `table:table` */
export function flatDocument(tables: string, styles = ''): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.spreadsheet">${styles}<office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document>`;
}
