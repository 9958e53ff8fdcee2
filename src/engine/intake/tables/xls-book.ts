/** Reads a workbook of Excel 97 to 2003 ([MS-XLS]), with each value as the workbook shows it. */
import { MAX_BATCH_CELLS } from '../../../contract/batch-limits.ts';
import { ArchiveError } from './archive.ts';
import {
  MAX_FORMAT,
  languageOfFormats,
  numberFormatter,
  shownBoolean,
  type BookStyles,
} from './number-formats.ts';
import {
  SheetExcessError,
  SheetRows,
  type MergedRange,
  type ShownAs,
  type ShownCell,
} from './sheet.ts';

export interface XlsSheet {
  readonly name: string;
  readonly isHidden: boolean;
  /** Where it begins in the workbook's stream. */
  readonly start: number;
}

export interface XlsBook {
  readonly sheets: readonly XlsSheet[];
  readonly is1904: boolean;
  readonly styles: BookStyles;
  readonly strings: readonly string[];
}

const RECORDS = {
  formula: 0x0006,
  end: 0x000a,
  dateMode: 0x0022,
  password: 0x002f,
  continued: 0x003c,
  columns: 0x007d,
  sheet: 0x0085,
  numbers: 0x00bd,
  richLabel: 0x00d6,
  font: 0x0031,
  style: 0x00e0,
  merged: 0x00e5,
  strings: 0x00fc,
  sharedLabel: 0x00fd,
  number: 0x0203,
  label: 0x0204,
  booleanOrError: 0x0205,
  string: 0x0207,
  row: 0x0208,
  shortNumber: 0x027e,
  format: 0x041e,
  begin: 0x0809,
} as const;

const ERRORS: Readonly<Record<number, string>> = {
  0x00: '#NULL!',
  0x07: '#DIV/0!',
  0x0f: '#VALUE!',
  0x17: '#REF!',
  0x1d: '#NAME?',
  0x24: '#NUM!',
  0x2a: '#N/A',
};

/** The version of workbooks since Excel 97. */
const BIFF8 = 0x0600;
/** The text of a cell whose own is missing: the row gets an error. */
const DAMAGED = '\ufffd';

interface BookRecord {
  readonly type: number;
  /** Its bytes, then those of the records that continue it. */
  readonly parts: readonly Buffer[];
}

/**
 * @param stream the stream `Workbook` of its file
 * @throws {ArchiveError}
 */
export function openXls(stream: Buffer): XlsBook {
  const sheets: XlsSheet[] = [];
  const codes = new Map<number, string>();
  const formatIds: number[] = [];
  const struckFonts = new Set<number>();
  const struck = new Set<number>();
  let fonts = 0;
  let strings: readonly string[] = [];
  let is1904 = false;
  for (const { type, parts } of recordsFrom(stream, 0)) {
    const reader = new PartsReader(parts);
    switch (type) {
      case RECORDS.password:
        throw new ArchiveError('encrypted');
      case RECORDS.dateMode:
        is1904 = reader.number(2) === 1;
        break;
      case RECORDS.format: {
        const [id, length] = [reader.number(2), reader.number(2)];
        if (length <= MAX_FORMAT) codes.set(id, reader.text(length));
        break;
      }
      case RECORDS.font:
        reader.skip(2);
        if ((reader.number(2) & 0x08) !== 0) struckFonts.add(fonts);
        // No font has the number 4.
        fonts += fonts === 3 ? 2 : 1;
        break;
      case RECORDS.style:
        if (struckFonts.has(reader.number(2))) struck.add(formatIds.length);
        formatIds.push(reader.number(2));
        break;
      case RECORDS.sheet: {
        const [start, state, kind] = [reader.number(4), reader.number(1), reader.number(1)];
        const name = reader.text(reader.number(1));
        // A sheet of charts or macros has no rows.
        if (kind === 0) sheets.push({ name, isHidden: (state & 3) !== 0, start });
        break;
      }
      case RECORDS.strings:
        strings = sharedStrings(reader);
        break;
    }
  }
  const formats = formatIds.map((id) => codes.get(id) ?? id);
  return {
    sheets,
    is1904,
    strings,
    styles: { formats, struck, language: languageOfFormats([...codes.values()]) },
  };
}

/**
 * @param language in which numbers are shown
 * @throws {ArchiveError}
 * @throws {SheetExcessError}
 */
