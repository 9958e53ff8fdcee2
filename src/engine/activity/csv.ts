/** What a cell may hold. Numbers are written as they are: no formula is only a number. */
export type CsvCell = string | number | null;

/** What spreadsheets take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * One line of a CSV file (RFC 4180), for people to open in a spreadsheet: text that would be taken
 * for a formula gets an apostrophe before it.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
