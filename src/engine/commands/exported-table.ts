import { csvLine, type CsvCell } from '../csv-line.ts';
import { escapedJson } from '../json.ts';

/** A row of a table that is exported: named cells, with the same names in every row. */
export type TableRow = Readonly<Record<string, CsvCell>>;

/** CSV with a header, in UTF-8 with the byte order mark by which spreadsheets recognise it. */
export function* csvFile(
  columns: readonly string[],
  pages: Iterable<readonly TableRow[]>,
): Generator<string> {
  yield `\ufeff${csvLine(columns)}`;
  for (const rows of pages) {
    yield rows.map((row) => csvLine(columns.map((column) => row[column] ?? null))).join('');
  }
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
