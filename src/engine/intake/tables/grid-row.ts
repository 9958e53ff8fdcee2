/** Rows of a sheet or file, before it is known which of them are the table. */
import { isVisible } from './cell-visibility.ts';

/** A row as a spreadsheet has it. */
export interface GridRow {
  /** From 1. */
  readonly row: number;
  readonly cells: readonly string[];
  /** The numbers that a workbook shows as the text of these cells, by their place. */
  readonly numbers?: readonly (number | undefined)[];
  readonly isHidden?: boolean;
  /** Whether a text of it is struck through. */
  readonly isStruck?: boolean;
  /** Whether a cell of it covers several columns. */
  readonly isMerged?: boolean;
}

/** Every row of a table's file that is not empty, also those that are no part of the table. */
export interface TableGrid {
  /** The names of the table's columns, by place; empty for a column without one. */
  readonly names: readonly string[];
  readonly rows: readonly Pick<GridRow, 'row' | 'cells'>[];
}

/** How many cells are not empty. */
export function widthOf({ cells }: GridRow): number {
  return cells.filter(isVisible).length;
}

/** A number as a spreadsheet shows it, with its currency, unit or percent sign. */
export function isTableNumber(text: string): boolean {
  return /^[^\p{L}\d]{0,3}[+-]?\d[\d.,'’\s]*(?:[%€$£¥]|\p{L}{1,8})?$/u.test(text.trim());
}
