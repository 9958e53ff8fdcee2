/** The rows of the first table of a page: some programs export such a page as “.xls”. */
import { Parser } from 'htmlparser2';
import { MAX_BATCH_CELLS } from '../../../contract/batch-limits.ts';
import type { GridRow } from './locate-table.ts';

/** Columns that one cell may span. */
const MAX_SPAN = 1000;

export function htmlRows(html: string): readonly GridRow[] {
  const rows: GridRow[] = [];
  let depth = 0;
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
  };
  const endRow = (): void => {
    endCell();
    if (cells !== null) rows.push({ row: rows.length + 1, cells });
    cells = null;
  };
  const parser = new Parser({
    onopentag(name, { colspan }) {
      if (name === 'table') depth += 1;
      if (depth !== 1 || isRead || count > MAX_BATCH_CELLS) return;
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
