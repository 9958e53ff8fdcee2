/** Finds the table among the rows of a sheet or file: its header, its rows, and what is neither. */
import type { LeftOutReason } from '../../../contract/table-reading.ts';
import { findArtefact } from '../spreadsheet-cell.ts';
import type { ColumnOf, TableOptions } from './table-options.ts';
import { headerText, isTooLong, isVisible } from './cell-visibility.ts';
import { isTableNumber, widthOf, type GridRow } from './grid-row.ts';
import { gapBeforeTable } from './table-beside.ts';
import { unfilledRows } from './unfilled-rows.ts';
import { findUnlikelyRows, type BodyRow, type UnlikelyRows } from './unlikely-rows.ts';

export interface LeftOutRow {
  readonly row: number;
  readonly reason: LeftOutReason;
  readonly cells: readonly string[];
}

export interface LocatedTable {
  /** `null` if no row can be the header. */
  readonly headerRow: number | null;
  /** All rows that are not empty, if they are kept. */
  readonly filled?: readonly GridRow[];
  /** The headers' visible text, by place; empty for a column without a name. */
  readonly header: readonly string[];
  /** The rows below the header that are not empty and not left out. */
  readonly rows: readonly GridRow[];
  readonly leftOut: readonly LeftOutRow[];
  /** Those of `rows` that are probably no videos, about which the user has not decided. */
  readonly undecided: readonly UnlikelyRows[];
  /** The place of an empty column with another table on its right; `null` without one. */
  readonly gap: number | null;
  /** Whether the names of the columns are below each other in the first column. */
  readonly isSideways: boolean;
}

/** Rows in which the header is looked for. */
export const MAX_ABOVE = 50;
/** Rows at the end of a table in which totals and footers are looked for. */
const MAX_END = 5;

