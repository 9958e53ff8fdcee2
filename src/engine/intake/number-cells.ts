/**
 * The number that a cell means where its text may be several: the one that a workbook shows so, or
 * what the other values of the column say. “1.299” is 1299 beside “1.299,00”.
 */
import { textOf, type RawCell } from './cell.ts';
import type { MatchedColumns } from './match-columns.ts';
import { isExact, readNumber } from './read-number.ts';
import type { SourceRow } from './records.ts';
import type { RequestTemplate } from './request-template.ts';

/** What the values of a column show to be before decimals. */
export type DecimalMark = ',' | '.' | 'both';

const NUMBER = /^[+-]?\d[\d.,'’\s]*$/;
/** Other than three digits follow the mark, or the other mark is between groups. */
const SHOWS_COMMA = /,(?:\d{1,2}|\d{4,})$|\.\d{3}[.,]\d/;
const SHOWS_POINT = /\.(?:\d{1,2}|\d{4,})$|,\d{2,3}[.,]\d/;
/** Three digits that may be decimals or a group. */
const AMBIGUOUS = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;

/** The mark of each of the file's columns that the template has numbers of, if any value shows it. */
export function decimalMarks(
  rows: readonly SourceRow[],
  { columns }: Pick<RequestTemplate, 'columns'>,
  matched: readonly Pick<MatchedColumns, 'byName'>[],
): ReadonlyMap<string, DecimalMark> {
  const marks = new Map<string, DecimalMark>();
  for (const [given, names] of matched.flatMap(({ byName }) => [...byName])) {
    if (marks.has(given) || !names.some((name) => columns[name]?.type === 'number')) continue;
    const mark = markOf(rows, given);
    if (mark !== null) marks.set(given, mark);
  }
  return marks;
}

function markOf(rows: readonly SourceRow[], given: string): DecimalMark | null {
  let mark: DecimalMark | null = null;
  for (const { cells } of rows) {
    const cell = Object.hasOwn(cells, given) ? cells[given] : undefined;
    // A number of JSON has a point wherever its texts come from.
    const text = typeof cell === 'string' ? cell.trim() : '';
    if (!NUMBER.test(text)) continue;
    const [comma, point] = [SHOWS_COMMA.test(text), SHOWS_POINT.test(text)];
    if (comma || point) {
      const shown = comma && point ? 'both' : comma ? ',' : '.';
      mark = mark === null || mark === shown ? shown : 'both';
    }
  }
  return mark;
}

/**
 * @param number what a workbook shows as this text
 * @param isAsWritten whether the digits of the text are kept
 * @returns the text or number that is meant; `null` if the column shows both marks
 */
export function meantNumber(
  cell: RawCell,
  number: number | undefined,
  mark: DecimalMark | undefined,
  isAsWritten: boolean,
): RawCell | null {
  const text = textOf(cell).trim();
  if (number !== undefined) {
    if (!isExact(number)) return text;
    const { certain } = readNumber(text, undefined);
    const isShown = certain !== null && Math.abs(certain - number) < 1;
    return isShown && isAsWritten ? text : number;
  }
  if (mark === undefined || typeof cell === 'number' || !AMBIGUOUS.test(text)) return cell;
  if (mark === 'both') return null;
  return text.at(-4) === mark ? text.replace(mark, '.') : text.replace(/[.,]/, '');
}
