/** Writes an Excel workbook with some cells of one sheet changed. Everything else stays as it was. */
import { columnLetters } from '../../../contract/row-place.ts';
import type { TableReading } from '../../../contract/table-reading.ts';
import { ArchiveError, openArchive, type Archive } from './archive.ts';
import { locateTable } from './locate-table.ts';
import { rewriteArchive } from './rewrite-archive.ts';
import { SheetExcessError } from './sheet.ts';
import { columnNames } from './table-records.ts';
import type { TableOptions } from './table-options.ts';
import { readXml } from './xml-events.ts';
import { columnOf, openXlsx, readXlsxSheet, type XlsxSheet } from './xlsx-sheet.ts';
import { namedTables, rowsOfTable } from './xlsx-tables.ts';
import type { ChangedCells } from './rewrite-table.ts';

export interface RewrittenWorkbook {
  readonly bytes: Uint8Array;
  /** Formulas whose cells have texts instead. */
  readonly replacedFormulas: number;
}

/** Whether a text that is a number is written as one where the cell was no text. */
export type NumbersAs = 'numbers' | 'texts';

/**
 * The caller has to read the result: a program shows a number by its cell's format, and only the
 * first cell of a merged range.
 *
 * @param reading how the sheet with the cells was read
 * @returns `null` when it is no such workbook, is turned, has no such cell, or other cells depend on a changed
 *   one's formula
 */
export function rewriteWorkbook(
  bytes: Uint8Array,
  reading: TableReading,
  options: TableOptions,
  changes: ChangedCells,
  numbersAs: NumbersAs,
): RewrittenWorkbook | null {
  if (reading.kind !== 'xlsx' || reading.turn === 'turned') return null;
  try {
    const archive = openArchive(bytes);
    const book = openXlsx(archive);
    const shown = reading.sheet ?? '';
    const sheet =
      book.sheets.find(({ name }) => name === shown) ??
      book.sheets.find(({ name }) => shown.startsWith(`${name}!`));
    if (sheet === undefined) return null;
    const { rows } = readXlsxSheet(archive, book, sheet, {
      language: reading.language ?? options.language,
      isTurned: options.choices.turn === true,
    });
    const table = namedTables(archive, sheet.part).find(
      ({ name }) => `${sheet.name}!${name}` === shown,
    );
    const choices = { ...options.choices, headerRow: reading.headerRow ?? undefined };
    const grid = table === undefined ? rows : rowsOfTable(rows, table);
    const { names } = columnNames(locateTable(grid, { ...options, choices }));
    const cells = byPlace(changes, names);
    return cells === null ? null : rewritten(bytes, archive, sheet, cells, numbersAs);
  } catch (error) {
    if (error instanceof ArchiveError || error instanceof SheetExcessError) return null;
    throw error;
  }
}

/** Texts by the numbers of rows, and of columns from 0. */
type CellsByPlace = ReadonlyMap<number, ReadonlyMap<number, string>>;

function byPlace(changes: ChangedCells, names: readonly string[]): CellsByPlace | null {
  const cells = new Map(
    [...changes].map(([row, texts]) => [
      row,
      new Map([...texts].map(([name, text]) => [names.indexOf(name), text] as const)),
    ]),
  );
  return [...cells.values()].some((row) => row.has(-1)) ? null : cells;
}

const CALC_CHAIN = 'xl/calcChain.xml';

function rewritten(
  bytes: Uint8Array,
  archive: Archive,
  { part }: XlsxSheet,
  cells: CellsByPlace,
  numbersAs: NumbersAs,
): RewrittenWorkbook | null {
  const changed = changedSheet(archive.read(part), cells, numbersAs);
  if (changed === null) return null;
  const { content, formulas, replacedFormulas } = changed;
  const parts = new Map<string, Uint8Array | null>([[part, content]]);
  const editTags = (name: string, edit: (tag: string) => string): void => {
    if (archive.names.has(name)) parts.set(name, withTags(archive.read(name), edit));
  };
  if (formulas > replacedFormulas || archive.names.has(CALC_CHAIN))
    editTags('xl/workbook.xml', calculatedAtOpening);
  if (replacedFormulas > 0 && archive.names.has(CALC_CHAIN)) {
    // Excel takes a workbook for damaged whose list of formulas names a cell without one.
    const without = (tag: string): string => (tag.includes('calcChain') ? '' : tag);
    parts.set(CALC_CHAIN, null);
    editTags('[Content_Types].xml', without);
    editTags('xl/_rels/workbook.xml.rels', without);
  }
  return { bytes: rewriteArchive(bytes, parts), replacedFormulas };
}

