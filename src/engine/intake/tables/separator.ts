/** Finds what separates the cells of a table, and which quotation marks enclose them. */
import { SEPARATORS, type Quotes, type Separator } from '../../../contract/text-reading.ts';
import { splitCells, type SplitRows } from './split-cells.ts';
import { isVisible } from './cell-visibility.ts';
import { MAX_ABOVE } from './locate-table.ts';
import type { ColumnOf } from './table-options.ts';

export interface Separation {
  readonly separator: Separator | null;
  readonly quotes: Quotes;
}

/** What a text is split by. */
interface Splitting extends Separation {
  readonly isSparing: boolean;
}

export interface SeparationChoices {
  /** `none` for a table of one column. */
  readonly separator?: Separator | undefined;
  readonly quotes?: Quotes | undefined;
}

/** They separate cells where the first line shows it: texts have some of them. */
const RARE_SEPARATORS = ['^', '~', '¦', '§', '·', '，', '、', '；', '،', '؛', ':'];
/** Characters that decide, unless the whole text contradicts them. */
const PREFIX = 256 * 1024;
/** A longer text is judged by its first characters only: each guess splits all of it again. */
const MAX_JUDGED = 8 * 1024 * 1024;

/** A text split into cells, by what the user chose or by what fits best. */
export function separate(
  text: string,
  choices: SeparationChoices,
  columnOf: ColumnOf,
): Separation & SplitRows {
  const guessed = guess(prefixOf(text, PREFIX), text.length > PREFIX, choices, columnOf);
  if (text.length <= PREFIX) return resplit(text, guessed);
  const split = splitCells(text, guessed.separator, guessed.quotes, guessed.isSparing);
  const isCertain = split.open.length === 0 && regularity(split) === 1;
  if (isCertain || split.excess !== null) return withSplit(guessed, split);
  const better = guess(prefixOf(text, MAX_JUDGED), text.length > MAX_JUDGED, choices, columnOf);
  const isSame =
    better.separator === guessed.separator &&
    better.quotes === guessed.quotes &&
    better.isSparing === guessed.isSparing;
  return isSame ? withSplit(guessed, split) : resplit(text, better);
}

function resplit(text: string, found: Splitting): Separation & SplitRows {
  const { separator, quotes, isSparing } = found;
  return withSplit(found, splitCells(text, separator, quotes, isSparing));
}

function withSplit(
  { separator, quotes, isSparing }: Splitting,
  split: SplitRows,
): Separation & SplitRows {
  // Where all quotation marks are part of the text, they enclose nothing.
  const isNone = isSparing && split.enclosed === 0 && quotes === 'double';
  return { separator, quotes: isNone ? 'none' : quotes, ...split };
}

/** Whole lines, as far as there are any. */
function prefixOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = Math.max(text.lastIndexOf('\n', length), text.lastIndexOf('\r', length));
  return text.slice(0, end > length / 2 ? end + 1 : length);
}

function guess(
  text: string,
  isCut: boolean,
  { separator, quotes }: SeparationChoices,
  columnOf: ColumnOf,
): Splitting {
  const firstLine = /\S[^\r\n]*/.exec(text)?.[0] ?? '';
  const candidates = candidatesOf(text, separator, columnOf)
    .map((candidate) => fitOf(text, isCut, candidate, quotes, columnOf))
    // Lists within a cell have vertical bars, so only a header shows that they separate cells.
    .filter(
      (fit) =>
        fit.separator !== '|' ||
        separator !== undefined ||
        firstLine.includes('|') ||
        knownColumns(fit.split, columnOf) > 0,
    )
    // Texts have these characters: a row in which they separate more shows that.
    .filter(
      (fit) =>
        separator !== undefined ||
        !RARE_SEPARATORS.includes(fit.separator ?? '') ||
        isEven(fit.split),
    );
  const best = candidates.reduce<Fit | null>(
    (most, next) => (most === null || isBetter(next, most, columnOf) ? next : most),
    null,
  );
  const isTable = ({ split, score }: Fit): boolean =>
    knownColumns(split, columnOf) > 0 || (score > 0 && !isOneColumn);
  // A header that is a column's name as a whole: separators below it are part of texts.
  const isOneColumn = columnOf(firstLine.replace(/^"(.*)"$/, '$1')) !== undefined;
  if (best !== null && (separator !== undefined || isTable(best))) return best;
  // Separators that separate nothing but empty cells do no harm.
  const harmless = candidates.find(({ split }) => split.rows.every((row) => usedWidth(row) < 2));
  return (
    harmless ?? { separator: null, quotes: best?.quotes ?? quotes ?? 'double', isSparing: false }
  );
}

interface Fit extends Splitting {
  readonly split: SplitRows;
  readonly score: number;
}

/** A separator that makes a header of known columns is right, whatever separates parts of texts. */
function isBetter(next: Fit, most: Fit, columnOf: ColumnOf): boolean {
  const [one, other] = [next, most].map(({ split }) => knownColumns(split, columnOf));
  if (one !== undefined && other !== undefined && one !== other) return one > other;
  return next.score > most.score;
}