/** Units, kinds of values, and hints in brackets. */
const UNITS =
  /^(?:[([{<].{1,40}[)\]}>]|(?:in )?(?:s|sec|secs|seconds|sek|sekunden|ms|min|minuten|px|pixels?|pt)\.?|%|eur|usd|€|\$|text|string|number|integer|zahl|datei|file|optional|required|pflicht|pflichtfeld|einheit|unit|units|hex|#rrggbb|url|fps|frames?\/s|bilder\/s|hh:mm(?::ss)?|mm:ss|(?:max\.?|bis|up to) \d+(?: \p{L}+)?)$/iu;
/** A line that is drawn with characters, as Markdown and databases have below a header. */
const RULE = /^[-=_+|:*~`—─━\s]{3,}$/;
const TOTALS =
  '(?:grand|sub|report)?[ -]?totals?|(?:gesamt|zwischen|end)?summe|gesamt(?:dauer|länge|zeit|laufzeit|zahl|anzahl|kosten|preis|betrag)?|insgesamt|sommes?|σ|ergebnis|gesamtergebnis|sum|sums|total général|totale|totaal|totalt|suma|somma|soma|summa|razem|yhteensä|összesen|celkem|spolu|toplam|i alt|итого|всего|σύνολο|合計|合计|总计|總計|합계';
const TOTAL = new RegExp(String.raw`^(?:${TOTALS})(?!\p{L}).{0,20}$`, 'iu');
/** A total of the rows above it, wherever it is: the word alone, or of a part with its name. */
const SUBTOTAL = new RegExp(
  String.raw`^(?:${TOTALS})\s*[:=]?$|^(?:sub[ -]?total|zwischensumme|sous-total)(?!\p{L}).{0,40}$`,
  'iu',
);
/** A total in a table of titles alone: the word alone, or with a number. */
const COLUMN_TOTAL = new RegExp(
  String.raw`^(?:${TOTALS})\s*(?:[:=]|[:=]?\s*\d[\d.,]*(?:\s\p{L}{1,20})?)?$`,
  'iu',
);
const AVERAGE =
  /^(?:average|mean|durchschnitt|mittelwert|moyenne|promedio|media|média|gemiddelde|średnia|genomsnitt|medelvärde|gennemsnit|keskiarvo|průměr|среднее|平均|평균)(?!\p{L}).{0,20}$/iu;
/** A total is that even if its number is not the sum: rows may be hidden, filtered or rounded. */
const TOTAL_ALONE = /^\p{L}[\p{L} -]*[:=]?\s*(?:\(.*\))?$/u;
/** These count as totals if the number is right. */
const COUNT =
  /^(?:anzahl|count|number of \p{L}+|nombre|número|aantal|liczba|количество)(?!\p{L}).{0,20}$/iu;
const FOOTER =
  /^(?:\W*)(?:source|quelle|stand|generated|exported|created|printed|last updated|erstellt|exportiert|gedruckt|confidential|vertraulich|page \d|seite \d|end of (?:report|file|list|table)|ende (?:der|des)|(?:legend|legende|key|notes?|hinweise?|anmerkung(?:en)?|bemerkung(?:en)?):|\d+ (?:rows?|records?|entries|results?|zeilen?|einträge|datensätze)(?: selected)?\W*$)/iu;
/** Lines about rights, and the last ones of databases, need no empty line above them. */
const FOOTER_WITHOUT_GAP =
  /^\(\d+ rows?\)$|^\d+ rows? in set\b|^\\\.$|^(?:copyright|©|\(c\)) ?\d{4}|all rights reserved|alle rechte vorbehalten/iu;

/** How many known headers the row with the most of them has, among those where a header can be. */
export function countKnownHeaders(rows: readonly GridRow[], columnOf: ColumnOf): number {
  const counts = rows
    .slice(0, MAX_ABOVE)
    .map(({ cells }) => cells.filter((cell) => columnOf(cell) !== undefined).length);
  return Math.max(0, ...counts);
}

/** Whether the first cells of the rows are more names of columns than the best header has. */
function isOnItsSide(rows: readonly GridRow[], columnOf: ColumnOf): boolean {
  const known = rows
    .slice(0, MAX_ABOVE)
    .map(({ cells }) => columnOf(cells.find(isVisible) ?? ''))
    .filter((column) => column !== undefined);
  const most = countKnownHeaders(rows, columnOf);
  return most < 2 && known.length > 1 && new Set(known).size === known.length;
}

export function locateTable(
  grid: readonly GridRow[],
  { choices, columnOf, isSent, keepsGrid = false }: TableOptions,
): LocatedTable {
  const skipped = new Set(choices.skipRows);
  const kept = new Set(choices.keepRows);
  const filled = grid.filter(({ cells }) => cells.some(isVisible));
  const usable = filled.filter(
    ({ row, isHidden }) =>
      !skipped.has(row) && !(isHidden === true && choices.leaveOutHidden === true),
  );
  const header =
    choices.headerRow === undefined
      ? findHeader(usable, columnOf)
      : filled.find(({ row }) => row === choices.headerRow);
  if (header === undefined) {
    const nothing = { header: [], rows: [], leftOut: [], undecided: [], gap: null };
    return { ...nothing, headerRow: null, isSideways: false };
  }
  const names = header.cells.map(headerText);
  const columns = names.filter((name) => name !== '').length;
  const below = usable.filter(({ row }) => row > header.row);
  const unfilled = unfilledRows(below, names.map(isSent));
  const reasons = endReasons(
    below.filter((row) => !unfilled.has(row)),
    grid,
    columns > 1,
  );
  const first = usable.find(
    ({ row, cells }) =>
      row > header.row && cells.some((cell) => isVisible(cell) && !RULE.test(cell)),
  );
  const reasonOf = (row: GridRow): BodyRow['reason'] => {
    if (skipped.has(row.row)) return 'chosen';
    if (row.isHidden === true && choices.leaveOutHidden === true) return 'hidden';
    if (row.row < header.row) return isComment(row) ? 'comment' : 'above-header';
    if (kept.has(row.row)) return null;
    if (row.cells.every((cell) => !isVisible(cell) || RULE.test(cell))) return 'comment';
    if (isRepeated(row.cells, names, columnOf)) return 'repeated-header';
    if (unfilled.has(row)) return 'unfilled';
    if (row === first && isUnits(row, names)) return 'units';
    return reasons.get(row) ?? (isSubtotal(row) ? 'total' : null);
  };
  const rows: GridRow[] = [];
  const leftOut: LeftOutRow[] = [];
  const totals: UnlikelyRows[] = [];
  const body: BodyRow[] = [];
  for (const row of filled) {
    if (row === header) continue;
    const reason = reasonOf(row);
    if (row.row > header.row) body.push({ row, reason });
    if (reason === 'total') {
      rows.push(row);
      if (choices.includeTotals !== true) totals.push({ looksLike: 'total', rows: [row] });
    } else if (reason === null) rows.push(row);
    else leftOut.push({ row: row.row, reason, cells: row.cells });
  }
  const unlikely = [
    ...findUnlikelyRows(body, columns, columnOf),
    ...(columns > 1 ? [] : endOfColumn(rows, grid)),
  ].filter(
    ({ looksLike, rows: [first] }) =>
      first !== undefined &&
      !kept.has(first.row) &&
      !(looksLike === 'total' && choices.includeTotals === true),
  );
  const undecided = inOrder([...totals, ...unlikely]);
  const isSideways =
    choices.turn === undefined && choices.headerRow === undefined && isOnItsSide(usable, columnOf);
  const gap = gapBeforeTable(names, rows, columnOf);
  const found = { headerRow: header.row, header: names, rows, leftOut, undecided, gap, isSideways };
  return keepsGrid ? { ...found, filled } : found;
}

/** The table with more rows about which the user has not decided. */
export function withUndecided(table: LocatedTable, further: readonly UnlikelyRows[]): LocatedTable {
  return { ...table, undecided: inOrder([...table.undecided, ...further]) };
}

/** In the order of the file. */
function inOrder(unlikely: readonly UnlikelyRows[]): readonly UnlikelyRows[] {
  const firstOf = ({ rows: [first] }: UnlikelyRows): number => first?.row ?? 0;
  return unlikely.toSorted((one, other) => firstOf(one) - firstOf(other));
}

/**
 * The row with the most names of known columns or, without any, the first that is about as wide as
 * the table. What is above a header makes no video, so it has to be narrower: a title, a date.
 */
function findHeader(rows: readonly GridRow[], columnOf: ColumnOf): GridRow | undefined {
  const knownIn = ({ cells }: GridRow): number =>
    cells.filter((cell) => columnOf(cell) !== undefined).length;
  const first = rows.slice(0, MAX_ABOVE).filter((row) => !isComment(row) || knownIn(row) > 0);
  const candidates: { readonly row: GridRow; readonly width: number; readonly known: number }[] =
    [];
  let widest = 0;
  for (const row of first) {
    const width = widthOf(row);
    const known = knownIn(row);
    const isAllKnown = known === width && (known > 1 || widest < 2);
    if (width > widest || isAllKnown) candidates.push({ row, width, known });
    widest = Math.max(widest, width);
  }
  const most = Math.max(0, ...candidates.map(({ known }) => known));
  const usual = usualWidth(rows);
  const header =
    most > 0
      ? candidates.find(({ known }) => known === most)
      : candidates.find(({ width }) => width >= Math.min(2, usual) && width >= usual / 2);
  return header?.row ?? first[0];
}

function usualWidth(rows: readonly GridRow[]): number {
  const counts = new Map<number, number>();
  for (const row of rows.slice(0, 1000)) {
    const width = widthOf(row);
    counts.set(width, (counts.get(width) ?? 0) + 1);
  }
  let [usual, most] = [1, 0];
  for (const [width, count] of counts) if (count >= most) [usual, most] = [width, count];
  return usual;
}

/** A line that a program wrote above the header: `# exported 2026-11-26`. */
function isComment({ cells }: GridRow): boolean {
  return cells[0]?.startsWith('#') === true;
}

/**
 * Whether a row repeats the header, perhaps with the names of another file that was joined. Names of
 * other columns begin another table.
 */
function isRepeated(
  cells: readonly string[],
  names: readonly string[],
  columnOf: ColumnOf,
): boolean {
  let others = 0;
  const isHeader = (cell: string, name: string): boolean => {
    if (cell.toLowerCase() === name.toLowerCase()) return true;
    others += 1;
    const column = columnOf(cell);
    return column !== undefined && column === columnOf(name);
  };
  return (
    names.some((name) => name !== '') &&
    cells.length >= names.findLastIndex((name) => name !== '') + 1 &&
    cells.every((cell, at) => !isTooLong(cell) && isHeader(headerText(cell), names[at] ?? '')) &&
    others !== 1
  );
}

/**
 * Whether every cell is a unit, a hint in brackets, or the number of its column; one column alone is
 * too little to tell, and so is a text in the first column alone.
 */
function isUnits({ cells }: GridRow, names: readonly string[]): boolean {
  const texts = cells.map(headerText);
  const filled = texts.filter((text) => text !== '');
  return (
    names.filter((name) => name !== '').length > 1 &&
    (filled.length > 1 || texts[0] === '') &&
    (filled.every((text) => UNITS.test(text)) ||
      (filled.length > 2 && texts.every((text, at) => text === String(at + 1))))
  );
}

/** Totals and footers among the last rows. */
function endReasons(
  rows: readonly GridRow[],
  grid: readonly GridRow[],
  hasColumns: boolean,
): ReadonlyMap<GridRow, 'footer' | 'total'> {
  const reasons = new Map<GridRow, 'footer' | 'total'>();
  const hasWideRows = hasColumns && rows.some((row) => widthOf(row) > 1);
  for (const row of rows.slice(-MAX_END).reverse()) {
    const [text = '', ...others] = row.cells.map((cell) => cell.trim()).filter(isVisible);
    const isAfterGap = isBlank(grid, firstOfBlock(rows, row) - 1);
    const isFooter = (isAfterGap && FOOTER.test(text)) || FOOTER_WITHOUT_GAP.test(text);
    if (others.length === 0 && hasWideRows && isFooter) {
      reasons.set(row, 'footer');
    } else if (hasWideRows && others.every(isResult) && isTotalRow(row, text, rows, isAfterGap)) {
      reasons.set(row, 'total');
    } else break;
  }
  return reasons;
}

/** The last rows of a table of one column that look like a total or a footer, which titles may do too. */
function endOfColumn(rows: readonly GridRow[], grid: readonly GridRow[]): UnlikelyRows[] {
  const found: UnlikelyRows[] = [];
  for (let at = rows.length - 1; at > 0 && found.length < MAX_END; at -= 1) {
    const row = rows[at];
    const text = row?.cells.find(isVisible)?.trim() ?? '';
    const isFooter = FOOTER.test(text) && row !== undefined && isBlank(grid, row.row - 1);
    const isCount = /^\d+ \p{L}+$/u.test(text) && Number.parseInt(text, 10) === at;
    const looksLike = isCount || COLUMN_TOTAL.test(text) ? 'total' : 'note';
    const isVideo = looksLike === 'note' && !isFooter && !FOOTER_WITHOUT_GAP.test(text);
    if (row === undefined || isVideo) break;
    found.push({ looksLike, rows: [row] });
  }
  return found;
}

/** The row with which the lines of one text each begin that this row is the last of. */
function firstOfBlock(rows: readonly GridRow[], last: GridRow): number {
  let first = last.row;
  for (const each of rows.slice(-MAX_END).reverse()) {
    if (each.row === first - 1 && widthOf(each) === 1) first = each.row;
  }
  return first;
}

function isBlank(grid: readonly GridRow[], row: number): boolean {
  let [low, high] = [0, grid.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((grid[middle]?.row ?? Infinity) < row) low = middle + 1;
    else high = middle;
  }
  const found = grid[low];
  return found === undefined || found.row !== row || !found.cells.some(isVisible);
}

function isTotalRow(
  row: GridRow,
  text: string,
  rows: readonly GridRow[],
  isAfterGap: boolean,
): boolean {
  if (!isTotal(text)) return COUNT.test(text) && isSum(row, rows);
  const hasNumbers = row.cells.some(isResult);
  return isAfterGap || (hasNumbers && TOTAL_ALONE.test(text)) || isSum(row, rows);
}

function isSubtotal({ cells }: GridRow): boolean {
  const [text = '', ...others] = cells.map((cell) => cell.trim()).filter(isVisible);
  return others.length > 0 && SUBTOTAL.test(text) && others.every(isResult);
}

/** A number, or what a spreadsheet leaves in its place: an error value, hashes, the formula. */
function isResult(text: string): boolean {
  return isTableNumber(text) || findArtefact(text.trim()) !== null;
}

function isTotal(text: string): boolean {
  return TOTAL.test(text) || AVERAGE.test(text);
}

/**
 * Whether a number of this row is the sum, the count or the average of the numbers above it in its
 * column, without other totals.
 */
function isSum(row: GridRow, rows: readonly GridRow[]): boolean {
  return row.cells.some((cell, at) => {
    if (!isVisible(cell) || !isTableNumber(cell)) return false;
    let count = 0;
    let sum = 0;
    for (const { row: number, cells } of rows) {
      const text = cells[at] ?? '';
      if (number >= row.row || text === '' || !isTableNumber(text)) continue;
      if (isTotal(cells.find(isVisible)?.trim() ?? '')) continue;
      count += 1;
      sum += numberIn(text);
    }
    const total = numberIn(cell);
    const isNear = (one: number): boolean => Math.abs(one - total) < 0.006;
    return count > 0 && (isNear(sum) || total === count || isNear(sum / count));
  });
}

/** The last comma or point is the decimal one, unless three digits follow it. */
function numberIn(text: string): number {
  const digits = text.replace(/[^\d.,-]/g, '');
  const [, whole = digits, decimals = ''] = /^(.*)[.,](\d{1,2}|\d{4,})$/.exec(digits) ?? [];
  return Number(`${whole.replace(/[.,]/g, '')}.${decimals === '' ? '0' : decimals}`);
}
