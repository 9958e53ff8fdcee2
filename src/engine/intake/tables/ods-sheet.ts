/** Reads a sheet of an OpenDocument workbook, which stores each value as it is shown. */
import { ArchiveError } from './archive.ts';
import { MAX_BATCH_BYTES, MAX_BATCH_COLUMNS } from '../../../contract/batch-limits.ts';
import { SheetExcessError, SheetRows, type MergedRange, type ShownCell } from './sheet.ts';
import { isVisible } from './cell-visibility.ts';
import { readXml } from './xml-events.ts';

export interface OdsSheet {
  readonly name: string;
  readonly isHidden: boolean;
}

interface Cell {
  readonly repeat: number;
  readonly type: string;
  readonly value: string;
  /** Its value as text, where a program did not write what is shown. */
  readonly stored: string;
  /** How many rows and columns it covers. */
  readonly rows: number;
  readonly columns: number;
}

/** Spaces that one element may stand for. */
const MAX_SPACES = 1000;
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
/** Ranges of merged cells. */
const MAX_MERGED = 100_000;
/** Rows that are repeated and not empty. */
const MAX_REPEATED = 101_000;
/** Contents of a cell that are not its text. */
const NOT_TEXT = new Set(['annotation', 'frame', 'custom-shape', 'shapes', 'ruby-text']);

/**
 * @param content the XML of the document
 * @throws {ArchiveError}
 */
export function odsSheets(content: Uint8Array): readonly OdsSheet[] {
  const hiddenStyles = new Set<string>();
  const sheets: OdsSheet[] = [];
  let style = '';
  let depth = 0;
  readXml(content, {
    open(name, attributes) {
      if (name === 'style') style = attributes['style:name'] ?? '';
      if (name === 'table-properties' && attributes['table:display'] === 'false') {
        hiddenStyles.add(style);
      }
      if (name !== 'table') return;
      depth += 1;
      if (depth > 1) return;
      const isHidden = hiddenStyles.has(attributes['table:style-name'] ?? '');
      sheets.push({ name: attributes['table:name'] ?? '', isHidden });
    },
    close(name) {
      if (name === 'table') depth -= 1;
    },
  });
  return sheets;
}

/**
 * @throws {ArchiveError} when the content is missing or damaged
 * @throws {SheetExcessError}
 */
