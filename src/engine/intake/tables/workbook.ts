/** Reads one sheet of a workbook as a table. */
import type { TableReading } from '../../../contract/table-reading.ts';
import { userMessage } from '../../../contract/user-message.ts';
import { sanitizeRemoteText } from '../../sanitize-remote-text.ts';
import { noRecords, unreadable, type Records } from '../records.ts';
import { ArchiveError, openArchive, type Archive } from './archive.ts';
import { countKnownHeaders, locateTable } from './locate-table.ts';
import { odsSheets, readOdsSheet } from './ods-sheet.ts';
import { SheetExcessError, sheetExcess, type SheetRows } from './sheet.ts';
import type { TableOptions } from './table-options.ts';
import { recordsOf } from './table-records.ts';
import { headerText } from './cell-visibility.ts';
import { openXlsx, readXlsxSheet } from './xlsx-sheet.ts';

type Sheets = TableReading['sheets'];

interface Workbook {
  readonly sheets: Sheets;
  readonly language: string;
  readonly read: (index: number) => SheetRows;
}

/** Many times what people use; the page lists them. */
const MAX_SHEETS = 1000;
/** Characters; Excel allows 31. */
const MAX_SHEET_NAME = 255;
/** Sheets after the first one in which a table is looked for. */
const MAX_SEARCHED = 10;
/** The most characters of a message that lists the names of sheets. */
const MAX_LISTED = 300;

export function readWorkbook(
  name: string,
  bytes: Uint8Array,
  kind: 'xlsx' | 'ods',
  options: TableOptions,
): Records {
  const { choices } = options;
  const failed = (message: Parameters<typeof unreadable>[0]): Records =>
    noRecords('Row', unreadable(message));
  try {
    const archive = openArchive(bytes);
    if (isEncryptedOds(archive, kind)) return failed(userMessage('file-has-password', { name }));
    const { sheets, language, read } =
      kind === 'xlsx' ? xlsxOf(archive, options) : odsOf(archive, options);
    // A workbook of charts, for example.
    if (sheets.length === 0) return failed(userMessage('file-no-rows', { name }));
    if (sheets.length > MAX_SHEETS || sheets.some((each) => each.name.length > MAX_SHEET_NAME)) {
      return failed(userMessage('workbook-damaged', { name }));
    }
    const { index, rows } =
      choices.sheet === undefined
        ? proposedSheet({ sheets, language, read }, options)
        : { index: sheets.findIndex((each) => each.name === choices.sheet), rows: undefined };
    const sheet = sheets[index];
    if (sheet === undefined) {
      const list = sanitizeRemoteText(sheets.map((each) => each.name).join(', '), MAX_LISTED);
      return failed(
        userMessage('sheet-missing', { name, sheet: choices.sheet ?? '1', sheets: list }),
      );
    }
    return tableOf(name, rows ?? read(index), options, {
      kind,
      language,
      sheet: sheet.name,
      sheets,
    });
  } catch (error) {
    if (error instanceof SheetExcessError) return noRecords('Row', sheetExcess(name, error));
    if (!(error instanceof ArchiveError)) throw error;
    switch (error.reason) {
      case 'damaged':
        return failed(userMessage('workbook-damaged', { name }));
      case 'too-large':
        return failed(userMessage('workbook-too-large', { name }));
      case 'encrypted':
        return failed(userMessage('file-has-password', { name }));
    }
  }
}

/**
 * The first visible sheet or, if it has no known header, the visible one with the most: workbooks
 * begin with a cover or with notes.
 */
function proposedSheet(
  { sheets, read }: Workbook,
  { columnOf }: TableOptions,
): { readonly index: number; readonly rows: SheetRows } {
  const visible = sheets.flatMap(({ isHidden }, index) => (isHidden ? [] : [index]));
  const [index = 0, ...others] = visible;
  let best = { index, rows: read(index), known: 0 };
  best.known = countKnownHeaders(best.rows.rows, columnOf);
  if (best.known > 0) return best;
  for (const other of others.slice(0, MAX_SEARCHED)) {
    const rows = readIfPossible(() => read(other));
    const known = countKnownHeaders(rows?.rows ?? [], columnOf);
    if (rows !== null && known > best.known) best = { index: other, rows, known };
  }
  return best;
}

/** A sheet that was not chosen and cannot be read does not matter. */
function readIfPossible(read: () => SheetRows): SheetRows | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof ArchiveError || error instanceof SheetExcessError) return null;
    throw error;
  }
}

function xlsxOf(archive: Archive, { choices, language }: TableOptions): Workbook {
  const book = openXlsx(archive);
  const shownIn = choices.language ?? book.styles.language ?? language;
  return {
    sheets: book.sheets.map(({ name, isHidden }) => ({ name, isHidden })),
    language: shownIn,
    read(index) {
      const sheet = book.sheets[index];
      if (sheet === undefined) throw new ArchiveError('damaged');
      return readXlsxSheet(archive, book, sheet, shownIn);
    },
  };
}

function odsOf(archive: Archive, { choices, language }: TableOptions): Workbook {
  const sheets = odsSheets(archive);
  return {
    sheets,
    language: choices.language ?? language,
    read(index) {
      const sheet = sheets[index];
      if (sheet === undefined) throw new ArchiveError('damaged');
      return readOdsSheet(archive, sheet);
    },
  };
}

/** An OpenDocument file with a password names its parts, but their contents are encrypted. */
function isEncryptedOds(archive: Archive, kind: 'xlsx' | 'ods'): boolean {
  const manifest = 'META-INF/manifest.xml';
  return (
    kind === 'ods' &&
    archive.names.has(manifest) &&
    Buffer.from(archive.read(manifest)).includes('encryption-data')
  );
}

function tableOf(
  name: string,
  { rows, hiddenColumns }: SheetRows,
  { choices, columnOf }: TableOptions,
  how: Pick<TableReading, 'kind' | 'language' | 'sheet' | 'sheets'>,
): Records {
  const hides = choices.leaveOutHidden === true && hiddenColumns.size > 0;
  const grid = hides
    ? rows.map((row) => ({
        ...row,
        cells: row.cells.map((cell, at) => (hiddenColumns.has(at) ? '' : cell)),
      }))
    : rows;
  const table = locateTable(grid, choices, columnOf);
  const header = rows.find(({ row }) => row === table.headerRow)?.cells ?? [];
  const { headerRow } = table;
  return recordsOf(name, table, new Set(), choices, {
    ...how,
    encoding: null,
    encodingSample: null,
    separator: null,
    quotes: 'none',
    hiddenRows: rows.filter(({ row, isHidden }) => isHidden === true && row > (headerRow ?? 0))
      .length,
    hiddenColumns: header.filter((_, at) => hiddenColumns.has(at)).map(headerText),
  });
}
