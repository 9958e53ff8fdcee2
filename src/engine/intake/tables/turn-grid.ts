/** Turns the rows of a sheet or file: its columns become rows, as “Transpose” of spreadsheets does. */
import { MAX_BATCH_COLUMNS } from '../../../contract/batch-limits.ts';
import { isVisible } from './cell-visibility.ts';
import type { GridRow } from './grid-row.ts';
import { SheetExcessError } from './sheet.ts';

interface Grid {
  readonly rows: readonly GridRow[];
  /** From 0. */
  readonly hiddenColumns: ReadonlySet<number>;
}

/**
 * Column B is row 2 of the result. Rows without a text are left out, so that no cells stand for them.
 * @throws {SheetExcessError} for more rows with a text than a batch may have columns
 */
export function turnGrid({ rows, hiddenColumns }: Grid): Grid {
  const filled = rows.filter(({ cells }) => cells.some(isVisible));
  if (filled.length > MAX_BATCH_COLUMNS) throw new SheetExcessError('columns');
  const width = Math.max(0, ...filled.map(({ cells }) => cells.length));
  return {
    rows: Array.from({ length: width }, (_, at): GridRow => ({
      row: at + 1,
      cells: filled.map(({ cells }) => cells[at] ?? ''),
      numbers: filled.map(({ numbers }) => numbers?.[at]),
      isHidden: hiddenColumns.has(at),
    })),
    hiddenColumns: new Set(filled.flatMap(({ isHidden }, at) => (isHidden === true ? [at] : []))),
  };
}
