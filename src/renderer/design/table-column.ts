/** One column of a `Table`. */
export interface Column {
  readonly key: string;
  readonly label: string;
  /** The label is for screen readers only. */
  readonly labelHidden?: boolean;
  /** The view draws its head; screen readers still get the label. */
  readonly drawn?: boolean;
  /** A grid track, such as `96px` or `minmax(160px, 1fr)`; `1cqi` is a hundredth of the table. */
  readonly width: string;
  readonly align?: 'end';
  /** Its head is a button that sorts by it. */
  readonly sortable?: boolean;
  readonly sorted?: 'ascending' | 'descending' | undefined;
  /** Its edge can be dragged. */
  readonly resizable?: boolean;
  /** The column is left out while the table is narrower than this, in pixels. */
  readonly from?: number;
}
