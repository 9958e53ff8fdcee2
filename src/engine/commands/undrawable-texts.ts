/** Warns of characters that no font of this computer can draw, before anything is rendered. */
import path from 'node:path';
import type { BatchIssue } from '../../contract/batch-issue.ts';
import { pictureIn } from '../../contract/picture-value.ts';
import { userMessage } from '../../contract/user-message.ts';
import type { FindUndrawable } from '../find-undrawable.ts';
import { readCaptions } from '../intake/captions/read-captions.ts';
import type { CellValue } from '../intake/cell.ts';
import type { Column } from '../intake/column.ts';
import type { IntakeRow } from '../intake/row-reader.ts';
import { cellWarning, type HowItWasRead } from './cell-warning.ts';

/** Latin, which a font of the local service has: most texts need no segmentation and no request. */
const CERTAIN = /^[\s\u0020-\u017f\u2010-\u201f\u2026\u20ac]*$/u;
/** Characters named in one warning. */
const MAX_NAMED = 12;
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * One warning for each cell of these rows with characters that are shown as boxes. None if the
 * service does not draw on this computer, or does not answer: the rows can be rendered anyway.
 */
export async function undrawableTexts(
  rows: readonly IntakeRow[],
  reading: HowItWasRead,
  findUndrawable: FindUndrawable | undefined,
): Promise<BatchIssue[]> {
  if (!findUndrawable) return [];
  const { rowTemplate } = reading;
  const texts: { row: IntakeRow; column: string; text: string; characters: string[] }[] = [];
  for (const row of rows) {
    for (const [column, value] of row.values) {
      const known = Object.hasOwn(rowTemplate.columns, column) && rowTemplate.columns[column];
      const text = known ? await drawnText(value, known) : '';
      if (!CERTAIN.test(text)) texts.push({ row, column, text, characters: charactersOf(text) });
    }
  }
  const asked = new Set(texts.flatMap(({ characters }) => characters));
  const undrawable = asked.size === 0 ? null : await findUndrawable(asked);
  if (undrawable === null || undrawable.size === 0) return [];
  return texts.flatMap(({ row, column, text, characters }) => {
    const found = characters.filter((character) => undrawable.has(character));
    if (found.length === 0) return [];
    const more = found.length > MAX_NAMED ? ' …' : '';
    const named = found.slice(0, MAX_NAMED).join(' ') + more;
    const what = userMessage('text-undrawable', { characters: named });
    return [cellWarning(row, column, what, text, reading)];
  });
}

/** What of a cell is drawn: its text, or that of its captions, and nothing of other files. */
async function drawnText(value: CellValue, column: Column): Promise<string> {
  const text = typeof value === 'object' ? value.join('\n') : String(value);
  if (column.type === 'text' || column.type === 'list') return text;
  if (column.type !== 'picture' || column.holds !== 'captions') return '';
  const file = pictureIn(text)?.path;
  if (file === undefined) return text;
  const read = await readCaptions(file, path.dirname(file));
  return read.kind === 'invalid' ? '' : read.captions.map((each) => each.text).join('\n');
}

/** The distinct characters of a text, with their marks and joiners, that may have no font. */
function charactersOf(text: string): string[] {
  const segments = Array.from(graphemes.segment(text), ({ segment }) => segment);
  return [...new Set(segments)].filter((segment) => !CERTAIN.test(segment));
}