export function readXlsSheet(
  stream: Buffer,
  book: XlsBook,
  { start }: XlsSheet,
  { language, isTurned }: ShownAs,
): SheetRows {
  const shownNumber = numberFormatter(book, language);
  const sheet = new SheetRows();
  const rows = new Map<number, Map<number, ShownCell>>();
  const hidden = new Set<number>();
  const merged: MergedRange[] = [];
  let cells = 0;
  /** The cell whose formula has a text, which the next record is. */
  let awaiting: readonly [row: number, column: number, style: number] | null = null;
  const set = (row: number, column: number, style: number, cell: ShownCell): void => {
    cells += 1;
    if (cells > MAX_BATCH_CELLS) throw new SheetExcessError('cells');
    const own = rows.get(row) ?? new Map<number, ShownCell>();
    const isStruck = book.styles.struck.has(style);
    rows.set(row, own.set(column, isStruck ? { ...cell, isStruck } : cell));
  };
  for (const { type, parts } of recordsFrom(stream, start)) {
    const reader = new PartsReader(parts);
    if (type === RECORDS.string && awaiting !== null) {
      set(...awaiting, { text: reader.text(reader.number(2)) });
      awaiting = null;
    }
    if (type === RECORDS.row) {
      const row = reader.number(2);
      reader.skip(10);
      if ((reader.number(2) & 0x20) !== 0) hidden.add(row);
    } else if (type === RECORDS.columns) {
      const [first, last] = [reader.number(2), reader.number(2)];
      reader.skip(4);
      if ((reader.number(2) & 1) !== 0) sheet.hide(first, last + 1);
    } else if (type === RECORDS.merged) {
      for (let left = reader.number(2); left > 0; left -= 1) {
        const [firstRow, lastRow] = [reader.number(2) + 1, reader.number(2) + 1];
        const [column, lastColumn] = [reader.number(2), reader.number(2)];
        merged.push({ firstRow, lastRow, column, lastColumn });
      }
    } else if (CELLS.has(type)) {
      const [row, column] = [reader.number(2), reader.number(2)];
      if (type === RECORDS.numbers) {
        // Six bytes each, between the place of the first cell and the column of the last one.
        const count = Math.floor(((parts[0]?.length ?? 0) - 6) / 6);
        for (let at = 0; at < count; at += 1) {
          const style = reader.number(2);
          const number = shortNumber(reader.number(4));
          set(row, column + at, style, shownNumber(number, style, String(number)));
        }
        continue;
      }
      const style = reader.number(2);
      const cell = cellIn(type, reader, book.strings, language);
      if (cell === null) awaiting = [row, column, style];
      else if (typeof cell === 'number')
        set(row, column, style, shownNumber(cell, style, String(cell)));
      else if (cell !== '') set(row, column, style, { text: cell });
    }
  }
  for (const [row, own] of [...rows].sort(([one], [other]) => one - other)) {
    sheet.add(row + 1, own, hidden.has(row));
  }
  sheet.fillMerged(merged, isTurned);
  return sheet;
}

const CELLS: ReadonlySet<number> = new Set([
  RECORDS.formula,
  RECORDS.numbers,
  RECORDS.richLabel,
  RECORDS.sharedLabel,
  RECORDS.number,
  RECORDS.label,
  RECORDS.booleanOrError,
  RECORDS.shortNumber,
]);

/** A text or a number; `null` for a formula whose text is in the next record. */
function cellIn(
  type: number,
  reader: PartsReader,
  strings: readonly string[],
  language: string,
): string | number | null {
  switch (type) {
    case RECORDS.sharedLabel:
      return strings[reader.number(4)] ?? DAMAGED;
    case RECORDS.number:
      return reader.double();
    case RECORDS.shortNumber:
      return shortNumber(reader.number(4));
    case RECORDS.booleanOrError: {
      const [value, isError] = [reader.number(1), reader.number(1)];
      return isError === 1 ? (ERRORS[value] ?? '#N/A') : shownBoolean(value === 1, language);
    }
    case RECORDS.formula:
      return formulaValue(reader, language);
    default:
      return reader.text(reader.number(2));
  }
}

function formulaValue(reader: PartsReader, language: string): string | number | null {
  const bytes = reader.bytes(8);
  if (bytes.readUInt16LE(6) !== 0xff_ff) return bytes.readDoubleLE();
  const value = bytes[2] ?? 0;
  switch (bytes[0]) {
    case 0:
      return null;
    case 1:
      return shownBoolean(value === 1, language);
    case 2:
      return ERRORS[value] ?? '#N/A';
    default:
      return '';
  }
}