/** Whether apostrophes enclose what has to be enclosed. */
function areNeeded(single: Fit, double: Fit): boolean {
  const { needed, open, rows } = single.split;
  const widest = (all: SplitRows['rows']): number =>
    all.reduce((most, { length }) => Math.max(most, length), 0);
  return needed > 0 && open.length === 0 && widest(rows) <= widest(double.split.rows);
}

/** How many known columns the best header has; 0 for one alone, which may be a word of a text. */
function knownColumns({ rows }: SplitRows, columnOf: ColumnOf): number {
  const known = rows
    .slice(0, MAX_ABOVE)
    .map((row) => row.filter((cell) => columnOf(cell) !== undefined).length);
  const most = Math.max(0, ...known);
  return most > 1 ? most : 0;
}

/** The quotation marks that fit this separator best. */
function fitOf(
  text: string,
  isCut: boolean,
  separator: Separator | null,
  chosen: Quotes | undefined,
  columnOf: ColumnOf,
): Fit {
  // A quotation that a cut interrupts is none that is open.
  const isWrong = ({ open, isUnclosed }: SplitRows): boolean =>
    open.length > (isCut && isUnclosed ? 1 : 0);
  const fit = (quotes: Quotes, isSparing = false): Fit => {
    const split = splitCells(text, separator, quotes, isSparing);
    return {
      separator,
      quotes,
      isSparing,
      split,
      score: regularity(split) - (isWrong(split) ? 0.3 : 0),
    };
  };
  if (chosen !== undefined) return fit(chosen);
  const double = fitOfDouble(text, fit, isWrong, columnOf);
  if (hasEscapes(text) && double.split.enclosed === 0 && !isEven(double.split)) {
    const escaped = fit('backslash');
    if (isEven(escaped.split)) return escaped;
  }
  if (!text.includes("'")) return double;
  const single = fit('single');
  const [inSingle, inDouble] = [single, double].map(({ split }) => knownColumns(split, columnOf));
  if (inSingle !== inDouble) return (inSingle ?? 0) > (inDouble ?? 0) ? single : double;
  if (double.split.enclosed > 0) return double;
  const isRegular = single.score > double.score;
  return isRegular || areNeeded(single, double) ? single : double;
}

/**
 * Whether a text has backslashes before separators or line breaks, and none where databases write
 * no backslash.
 */
function hasEscapes(text: string): boolean {
  if (!/\\[\t,;|\r\n]/.test(text)) return false;
  const others = text.replaceAll('\\\\', '');
  return !/\\(?:[^\t,;|\r\nN0nrtbZ"']|\s*$)/.test(others);
}

/** Whether all rows that are not empty have the same number of cells, which is more than one. */
function isEven({ rows }: SplitRows): boolean {
  const [width = 0] = rows.map(({ length }) => length);
  return width > 1 && rows.every((row) => row.length === width || !row.some(isVisible));
}

/**
 * In text from the clipboard, cells with quotation marks come as they are, unless every cell is
 * enclosed.
 */
function fitOfDouble(
  text: string,
  fit: (quotes: Quotes, isSparing?: boolean) => Fit,
  isWrong: (split: SplitRows) => boolean,
  columnOf: ColumnOf,
): Fit {
  const double = fit('double');
  if (double.separator !== '\t' || !text.includes('"')) return double;
  const sparing = fit('double', true);
  const isAll =
    /^\s*"/.test(text) ||
    double.split.bare === 0 ||
    knownColumns(double.split, columnOf) > knownColumns(sparing.split, columnOf);
  return isAll && !isWrong(double.split) ? double : sparing;
}

function candidatesOf(
  text: string,
  chosen: Separator | undefined,
  columnOf: ColumnOf,
): readonly (Separator | null)[] {
  if (chosen !== undefined) return [chosen === 'none' ? null : chosen];
  const usual = SEPARATORS.filter((separator) => text.includes(separator));
  const [first = ''] = /\S[^\r\n]*/.exec(text) ?? [];
  const rare = RARE_SEPARATORS.filter(
    (separator) => knownColumns(splitCells(first, separator, 'double'), columnOf) > 1,
  );
  return [...usual, ...rare];
}

/**
 * How well the rows fit one width, from 0 to 1. A row may be shorter than the table: spreadsheets
 * leave out empty cells at its end, and there may be a title above the header.
 */
function regularity({ rows }: SplitRows): number {
  const widths = rows.map(usedWidth).filter((width) => width > 0);
  const [first = 0] = widths;
  const counts = new Map<number, number>();
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1);
  let usual = first;
  for (const [width, count] of counts) {
    const known = counts.get(usual) ?? 0;
    if (width > 1 && (usual < 2 || count > known)) usual = width;
  }
  if (usual < 2) return 0;
  const table = widths.slice(widths.findIndex((width) => width > 1));
  const wide = table.filter((width) => width > 1).length;
  if (first < 2 && wide <= table.length - wide) return 0;
  const most = Math.max(first, usual);
  const fits = widths.reduce((sum, width) => {
    if (width > most) return sum;
    return sum + (width > 1 ? 1 : 0.6);
  }, 0);
  return fits / widths.length;
}

/** Without empty cells at the end. */
function usedWidth(row: readonly string[]): number {
  return row.findLastIndex(isVisible) + 1;
}
