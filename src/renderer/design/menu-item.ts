/** One line of a `Menu`. */
export interface MenuItem {
  readonly key: string;
  readonly label: string;
  readonly note?: string;
  /** A line is drawn between items of different groups. */
  readonly group?: string;
  readonly checked?: boolean;
  /** A checkbox: the menu stays open when the item is chosen. */
  readonly staysOpen?: boolean;
  readonly danger?: boolean;
  readonly onselect: () => void;
}
