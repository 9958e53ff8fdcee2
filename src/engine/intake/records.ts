import type { Failure } from '../../contract/failure.ts';
import type { TableReading } from '../../contract/table-reading.ts';
import { userMessage, joinMessages, type UserMessage } from '../../contract/user-message.ts';
import { columnLetters, ROW_PLACES } from '../../contract/row-place.ts';
import type { RawCell } from './cell.ts';
import type { TableGrid } from './tables/grid-row.ts';

/** One row of a file, before its columns are matched. */
export interface SourceRow {
  /** By the file's names of its columns. Empty cells may be left out. */
  readonly cells: Readonly<Record<string, RawCell>>;
  readonly row: number;
  /** The numbers that a workbook shows as the text of these cells. */
  readonly numbers?: Readonly<Record<string, number>>;
}

/** A file's rows, or why there are none. */
export interface Records {
  /** The unit in messages: a spreadsheet has rows (columns when it is turned), JSON has entries, JSONL has lines. */
  readonly unit: 'Row' | 'Column' | 'Entry' | 'Line';
  /** In the order of the file. */
  readonly columns: readonly string[];
  /** Those of them that are probably another table, to the right of an empty column. */
  readonly beside?: readonly string[];
  /** Columns with the same header as an earlier one: maps the unique name to the header. */
  readonly repeated: ReadonlyMap<string, string>;
  readonly rows: readonly SourceRow[];
  /** Rows that could not be read. Only their text is used, to name them in messages. */
  readonly damaged: readonly SourceRow[];
  /** The last row with a text, also where it is no video; when left out, that of the rows above. */
  readonly lastRow?: number;
  /** Only where it is asked for, of tables with rows and columns. */
  readonly grid?: TableGrid;
  readonly errors: readonly Failure[];
  /** What is possible and probably not meant. */
  readonly warnings?: readonly Failure[];
  /** Every decision about how the file was read; `null` if it could not be read. */
  readonly reading: TableReading | null;
}

/** Whether a file is a workbook, rather than a text. */
export function hasSheets(reading: TableReading | null): boolean {
  return reading !== null && ['xlsx', 'xls', 'ods'].includes(reading.kind);
}

export function unreadable(message: UserMessage, row?: number): Failure {
  return { code: 'batch-unreadable', ...message, ...(row === undefined ? {} : { row }) };
}

/** Whether the rows are those of a spreadsheet, or its columns. */
export function isSpreadsheet(unit: Records['unit']): boolean {
  return unit === 'Row' || unit === 'Column';
}

/** A row's number or, where columns are the rows, its letters. */
export function rowName(unit: Records['unit'], row: number): number | string {
  return unit === 'Column' ? columnLetters(row - 1) : row;
}

/**
 * An error in one cell. The message names the column as the file does, `column` as the template
 * does.
 */
export function cellError(
  unit: Records['unit'],
  row: number,
  column: { readonly name: string; readonly header: string },
  what: UserMessage,
): Failure {
  // A colon follows the name.
  const header = column.header.replace(/[\s:]+$/, '') || column.header;
  const place = userMessage(ROW_PLACES[unit], { row: rowName(unit, row), column: header });
  return { code: 'value-invalid', ...joinMessages(place, what), row, column: column.name };
}

export function noRecords(unit: Records['unit'], error: Failure): Records {
  return {
    unit,
    columns: [],
    repeated: new Map(),
    rows: [],
    damaged: [],
    errors: [error],
    reading: null,
  };
}
