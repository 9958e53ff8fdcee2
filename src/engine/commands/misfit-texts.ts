/** Warns of texts and colours that a video would show badly, before anything is rendered. */
import type { BatchIssue } from '../../contract/batch-issue.ts';
import { parseExactly } from '../../contract/json-text.ts';
import { userMessage } from '../../contract/user-message.ts';
import type { CheckLayouts, MisfitText } from '../check-layouts.ts';
import type { IntakeRow } from '../intake/row-reader.ts';
import { cellWarning, type HowItWasRead } from './cell-warning.ts';

/** A row is checked if it has a text of this many characters, or a word of that many letters. */
const LONG_TEXT = 100;
const LONG_WORD = /\p{L}{15}/u;
/** Columns of colours; behind text, a picture would be shown instead of the background. */
const COLOURS: ReadonlySet<string> = new Set(['accent', 'background', 'ink']);
/** Rows that are checked: the first tell what is wrong with a table. */
const MAX_ROWS = 200;
/** Files, whose contents the fit of texts does not depend on. */
const FILES: ReadonlySet<string> = new Set(['picture', 'logo', 'music', 'voice', 'font']);

/**
 * One warning for each cell of these rows whose text would be hard to read. None if the service does
 * not draw on this computer, or does not answer: the rows can be rendered anyway.
 */
export async function misfitTexts(
  rows: readonly IntakeRow[],
  reading: HowItWasRead,
  checkLayouts: CheckLayouts | undefined,
): Promise<BatchIssue[]> {
  if (!checkLayouts) return [];
  const checked = [...rows.filter(hasLongText), ...rows.filter(hasOnlyColours)].slice(0, MAX_ROWS);
  if (checked.length === 0) return [];
  const found = await checkLayouts(checked.map(({ body }) => withoutFiles(parseExactly(body))));
  if (found === null) return [];
  return checked.flatMap((row, index) => {
    const seen = new Set<string>();
    return (found[index] ?? []).flatMap((misfit) => {
      const column = columnOf(row, misfit);
      if (column === undefined || seen.has(column)) return [];
      seen.add(column);
      return [cellWarning(row, column, messageOf(misfit), misfit.text, reading)];
    });
  });
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

/** Colours, and no picture over which they would not be shown. */
function hasOnlyColours(row: IntakeRow): boolean {
  const names = row.values.flatMap(([name, value]) => (value === '' ? [] : [name]));
  const hasColour = names.some((name) => COLOURS.has(name));
  const hasPicture = names.includes('picture') || names.includes('clip');
  return hasColour && !hasPicture && !hasLongText(row);
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

function withoutFiles(request: unknown): unknown {
  if (typeof request !== 'object' || request === null) return request;
  const properties = Object.entries(request).filter(([name]) => !FILES.has(name));
  return Object.fromEntries(
    properties.map(([name, value]) => [name, name === 'scenes' ? withoutClips(value) : value]),
  );
}

function withoutClips(scenes: unknown): unknown {
  if (!Array.isArray(scenes)) return scenes;
  return scenes.map((scene: unknown) => {
    if (typeof scene !== 'object' || scene === null) return scene;
    return Object.fromEntries(Object.entries(scene).filter(([name]) => name !== 'background'));
  });
}
