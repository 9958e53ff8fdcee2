/** The rows of the table of a page: some programs export such a page as “.xls”. */
import { Parser } from 'htmlparser2';
import {
  MAX_BATCH_BYTES,
  MAX_BATCH_CELLS,
  MAX_BATCH_COLUMNS,
  MAX_BATCH_ROWS,
} from '../../../contract/batch-limits.ts';
import type { GridRow } from './grid-row.ts';
import { countKnownHeaders } from './locate-table.ts';
import { ROWS_BESIDES, SheetExcessError } from './sheet.ts';
import type { ColumnOf } from './table-options.ts';

/** Columns, or rows, that one cell may span. */
const MAX_SPAN = 1000;

/** Deeper than any exported page; the parser's work for each element grows with the depth. */
const MAX_DEPTH = 1000;

/** Elements that begin on a line of their own. */
const BLOCKS = new Set(['p', 'div', 'li', 'ul', 'ol', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
/** Elements whose text is not shown. */
const UNSHOWN = new Set(['script', 'style', 'template', 'title']);

function spanOf(attribute: string | undefined): number {
  return Math.min(MAX_SPAN, Math.max(1, Number.parseInt(attribute ?? '1', 10) || 1));
}

/**
 * The rows of the tables with the most known headers or, without any, of the first table. A cell
 * that reaches into the next rows is in each of them.
 * @param columnOf the column that requests use and a header names
 * @param isTurned whether the columns of the page are the rows of the table: then a cell that reaches
 *   into the next columns is in each of them
 * @throws {SheetExcessError}
 */
export function htmlRows(html: string, columnOf: ColumnOf, isTurned: boolean): readonly GridRow[] {
  const limits = { cells: 0, repeated: 0 };
  const tables: TableRows[] = [];
  /** The table that is read, after those that it is in. */
  const open: TableRows[] = [];
  let elements = 0;
  let unshown = 0;
  /** The choices of the cell's list, of which a page shows the selected one. */
  let options: Option[] | null = null;
  const parser = new Parser({
    onopentag(name, attributes) {
      elements += 1;
      if (elements > MAX_DEPTH) throw new SheetExcessError('text');
      if (UNSHOWN.has(name)) unshown += 1;
      if (name === 'table') {
        const table = new TableRows(limits, isTurned);
        tables.push(table);
        open.push(table);
      } else open.at(-1)?.open(name, attributes);
      if (name === 'select') options = [];
      if (name === 'option') options?.push({ text: '', isSelected: 'selected' in attributes });
      if (name === 'img') open.at(-1)?.text(attributes.alt ?? '');
    },
    ontext(text) {
      const shown = unshown === 0 ? text.replace(/[ \t\r\n\f]+/g, ' ') : '';
      const option = options?.at(-1);
      if (option === undefined) open.at(-1)?.text(shown);
      else option.text += shown;
    },
    onclosetag(name) {
      elements -= 1;
      if (UNSHOWN.has(name)) unshown -= 1;
      if (name === 'select') {
        open.at(-1)?.text(shownOption(options ?? []));
        options = null;
      }
      if (name === 'table') open.pop()?.endRow();
      else open.at(-1)?.close(name);
    },
  });
  parser.end(html);
  const filled = tables.map(({ rows }) => rows).filter(({ length }) => length > 0);
  const known = filled.map((rows) => countKnownHeaders(rows, columnOf));
  const most = Math.max(...known);
  const [first = [], ...others] = filled.filter((_, at) => known[at] === most);
  return most === 0 ? first : joined([first, ...others]);
}

interface Option {
  text: string;
  readonly isSelected: boolean;
}

function shownOption(options: readonly Option[]): string {
  const selected = options.filter(({ isSelected }) => isSelected);
  const shown = selected.length === 0 ? options.slice(0, 1) : selected;
  return shown.map(({ text }) => text.trim()).join(' | ');
}

/** The rows of several tables, with an empty row between two. */
function joined([first = [], ...others]: readonly (readonly GridRow[])[]): readonly GridRow[] {
  const rows = [...first];
  for (const each of others) {
    const before = (rows.at(-1)?.row ?? 0) + 1;
    for (const row of each) rows.push({ ...row, row: before + row.row });
    if (rows.length > MAX_BATCH_ROWS + ROWS_BESIDES) throw new SheetExcessError('rows');
  }
  return rows;
}

/** What the tables of a page have together: cells, and characters of texts in several cells. */
interface Limits {
  cells: number;
  repeated: number;
}

type Reaching = Map<number, { readonly text: string; readonly rows: number }>;

/** Collects the rows of one table. */
class TableRows {
  readonly rows: GridRow[] = [];
  readonly #limits: Limits;
  readonly #isTurned: boolean;
  #cells: string[] | null = null;
  #isHidden = false;
  #isMerged = false;
  #cell: string | null = null;
  /** Whether the cell's last line has text. */
  #hasText = false;
  #span = 1;
  #rowSpan = 1;
  /** Texts of cells that reach into this row and into the next ones, by their column. */
  #reaching: Reaching = new Map();
  #next: Reaching = new Map();

  constructor(limits: Limits, isTurned: boolean) {
    this.#limits = limits;
    this.#isTurned = isTurned;
  }

  open(name: string, { colspan, rowspan, style = '' }: Readonly<Record<string, string>>): void {
    if (name === 'tr') {
      this.endRow();
      this.#cells = [];
      this.#isMerged = false;
      this.#isHidden = /display\s*:\s*none/i.test(style);
    } else if (name === 'td' || name === 'th') {
      this.#endCell();
      this.#cells ??= [];
      this.#cell = '';
      this.#hasText = false;
      this.#span = spanOf(colspan);
      this.#isMerged ||= this.#span > 1;
      this.#rowSpan = spanOf(rowspan);
    } else if (name === 'br') this.#breakLine();
    else if (BLOCKS.has(name)) this.#beginLine();
  }

  text(text: string): void {
    if (this.#cell === null) return;
    this.#cell += text;
    this.#hasText ||= text.trim() !== '';
  }

  close(name: string): void {
    if (name === 'tr') this.endRow();
    else if (name === 'td' || name === 'th') this.#endCell();
    else if (BLOCKS.has(name)) this.#beginLine();
  }

  endRow(): void {
    this.#endCell();
    if (this.#cells === null) return;
    this.#addReaching(this.#cells);
    this.rows.push({
      row: this.rows.length + 1,
      cells: this.#cells,
      isHidden: this.#isHidden,
      isMerged: this.#isMerged,
    });
    this.#reaching = this.#next;
    this.#next = new Map();
    if (this.rows.length > MAX_BATCH_ROWS + ROWS_BESIDES) throw new SheetExcessError('rows');
    this.#cells = null;
  }

  #beginLine(): void {
    if (this.#hasText) this.#breakLine();
  }

  #breakLine(): void {
    if (this.#cell !== null) this.#cell += '\n';
    this.#hasText = false;
  }

  #endCell(): void {
    const cells = this.#cells;
    if (this.#cell === null || cells === null) return;
    this.#addReaching(cells);
    const text = this.#cell
      .replace(/ +/g, ' ')
      .replace(/ ?\n ?/g, '\n')
      .trim();
    const [right, below] = this.#isTurned ? [text, ''] : ['', text];
    this.#keep(cells.length, below, this.#rowSpan);
    cells.push(text);
    for (let at = 1; at < this.#span; at += 1) cells.push(right);
    this.#limits.cells += this.#span;
    this.#countRepeated(right.length * (this.#span - 1));
    this.#cell = null;
    // Empty cells at the end of a row may be more.
    if (cells.length > 2 * MAX_BATCH_COLUMNS) throw new SheetExcessError('columns');
    if (this.#limits.cells > MAX_BATCH_CELLS) throw new SheetExcessError('cells');
  }

  #addReaching(cells: string[]): void {
    for (;;) {
      const covered = this.#reaching.get(cells.length);
      if (covered === undefined) return;
      this.#reaching.delete(cells.length);
      this.#keep(cells.length, covered.text, covered.rows);
      cells.push(covered.text);
      this.#limits.cells += 1;
      this.#countRepeated(covered.text.length);
    }
  }

  #countRepeated(characters: number): void {
    this.#limits.repeated += characters;
    if (this.#limits.repeated > MAX_BATCH_BYTES) throw new SheetExcessError('text');
  }

  #keep(column: number, text: string, rowsLeft: number): void {
    if (rowsLeft > 1) this.#next.set(column, { text, rows: rowsLeft - 1 });
  }
}
