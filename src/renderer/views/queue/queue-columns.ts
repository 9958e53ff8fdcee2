/** The columns of the queue's table. */
import type { Column } from '../../design/table-column.ts';
import type { TableLayout } from '../../state/table-layout.svelte.ts';
import type { Texts } from '../../texts/en.ts';
import { arrangedColumns } from '../arranged-columns.ts';

/** @param hasBatches whether rows of several batches are shown */
export function queueColumns(
  texts: Texts['queue'],
  layout: TableLayout,
  hasBatches: boolean,
): readonly Column[] {
  const all: readonly Column[] = [
    { key: 'mark', label: texts.columns.mark, labelHidden: true, width: '16px' },
    { key: 'picture', label: texts.columns.picture, labelHidden: true, width: '48px', from: 640 },
    { key: 'title', label: texts.columns.title, width: 'minmax(132px, 1fr)' },
    ...(hasBatches
      ? [
          {
            key: 'batch',
            label: texts.columns.batch,
            width: 'clamp(88px, 14cqi, 200px)',
            from: 820,
          },
        ]
      : []),
    { key: 'state', label: texts.columns.state, width: 'clamp(170px, 28cqi, 240px)' },
    { key: 'when', label: texts.columns.when, width: '148px', from: 560 },
    { key: 'file', label: texts.columns.file, width: 'minmax(160px, 0.7fr)', from: 1300 },
    { key: 'length', label: texts.columns.length, width: '56px', align: 'end', from: 860 },
    { key: 'size', label: texts.columns.size, width: '72px', align: 'end', from: 760 },
  ];
  return arrangedColumns(all, layout);
}
