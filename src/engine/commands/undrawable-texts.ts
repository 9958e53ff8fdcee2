/** Warns of characters that no font of this computer can draw, before anything is rendered. */
import type { BatchIssue } from '../../contract/batch-issue.ts';
import { joinMessages, userMessage } from '../../contract/user-message.ts';
import type { FindUndrawable } from '../find-undrawable.ts';
import { warningOf } from '../intake/issues.ts';
import type { BatchReading } from '../intake/read-batch.ts';
import type { IntakeRow } from '../intake/row-reader.ts';

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
  { fields, files }: Pick<BatchReading, 'fields' | 'files'>,
  findUndrawable: FindUndrawable | undefined,
): Promise<BatchIssue[]> {
  if (!findUndrawable) return [];
  const texts = rows.flatMap((row) =>
    row.values.flatMap(([column, value]) => {
      const text = typeof value === 'object' ? value.join('\n') : String(value);
      return CERTAIN.test(text) ? [] : [{ row, column, text, characters: charactersOf(text) }];
    }),
  );
  const asked = new Set(texts.flatMap(({ characters }) => characters));
  const undrawable = asked.size === 0 ? null : await findUndrawable(asked);
  if (undrawable === null || undrawable.size === 0) return [];
  const headers = new Map(fields.map(({ name, from }) => [name, from ?? name]));
  return texts.flatMap(({ row, column, text, characters }) => {
    const found = characters.filter((character) => undrawable.has(character));
    if (found.length === 0) return [];
    const more = found.length > MAX_NAMED ? ' …' : '';
    const place = { row: row.rowInFile, column: headers.get(column) ?? column };
    const file = files.findLast(({ rowsBefore }) => rowsBefore < row.row)?.name ?? '';
    const message = joinMessages(
      ...(files.length > 1 ? [userMessage('in-file', { name: file })] : []),
      userMessage('at-row', place),
      userMessage('text-undrawable', { characters: found.slice(0, MAX_NAMED).join(' ') + more }),
    );
    return [warningOf({ code: 'value-invalid', ...message, row: row.row, column }, { text })];
  });
}

/** The distinct characters of a text, with their marks and joiners, that may have no font. */
function charactersOf(text: string): string[] {
  const segments = Array.from(graphemes.segment(text), ({ segment }) => segment);
  return [...new Set(segments)].filter((segment) => !CERTAIN.test(segment));
}
