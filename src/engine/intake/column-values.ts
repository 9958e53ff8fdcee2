/** Counts the distinct values of one column of a batch, so that equal ones can be corrected at once. */
import { MAX_ISSUE_CELL } from '../../contract/batch-limits.ts';
import { MAX_COLUMN_VALUES, type ColumnValues } from '../../contract/column-values.ts';
import { textOf } from './cell.ts';
import type { Records } from './records.ts';

/**
 * The values of a column's cells, trimmed, the most frequent first.
 * @param column the file's name for it; one that the file lacks has empty cells only
 * @param leaveOut rows that do not count
 */
export function columnValues(
  { rows }: Pick<Records, 'rows'>,
  column: string,
  leaveOut: readonly number[] = [],
): ColumnValues {
  const without = new Set(leaveOut);
  const rowsOf = new Map<string, number[]>();
  for (const { row, cells } of rows) {
    if (without.has(row)) continue;
    const cell = Object.hasOwn(cells, column) ? cells[column] : undefined;
    const text = textOf(cell ?? '').trim();
    const known = rowsOf.get(text);
    if (known) known.push(row);
    else rowsOf.set(text, [row]);
  }
  // Sorting is stable: of equally frequent values, the first in the file comes first.
  const values = [...rowsOf].sort(([, one], [, other]) => other.length - one.length);
  return {
    values: values.slice(0, MAX_COLUMN_VALUES).map(([text, of]) => ({
      text: text.slice(0, MAX_ISSUE_CELL).toWellFormed(),
      count: of.length,
      rows: of,
    })),
    distinct: rowsOf.size,
  };
}
