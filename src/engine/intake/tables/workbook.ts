/** Reads one sheet of a workbook as a table. */
import type { TableReading } from '../../../contract/table-reading.ts';
import { userMessage } from '../../../contract/user-message.ts';
import { sanitizeRemoteText } from '../../sanitize-remote-text.ts';
import { noRecords, unreadable, type Records } from '../records.ts';
import { ArchiveError, openArchive, type Archive } from './archive.ts';
import { widthOf, type GridRow } from './grid-row.ts';
import { countKnownHeaders, locateTable } from './locate-table.ts';
import { odsSheets, readOdsSheet } from './ods-sheet.ts';
import { SheetExcessError, sheetExcess, type SheetRows } from './sheet.ts';
import type { ColumnOf, TableOptions } from './table-options.ts';
import { recordsOf } from './table-records.ts';
import { headerText } from './cell-visibility.ts';
import { streamOf } from './compound-file.ts';
import { turnGrid } from './turn-grid.ts';
import { openXls, readXlsSheet } from './xls-book.ts';
import { openXlsx, readXlsxSheet } from './xlsx-sheet.ts';
import { namedTables, rowsOfTable, type NamedTable } from './xlsx-tables.ts';

/** Of Excel since 2007 and before, and OpenDocument in an archive and in one XML file. */
type WorkbookKind = 'xlsx' | 'xls' | 'ods' | 'fods';

type Sheet = TableReading['sheets'][number] & {
  /** A table on a sheet, which has the name `SHEET!TABLE`, and the place of that sheet. */
  readonly on?: { readonly table: NamedTable; readonly index: number };
};

type SheetContent = Pick<SheetRows, 'rows' | 'hiddenColumns'>;

interface Workbook {
  readonly sheets: readonly Sheet[];
  readonly language: string;
  readonly read: (index: number) => SheetContent;
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
  kind: WorkbookKind,
  options: TableOptions,
): Records {
  const { choices } = options;
  const failed = (message: Parameters<typeof unreadable>[0]): Records =>
    noRecords('Row', unreadable(message));
  try {
    const { sheets, language, read } = OPENED[kind](bytes, options);
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
      kind: kind === 'fods' ? 'ods' : kind,
      language,
      sheet: sheet.name,
      sheets: sheets.map((each) => ({ name: each.name, isHidden: each.isHidden })),
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

interface Proposed {
  readonly index: number;
  readonly rows: SheetContent;
}

/**
 * The first visible sheet or, if it has no known header, the visible one with the most: workbooks
 * begin with a cover or with notes. Where the table is turned, it is the one with the most. A named
 * table beside other cells is proposed instead of them.
 */
function proposedSheet(book: Workbook, { columnNamed, choices }: TableOptions): Proposed {
  const { sheets, read } = book;
  const visible = sheets.flatMap(({ isHidden, on }, index) =>
    isHidden || on !== undefined ? [] : [index],
  );
  const [index = 0, ...others] = visible;
  const isTurned = choices.turn === true;
  const knownIn = (sheet: SheetContent): number =>
    countKnownHeaders(isTurned ? turnGrid(sheet).rows : sheet.rows, columnNamed);
  let best = { index, rows: read(index), known: 0 };
  best.known = readIfPossible(() => knownIn(best.rows)) ?? 0;
  for (const other of best.known > 0 && !isTurned ? [] : others.slice(0, MAX_SEARCHED)) {
    const rows = readIfPossible(() => read(other));
    const known = (rows && readIfPossible(() => knownIn(rows))) ?? 0;
    if (rows !== null && known > best.known) best = { index: other, rows, known };
  }
  return proposedTable(book, best, columnNamed) ?? best;
}

/** The table with the most known headers, if other cells are beside or below it. */
function proposedTable(
  { sheets }: Workbook,
  { index, rows: { rows, hiddenColumns } }: Proposed,
  columnOf: ColumnOf,
): Proposed | null {
  let most = Math.max(1, countKnownHeaders(rows, columnOf)) - 1;
  let best: Proposed | null = null;
  for (const [place, { on }] of sheets.entries()) {
    if (on?.index !== index) continue;
    const own = rowsOfTable(rows, on.table);
    const known = countKnownHeaders(own.slice(0, 1), columnOf);
    const from = rows.filter(({ row }) => row >= on.table.firstRow);
    if (known <= most || cellsIn(own) === cellsIn(from)) continue;
    most = known;
    best = { index: place, rows: { rows: own, hiddenColumns } };
  }
  return best;
}

function cellsIn(rows: readonly GridRow[]): number {
  return rows.reduce((sum, row) => sum + widthOf(row), 0);
}

/** A sheet that was not chosen and cannot be read does not matter. */
function readIfPossible<Result>(read: () => Result): Result | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof ArchiveError || error instanceof SheetExcessError) return null;
    throw error;
  }
}

