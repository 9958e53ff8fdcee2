import { csvLine, type CsvCell } from '../csv-line.ts';
import { escapedJson } from '../json.ts';

/** A row of a table that is exported: named cells, with the same names in every row. `file` is a path. */
export type TableRow = Readonly<Record<string, string | number | null>>;

/** CSV with a header, in UTF-8 with the byte order mark by which spreadsheets recognise it. */
export function* csvFile(
  columns: readonly string[],
  pages: Iterable<readonly TableRow[]>,
): Generator<string> {
  yield `\ufeff${csvLine(columns)}`;
  for (const rows of pages) {
    yield rows.map((row) => csvLine(columns.map((column) => cellOf(row, column)))).join('');
  }
}

function cellOf(row: TableRow, column: string): CsvCell {
  const value = row[column] ?? null;
  return column === 'file' && typeof value === 'string' ? { path: value } : value;
}

/** A JSON array with one object per line. */
export function* jsonFile(pages: Iterable<readonly TableRow[]>): Generator<string> {
  let opening = '[\n';
  for (const rows of pages) {
    if (rows.length === 0) continue;
    yield opening + rows.map((row) => escapedJson(row)).join(',\n');
    opening = ',\n';
  }
  yield opening === '[\n' ? '[]\n' : '\n]\n';
}
