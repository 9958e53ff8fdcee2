import { escapedJson } from '../json.ts';

/** What a cell may hold. Numbers are written as they are: no formula is only a number. */
export type CsvCell = string | number | null;

/**
 * What spreadsheets take for the beginning of a formula: East Asian editions also take full-width
 * and small signs, and Swedish ones the typographic minus.
 */
const FORMULA_SIGNS = new Set('=+-@＝＋－＠﹦﹢﹣﹫−');

/**
 * What separates cells or rows where the comma does not. Then our quotes stand in the middle of a
 * cell and mean nothing, so that a cell may begin behind any of these.
 */
const SEPARATORS = new Set(';|\t\r\n\u2028\u2029،؛');

/** Characters that programs ignore at the beginning of a cell. */
const LEFT_OUT = /[\s\p{Cf}"]/u;

/** Controls other than tabs and line breaks, which no spreadsheet shows and terminals act on. */
const CONTROLS = /[^\P{Cc}\t\r\n]/gu;

/**
 * One line of a CSV file (RFC 4180), for people to open in a spreadsheet of any language: what would
 * be taken for a formula gets an apostrophe before it, and controls are replaced.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = withoutFormulas(cell.replace(CONTROLS, '\ufffd'));
  return /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function withoutFormulas(text: string): string {
  let neutral = /^[\t\r]/.test(text) ? "'" : '';
  let begins = true;
  let taken = 0;
  let at = 0;
  for (const character of text) {
    if (begins && FORMULA_SIGNS.has(character)) {
      neutral += `${text.slice(taken, at)}'`;
      taken = at;
    }
    begins = SEPARATORS.has(character) || (begins && LEFT_OUT.test(character));
    at += character.length;
  }
  return neutral + text.slice(taken);
}

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
