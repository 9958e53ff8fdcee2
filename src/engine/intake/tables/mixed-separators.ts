/**
 * Finds rows whose cells another character separates than those of the header: files were joined,
 * or somebody typed the header into an exported file.
 */
import { SEPARATORS, type Separator } from '../../../contract/text-reading.ts';
import { isVisible } from './cell-visibility.ts';
import { isTableNumber } from './grid-row.ts';
import { MAX_ABOVE } from './locate-table.ts';
import type { Separation } from './separator.ts';
import { splitCells, type SplitRows } from './split-cells.ts';
import type { ColumnOf } from './table-options.ts';

type Cells = readonly string[];

/** @returns the cells of such rows, by the place of the row */
export function rowsOfOtherSeparator(
  text: string,
  split: Separation & SplitRows,
  columnOf: ColumnOf,
): ReadonlyMap<number, Cells> {
  const { rows, starts, separator, quotes } = split;
  const isHeader = (cells: Cells): boolean =>
    cells.filter((cell) => columnOf(cell) !== undefined).length > 1;
  const headerAt = rows.slice(0, MAX_ABOVE).findIndex(isHeader);
  const columns = (rows[headerAt]?.findLastIndex(isVisible) ?? -1) + 1;
  const found = new Map<number, Cells>();
  if (columns < 2) return found;
  const others = SEPARATORS.filter((each) => each !== separator && text.includes(each));
  const below = rows.slice(headerAt + 1);
  let filled = 0;
  for (const [place, cells] of others.length === 0 ? [] : below.entries()) {
    if (!cells.some(isVisible)) continue;
    filled += 1;
    if (cells.length >= columns) continue;
    const at = headerAt + 1 + place;
    const line = text.slice(starts[at], starts[at + 1]);
    const fits = others
      .filter((each) => line.includes(each))
      .map((each) => cellsOf(line, each, quotes))
      .filter((each) => each?.length === columns);
    const [fit] = fits;
    if (fits.length === 1 && fit) found.set(at, fit);
  }
  if (found.size === filled && (filled > 1 || columns > 2)) return found;
  const model = below.find((cells) => cells.length === columns && cells.some(isTableNumber));
  return new Map(
    [...found].filter(
      ([at, cells]) =>
        rows[at]?.length === 1 &&
        columns > 2 &&
        cells.some((cell, place) => isTableNumber(cell) && isTableNumber(model?.[place] ?? '')),
    ),
  );
}

/** The cells of one line; `null` if its characters are probably those of a sentence. */
function cellsOf(line: string, separator: Separator, quotes: Separation['quotes']): Cells | null {
  const { rows, open, spaced } = splitCells(line, separator, quotes);
  return rows.length === 1 && open.length === 0 && spaced.length === 0 ? (rows[0] ?? null) : null;
}