function withTags(part: Uint8Array, edit: (tag: string) => string): Uint8Array {
  return Buffer.from(
    Buffer.from(part)
      .toString('latin1')
      .replace(/<[^<>]*>/g, edit),
    'latin1',
  );
}

/** The stored results of formulas are those of the cells before. */
function calculatedAtOpening(tag: string): string {
  return tag
    .replace(/^(<(?:\w+:)?calcPr\b.*?)\sfullCalcOnLoad=(?:"[^"]*"|'[^']*')/s, '$1')
    .replace(/^<(?:\w+:)?calcPr\b/, '$& fullCalcOnLoad="1"');
}

interface ChangedSheet {
  readonly content: Uint8Array;
  /** Of the sheet. */
  readonly formulas: number;
  readonly replacedFormulas: number;
}

/** @returns `null` if a change would not be seen, or would change other cells */
function changedSheet(
  part: Uint8Array,
  changes: CellsByPlace,
  numbersAs: NumbersAs,
): ChangedSheet | null {
  const rewriter = new SheetRewriter(part, changes, numbersAs);
  readXml(
    part,
    {
      open(name, attributes, { start }) {
        if (name === 'row') rewriter.openRow(attributes);
        else if (name === 'c') rewriter.openCell(attributes, start);
        else if (name === 'f') rewriter.openFormula(attributes);
        else if (name === 'mergeCell') rewriter.openMergedRange(attributes);
      },
      close(name, { start, end }) {
        if (name === 'c') rewriter.closeCell(end);
        if (name === 'row') rewriter.closeRow(start);
      },
    },
    'latin1',
  );
  return rewriter.finish();
}

type Attributes = Readonly<Record<string, string>>;

/** Writes the changed cells of a sheet while it is read. Places in it are in bytes. */
class SheetRewriter {
  readonly #source: Buffer;
  readonly #changes: CellsByPlace;
  readonly #numbersAs: NumbersAs;
  readonly #pieces: Uint8Array[] = [];
  /** Where the bytes begin that are not in a piece yet. */
  #copied = 0;
  #row = 0;
  #column = -1;
  /** The changes of this row that are not written yet. */
  #left = new Map<number, string>();
  /** The changed cell that is open. */
  #cell: CellToChange | null = null;
  #formulas = 0;
  #replacedFormulas = 0;
  /** Rows with changes that were not found yet. */
  #missingRows: number;
  /** Reasons why a change would not be seen, or would change other cells. */
  #obstacles = 0;

  constructor(part: Uint8Array, changes: CellsByPlace, numbersAs: NumbersAs) {
    this.#source = Buffer.from(part.buffer, part.byteOffset, part.length);
    this.#changes = changes;
    this.#numbersAs = numbersAs;
    this.#missingRows = changes.size;
  }

  openRow({ r }: Attributes): void {
    this.#row = r === undefined ? this.#row + 1 : Number(r);
    this.#column = -1;
    this.#left = new Map(this.#changes.get(this.#row));
    if (this.#left.size > 0) this.#missingRows -= 1;
  }

  openCell({ r, s = '', t = '' }: Attributes, start: number): void {
    const column = r === undefined ? this.#column + 1 : columnOf(r);
    this.#column = column;
    this.#insertBefore(start, column);
    const text = this.#left.get(column);
    if (text === undefined) return;
    this.#left.delete(column);
    const prefix = prefixAt(this.#source, start);
    const style = /^\d{1,6}$/.test(s) ? ` s="${s}"` : '';
    const isText = !['n', ''].includes(t);
    this.#cell = { start, text, prefix, row: this.#row, column, style, isText };
  }

  openFormula({ ref }: Attributes): void {
    this.#formulas += 1;
    if (this.#cell === null) return;
    this.#replacedFormulas += 1;
    // Cells of this range have the formula of this one.
    if (ref !== undefined) this.#obstacles += 1;
  }

  openMergedRange({ ref = '' }: Attributes): void {
    if (coversChange(ref, this.#changes)) this.#obstacles += 1;
  }

  closeCell(end: number): void {
    if (this.#cell === null) return;
    const { start, text } = this.#cell;
    this.#replace(start, end, cellXml(this.#cell, text, this.#numbersAs));
    this.#cell = null;
  }

  closeRow(start: number): void {
    this.#insertBefore(start, Infinity);
  }

  finish(): ChangedSheet | null {
    if (this.#obstacles + this.#missingRows > 0) return null;
    return {
      content: Buffer.concat([...this.#pieces, this.#source.subarray(this.#copied)]),
      formulas: this.#formulas,
      replacedFormulas: this.#replacedFormulas,
    };
  }

  /** Writes the changed cells that this row lacks, up to a column. */
  #insertBefore(at: number, column: number): void {
    const missing = [...this.#left]
      .filter(([place]) => place < column)
      .sort(([one], [other]) => one - other);
    if (missing.length === 0) return;
    const prefix = prefixAt(this.#source, at);
    const written = missing.map(([place, text]) => {
      const cell = { prefix, row: this.#row, column: place, style: '', isText: false };
      return cellXml(cell, text, this.#numbersAs);
    });
    for (const [place] of missing) this.#left.delete(place);
    this.#replace(at, at, written.join(''));
  }

  #replace(start: number, end: number, text: string): void {
    this.#pieces.push(this.#source.subarray(this.#copied, start), Buffer.from(text));
    this.#copied = end;
  }
}

interface CellToWrite {
  /** Of the names of elements, with its colon. */
  readonly prefix: string;
  readonly row: number;
  readonly column: number;
  readonly style: string;
  /** Whether it was a text, or another value that is no number. */
  readonly isText: boolean;
}

interface CellToChange extends CellToWrite {
  readonly start: number;
  readonly text: string;
}

function prefixAt(source: Buffer, at: number): string {
  return /^<\/?([\w.-]{1,40}:)/.exec(source.toString('latin1', at, at + 50))?.[1] ?? '';
}

/** No more digits than a spreadsheet keeps. */
const NUMBER = /^-?(?:0|[1-9]\d{0,11})(?:\.\d{1,3})?$/;

function cellXml(
  { prefix, row, column, style, isText }: CellToWrite,
  text: string,
  numbersAs: NumbersAs,
): string {
  const start = `<${prefix}c r="${columnLetters(column)}${String(row)}"${style}`;
  if (text === '') return `${start}/>`;
  if (numbersAs === 'numbers' && !isText && NUMBER.test(text)) {
    return `${start}><${prefix}v>${text}</${prefix}v></${prefix}c>`;
  }
  const inner = `<${prefix}t xml:space="preserve">${escapedText(text)}</${prefix}t>`;
  return `${start} t="inlineStr"><${prefix}is>${inner}</${prefix}is></${prefix}c>`;
}

/** A character that XML cannot contain is `_x000B_`, and the start of such a code is escaped. */
function escapedText(text: string): string {
  return text
    .replace(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replace(
      /(?![\t\n])\p{Cc}|[\ufffe\uffff]|\p{Cs}/gu,
      (char) => `_x${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** Whether a merged range hides a changed cell: only its first cell is shown. */
function coversChange(range: string, changes: CellsByPlace): boolean {
  const [, left = '', top, right = '', bottom] =
    /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(range) ?? [];
  if (bottom === undefined) return false;
  const [first, last, from, to] = [columnOf(left), columnOf(right), Number(top), Number(bottom)];
  return [...changes].some(
    ([row, texts]) =>
      row >= from &&
      row <= to &&
      [...texts.keys()].some(
        (column) => column >= first && column <= last && (row !== from || column !== first),
      ),
  );
}
