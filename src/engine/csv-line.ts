/** Lines of CSV files that people open in a spreadsheet. */

/**
 * What a cell may hold. Numbers are written as they are: no formula is only a number. So are paths,
 * which an apostrophe would change, unless they begin with a formula or could call a function.
 */
export type CsvCell = string | number | null | { readonly path: string };

/** What separates cells: in many countries spreadsheets open only files with semicolons as tables. */
export type CsvSeparator = ',' | ';';

/** The separator for a file beside one with this separator; a comma for all but semicolons. */
export function separatorLike(separator: string | null | undefined): CsvSeparator {
  return separator === ';' ? ';' : ',';
}

/** A call of a function. Without one, a formula of what names of files may contain is harmless. */
const CALL = /\p{L}\s*\(/u;

/**
 * Characters that spreadsheets take for the beginning of a formula: East Asian editions also take
 * full-width and small forms, and Swedish ones the typographic minus.
 */
const FORMULA_SIGNS = new Set('=+-@＝＋－＠﹦﹢﹣﹫−');

/**
 * Separators of cells or rows in files that are not separated by commas. A program that splits at
 * one of these ignores our quotation marks, so a cell may begin after any of them.
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
export function csvLine(cells: readonly CsvCell[], separator: CsvSeparator = ','): string {
  return `${cells.map(csvCell).join(separator)}\r\n`;
}

function csvCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = typeof cell === 'string' ? neutralText(cell) : neutralPath(cell.path);
  return /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function neutralPath(path: string): string {
  return FORMULA_SIGNS.has(path.charAt(0)) || CALL.test(path) ? neutralText(path) : path;
}

function neutralText(text: string): string {
  return withoutFormulas(text.replace(CONTROLS, '\ufffd'));
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
