/** Columns of a table of videos as the user arranged them, and the order that a press of a head makes. */
import { JOB_SORTS, type JobOrder, type JobSort } from '../../contract/job-order.ts';
import type { Column } from '../design/table-column.ts';
import type { TableLayout } from '../state/table-layout.svelte.ts';

/** Columns of which the largest or latest is looked for. */
const DESCENDING_FIRST: readonly JobSort[] = ['when', 'length', 'size'];

/** Without hidden columns, with the user's widths, and with the one that the table is sorted by. */
export function arrangedColumns(
  columns: readonly Column[],
  layout: TableLayout,
): readonly Column[] {
  const { by = 'queue', descending = false } = layout.order ?? {};
  return columns
    .filter(({ key }) => !layout.isHidden(key))
    .map((column) => {
      const width = layout.widthOf(column.key);
      return {
        ...column,
        // It gives way to others where the table is narrow.
        ...(width === null ? {} : { width: `minmax(40px, ${width}px)` }),
        ...(by === column.key ? { sorted: descending ? 'descending' : 'ascending' } : {}),
        sortable: JOB_SORTS.some((sort) => sort === column.key),
        resizable: true,
      };
    });
}

/** The next order when a column's head is pressed: one direction, the other, in groups. */
export function nextOrder(key: string, order: JobOrder | null): JobOrder | null {
  const by = JOB_SORTS.find((sort) => sort === key);
  if (by === undefined) return order;
  const first = DESCENDING_FIRST.includes(by);
  if (order?.by !== by) return { by, descending: first };
  return order.descending === first ? { by, descending: !first } : null;
}
