/** Warns of characters that no font of this computer can draw, before anything is rendered. */
import path from 'node:path';
import type { BatchIssue } from '../../contract/batch-issue.ts';
import { pictureIn } from '../../contract/picture-value.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import type { FindUndrawable } from '../find-undrawable.ts';
import { readCaptions } from '../intake/captions/read-captions.ts';
import { cellIssue, type HowItWasRead } from '../intake/cell-issue.ts';
import type { CellValue } from '../intake/cell.ts';
import type { Column } from '../intake/column.ts';
import type { ReadRow } from '../intake/intake-row.ts';
import { warningOf, withoutRepeats } from '../intake/issues.ts';
import type { BatchReading } from '../intake/read-batch.ts';

/** Latin, which a font of the local service has: most texts need no segmentation and no request. */
const CERTAIN = /^[\s\u0020-\u017f\u2010-\u201f\u2026\u20ac]*$/u;
/** Characters named in one warning. */
const MAX_NAMED = 12;
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

type TextsOfRow = Pick<ReadRow, 'row' | 'rowInFile' | 'variant' | 'values'>;

interface Drawn {
  readonly text: string;
  /** That may have no font. */
  readonly characters: readonly string[];
}

const NOTHING: Drawn = { text: '', characters: [] };

/**
 * One warning for each cell of these rows with characters that are shown as boxes. None if the
 * service does not draw on this computer, or does not answer: the rows can be rendered anyway.
 */
export async function undrawableTexts(
  rows: readonly TextsOfRow[],
  reading: HowItWasRead & Pick<BatchReading, 'rowTemplate'>,
  findUndrawable: FindUndrawable | undefined,
): Promise<readonly BatchIssue[]> {
  if (!findUndrawable) return [];
  const { rowTemplate } = reading;
  const cells: { row: TextsOfRow; column: string; drawn: Drawn }[] = [];
  // Many rows may name the same captions.
  const files = new Map<string, Drawn>();
  for (const row of rows) {
    for (const [column, value] of row.values) {
      const known = Object.hasOwn(rowTemplate.columns, column) && rowTemplate.columns[column];
      const drawn = known ? await drawnIn(value, known, files) : NOTHING;
      if (drawn.characters.length > 0) cells.push({ row, column, drawn });
    }
  }
  const texts = new Set(cells.map(({ drawn }) => drawn));
  const asked = new Set(Array.from(texts, ({ characters }) => characters).flat());
  const undrawable = asked.size === 0 ? null : await findUndrawable(asked);
  if (undrawable === null || undrawable.size === 0) return [];
  const warnings = new Map(Array.from(texts, (drawn) => [drawn, whatLacks(drawn, undrawable)]));
  const issues = cells.flatMap(({ row, column, drawn }) => {
    const what = warnings.get(drawn);
    if (!what) return [];
    return [cellIssue(warningOf, row, { column, cell: drawn.text, what }, reading)];
  });
  return withoutRepeats(issues);
}

function whatLacks({ characters }: Drawn, undrawable: ReadonlySet<string>): UserMessage | null {
  const found = characters.filter((character) => undrawable.has(character));
  if (found.length === 0) return null;
  const more = found.length > MAX_NAMED ? ' …' : '';
  const named = found.slice(0, MAX_NAMED).join(' ') + more;
  return userMessage('text-undrawable', { characters: named });
}

/**
 * What of a cell is drawn: its text, or that of its captions, and nothing of other files.
 * @param files captions that were read, by file and hash
 */
async function drawnIn(
  value: CellValue,
  column: Column,
  files: Map<string, Drawn>,
): Promise<Drawn> {
  const text = typeof value === 'object' ? value.join('\n') : String(value);
  if (column.type === 'text' || column.type === 'list') return drawnOf(text);
  if (column.type !== 'picture' || column.holds !== 'captions') return NOTHING;
  const file = pictureIn(text)?.path;
  if (file === undefined) return drawnOf(text);
  const drawn = files.get(text) ?? (await drawnInFile(file));
  files.set(text, drawn);
  return drawn;
}

async function drawnInFile(file: string): Promise<Drawn> {
  const read = await readCaptions(file, path.dirname(file));
  if (read.kind === 'invalid') return NOTHING;
  return drawnOf(read.captions.map((each) => each.text).join('\n'));
}

function drawnOf(text: string): Drawn {
  return CERTAIN.test(text) ? NOTHING : { text, characters: charactersOf(text) };
}

/** The distinct characters of a text, with their marks and joiners, that may have no font. */
function charactersOf(text: string): string[] {
  const segments = Array.from(graphemes.segment(text), ({ segment }) => segment);
  return [...new Set(segments)].filter((segment) => !CERTAIN.test(segment));
}
