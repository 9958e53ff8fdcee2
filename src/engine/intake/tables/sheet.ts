/** A sheet of a workbook, as its reader collects it: rows of shown texts, within limits. */
import {
  MAX_BATCH_BYTES,
  MAX_BATCH_CELLS,
  MAX_BATCH_COLUMNS,
  MAX_BATCH_ROWS,
} from '../../../contract/batch-limits.ts';
import type { Failure } from '../../../contract/failure.ts';
import { userMessage } from '../../../contract/user-message.ts';
import { unreadable } from '../records.ts';
import { excessMessage, type Excess } from '../table-size.ts';
import type { GridRow } from './grid-row.ts';
import { isVisible } from './cell-visibility.ts';

export interface ShownCell {
  readonly text: string;
  /** The number that is shown as this text. */
  readonly number?: number | undefined;
  /** Whether a part of the text is struck through. */
  readonly isStruck?: boolean;
}

export interface ShownAs {
  /** In which numbers are shown. */
  readonly language: string;
  /** Whether the columns of the sheet are the rows of the table. */
  readonly isTurned: boolean;
}

export interface MergedRange {
  /** From 1, both included. */
  readonly firstRow: number;
  readonly lastRow: number;
  /** From 0, both included. */
  readonly column: number;
  readonly lastColumn: number;
}

/** The sheet exceeds a limit of a batch. */
export class SheetExcessError extends Error {
  readonly excess: Excess | 'text';

  constructor(excess: SheetExcessError['excess']) {
    super(`The sheet has too much ${excess}.`);
    this.excess = excess;
  }
}

/** Why a file is not read whose sheet exceeds a limit. */
export function sheetExcess(name: string, { excess }: SheetExcessError): Failure {
  return unreadable(
    excess === 'text' ? userMessage('workbook-too-large', { name }) : excessMessage(name, excess),
  );
}

/** Ranges of hidden columns: no more than a sheet has columns. */
const MAX_HIDDEN = 16_384;

/** Rows above and below the table. */
export const ROWS_BESIDES = 1000;

export class SheetRows {
  readonly rows: GridRow[] = [];
  readonly hiddenColumns = new Set<number>();
  #cells = 0;
  #hidden = 0;
  #characters = 0;

  /**
   * Adds a row with the cells that are not empty, by their column from 0.
   * @throws {SheetExcessError}
   */
  add(row: number, cells: ReadonlyMap<number, ShownCell>, isHidden: boolean): void {
    const texts: string[] = [];
    const numbers: (number | undefined)[] = [];
    let isRowStruck = false;
    for (const [column, { text, number, isStruck = false }] of cells) {
      if (!isVisible(text)) continue;
      isRowStruck ||= isStruck;
      if (column >= MAX_BATCH_COLUMNS) throw new SheetExcessError('columns');
      while (texts.length < column) texts.push('');
      texts[column] = text;
      if (number !== undefined) numbers[column] = number;
      this.#cells += 1;
      // The same text may be in many cells, which a small file can say.
      this.#countText(text.length);
    }
    if (texts.length === 0) return;
    if (this.#cells > MAX_BATCH_CELLS) throw new SheetExcessError('cells');
    if (this.rows.length > MAX_BATCH_ROWS + ROWS_BESIDES) throw new SheetExcessError('rows');
    this.rows.push({ row, cells: texts, numbers, isHidden, isStruck: isRowStruck });
  }

  /**
   * Hides columns, from 0 to the one before `end`. Those that no batch may have do not matter.
   * @throws {SheetExcessError} for more ranges than a sheet has columns
   */
  hide(first: number, end: number): void {
    this.#hidden += 1;
    if (this.#hidden > MAX_HIDDEN) throw new SheetExcessError('columns');
    const last = Math.min(end, MAX_BATCH_COLUMNS);
    for (let column = first; column < last; column += 1) this.hiddenColumns.add(column);
  }

  /**
   * Repeats the text of merged cells in every video that they cover: in each row downwards, or in each
   * column where the table is turned. Marks rows with cells that were merged across columns.
   * @throws {SheetExcessError}
   */
  fillMerged(ranges: readonly MergedRange[], isTurned: boolean): void {
    const places = new Map(this.rows.map(({ row }, at) => [row, at]));
    let filled = 0;
    for (const { firstRow, lastRow, column, lastColumn } of ranges) {
      const first = places.get(firstRow) ?? -1;
      const row = this.rows[first];
      const text = row?.cells[column] ?? '';
      if (row === undefined || text === '') continue;
      if (isTurned) {
        const end = Math.min(lastColumn + 1, MAX_BATCH_COLUMNS);
        filled += end - column;
        if (filled > MAX_BATCH_CELLS) throw new SheetExcessError('cells');
        this.rows[first] = this.#filledAcross(row, column, end);
        continue;
      }
      if (lastColumn > column) this.rows[first] = { ...row, isMerged: true };
      // Rows are in their order, and those that are empty otherwise stay empty.
      for (let at = first + 1; (this.rows[at]?.row ?? Infinity) <= lastRow; at += 1) {
        const covered = this.rows[at];
        if (covered === undefined) break;
        this.#countText(text.length);
        filled += Math.max(column + 1, covered.cells.length);
        if (filled > MAX_BATCH_CELLS) throw new SheetExcessError('cells');
        // What some programs leave in a covered cell is not lost.
        if (isVisible(covered.cells[column] ?? '')) continue;
        const cells = Array.from(
          { length: Math.max(column + 1, covered.cells.length) },
          (_, place) => (place === column ? text : (covered.cells[place] ?? '')),
        );
        const numbers = [...(covered.numbers ?? [])];
        numbers[column] = row.numbers?.[column];
        this.rows[at] = { ...covered, cells, numbers };
      }
    }
  }

  /** A row with the text of one cell in the empty ones after it, before the column `end`. */
  #filledAcross(row: GridRow, column: number, end: number): GridRow {
    const text = row.cells[column] ?? '';
    this.#countText((end - column) * text.length);
    const cells = Array.from(
      { length: Math.max(end, row.cells.length) },
      (_, at) => row.cells[at] ?? '',
    );
    const numbers = [...(row.numbers ?? [])];
    for (let at = column + 1; at < end; at += 1) {
      if (isVisible(cells[at] ?? '')) continue;
      cells[at] = text;
      numbers[at] = numbers[column];
    }
    return { ...row, cells, numbers };
  }

  #countText(characters: number): void {
    this.#characters += characters;
    if (this.#characters > MAX_BATCH_BYTES) throw new SheetExcessError('text');
  }
}
