/** Cells with several options, such as `16:9, 9:16`: their row makes a video with each. */
import { readCell, textOf, type RawCell } from './cell.ts';
import type { Column } from './column.ts';
import type { RequestTemplate } from './request-template.ts';

type Cells = readonly (readonly [name: string, cell: RawCell])[];

/** A row's cells with one option each. */
export interface OneShape {
  readonly cells: Cells;
  /** The options of cells that have several, by column. */
  readonly options: ReadonlyMap<string, string>;
}

const SEPARATOR = /\s*[,;|&+、\r\n]\s*|-?\s+(?:and|und)\s+/;
/** Marks around options, such as those of `9:16 (portrait)` and `["9:16", "1:1"]`. */
const MARKS = /[\s()[\]"']+/;
const ALL = /^(?:all|alle)(?: formats?| formate| shapes)?$/i;

/** All combinations of the options of a row's cells: one for most rows. */
export function shapesOf({ columns }: RequestTemplate, cells: Cells): readonly OneShape[] {
  let shapes: OneShape[] = [{ cells, options: new Map() }];
  for (const [name, cell] of cells) {
    const options = Object.hasOwn(columns, name) ? optionsIn(cell, columns[name]) : [];
    if (options.length === 0) continue;
    shapes = shapes.flatMap((shape) =>
      options.map((option) => ({
        cells: shape.cells.map((each) => (each[0] === name ? [name, option] : each)),
        options: new Map([
          ...shape.options,
          ...(options.length > 1 ? [[name, option] as const] : []),
        ]),
      })),
    );
  }
  return shapes;
}

/** The options of a cell as its file has them; none for a cell that is read as it is. */
function optionsIn(cell: RawCell, column: Column | undefined): readonly string[] {
  if (column?.type !== 'choice' || column.several !== true) return [];
  // `16,9` is one ratio.
  if (readCell(cell, column).kind !== 'invalid') return [];
  const text = textOf(cell).normalize('NFKC').trim();
  if (ALL.test(text)) return column.options.map(String);
  const isOption = (part: string): boolean => readCell(part, column).kind === 'value';
  const separated = text.split(SEPARATOR).filter((part) => part !== '');
  const words = separated.flatMap((part) => wordsIn(part, isOption));
  // Words beside the options may say anything, such as “not”.
  const texts = words.every(isOption) ? words : separated;
  if (!texts.some(isOption)) return [];
  const byValue = new Map(texts.map((each) => [valueOf(each, column), each]));
  return [...byValue.values()];
}

/** One option may have spaces in it, such as a time, or a slash: `16/9`. */
function wordsIn(part: string, isOption: (part: string) => boolean): readonly string[] {
  if (isOption(part)) return [part];
  const words = part.split(MARKS).flatMap((word) => (isOption(word) ? [word] : word.split('/')));
  return words.filter((word) => word !== '');
}

/** Two spellings of one option are one. */
function valueOf(text: string, column: Column): string {
  const reading = readCell(text, column);
  return reading.kind === 'value' ? String(reading.value) : text;
}

/**
 * What a cell would have without the options that have errors; `undefined` if no option is left.
 * @param invalid the options with errors
 */
export function withoutOptions(
  shapes: readonly OneShape[],
  column: string,
  invalid: ReadonlySet<string | undefined>,
): string | undefined {
  const all = new Set(shapes.map(({ options }) => options.get(column)));
  const left = [...all].filter((option) => !invalid.has(option));
  return left.length === 0 ? undefined : left.join(', ');
}
