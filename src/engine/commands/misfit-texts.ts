/** Warns of texts and colours that a video would show badly, before anything is rendered. */
import type { BatchIssue } from '../../contract/batch-issue.ts';
import { parseExactly } from '../../contract/json-text.ts';
import { userMessage } from '../../contract/user-message.ts';
import type { CheckLayouts, MisfitText } from '../check-layouts.ts';
import { cellIssue, type HowItWasRead } from '../intake/cell-issue.ts';
import type { IntakeRow } from '../intake/intake-row.ts';
import { warningOf, withoutRepeats } from '../intake/issues.ts';

/** A row is checked if it has a text of this many characters, or a word of that many letters. */
const LONG_TEXT = 100;
const LONG_WORD = /\p{L}{15}/u;
/** Columns of colours. */
const COLOURS: ReadonlySet<string> = new Set(['accent', 'background', 'ink']);
/** Rows that are checked: the first tell what is wrong with a table. */
const MAX_ROWS = 200;
/** Files that the fit of texts does not depend on, or that are not sent to check it. */
const FILES: ReadonlySet<string> = new Set(['logo', 'music', 'voice', 'font']);
/** For a picture or a clip: where text stands depends on whether there is one, not on what it shows. */
const ANY_FILE = 'any';

/**
 * One warning for each cell of these rows whose text would be hard to read. None if the service does
 * not draw on this computer, or does not answer: the rows can be rendered anyway.
 */
export async function misfitTexts(
  rows: readonly IntakeRow[],
  reading: HowItWasRead,
  checkLayouts: CheckLayouts | undefined,
): Promise<readonly BatchIssue[]> {
  if (!checkLayouts) return [];
  const checked = [...rows.filter(hasLongText), ...rows.filter(hasOnlyColours)].slice(0, MAX_ROWS);
  if (checked.length === 0) return [];
  const found = await checkLayouts(checked.map(({ body }) => withAnyFiles(parseExactly(body))));
  if (found === null) return [];
  const issues = checked.flatMap((row, index) => {
    const seen = new Set<string>();
    return (found[index] ?? []).flatMap((misfit) => {
      const column = columnOf(row, misfit);
      if (column === undefined || seen.has(column)) return [];
      seen.add(column);
      const finding = { column, cell: misfit.text, what: messageOf(misfit) };
      return [cellIssue(warningOf, row, finding, reading)];
    });
  });
  return withoutRepeats(issues);
}

function messageOf(misfit: MisfitText) {
  switch (misfit.kind) {
    case 'too-long':
      return userMessage('text-too-small', { fits: misfit.fits });
    case 'broken-word':
      return userMessage('text-word-broken', { fits: misfit.fits });
    case 'low-contrast':
      return userMessage('colour-low-contrast', { nearest: misfit.nearest });
  }
}

function hasOnlyColours(row: IntakeRow): boolean {
  const hasColour = row.values.some(([name, value]) => COLOURS.has(name) && value !== '');
  return hasColour && !hasLongText(row);
}

function hasLongText({ values }: IntakeRow): boolean {
  return values.some(([, value]) => {
    const text = typeof value === 'object' ? value.join(' ') : String(value);
    return text.length >= LONG_TEXT || LONG_WORD.test(text);
  });
}

/** The column that a colour or a shown text is from: all of it, an item, a page, or a name after a dash. */
function columnOf({ values }: IntakeRow, { kind, text: shown }: MisfitText): string | undefined {
  if (kind === 'low-contrast') {
    return values.find(([name, value]) => COLOURS.has(name) && value === shown)?.[0];
  }
  const text = shown.replace(/^— /u, '');
  return values.find(([, value]) =>
    typeof value === 'object' ? value.includes(text) : String(value).includes(text),
  )?.[0];
}

function withAnyFiles(request: unknown): unknown {
  if (typeof request !== 'object' || request === null) return request;
  const properties = Object.entries(request).filter(([name]) => !FILES.has(name));
  return Object.fromEntries(
    properties.map(([name, value]) => [name, name === 'picture' ? ANY_FILE : inScenes(value)]),
  );
}

/** The scenes with any clips and pictures; other values are as they were. */
function inScenes(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((scene: unknown) =>
    typeof scene === 'object' && scene !== null
      ? {
          ...scene,
          ...('background' in scene ? { background: { asset: ANY_FILE } } : {}),
          ...('images' in scene ? { images: [ANY_FILE] } : {}),
        }
      : scene,
  );
}
