/** Undoes what programs do that open a CSV file as one column and save it: each row is enclosed as a whole. */
import { SEPARATORS } from '../../../contract/text-reading.ts';
import { isVisible } from './cell-visibility.ts';
import { splitCells } from './split-cells.ts';
import type { ColumnOf } from './table-options.ts';

/** One text in quotation marks, in most tables of one column only. */
const SECOND_LINE = /^[^\r\n]+(?:\r\n|\n|\r)"(?:[^"]|"")*"[ \t]*(?:[\r\n]|$)/;
/** Characters of the first two lines. */
const MAX_LINES = 64 * 1024;

/**
 * The text without the quotation marks of whole rows; the same text if its rows are not enclosed. A
 * table of one column may have a comma in each of its texts, with a space behind it.
 */
export function withoutEnclosedRows(text: string, columnOf: ColumnOf): string {
  if (!SECOND_LINE.test(text.slice(0, MAX_LINES))) return text;
  const { rows, enclosed, bare, excess } = splitCells(text, null, 'double');
  const lines = rows.map(([line = '']) => line);
  const filled = lines.filter(isVisible);
  const [header = ''] = filled;
  const isSeparatedBy = (separator: string): boolean =>
    filled.every((line) => line.includes(separator)) &&
    (filled.some((line) => !line.includes(`${separator} `)) ||
      header.split(separator).filter((name) => columnOf(name) !== undefined).length > 1);
  const isEnclosed = enclosed >= filled.length - 1 && bare === 0 && excess === null;
  const isWhole = isEnclosed && SEPARATORS.some(isSeparatedBy);
  return isWhole && filled.length > 1 ? lines.join('\n') : text;
}
