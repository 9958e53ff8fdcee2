/** The columns of the queue's table. */
import { JOB_SORTS, type JobOrder, type JobSort } from '../../../contract/job-order.ts';
import type { Column } from '../../design/table-column.ts';
import type { TableLayout } from '../../state/table-layout.svelte.ts';
import type { Texts } from '../../texts/en.ts';

/** Columns that the user can hide, in the table's order. The title always stays. */
export const HIDEABLE = ['picture', 'batch', 'state', 'when', 'file', 'length', 'size'] as const;

/** Columns of which the largest or latest is looked for. */
const DESCENDING_FIRST: readonly JobSort[] = ['when', 'length', 'size'];

/** @param hasBatches whether rows of several batches are shown */
export function queueColumns(
  texts: Texts['queue'],
  layout: TableLayout,
  hasBatches: boolean,
): readonly Column[] {
  const all: readonly Column[] = [
    { key: 'mark', label: texts.columns.mark, labelHidden: true, width: '16px' },
    { key: 'picture', label: texts.columns.picture, labelHidden: true, width: '48px', from: 480 },
    { key: 'title', label: texts.columns.title, width: 'minmax(132px, 1fr)' },
    ...(hasBatches
      ? [
          {
            key: 'batch',
            label: texts.columns.batch,
            width: 'clamp(88px, 14cqi, 200px)',
            from: 760,
          },
        ]
      : []),
    { key: 'state', label: texts.columns.state, width: 'clamp(170px, 28cqi, 240px)' },
    { key: 'when', label: texts.columns.when, width: '148px', from: 560 },
    { key: 'file', label: texts.columns.file, width: 'minmax(160px, 0.7fr)', from: 1180 },
    { key: 'length', label: texts.columns.length, width: '56px', align: 'end', from: 800 },
    { key: 'size', label: texts.columns.size, width: '72px', align: 'end', from: 700 },
  ];
  return all
    .filter(({ key }) => !layout.isHidden(key))
    .map((column) => {
      const width = layout.widthOf(column.key);
      const { by = 'queue', descending = false } = layout.order ?? {};
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

/** The next order when a column's head is pressed: one direction, the other, sections. */
export function nextOrder(key: string, order: JobOrder | null): JobOrder | null {
  const by = JOB_SORTS.find((sort) => sort === key);
  if (by === undefined) return order;
  const first = DESCENDING_FIRST.includes(by);
  if (order?.by !== by) return { by, descending: first };
  return order.descending === first ? { by, descending: !first } : null;
}
