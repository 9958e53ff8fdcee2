/** Undoes what programs do that open a CSV file as one column and save it: each row is enclosed as a whole. */
import { SEPARATORS } from '../../../contract/text-reading.ts';
import { isVisible } from './cell-visibility.ts';
import { splitCells } from './split-cells.ts';

/** One text in quotation marks, in most tables of one column only. */
const SECOND_LINE = /^[^\r\n]+(?:\r\n|\n|\r)"(?:[^"]|"")*"[ \t]*(?:[\r\n]|$)/;
/** Characters of the first two lines. */
const MAX_LINES = 64 * 1024;

/** The text without the quotation marks of whole rows; the same text if its rows are not enclosed. */
export function withoutEnclosedRows(text: string): string {
  if (!SECOND_LINE.test(text.slice(0, MAX_LINES))) return text;
  const { rows, enclosed, bare, excess } = splitCells(text, null, 'double');
  const lines = rows.map(([line = '']) => line);
  const filled = lines.filter(isVisible);
  const isSeparated = SEPARATORS.some((separator) =>
    filled.every((line) => line.includes(separator)),
  );
  const isEnclosed = enclosed >= filled.length - 1 && bare === 0 && excess === null;
  return isEnclosed && isSeparated && filled.length > 1 ? lines.join('\n') : text;
}