const OPENED: Readonly<
  Record<WorkbookKind, (bytes: Uint8Array, options: TableOptions) => Workbook>
> = {
  xlsx: (bytes, options) => xlsxOf(openArchive(bytes), options),
  xls: xlsOf,
  ods(bytes, options) {
    const archive = openArchive(bytes);
    if (isEncryptedOds(archive)) throw new ArchiveError('encrypted');
    return odsOf(archive.read('content.xml'), options);
  },
  fods: odsOf,
};

function xlsOf(bytes: Uint8Array, { choices, language }: TableOptions): Workbook {
  const stream = streamOf(bytes, 'Workbook');
  if (stream === null) throw new ArchiveError('damaged');
  const book = openXls(stream);
  const shownIn = choices.language ?? book.styles.language ?? language;
  return {
    sheets: book.sheets.map(({ name, isHidden }) => ({ name, isHidden })),
    language: shownIn,
    read(index) {
      const sheet = book.sheets[index];
      if (sheet === undefined) throw new ArchiveError('damaged');
      return readXlsSheet(stream, book, sheet, {
        language: shownIn,
        isTurned: choices.turn === true,
      });
    },
  };
}

function xlsxOf(archive: Archive, { choices, language }: TableOptions): Workbook {
  const book = openXlsx(archive);
  const shownIn = choices.language ?? book.styles.language ?? language;
  // A workbook of more sheets is refused.
  const some = book.sheets.slice(0, MAX_SHEETS);
  const tables = some.flatMap(({ name, isHidden, part }, index): Sheet[] =>
    namedTables(archive, part).map((table) => ({
      name: `${name}!${table.name}`,
      isHidden,
      on: { table, index },
    })),
  );
  const sheets = [
    ...book.sheets.map(({ name, isHidden }): Sheet => ({ name, isHidden })),
    ...tables,
  ];
  return {
    sheets,
    language: shownIn,
    read(index) {
      const { on } = sheets[index] ?? {};
      const sheet = book.sheets[on?.index ?? index];
      if (sheet === undefined) throw new ArchiveError('damaged');
      const { rows, hiddenColumns } = readXlsxSheet(archive, book, sheet, {
        language: shownIn,
        isTurned: choices.turn === true,
      });
      return { rows: on === undefined ? rows : rowsOfTable(rows, on.table), hiddenColumns };
    },
  };
}

/** @param content the XML of the document */
function odsOf(content: Uint8Array, { choices, language }: TableOptions): Workbook {
  const sheets = odsSheets(content);
  return {
    sheets,
    language: choices.language ?? language,
    read(index) {
      const sheet = sheets[index];
      if (sheet === undefined) throw new ArchiveError('damaged');
      return readOdsSheet(content, sheet, choices.turn === true);
    },
  };
}

/** An OpenDocument file with a password names its parts, but their contents are encrypted. */
function isEncryptedOds(archive: Archive): boolean {
  const manifest = 'META-INF/manifest.xml';
  return (
    archive.names.has(manifest) && Buffer.from(archive.read(manifest)).includes('encryption-data')
  );
}

function tableOf(
  name: string,
  sheet: SheetContent,
  options: TableOptions,
  how: Pick<TableReading, 'kind' | 'language' | 'sheet' | 'sheets'>,
): Records {
  const { choices } = options;
  const { rows, hiddenColumns } = choices.turn === true ? turnGrid(sheet) : sheet;
  const hides = choices.leaveOutHidden === true && hiddenColumns.size > 0;
  const grid = hides
    ? rows.map((row) => ({
        ...row,
        cells: row.cells.map((cell, at) => (hiddenColumns.has(at) ? '' : cell)),
      }))
    : rows;
  const table = locateTable(grid, options);
  const header = rows.find(({ row }) => row === table.headerRow)?.cells ?? [];
  const { headerRow } = table;
  return recordsOf(name, table, new Set(), choices, {
    ...how,
    encoding: null,
    list: null,
    encodingSample: null,
    separator: null,
    quotes: 'none',
    hiddenRows: rows.filter(({ row, isHidden }) => isHidden === true && row > (headerRow ?? 0))
      .length,
    hiddenColumns: header.filter((_, at) => hiddenColumns.has(at)).map(headerText),
  });
}