export function readOdsSheet(
  content: Uint8Array,
  { name: wanted }: OdsSheet,
  isTurned: boolean,
): SheetRows {
  const sheet = new SheetRows();
  const struckStyles = new Set<string>();
  let style = '';
  let isStruck = false;
  const merged: MergedRange[] = [];
  let depth = 0;
  let isRead = false;
  let isDone = false as boolean;
  let row = 1;
  let rowRepeat = 1;
  let isHidden = false;
  let cells = new Map<number, ShownCell>();
  let column = 0;
  let headColumn = 0;
  let cell: Cell | null = null;
  let paragraphs = 0;
  let text = '';
  let inText = 0;
  let skipped = 0;
  readXml(content, {
    open(name, attributes) {
      if (name === 'style') style = attributes['style:name'] ?? '';
      if (name === 'text-properties' && strikes(attributes)) struckStyles.add(style);
      if (name === 'table') {
        depth += 1;
        if (depth === 1) isRead = !isDone && attributes['table:name'] === wanted;
      }
      if (!isRead || depth !== 1) return;
      if (NOT_TEXT.has(name)) skipped += 1;
      if (skipped > 0) return;
      switch (name) {
        case 'table-column': {
          const repeat = repeated(attributes['table:number-columns-repeated'], MAX_COLUMNS);
          if (isCollapsed(attributes)) {
            sheet.hide(headColumn, headColumn + repeat);
          }
          headColumn += repeat;
          break;
        }
        case 'table-row':
          rowRepeat = repeated(attributes['table:number-rows-repeated'], MAX_ROWS);
          isHidden = isCollapsed(attributes);
          cells = new Map();
          column = 0;
          break;
        case 'table-cell':
        case 'covered-table-cell':
          cell = {
            repeat: repeated(attributes['table:number-columns-repeated'], MAX_COLUMNS),
            type: attributes['office:value-type'] ?? '',
            stored: storedText(attributes),
            value: attributes['office:value'] ?? '',
            rows: repeated(attributes['table:number-rows-spanned'], MAX_ROWS),
            columns: repeated(attributes['table:number-columns-spanned'], MAX_COLUMNS),
          };
          text = '';
          paragraphs = 0;
          isStruck = struckStyles.has(attributes['table:style-name'] ?? '');
          break;
        case 'span':
          isStruck ||= struckStyles.has(attributes['text:style-name'] ?? '');
          break;
        case 'p':
        case 'h':
          if (cell === null) return;
          if (paragraphs > 0) text += '\n';
          paragraphs += 1;
          inText += 1;
          break;
        case 's':
          if (inText > 0) text += ' '.repeat(repeated(attributes['text:c'], MAX_SPACES));
          if (text.length > MAX_BATCH_BYTES) throw new SheetExcessError('text');
          break;
        case 'tab':
          if (inText > 0) text += '\t';
          break;
        case 'line-break':
          if (inText > 0) text += '\n';
          break;
      }
    },
    text(piece) {
      // Line ends in the source are white space of XML; other spaces are characters of the text.
      if (isRead && depth === 1 && inText > 0 && skipped === 0) {
        text += piece.replace(/[ \t\r\n]+/g, ' ');
      }
    },
    close(name) {
      if (name === 'table') {
        depth -= 1;
        if (depth === 0 && isRead) {
          isRead = false;
          isDone = true;
        }
      }
      if (!isRead || depth !== 1) return;
      if (NOT_TEXT.has(name)) skipped -= 1;
      if (skipped > 0) return;
      if ((name === 'p' || name === 'h') && inText > 0) inText -= 1;
      if ((name === 'table-cell' || name === 'covered-table-cell') && cell !== null) {
        if (paragraphs === 0) text = cell.stored;
        // What merged cells cover is not shown.
        if (isVisible(text) && name === 'table-cell') {
          if (column + cell.repeat > MAX_BATCH_COLUMNS) throw new SheetExcessError('columns');
          const number = Number(cell.value);
          const isNumber = /^(?:float|currency)$/.test(cell.type) && Number.isFinite(number);
          const shown = isNumber ? { text, number, isStruck } : { text, isStruck };
          for (let at = 0; at < cell.repeat; at += 1) cells.set(column + at, shown);
          if ((cell.rows > 1 || cell.columns > 1) && merged.length < MAX_MERGED) {
            const [lastRow, lastColumn] = [row + cell.rows - 1, column + cell.columns - 1];
            merged.push({ firstRow: row, lastRow, column, lastColumn });
          }
        }
        column += cell.repeat;
        cell = null;
      }
      if (name === 'table-row') {
        const times = cells.size === 0 ? 0 : Math.min(rowRepeat, MAX_REPEATED);
        for (let at = 0; at < times; at += 1) sheet.add(row + at, cells, isHidden);
        row += rowRepeat;
      }
    },
  });
  if (!isDone) throw new ArchiveError('damaged');
  sheet.fillMerged(merged, isTurned);
  return sheet;
}

/** Whether the properties of a style strike text through. */
function strikes(attributes: Readonly<Record<string, string>>): boolean {
  const line = attributes['style:text-line-through-style'];
  return line !== undefined && line !== 'none';
}

/** The value of a cell, or its formula where that has none. */
function storedText(attributes: Readonly<Record<string, string>>): string {
  const formula = attributes['table:formula']?.replace(/^[^=]*|\[\.?|\]/g, '') ?? '';
  const values = ['string', 'date', 'time', 'boolean'].map((type) => `office:${type}-value`);
  const value = ['office:value', ...values].map((name) => attributes[name]).find(Boolean);
  return value?.replace(/^(?:true|false)$/, (word) => word.toUpperCase()) ?? formula;
}

function repeated(attribute: string | undefined, most: number): number {
  const number = Number(attribute ?? 1);
  return Number.isInteger(number) && number > 0 ? Math.min(number, most) : 1;
}

/** Hidden by the user, or by a filter. */
function isCollapsed(attributes: Readonly<Record<string, string>>): boolean {
  const visibility = attributes['table:visibility'];
  return visibility === 'collapse' || visibility === 'filter';
}
