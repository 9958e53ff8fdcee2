import { escapedJson } from '../escaped-json.ts';
import { csvLine, type CsvCell } from './csv.ts';

/** A table that becomes a file, in pieces: its rows are named cells, all with the same names. */
export type TableRow = Readonly<Record<string, CsvCell>>;

/** CSV with a header, in UTF-8 with the mark by which spreadsheets know it. */
export function* csvFile(
  columns: readonly string[],
  pages: Iterable<readonly TableRow[]>,
): Generator<string> {
  yield `\ufeff${csvLine(columns)}`;
  for (const rows of pages) {
    yield rows.map((row) => csvLine(columns.map((column) => row[column] ?? null))).join('');
  }
}

/** A JSON array with one object a line. */
export function* jsonFile(pages: Iterable<readonly TableRow[]>): Generator<string> {
  let opening = '[\n';
  for (const rows of pages) {
    if (rows.length === 0) continue;
    yield opening + rows.map((row) => escapedJson(row)).join(',\n');
    opening = ',\n';
  }
  yield opening === '[\n' ? '[]\n' : '\n]\n';
}
