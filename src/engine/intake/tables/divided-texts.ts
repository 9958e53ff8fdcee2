/**
 * Finds rows that are probably parts of one text, which a separator or a line break in it divided
 * because no quotation marks enclose it. The user is asked about each.
 */
import type { ReadingChoices } from '../../../contract/table-reading.ts';
import type { Separator } from '../../../contract/text-reading.ts';
import { isVisible } from './cell-visibility.ts';
import { isTableNumber, type GridRow } from './grid-row.ts';
import type { LocatedTable } from './locate-table.ts';
import type { UnlikelyRows } from './unlikely-rows.ts';

/** What a price or a share has after its decimal comma, or a number after that of its thousands. */
const REST_OF_NUMBER = /^\s?(?:\d{1,2}\s?(?:[€$£%]|eur|usd|chf)|\d{2}\s*$|\d{3}(?!\d))/i;

/** How such a number begins, and nothing else: groups of thousands, after a space or a currency. */
const START_OF_NUMBER = /(?:^|[\s\p{Sc}(])\d{1,3}(?:[.'’ ]\d{3})*$/u;

interface SeparatedBy {
  readonly separator: Separator | null;
  /** The line of the file that is this row. */
  readonly lineOf: (row: number) => string;
  /** Rows with a cell that is not enclosed and begins with a space after a separator. */
  readonly spaced: ReadonlySet<number>;
  /** Whether quotation marks enclose texts that have to be enclosed. */
  readonly encloses: boolean;
}

/** Tabs are in no sentence, so that only line breaks divide texts that they separate. */
export function findDividedTexts(
  { headerRow, header, rows, undecided }: LocatedTable,
  { separator, lineOf, spaced, encloses }: SeparatedBy,
  { keepRows }: ReadingChoices,
): readonly UnlikelyRows[] {
  const columns = header.findLastIndex((name) => name !== '') + 1;
  if (columns < 2) return [];
  const kept = new Set(keepRows);
  const asked = new Set(undecided.flatMap((each) => each.rows));
  const body = rows.filter((row) => !asked.has(row));
  const full = body.filter(({ cells }) => cells.length >= columns);
  const isNumeric = header.map((_, column) => isNumbers(full, column));
  const found = dividedByBreaks(body, full.length, isNumeric.slice(0, columns));
  const isProse = (separator === ',' || separator === ';') && !spaced.has(headerRow ?? 0);
  const sentences = new Set(isProse ? sentencesIn(full, spaced, encloses) : []);
  if (separator === ',' && !encloses) {
    for (const row of lowerCaseIn(full, columns)) sentences.add(row);
  }
  for (const row of full) {
    const isTooLong = row.cells.findLastIndex(isVisible) >= columns;
    const isNumber = separator === ',' && hasDividedNumber(row, lineOf, isNumeric);
    if (!isTooLong && (isNumber || sentences.has(row))) found.push([row]);
  }
  return found
    .filter(([first]) => first !== undefined && !kept.has(first.row))
    .map((each) => ({ looksLike: 'divided', rows: each }));
}

/**
 * The same where the lines of the file become columns: every video that is right of the divided text
 * has texts of another one, and which ones these are is not known, so all of them are asked about.
 *
 * @param lines of the file
 * @param table the turned one
 */
export function findDividedColumns(
  lines: readonly GridRow[],
  { rows, undecided }: LocatedTable,
  { separator, lineOf, spaced, encloses }: SeparatedBy,
  { keepRows }: ReadingChoices,
): readonly UnlikelyRows[] {
  if (separator !== ',' && separator !== ';') return [];
  const rest = restOfSentence(encloses);
  const isDivided = ({ row, cells: [, ...cells] }: GridRow): boolean => {
    const isSentence =
      spaced.has(row) && cells.some((cell) => rest.test(cell)) && cells.some(hasNoSpaceBefore);
    const isText = !cells.filter(isVisible).every(isTableNumber);
    const isNumber =
      separator === ',' &&
      isText &&
      cells.some((cell, at) => endsNumber(cells[at - 1], cell, () => lineOf(row)));
    return isSentence || isNumber;
  };
  if (!lines.some(isDivided)) return [];
  const known = new Set([
    ...undecided.flatMap((each) => each.rows.map(({ row }) => row)),
    ...(keepRows ?? []),
  ]);
  const asked = rows.filter(({ row }) => !known.has(row));
  return asked.length === 0 ? [] : [{ looksLike: 'divided', rows: asked }];
}

/** Whether a column has values, and only numbers. */
function isNumbers(rows: readonly GridRow[], column: number): boolean {
  const values = rows.map(({ cells }) => cells[column] ?? '').filter(isVisible);
  return values.length > 0 && values.every(isTableNumber);
}

/**
 * Lines that have too few separators, but together those of whole rows. Where others have too few as
 * well, or few have all, the empty cells at the end of rows may be left out; then only a number that
 * comes to its column shows that lines belong together.
 */
function dividedByBreaks(
  body: readonly GridRow[],
  full: number,
  isNumeric: readonly boolean[],
): (readonly GridRow[])[] {
  const runs = shortRuns(body, isNumeric.length);
  const fits = runs.map((run) => fitOf(run, isNumeric));
  const short = runs.reduce((sum, { length }) => sum + length, 0);
  const isRare = 2 * short <= full && !fits.includes('none');
  return runs.filter((_, at) => fits[at] === 'certain' || (isRare && fits[at] === 'possible'));
}

/** Rows one after another that have fewer cells than the header, empty ones included. */
function shortRuns(body: readonly GridRow[], columns: number): (readonly GridRow[])[] {
  const runs: GridRow[][] = [];
  let run: GridRow[] = [];
  for (const row of body) {
    if (row.cells.length >= columns) run = [];
    else {
      if (run.length === 0) runs.push(run);
      run.push(row);
    }
  }
  return runs;
}

/** Whether lines are whole rows together. */
function fitOf(
  run: readonly GridRow[],
  isNumeric: readonly boolean[],
): 'none' | 'possible' | 'certain' {
  const columns = isNumeric.length;
  const separators = run.reduce((sum, { cells }) => sum + cells.length - 1, 0);
  if (separators % (columns - 1) !== 0) return 'none';
  if (separators !== columns - 1) return 'possible';
  const numbers = joined(run).filter((cell, at) => isNumeric[at] === true && isVisible(cell));
  if (numbers.length === 0) return 'possible';
  return numbers.every(isTableNumber) ? 'certain' : 'none';
}

/** The cells of lines that are one row. */
function joined(lines: readonly GridRow[]): string[] {
  const all: string[] = [];
  for (const { cells } of lines) {
    const [first = '', ...others] = cells;
    const last = all.pop();
    all.push(last === undefined ? first : `${last}\n${first}`, ...others);
  }
  return all;
}

/**
 * Rows with the right number of cells, of which one begins like the rest of a sentence. Where many
 * rows have such cells, people put spaces between cells; where other sentences are enclosed, a space
 * alone does not say enough, and neither does one before a value that other rows have.
 */
function sentencesIn(
  full: readonly GridRow[],
  spaced: ReadonlySet<number>,
  encloses: boolean,
): readonly GridRow[] {
  const rest = restOfSentence(encloses);
  const values = valuesOf(full);
  const isRest = (cell: string, at: number): boolean =>
    rest.test(cell) && !values(at).has(cell.trim());
  const found = full.filter(({ row, cells }) => spaced.has(row) && cells.some(isRest));
  if (full.length > 1 && 3 * found.length <= full.length + 1) return found;
  return found.filter(({ cells }) => cells.slice(1).some(hasNoSpaceBefore));
}

/** How a cell begins that goes on with the sentence of the one before. */
function restOfSentence(encloses: boolean): RegExp {
  return encloses ? /^ +\p{Ll}/u : /^ +[\p{L}\p{M}]/u;
}

/**
 * Rows with a cell that begins with a word in lower case where those of nearly all other rows begin
 * with a capital: the rest of a sentence after a comma without a space.
 */
function lowerCaseIn(full: readonly GridRow[], columns: number): readonly GridRow[] {
  const capitals = Array.from({ length: columns }, () => 0);
  const found = Array.from({ length: columns }, (): GridRow[] => []);
  for (const row of full) {
    for (const [at, cell] of row.cells.entries()) {
      if (CAPITAL.test(cell)) capitals[at] = (capitals[at] ?? 0) + 1;
      else if (LOWER_CASE.test(cell) && ENDS_OPEN.test(row.cells[at - 1] ?? '')) {
        found[at]?.push(row);
      } else if (isVisible(cell)) capitals[at] = -Infinity;
    }
  }
  return found.flatMap((rows, at) => (3 * rows.length <= (capitals[at] ?? 0) ? rows : []));
}

const CAPITAL = /^\p{Lu}/u;
const LOWER_CASE = /^\p{Ll}+(?![\p{L}\d.@/_-])/u;
/** A sentence goes on after it. */
const ENDS_OPEN = /[\p{L}\d]$/u;

function hasNoSpaceBefore(cell: string): boolean {
  return /^\S/.test(cell);
}

/** The cells of each column, which are collected once. */
function valuesOf(rows: readonly GridRow[]): (column: number) => ReadonlySet<string> {
  const known = new Map<number, ReadonlySet<string>>();
  return (column) => {
    const values = known.get(column) ?? new Set(rows.map(({ cells }) => cells[column] ?? ''));
    known.set(column, values);
    return values;
  };
}

/** Whether a number ends one cell and goes on in the next, in whose column texts are. */
function hasDividedNumber(
  { row, cells }: GridRow,
  lineOf: SeparatedBy['lineOf'],
  isNumeric: readonly boolean[],
): boolean {
  return cells.some(
    (cell, at) =>
      isNumeric[at] === false &&
      isNumeric[at - 1] === false &&
      endsNumber(cells[at - 1], cell, () => lineOf(row)),
  );
}

/**
 * Whether a cell goes on with the number that ends the one before; the first cell has none. Where
 * quotation marks enclose them, the line does not have them side by side.
 */
function endsNumber(before: string | undefined, cell: string, line: () => string): boolean {
  return (
    before !== undefined &&
    REST_OF_NUMBER.test(cell) &&
    START_OF_NUMBER.test(before) &&
    line().includes(`${before},${cell}`)
  );
}