/** A number in 30 bits: a whole one, or the first half of a double; divided by 100 perhaps. */
function shortNumber(bits: number): number {
  const half = Buffer.alloc(8);
  half.writeUInt32LE(bits - (bits % 4), 4);
  const number = (bits & 2) === 0 ? half.readDoubleLE() : bits >> 2;
  return (bits & 1) === 0 ? number : number / 100;
}

function sharedStrings(reader: PartsReader): readonly string[] {
  reader.skip(4);
  const count = reader.number(4);
  const strings: string[] = [];
  while (strings.length < count && !reader.isAtEnd) strings.push(reader.text(reader.number(2)));
  return strings;
}

/**
 * The records of a part of the workbook, from its beginning to its end, without embedded charts.
 * @throws {ArchiveError}
 */
function* recordsFrom(stream: Buffer, start: number): Generator<BookRecord> {
  let depth = 0;
  let at = start;
  while (at + 4 <= stream.length) {
    const type = stream.readUInt16LE(at);
    const parts: Buffer[] = [];
    do {
      const length = stream.readUInt16LE(at + 2);
      parts.push(stream.subarray(at + 4, at + 4 + length));
      at += 4 + length;
    } while (at + 4 <= stream.length && stream.readUInt16LE(at) === RECORDS.continued);
    if (type === RECORDS.begin) {
      if (depth === 0 && new PartsReader(parts).number(2) !== BIFF8)
        throw new ArchiveError('damaged');
      depth += 1;
    } else if (depth === 0) throw new ArchiveError('damaged');
    else if (type === RECORDS.end) {
      depth -= 1;
      if (depth === 0) return;
    } else if (depth === 1) yield { type, parts };
  }
  throw new ArchiveError('damaged');
}

/** Reads a record that others may continue. @throws {ArchiveError} beyond its end */
class PartsReader {
  readonly #parts: readonly Buffer[];
  #part = 0;
  #at = 0;

  constructor(parts: readonly Buffer[]) {
    this.#parts = parts;
  }

  get isAtEnd(): boolean {
    return this.#part >= this.#parts.length - 1 && this.#at >= (this.#parts.at(-1)?.length ?? 0);
  }

  bytes(count: number): Buffer {
    const read: Buffer[] = [];
    for (let left = count; left > 0;) {
      const piece = this.#here().subarray(this.#at, this.#at + left);
      read.push(piece);
      this.#at += piece.length;
      left -= piece.length;
    }
    return read.length === 1 && read[0] !== undefined ? read[0] : Buffer.concat(read);
  }

  skip(count: number): void {
    this.bytes(count);
  }

  /** An unsigned number of 1, 2 or 4 bytes. */
  number(bytes: 1 | 2 | 4): number {
    return this.bytes(bytes).readUIntLE(0, bytes);
  }

  double(): number {
    return this.bytes(8).readDoubleLE();
  }

  /** A text of so many characters, which begins with what it has besides: formats, and a reading. */
  text(count: number): string {
    const flags = this.number(1);
    const runs = (flags & 8) === 0 ? 0 : this.number(2);
    const extra = (flags & 4) === 0 ? 0 : this.number(4);
    let width = (flags & 1) + 1;
    let text = '';
    for (let left = count; left > 0;) {
      // A part that continues a text says again how wide its characters are.
      const isNext = this.#at === (this.#parts[this.#part]?.length ?? 0);
      if (isNext) {
        this.#here();
        width = (this.number(1) & 1) + 1;
      }
      const here = this.#here();
      const characters = Math.min(left, Math.floor((here.length - this.#at) / width));
      if (characters === 0) throw new ArchiveError('damaged');
      const end = this.#at + characters * width;
      text += here.toString(width === 1 ? 'latin1' : 'utf16le', this.#at, end);
      this.#at = end;
      left -= characters;
    }
    this.skip(4 * runs + extra);
    return text;
  }

  /** The part in which the next byte is. */
  #here(): Buffer {
    for (;;) {
      const part = this.#parts[this.#part];
      if (part === undefined) throw new ArchiveError('damaged');
      if (this.#at < part.length) return part;
      this.#part += 1;
      this.#at = 0;
    }
  }
}
