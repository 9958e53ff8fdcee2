/** One line of a `Menu`. */
export interface MenuItem {
  readonly key: string;
  readonly label: string;
  readonly note?: string;
  /** A line is drawn between items of different groups. */
  readonly group?: string;
  readonly checked?: boolean;
  /** One of several that may be checked together: the menu stays open when it is chosen. */
  readonly staysOpen?: boolean;
  readonly danger?: boolean;
  readonly onselect: () => void;
}
