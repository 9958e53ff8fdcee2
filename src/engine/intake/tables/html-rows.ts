/** The rows of the first table of a page: some programs export such a page as “.xls”. */
import { Parser } from 'htmlparser2';
import {
  MAX_BATCH_BYTES,
  MAX_BATCH_CELLS,
  MAX_BATCH_COLUMNS,
  MAX_BATCH_ROWS,
} from '../../../contract/batch-limits.ts';
import type { GridRow } from './locate-table.ts';
import { ROWS_BESIDES, SheetExcessError } from './sheet.ts';

/** Columns, or rows, that one cell may span. */
const MAX_SPAN = 1000;

/** Deeper than any exported page; the parser's work for each element grows with the depth. */
const MAX_DEPTH = 1000;

function spanOf(attribute: string | undefined): number {
  return Math.min(MAX_SPAN, Math.max(1, Number.parseInt(attribute ?? '1', 10) || 1));
}

/**
 * A cell that reaches into the next rows is in each of them.
 * @throws {SheetExcessError}
 */
export function htmlRows(html: string): readonly GridRow[] {
  const rows: GridRow[] = [];
  let depth = 0;
  let elements = 0;
  let isRead = false;
  let cells: string[] | null = null;
  let cell: string | null = null;
  let span = 1;
  let rowSpan = 1;
  let count = 0;
  /** Characters of texts that are in several rows. */
  let repeated = 0;
  /** Texts of cells that reach into the next rows, by their column. */
  let reaching = new Map<number, { readonly text: string; readonly rows: number }>();
  const addReaching = (): void => {
    for (;;) {
      const covered = cells === null ? undefined : reaching.get(cells.length);
      if (covered === undefined || cells === null) return;
      reaching.delete(cells.length);
      keep(cells.length, covered.text, covered.rows);
      cells.push(covered.text);
      count += 1;
      repeated += covered.text.length;
      if (repeated > MAX_BATCH_BYTES) throw new SheetExcessError('text');
    }
  };
  let next: typeof reaching = new Map();
  const keep = (column: number, text: string, rowsLeft: number): void => {
    if (rowsLeft > 1) next.set(column, { text, rows: rowsLeft - 1 });
  };
  const endCell = (): void => {
    if (cell === null || cells === null) return;
    addReaching();
    const text = cell.replace(/ +/g, ' ').trim();
    keep(cells.length, text, rowSpan);
    cells.push(text);
    for (let at = 1; at < span; at += 1) cells.push('');
    count += span;
    cell = null;
    // Empty cells at the end of a row may be more.
    if (cells.length > 2 * MAX_BATCH_COLUMNS) throw new SheetExcessError('columns');
    if (count > MAX_BATCH_CELLS) throw new SheetExcessError('cells');
  };
  const endRow = (): void => {
    endCell();
    if (cells === null) return;
    addReaching();
    rows.push({ row: rows.length + 1, cells });
    reaching = next;
    next = new Map();
    if (rows.length > MAX_BATCH_ROWS + ROWS_BESIDES) throw new SheetExcessError('rows');
    cells = null;
  };
  const parser = new Parser({
    onopentag(name, { colspan, rowspan }) {
      elements += 1;
      if (elements > MAX_DEPTH) throw new SheetExcessError('text');
      if (name === 'table') depth += 1;
      if (depth !== 1 || isRead) return;
      if (name === 'tr') {
        endRow();
        cells = [];
      } else if (name === 'td' || name === 'th') {
        endCell();
        cells ??= [];
        cell = '';
        span = spanOf(colspan);
        rowSpan = spanOf(rowspan);
      } else if (name === 'br' && cell !== null) cell += '\n';
    },
    ontext(text) {
      if (depth === 1 && cell !== null) cell += text.replace(/[ \t\r\n\f]+/g, ' ');
    },
    onclosetag(name) {
      elements -= 1;
      if (depth === 1 && name === 'tr') endRow();
      if (depth === 1 && (name === 'td' || name === 'th')) endCell();
      if (name !== 'table') return;
      if (depth === 1) {
        endRow();
        isRead = isRead || rows.length > 0;
      }
      depth -= 1;
    },
  });
  parser.end(html);
  return rows;
}
