/** A line of the palette. */
export interface PaletteEntry {
  readonly key: string;
  readonly title: string;
  readonly group: string;
  readonly keys: readonly string[];
  readonly run: () => void;
}
