/** Splits separated values into rows of cells, and names the rows whose quotation marks are wrong. */
import {
  MAX_BATCH_CELLS,
  MAX_BATCH_COLUMNS,
  MAX_BATCH_ROWS,
} from '../../../contract/batch-limits.ts';
import type { Quotes, Separator } from '../../../contract/text-reading.ts';
import type { Excess } from '../table-size.ts';

export interface SplitRows {
  /** Every row, empty ones included. */
  readonly rows: readonly (readonly string[])[];
  /** Where each row begins in the text, in UTF-16 code units. */
  readonly starts: readonly number[];
  /** Indexes of rows in which a quotation mark is opened and not closed. */
  readonly open: readonly number[];
  /** Whether the last of them are open until the end of the text. */
  readonly isUnclosed: boolean;
  /** How many cells quotation marks enclose. */
  readonly enclosed: number;
  /** How many of them have to be: they contain separators, line breaks or quotation marks. */
  readonly needed: number;
  /** How many cells below the first row have a text that is not enclosed. */
  readonly bare: number;
  /** Indexes of rows with a cell that is not enclosed and begins with a space after a separator. */
  readonly spaced: readonly number[];
  /** The limit of a batch that is exceeded; then `rows` ends there. */
  readonly excess: Excess | null;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;
const BACKSLASH = 0x5c;
const NO_BREAK_SPACE = 0xa0;
const BYTE_ORDER_MARK = 0xfeff;
/** The header, a line that declares the separator, and lines above the header. */
const ROWS_BESIDES = 100;

/**
 * @param separator `null` for one column
 * @param isSparing whether quotation marks that enclose nothing that needs them are part of the text
 */
export function splitCells(
  text: string,
  separator: Separator | null,
  quotes: Quotes,
  isSparing = false,
): SplitRows {
  const separatorCode = separator === null ? -1 : separator.charCodeAt(0);
  const quote = { double: '"', single: "'", none: '', backslash: '' }[quotes];
  const hasEscapes = quotes === 'backslash';
  const quoteCode = quote === '' ? -1 : quote.charCodeAt(0);
  // With both, and with tabs, the marks are probably those of two cells.
  const inCell = separator === null || separator === '\t' ? null : separator;
  const isNeeded = (cell: string): boolean =>
    cell.includes(quote) || /[\r\n]/.test(cell) !== (inCell !== null && cell.includes(inCell));
  const rows: string[][] = [];
  const open: number[] = [];
  const starts: number[] = [];
  const spaced: number[] = [];
  let row: string[] = [];
  let isUnclosed = false;
  let enclosed = 0;
  let needed = 0;
  let bare = 0;
  let cells = 0;
  let at = 0;
  while (at < text.length || row.length > 0) {
    if (row.length === 0) starts.push(at);
    const quoted = quoteCode < 0 ? null : quotedCell(text, at, quote, separatorCode);
    if (quoted?.kind === 'cell' && !(isSparing && !needsQuotes(quoted.text))) {
      row.push(quoted.text);
      enclosed += 1;
      if (isNeeded(quoted.text)) needed += 1;
      at = quoted.end;
    } else {
      const isOpen = quoted?.kind === 'open' || (quoted?.kind === 'partly' && quoted.hasLineBreak);
      if (isOpen && !isSparing) open.push(rows.length);
      if (quoted?.kind === 'open') isUnclosed = true;
      const start = at;
      while (at < text.length) {
        const code = text.charCodeAt(at);
        if (code === BACKSLASH && hasEscapes) {
          at = Math.min(text.length, at + (text.startsWith('\r\n', at + 1) ? 3 : 2));
          continue;
        }
        if (code === separatorCode || code === LINE_FEED || code === CARRIAGE_RETURN) break;
        at += 1;
      }
      if (at > start && rows.length > 0) bare += 1;
      if (row.length > 0 && text.charCodeAt(start) === SPACE && spaced.at(-1) !== rows.length) {
        spaced.push(rows.length);
      }
      const cell = text.slice(start, at);
      row.push(hasEscapes ? withoutEscapes(cell) : cell);
    }
    cells += 1;
    const excess = excessOf(rows.length, row.length, cells);
    if (excess !== null) {
      return {
        rows: [...rows, row],
        starts,
        open,
        isUnclosed,
        enclosed,
        needed,
        bare,
        spaced,
        excess,
      };
    }
    if (at < text.length && text.charCodeAt(at) === separatorCode) {
      at += 1;
      // A separator at the end of the text begins an empty cell.
      if (at < text.length) continue;
      row.push('');
    } else if (text.charCodeAt(at) === CARRIAGE_RETURN && text.charCodeAt(at + 1) === LINE_FEED) {
      at += 2;
    } else at += 1;
    rows.push(row);
    row = [];
  }
  return { rows, starts, open, isUnclosed, enclosed, needed, bare, spaced, excess: null };
}

/** Characters that databases write with a backslash and a letter. */
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** `\N` is what databases write for no value. */
function withoutEscapes(cell: string): string {
  if (!cell.includes('\\')) return cell;
  if (cell === '\\N') return '';
  return cell.replace(/\\([^])/g, (_, character: string) => ESCAPED[character] ?? character);
}

function excessOf(rows: number, columns: number, cells: number): Excess | null {
  if (rows > MAX_BATCH_ROWS + ROWS_BESIDES) return 'rows';
  if (columns > MAX_BATCH_COLUMNS) return 'columns';
  return cells > MAX_BATCH_CELLS ? 'cells' : null;
}

/**
 * Whether a spreadsheet encloses this text in quotation marks. Tabs and line breaks together are in
 * no cell: the marks are then those of two cells.
 */
function needsQuotes(text: string): boolean {
  if (text.trim() === '') return false;
  return /[\r\n]/.test(text) ? !text.includes('\t') : /[\t",;]|^\s|\s$/.test(text);
}

type QuotedCell =
  /** `end`: where the next separator, the line's end or the text's end is. */
  | { readonly kind: 'cell'; readonly text: string; readonly end: number }
  /** The closing quotation mark is followed by more text, or has no partner at all. */
  | { readonly kind: 'partly'; readonly hasLineBreak: boolean }
  | { readonly kind: 'open' };

/** The cell at this place; `null` if it does not begin with a quotation mark. */
function quotedCell(
  text: string,
  start: number,
  quote: string,
  separatorCode: number,
): QuotedCell | null {
  const first = afterSpaces(text, start, separatorCode);
  if (text[first] !== quote) return null;
  const plain = quotedUntil(text, first, quote, separatorCode, false);
  if (plain.kind === 'cell' || !text.startsWith('\\', (plain.at ?? 0) - 1)) return plain;
  // Some programs write a backslash before a quotation mark instead of doubling it.
  const escaped = quotedUntil(text, first, quote, separatorCode, true);
  return escaped.kind === 'cell' ? escaped : plain;
}

function quotedUntil(
  text: string,
  first: number,
  quote: string,
  separatorCode: number,
  hasBackslashes: boolean,
): QuotedCell & { readonly at?: number } {
  let from = first + 1;
  for (;;) {
    const at = text.indexOf(quote, from);
    if (at < 0) return { kind: 'open' };
    if (hasBackslashes && text[at - 1] === '\\') from = at + 1;
    else if (text[at + 1] === quote) from = at + 2;
    else {
      const end = afterSpaces(text, at + 1, separatorCode);
      const code = end < text.length ? text.charCodeAt(end) : LINE_FEED;
      const content = text.slice(first + 1, at);
      if (code === separatorCode || code === LINE_FEED || code === CARRIAGE_RETURN) {
        const unescaped = content.replaceAll(quote + quote, quote);
        const cell = hasBackslashes ? unescaped.replaceAll(`\\${quote}`, quote) : unescaped;
        return { kind: 'cell', text: cell, end };
      }
      return { kind: 'partly', hasLineBreak: /[\r\n]/.test(content), at };
    }
  }
}

function afterSpaces(text: string, start: number, separatorCode: number): number {
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isSpace =
      code === SPACE || code === NO_BREAK_SPACE || code === TAB || code === BYTE_ORDER_MARK;
    if (!isSpace || code === separatorCode) break;
  }
  return at;
}
