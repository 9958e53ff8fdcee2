/** One column of a `Table`. */
export interface Column {
  readonly key: string;
  readonly label: string;
  /** Said to screen readers only. */
  readonly labelHidden?: boolean;
  /** Its head is drawn by the view; the label is still said. */
  readonly drawn?: boolean;
  /** A grid track, such as `96px` or `minmax(160px, 1fr)`; `1cqi` is a hundredth of the table. */
  readonly width: string;
  readonly align?: 'end';
  /** The column is left out while the table is narrower than this, in pixels. */
  readonly from?: number;
}
