/** Finds rows at the end of a table that are prepared for videos and not filled in yet. */
import { isVisible } from './cell-visibility.ts';
import type { GridRow } from './grid-row.ts';

/** A box that is not ticked, as programs and people write it. */
const NOT_TICKED =
  /^(?:false|falsch|faux|falso|fałsz|onwaar|falskt?|epätosi|nepravda|hamis|ложь|yanlış|☐|\[ ?\]|no|nein|0)$/iu;

/**
 * Rows without a text in any column that requests use, whose other texts are those of the next row,
 * count on from it, or are boxes that are not ticked.
 * @param rows below the header, without empty ones
 * @param isUsed whether requests may have a column, for each
 */
export function unfilledRows(
  rows: readonly GridRow[],
  isUsed: readonly boolean[],
): ReadonlySet<GridRow> {
  const unfilled = new Set<GridRow>();
  if (!isUsed.includes(true)) return unfilled;
  for (let at = rows.length - 1; at > 0; at -= 1) {
    const row = rows[at];
    const isPrepared = row?.cells.every(
      (cell, column) =>
        !isVisible(cell) ||
        (isUsed[column] === false &&
          (NOT_TICKED.test(cell.trim()) ||
            goesOn(rows[at - 1]?.cells[column], cell) ||
            (unfilled.size > 0 && goesOn(cell, rows[at + 1]?.cells[column])))),
    );
    if (row === undefined || isPrepared !== true) break;
    unfilled.add(row);
  }
  return unfilled;
}

/** Whether a cell has the text of the one above, or the next number. */
function goesOn(above: string | undefined, cell: string | undefined): boolean {
  if (above === undefined || cell === undefined) return false;
  return cell === above || (/^\d+$/.test(above) && Number(cell) === Number(above) + 1);
}
