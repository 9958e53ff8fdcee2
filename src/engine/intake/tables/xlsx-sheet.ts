/** Reads a sheet of an Excel workbook (ECMA-376), with each value as the workbook shows it. */
import { format, isDateFormat, isPercentFormat, isValidFormat } from 'numfmt';
import { ArchiveError, type Archive } from './archive.ts';
import { builtInFormat, withDateSeparator } from './built-in-formats.ts';
import { SheetRows, type MergedRange, type ShownCell } from './sheet.ts';
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
  readonly styles: XlsxStyles;
}

interface XlsxStyles {
  /** The number format of each cell style; a number stands for one that is built in. */
  readonly formats: readonly (string | number)[];
  /** The language of the workbook's formats; `null` if they name none. */
  readonly language: string | null;
}

/** Days between the two first days that workbooks count from. */
const DAYS_TO_1904 = 1462;
/** Rows that one merged range may cover. */
const MAX_MERGED = 100_000;
/** Characters of a number format, as in Excel. */
const MAX_FORMAT = 255;
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

function readStyles(archive: Archive): XlsxStyles {
  const codes = new Map<number, string>();
  const formats: (string | number)[] = [];
  if (!archive.names.has('xl/styles.xml')) return { formats, language: null };
  let isCellStyle = false;
  readXml(archive.read('xl/styles.xml'), {
    open(name, { numFmtId, formatCode }) {
      if (name === 'numFmt' && (formatCode ?? '').length <= MAX_FORMAT) {
        codes.set(Number(numFmtId), formatCode ?? 'General');
      }
      if (name === 'cellXfs') isCellStyle = true;
      if (name === 'xf' && isCellStyle) {
        const id = Number(numFmtId ?? 0);
        formats.push(codes.get(id) ?? id);
      }
    },
    close(name) {
      if (name === 'cellXfs') isCellStyle = false;
    },
  });
  const ids = [...codes.values()].flatMap((code) =>
    [...code.matchAll(/\[\$[^\]-]*-([\da-f]{3,8})\]/gi)].map(
      ([, id]) => Number.parseInt(id ?? '', 16) & 0xffff,
    ),
  );
  // English formats are written in workbooks of every language; F400 and F800 are the system's.
  const languages = ids.map((each) => LANGUAGES[each & 0x3ff]);
  // English formats are in workbooks of every language, so another one says more.
  const language = languages.find((each) => each !== undefined && each !== 'en') ?? null;
  return { formats, language };
}

/** Codes of Windows for languages that write numbers differently from English. */
const LANGUAGES: Readonly<Record<number, string>> = {
  0x05: 'cs',
  0x06: 'da',
  0x07: 'de',
  0x0a: 'es',
  0x0b: 'fi',
  0x0c: 'fr',
  0x0e: 'hu',
  0x10: 'it',
  0x13: 'nl',
  0x14: 'nb',
  0x15: 'pl',
  0x16: 'pt',
  0x19: 'ru',
  0x1d: 'sv',
  0x1f: 'tr',
  0x09: 'en',
};

/**
 * @param language in which numbers are shown
 * @throws {ArchiveError} when a part is missing or damaged
 * @throws {SheetExcessError}
 */
export function readXlsxSheet(
  archive: Archive,
  book: XlsxBook,
  { part }: XlsxSheet,
  language: string,
): SheetRows {
  const strings = readStrings(archive);
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
  readXml(archive.read(part), {
    open(name, attributes) {
      switch (name) {
        case 'col':
          if (isTrue(attributes.hidden)) hideColumns(sheet, attributes);
          break;
        case 'row':
          row = rowNumber(attributes.r, row + 1);
          isHidden = isTrue(attributes.hidden);
          column = -1;
          cells = new Map();
          break;
        case 'c':
          column = attributes.r === undefined ? column + 1 : columnOf(attributes.r);
          type = attributes.t ?? 'n';
          style = Number(attributes.s ?? 0);
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
        if (cell.text !== '') cells.set(column, cell);
      }
      if (name === 'row') sheet.add(row, cells, isHidden);
    },
  });
  sheet.fillMerged(merged);
  return sheet;

  function shownCell(): ShownCell {
    switch (type) {
      case 's':
        // An index beyond the list: the cell's text is lost.
        return { text: strings[Number(value)] ?? (value === '' ? '' : DAMAGED) };
      case 'inlineStr':
      case 'str':
        return { text: unescaped(value) };
      case 'b':
        return { text: format('General', value === '1' || value === 'true', { locale: language }) };
      case 'e':
      case 'd':
        return { text: value };
      default:
        // A program that does not calculate stores a formula without its value.
        if (value === '') return { text: formula === null ? '' : `=${formula || 'A1'}` };
        return shownNumber(Number(value), style, value);
    }
  }
}

function readStrings(archive: Archive): readonly string[] {
  const strings: string[] = [];
  if (!archive.names.has('xl/sharedStrings.xml')) return strings;
  let text = '';
  let isText = false;
  let isPhonetic = false;
  readXml(archive.read('xl/sharedStrings.xml'), {
    open(name) {
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
  return strings;
}

/** Shows numbers as their cells' formats say. */
function numberFormatter(
  { styles, is1904 }: XlsxBook,
  language: string,
): (number: number, style: number, source: string) => ShownCell {
  const patterns = new Map<number, { pattern: string; isDate: boolean; isPercent: boolean }>();
  const patternOf = (style: number) => {
    let known = patterns.get(style);
    if (known === undefined) {
      const given = styles.formats[style] ?? 0;
      const code = typeof given === 'number' ? builtInFormat(given, language) : given;
      // Checked once: the library would parse a wrong one again for every number.
      const valid = isValidFormat(code) ? code : 'General';
      const isDate = isDateFormat(valid);
      const pattern = isDate ? withDateSeparator(valid, language) : valid;
      known = { pattern, isDate, isPercent: isPercentFormat(valid) };
      patterns.set(style, known);
    }
    return known;
  };
  return (number, style, source) => {
    if (!Number.isFinite(number)) return { text: source };
    const { pattern, isDate, isPercent } = patternOf(style);
    const shown = isDate && is1904 ? number + DAYS_TO_1904 : number;
    const text = format(pattern, shown, {
      locale: language,
      throws: false,
      invalid: source,
    }).trim();
    return isDate || isPercent ? { text } : { text, number };
  };
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

function rowNumber(text: string | undefined, otherwise: number): number {
  const number = text === undefined ? otherwise : Number(text);
  if (!Number.isInteger(number) || number < 0 || number > 1_048_576) {
    throw new ArchiveError('damaged');
  }
  return number;
}

/** 0 for `A1`, 26 for `AA1`. */
function columnOf(reference: string): number {
  return columnNumber(/^[A-Z]{1,3}/i.exec(reference)?.[0].toUpperCase() ?? '');
}

function isTrue(attribute: string | undefined): boolean {
  return attribute === '1' || attribute === 'true';
}
