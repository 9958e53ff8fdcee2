/** Reads a sheet of an Excel workbook (ECMA-376), with each value as the workbook shows it. */
import { ArchiveError, type Archive } from './archive.ts';
import {
  MAX_FORMAT,
  languageOfFormats,
  daysOf,
  numberFormatter,
  shownBoolean,
  type BookStyles,
} from './number-formats.ts';
import { SheetRows, type MergedRange, type ShownAs, type ShownCell } from './sheet.ts';
import { readXml } from './xml-events.ts';
import { columnNumber } from './xlsx-tables.ts';

export interface XlsxSheet {
  readonly name: string;
  readonly isHidden: boolean;
  /** The part's name in the archive. */
  readonly part: string;
}

export interface XlsxBook {
  readonly sheets: readonly XlsxSheet[];
  /** Whether days are counted from 1904, as old Excel on a Mac does. */
  readonly is1904: boolean;
  readonly styles: BookStyles;
}

/** Rows that one merged range may cover. */
const MAX_MERGED = 100_000;
/** The text of a cell whose own is missing: the row gets an error. */
const DAMAGED = '\ufffd';
/** Columns of a sheet. */
const MAX_COLUMNS = 16_384;

/** @throws {ArchiveError} */
export function openXlsx(archive: Archive): XlsxBook {
  const targets = new Map<string, string>();
  readXml(archive.read('xl/_rels/workbook.xml.rels'), {
    open(name, { Id, Target }) {
      if (name === 'Relationship' && Id !== undefined && Target !== undefined) {
        targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`);
      }
    },
  });
  const sheets: XlsxSheet[] = [];
  let is1904 = false;
  readXml(archive.read('xl/workbook.xml'), {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = isTrue(attributes.date1904);
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];
      const part = targets.get(id ?? '');
      const { name: title, state } = attributes;
      // A sheet of charts or macros has no rows.
      if (title === undefined || part?.startsWith('xl/worksheets/') !== true) return;
      sheets.push({ name: title, isHidden: state !== undefined && state !== 'visible', part });
    },
  });
  return { sheets, is1904, styles: readStyles(archive) };
}

function readStyles(archive: Archive): BookStyles {
  const codes = new Map<number, string>();
  const formats: (string | number)[] = [];
  const struck = new Set<number>();
  if (!archive.names.has('xl/styles.xml')) return { formats, struck, language: null };
  const struckFonts = new Set<number>();
  let fonts = 0;
  let isCellStyle = false;
  readXml(archive.read('xl/styles.xml'), {
    open(name, { numFmtId, formatCode, fontId, val }) {
      if (isStrike(name, val)) struckFonts.add(fonts);
      if (name === 'numFmt' && (formatCode ?? '').length <= MAX_FORMAT) {
        codes.set(Number(numFmtId), formatCode ?? 'General');
      }
      if (name === 'cellXfs') isCellStyle = true;
      if (name === 'xf' && isCellStyle) {
        const id = Number(numFmtId ?? 0);
        if (struckFonts.has(Number(fontId ?? 0))) struck.add(formats.length);
        formats.push(codes.get(id) ?? id);
      }
    },
    close(name) {
      if (name === 'cellXfs') isCellStyle = false;
      if (name === 'font') fonts += 1;
    },
  });
  return { formats, struck, language: languageOfFormats([...codes.values()]) };
}

/**
 * @throws {ArchiveError} when a part is missing or damaged
 * @throws {SheetExcessError}
 */
export function readXlsxSheet(
  archive: Archive,
  book: XlsxBook,
  { part }: XlsxSheet,
  { language, isTurned }: ShownAs,
): SheetRows {
  const { strings, struck } = readStrings(archive);
  const shownNumber = numberFormatter(book, language);
  const sheet = new SheetRows();
  const merged: MergedRange[] = [];
  let row = 0;
  let column = -1;
  let isHidden = false;
  let cells = new Map<number, ShownCell>();
  let type = 'n';
  let style = 0;
  let value = '';
  /** `''` for one that is written in another cell. */
  let formula: string | null = null;
  let target: 'value' | 'formula' | 'inline' | null = null;
  let isPhonetic = false;
  let isStruck = false;
  readXml(archive.read(part), {
    open(name, attributes) {
      if (isStrike(name, attributes.val)) isStruck = true;
      switch (name) {
        case 'col':
          if (isTrue(attributes.hidden) || Number(attributes.width) === 0) {
            hideColumns(sheet, attributes);
          }
          break;
        case 'row':
          row = nextRow(attributes.r, row);
          isHidden = isTrue(attributes.hidden) || Number(attributes.ht) === 0;
          column = -1;
          cells = new Map();
          break;
        case 'c':
          column = attributes.r === undefined ? column + 1 : columnOf(attributes.r);
          type = attributes.t ?? 'n';
          style = Number(attributes.s ?? 0);
          isStruck = book.styles.struck.has(style);
          value = '';
          formula = null;
          break;
        case 'v':
          target = 'value';
          break;
        case 'f':
          target = 'formula';
          formula = '';
          break;
        case 't':
          target = isPhonetic ? null : 'inline';
          break;
        case 'rPh':
          isPhonetic = true;
          break;
        case 'mergeCell':
          addMerged(merged, attributes.ref ?? '');
          break;
      }
    },
    text(text) {
      if (target === 'formula') formula = (formula ?? '') + text;
      else if (target !== null) value += text;
    },
    close(name) {
      if (name === 'v' || name === 'f' || name === 't') target = null;
      if (name === 'rPh') isPhonetic = false;
      if (name === 'c') {
        const cell = shownCell();
        // Which of two texts is shown depends on the program.
        if (cells.has(column)) throw new ArchiveError('damaged');
        isStruck ||= type === 's' && struck.has(Number(value));
        if (cell.text !== '') cells.set(column, isStruck ? { ...cell, isStruck } : cell);
      }
      if (name === 'row') sheet.add(row, cells, isHidden);
    },
  });
  sheet.fillMerged(merged, isTurned);
  return sheet;

  /** Without a format of dates, a date is shown as it is written. */
  function shownDate(iso: string, at: number): ShownCell {
    const days = daysOf(iso, book.is1904);
    const shown = days === null ? null : shownNumber(days, at, iso);
    return shown?.number === undefined && shown !== null ? shown : { text: iso };
  }

  function shownCell(): ShownCell {
    switch (type) {
      case 's':
        // An index beyond the list: the cell's text is lost.
        return { text: strings[Number(value)] ?? (value === '' ? '' : DAMAGED) };
      case 'inlineStr':
      case 'str':
        return { text: unescaped(value) };
      case 'b':
        return { text: shownBoolean(value === '1' || value === 'true', language) };
      case 'd':
        return shownDate(value, style);
      case 'e':
        return { text: value };
      default:
        // A program that does not calculate stores a formula without its value.
        if (value === '') return { text: formula === null ? '' : `=${formula || 'A1'}` };
        return shownNumber(Number(value), style, value);
    }
  }
}

interface SharedStrings {
  readonly strings: readonly string[];
  /** Places of those with a part that is struck through. */
  readonly struck: ReadonlySet<number>;
}

function readStrings(archive: Archive): SharedStrings {
  const strings: string[] = [];
  const struck = new Set<number>();
  if (!archive.names.has('xl/sharedStrings.xml')) return { strings, struck };
  let text = '';
  let isText = false;
  let isPhonetic = false;
  readXml(archive.read('xl/sharedStrings.xml'), {
    open(name, { val }) {
      if (isStrike(name, val)) struck.add(strings.length);
      if (name === 'si') text = '';
      if (name === 'rPh') isPhonetic = true;
      if (name === 't') isText = !isPhonetic;
    },
    text(piece) {
      if (isText) text += piece;
    },
    close(name) {
      if (name === 't') isText = false;
      if (name === 'rPh') isPhonetic = false;
      if (name === 'si') strings.push(unescaped(text));
    },
  });
  return { strings, struck };
}

/** Whether an element of a font strikes its text through. */
function isStrike(name: string, val = '1'): boolean {
  return name === 'strike' && val !== '0' && val !== 'false';
}

/** `_x000D_` stands for a character that XML cannot contain, and `_x005F_` for an underscore. */
function unescaped(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;
}

function hideColumns(sheet: SheetRows, { min, max }: Readonly<Record<string, string>>): void {
  sheet.hide(Number(min) - 1, Math.min(Number(max), MAX_COLUMNS));
}

function addMerged(merged: MergedRange[], ref: string): void {
  const [from = '', to = from] = ref.split(':');
  const firstRow = rowNumber(/\d+$/.exec(from)?.[0], 0);
  const lastRow = rowNumber(/\d+$/.exec(to)?.[0], 0);
  const [column, lastColumn] = [columnOf(from), columnOf(to)];
  if (lastRow - firstRow <= MAX_MERGED && merged.length < MAX_MERGED) {
    merged.push({ firstRow, lastRow, column, lastColumn });
  }
}

/** Rows are in their order, each once; which one is shown otherwise depends on the program. */
function nextRow(text: string | undefined, before: number): number {
  const row = rowNumber(text, before + 1);
  if (row <= before) throw new ArchiveError('damaged');
  return row;
}

function rowNumber(text: string | undefined, otherwise: number): number {
  const number = text === undefined ? otherwise : Number(text);
  if (!Number.isInteger(number) || number < 0 || number > 1_048_576) {
    throw new ArchiveError('damaged');
  }
  return number;
}

/** 0 for `A1`, 26 for `AA1`. */
export function columnOf(reference: string): number {
  return columnNumber(/^[A-Z]{1,3}/i.exec(reference)?.[0].toUpperCase() ?? '');
}

function isTrue(attribute: string | undefined): boolean {
  return attribute === '1' || attribute === 'true';
}
