/** Recognises a second table to the right of the first one, with an empty column between them. */
import { isVisible } from './cell-visibility.ts';
import type { GridRow } from './grid-row.ts';
import type { ColumnOf } from './table-options.ts';

/**
 * The place of the empty column; `null` if there is no second table. An empty column of a single
 * table has the same rows on both sides, and names that requests use.
 */
export function gapBeforeTable(
  header: readonly string[],
  rows: readonly GridRow[],
  columnOf: ColumnOf,
): number | null {
  const first = header.findIndex((name) => name !== '');
  const gap = header.findIndex(
    (name, at) =>
      at > first && name === '' && !rows.some(({ cells }) => isVisible(cells[at] ?? '')),
  );
  const beside = gap < 0 ? [] : header.slice(gap).filter((name) => name !== '');
  const isKnown = (name: string): boolean => columnOf(name) !== undefined;
  if (!header.slice(0, gap).some(isKnown) || !beside.some(isKnown)) return null;
  const isRagged = rows.some(
    ({ cells }) => cells.slice(0, gap).some(isVisible) !== cells.slice(gap).some(isVisible),
  );
  return isRagged || !beside.every(isKnown) ? gap : null;
}
