/** Reads columns that spaces align, as terminals, printed reports and old programs write them. */
import { MAX_BATCH_ROWS } from '../../../contract/batch-limits.ts';
import { SEPARATORS } from '../../../contract/text-reading.ts';
import { headerText } from './cell-visibility.ts';
import { MAX_ABOVE } from './locate-table.ts';
import type { ColumnOf } from './table-options.ts';

/** Longer texts and more columns are not from a terminal. */
const MAX_LENGTH = 1024 * 1024;
const MAX_COLUMNS = 100;
const LINE_END = /\r\n|\n|\r/;
/** Names that are further from each other than words. */
const NAMES = /\S+(?: \S+)*/g;

interface Span {
  readonly start: number;
  /** After its last character. */
  readonly end: number;
}

/** A line below the header, drawn under each column. */
const RULE = /^ *[-=]{2,}(?: +[-=]{2,})+ *$/;

/**
 * The text with tabs between its columns, where two spaces or more are between the names of the header,
 * or a line is drawn under each, and all texts of each column begin where it begins, or end where it
 * ends. What is below an empty line may be something else.
 * @returns `null` for any other text
 */
export function withTabs(text: string, columnOf: ColumnOf): string | null {
  if (text.length > MAX_LENGTH) return null;
  const above = text.split(LINE_END, MAX_ABOVE);
  const at = above.findIndex((line, place) => isHeader(line, above[place + 1], columnOf));
  if (at < 0) return null;
  const lines = text.split(LINE_END);
  const columns = columnsIn(lines[at] ?? '', lines[at + 1]);
  if (columns.length > MAX_COLUMNS || lines.length > MAX_BATCH_ROWS) return null;
  const below = lines.slice(at);
  const end = below.findIndex((line) => line.trim() === '');
  const whole = tabbed(below, columns);
  if (whole !== null || end < 0) return whole && [...lines.slice(0, at), ...whole].join('\n');
  const table = tabbed(below.slice(0, end), columns);
  return table && [...lines.slice(0, at), ...table, ...below.slice(end)].join('\n');
}

/** Lines with tabs between these columns; `null` if one does not fit them. */
function tabbed(lines: readonly string[], columns: readonly Span[]): readonly string[] | null {
  const starts = startsOf(columns, lines);
  if (starts === null) return null;
  const cells = lines.map((line) =>
    starts.map((start, column) => line.slice(start, starts[column + 1])),
  );
  if (!areAligned(columns, starts, cells)) return null;
  return cells.map((row) => row.map((cell) => cell.trim()).join('\t'));
}

/** Where columns begin: at their name, or after the only spaces that all lines have before it. */
function startsOf(names: readonly Span[], lines: readonly string[]): readonly number[] | null {
  const used = new Set<number>();
  const end = names.at(-1)?.end ?? 0;
  for (const line of lines) {
    for (let place = 0; place < Math.min(end, line.length); place += 1) {
      if (line[place] !== ' ') used.add(place);
    }
  }
  const starts = [0];
  for (const [at, { start }] of names.slice(1).entries()) {
    const spaces: number[] = [];
    for (let place = names[at]?.end ?? 0; place < start; place += 1) {
      if (!used.has(place)) spaces.push(place);
    }
    const last = spaces.at(-1);
    if (last === undefined) return null;
    const isOnce = last - (spaces[0] ?? last) === spaces.length - 1;
    if (last !== start - 1 && !isOnce) return null;
    starts.push(last + 1);
  }
  return starts;
}

/** Whether the texts of each column but the first all begin where its name does, or all end there. */
function areAligned(
  names: readonly Span[],
  starts: readonly number[],
  lines: readonly (readonly string[])[],
): boolean {
  return names.slice(1).every(({ start, end }, at) => {
    const column = at + 1;
    const from = starts[column] ?? 0;
    const texts = lines.map((cells) => cells[column] ?? '').filter((cell) => cell.trim() !== '');
    return (
      texts.every((cell) => from + cell.search(/\S/) === start) ||
      texts.every((cell) => from + cell.trimEnd().length === end)
    );
  });
}

function isHeader(line: string, below: string | undefined, columnOf: ColumnOf): boolean {
  if (SEPARATORS.some((separator) => line.includes(separator))) return false;
  const columns = columnsIn(line, below);
  const names = columns.map(({ start, end }) => headerText(line.slice(start, end)));
  return names.filter((name) => columnOf(name) !== undefined).length > 1;
}

/** By the line that is drawn below the header, or by its names. */
function columnsIn(header: string, below = ''): Span[] {
  const [line, names] = RULE.test(below) ? [below, /\S+/g] : [header, NAMES];
  return Array.from(line.matchAll(names), ({ 0: name, index }) => ({
    start: index,
    end: index + name.length,
  }));
}
