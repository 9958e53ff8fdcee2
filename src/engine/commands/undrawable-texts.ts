/** Warns of characters that no font of this computer can draw, before anything is rendered. */
import type { BatchIssue } from '../../contract/batch-issue.ts';
import { placeOfRow } from '../../contract/row-place.ts';
import { userMessage } from '../../contract/user-message.ts';
import type { FindUndrawable } from '../find-undrawable.ts';
import { warningOf } from '../intake/issues.ts';
import { inFile } from '../intake/join-files.ts';
import type { BatchReading } from '../intake/read-batch.ts';
import { cellFault } from '../intake/records.ts';
import type { IntakeRow } from '../intake/row-reader.ts';

/** Latin, which a font of the local service has: most texts need no segmentation and no request. */
const CERTAIN = /^[\s\u0020-\u017f\u2010-\u201f\u2026\u20ac]*$/u;
/** Characters named in one warning. */
const MAX_NAMED = 12;
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

type HowItWasRead = Pick<BatchReading, 'fields' | 'files' | 'units' | 'rowTemplate'>;

/**
 * One warning for each cell of these rows with characters that are shown as boxes. None if the
 * service does not draw on this computer, or does not answer: the rows can be rendered anyway.
 */
export async function undrawableTexts(
  rows: readonly IntakeRow[],
  { fields, files, units, rowTemplate }: HowItWasRead,
  findUndrawable: FindUndrawable | undefined,
): Promise<BatchIssue[]> {
  if (!findUndrawable) return [];
  const texts = rows.flatMap((row) =>
    row.values.flatMap(([column, value]) => {
      const type = Object.hasOwn(rowTemplate.columns, column)
        ? rowTemplate.columns[column]?.type
        : undefined;
      // The file of a picture, for one, is not drawn as text.
      if (type !== 'text' && type !== 'list') return [];
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
    const { file } = placeOfRow(files, row.row);
    const unit = units[file === undefined ? 0 : files.indexOf(file)] ?? 'Row';
    const place = { name: column, header: headers.get(column) ?? column };
    const named = found.slice(0, MAX_NAMED).join(' ') + more;
    const what = userMessage('text-undrawable', { characters: named });
    const issue = warningOf(cellFault(unit, row.rowInFile, place, what), { text });
    return [file === undefined || files.length === 1 ? issue : inFile(issue, file)];
  });
}

/** The distinct characters of a text, with their marks and joiners, that may have no font. */
function charactersOf(text: string): string[] {
  const segments = Array.from(graphemes.segment(text), ({ segment }) => segment);
  return [...new Set(segments)].filter((segment) => !CERTAIN.test(segment));
}
