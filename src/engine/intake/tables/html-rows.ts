/** The rows of the first table of a page: some programs export such a page as “.xls”. */
import { Parser } from 'htmlparser2';
import {
  MAX_BATCH_CELLS,
  MAX_BATCH_COLUMNS,
  MAX_BATCH_ROWS,
} from '../../../contract/batch-limits.ts';
import type { GridRow } from './locate-table.ts';
import { ROWS_BESIDES, SheetExcessError } from './sheet.ts';

/** Columns that one cell may span. */
const MAX_SPAN = 1000;

/** Deeper than any exported page; the parser's work for each element grows with the depth. */
const MAX_DEPTH = 1000;

/** @throws {SheetExcessError} */
export function htmlRows(html: string): readonly GridRow[] {
  const rows: GridRow[] = [];
  let depth = 0;
  let elements = 0;
  let isRead = false;
  let cells: string[] | null = null;
  let cell: string | null = null;
  let span = 1;
  let count = 0;
  const endCell = (): void => {
    if (cell === null || cells === null) return;
    cells.push(cell.replace(/ +/g, ' ').trim());
    for (let at = 1; at < span; at += 1) cells.push('');
    count += span;
    cell = null;
    // Empty cells at the end of a row may be more.
    if (cells.length > 2 * MAX_BATCH_COLUMNS) throw new SheetExcessError('columns');
    if (count > MAX_BATCH_CELLS) throw new SheetExcessError('cells');
  };
  const endRow = (): void => {
    endCell();
    if (cells !== null) rows.push({ row: rows.length + 1, cells });
    if (rows.length > MAX_BATCH_ROWS + ROWS_BESIDES) throw new SheetExcessError('rows');
    cells = null;
  };
  const parser = new Parser({
    onopentag(name, { colspan }) {
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
        span = Math.min(MAX_SPAN, Math.max(1, Number.parseInt(colspan ?? '1', 10) || 1));
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
