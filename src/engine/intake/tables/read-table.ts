/**
 * Reads a table, from bytes to cells: what kind of file it is, how its text is encoded, what
 * separates its cells, and where the table is. Each decision is in the reading, and the user can
 * make it instead.
 */
import type { TableReading } from '../../../contract/table-reading.ts';
import { isSeparator } from '../../../contract/text-reading.ts';
import { userMessage } from '../../../contract/user-message.ts';
import { readJsonLines, readJsonList } from './json-records.ts';
import { noRecords, unreadable, type Records } from '../records.ts';
import { excessMessage, type Excess } from '../table-size.ts';
import { decodeTable, type DecodedText } from './encoding.ts';
import { withoutEnclosedRows } from './enclosed-rows.ts';
import { contentKind, textKind } from './file-kind.ts';
import { htmlRows } from './html-rows.ts';
import type { GridRow } from './grid-row.ts';
import { findDividedColumns, findDividedTexts } from './divided-texts.ts';
import { locateTable, withUndecided, type LocatedTable } from './locate-table.ts';
import { rowsOfOtherSeparator } from './mixed-separators.ts';
import { separate, type Separation } from './separator.ts';
import { headerText, isVisible } from './cell-visibility.ts';
import { withTabs } from './padded-columns.ts';
import type { SplitRows } from './split-cells.ts';
import { isDocument, isLock, OTHER_FILES, type OtherKind } from './other-file.ts';
import { NO_ROWS, recordsOf } from './table-records.ts';
import type { ColumnOf, TableOptions } from './table-options.ts';
import type { TableFile } from './table-source.ts';
import { SheetExcessError, sheetExcess } from './sheet.ts';
import { turnGrid } from './turn-grid.ts';
import { withoutUtf32 } from './utf32.ts';
import { readWorkbook } from './workbook.ts';
import { wrappedList } from './wrapped-list.ts';

/** @returns the file's records; errors are among them, it throws for defects only */
export function readTable(file: TableFile, options: TableOptions): Records {
  const { name } = file;
  const content = withoutUtf32(file.content);
  if (typeof content === 'string') {
    const text = content.replace(/^\ufeff+/, '');
    return readText(name, { text, encoding: null, sample: null, twice: null }, options);
  }
  const kind = isLock(name) ? 'lock' : contentKind(content);
  switch (kind) {
    case 'text':
      return readText(name, decodeTable(content, options.choices.encoding), options);
    case 'xlsx':
    case 'xls':
    case 'ods':
      return readWorkbook(name, content, kind, options);
    default:
      return otherFile(name, kind);
  }
}

function otherFile(name: string, kind: OtherKind): Records {
  const sentence = OTHER_FILES[kind === 'numbers' && isDocument(name) ? 'document' : kind];
  return noRecords('Row', unreadable(userMessage(sentence, { name })));
}

const SUBSTITUTE = '\u001a';

type PastedOrDecoded = Omit<DecodedText, 'encoding'> & {
  /** `null` for pasted text. */
  readonly encoding: DecodedText['encoding'] | null;
};

function readText(name: string, decoded: PastedOrDecoded, options: TableOptions): Records {
  const text = withoutMarks(decoded.text, options);
  const how = { encoding: decoded.encoding, encodingSample: decoded.sample };
  const records = readAsKind(name, text, options, how);
  const { twice } = decoded;
  if (twice === null) return records;
  const error = unreadable(userMessage('file-encoded-twice', { name, ...twice }));
  return { ...records, errors: [error, ...records.errors] };
}

/** Old editors end a file with a substitute; joined files have a mark where the next one begins. */
function withoutMarks(whole: string, { choices, columnOf }: TableOptions): string {
  const end = whole.trimEnd();
  const text = (end.endsWith(SUBSTITUTE) ? end.slice(0, -1) : whole).replace(
    /([\r\n])\ufeff+/g,
    '$1',
  );
  if (choices.separator === 'none') return text;
  const unpadded = choices.separator === undefined ? withTabs(text, columnOf) : null;
  return unpadded ?? withoutEnclosedRows(text, columnOf);
}

function readAsKind(name: string, text: string, options: TableOptions, how: Encoded): Records {
  const kind = textKind(text);
  switch (kind) {
    case 'empty':
      return noRecords('Row', {
        code: 'batch-empty',
        ...userMessage('file-no-rows', { name }),
      });
    case 'fods':
      return readWorkbook(name, new TextEncoder().encode(text), kind, options);
    case 'json': {
      let list: string | null = null;
      const records = readJsonList(name, text, (object) => {
        const found = wrappedList(object, options.columnOf);
        list = found?.path ?? null;
        return found?.text ?? null;
      });
      return withReading(records, 'json', { ...how, list });
    }
    case 'json-lines':
      return withReading(readJsonLines(name, text), 'json-lines', how);
    case 'html':
    case 'delimited':
      try {
        return kind === 'delimited'
          ? readDelimited(name, text, options, how)
          : readHtml(name, text, options, { ...how, kind });
      } catch (error) {
        if (error instanceof SheetExcessError) return noRecords('Row', sheetExcess(name, error));
        throw error;
      }
    default:
      return otherFile(name, kind);
  }
}

interface Encoded {
  readonly encoding: DecodedText['encoding'] | null;
  readonly encodingSample: string | null;
}

function withReading(
  records: Records,
  kind: 'json' | 'json-lines',
  how: Encoded & Partial<Pick<TableReading, 'list'>>,
): Records {
  const rows = records.rows.length + records.damaged.length;
  if (rows === 0) return records;
  return {
    ...records,
    reading: {
      ...NOTHING_READ,
      ...how,
      kind,
      turn: 'none',
      rows,
      headerRow: null,
      leftOut: [],
      leftOutCount: 0,
      undecided: [],
    },
  };
}

const NOTHING_READ = {
  separator: null,
  quotes: 'double',
  sheet: null,
  sheets: [],
  list: null,
  language: null,
  hiddenRows: 0,
  hiddenColumns: [],
} as const;

function readDelimited(name: string, text: string, options: TableOptions, how: Encoded): Records {
  const split = splitDelimited(text, options);
  if (split.excess !== null) {
    return noRecords('Row', unreadable(excessMessage(name, split.excess)));
  }
  const { rows, open, separator, quotes } = split;
  const { choices, columnOf } = options;
  const reading = { ...NOTHING_READ, ...how, kind: 'delimited', separator, quotes } as const;
  if (choices.turn === true) {
    const turned = turnGrid({ rows, hiddenColumns: new Set() }).rows;
    const table = locateTable(turned, options);
    const divided = findDividedColumns(rows, table, split, choices);
    const records = recordsOf(name, withUndecided(table, divided), new Set(), choices, reading);
    if (open.size === 0) return records;
    // A quotation mark that is not closed may have taken cells of every column.
    const errors = Array.from(open, (row) => unreadable(userMessage('row-quote-open', { row })));
    return { ...records, rows: [], damaged: [...records.rows, ...records.damaged], errors };
  }
  const table = locateTable(rows, options);
  const unseparated =
    choices.separator === undefined ? unseparatedHeader(rows, table, columnOf) : null;
  if (unseparated !== null) {
    const error = unreadable(userMessage('table-not-separated', { name, text: unseparated }));
    const refused = { ...reading, ...NO_ROWS, turn: 'none' } as const;
    return { ...noRecords('Row', error), columns: [unseparated], reading: refused };
  }
  const divided = findDividedTexts(table, split, choices);
  const records = recordsOf(name, withUndecided(table, divided), open, choices, reading);
  const [first] = split.mixed;
  if (first === undefined) return records;
  const mixed = { name, row: first, count: split.mixed.size };
  const message = userMessage('rows-of-other-separator', mixed);
  return { ...records, warnings: [{ code: 'value-invalid', ...message }] };
}

/** What may separate the names of columns, besides the characters that are guessed. */
const BETWEEN_NAMES = /\s{2,}|\s*[^\p{L}\p{N}\s_()[\]-]+\s*|\s+-+\s+/u;

/** Lines of titles, which are taken for a header where none is known. */
const TITLE_LINES = 3;

/** A header that is one cell with the names of several columns in it. */
function unseparatedHeader(
  rows: readonly GridRow[],
  { header, headerRow }: LocatedTable,
  columnOf: ColumnOf,
): string | null {
  const isName = (name: string): boolean => columnOf(name) !== undefined;
  if (header.some(isName)) return null;
  for (const { row, cells } of rows) {
    if (row > (headerRow ?? 0) + TITLE_LINES) return null;
    const [names = '', ...others] = cells.filter(isVisible);
    if (others.length === 0 && names.split(BETWEEN_NAMES).filter(isName).length > 1) {
      return headerText(names);
    }
  }
  return null;
}

/** Separated values as rows, and how they were separated. */
export interface DelimitedRows extends Separation {
  readonly rows: readonly GridRow[];
  /** Rows that another character separates than the others. */
  readonly mixed: ReadonlySet<number>;
  /** Rows in which a quotation mark is opened and not closed. */
  readonly open: ReadonlySet<number>;
  /** Rows with a cell that is not enclosed and begins with a space after a separator. */
  readonly spaced: ReadonlySet<number>;
  /** Whether quotation marks enclose texts that have to be enclosed. */
  readonly encloses: boolean;
  /** Where each of `rows` begins in the text. */
  readonly starts: readonly number[];
  /** The line of the text that is this row, with its line break. */
  readonly lineOf: (row: number) => string;
  readonly excess: Excess | null;
}

/** The text of a table of separated values, as its reader takes it; `null` for another kind. */
export function delimitedText(given: string | Uint8Array, options: TableOptions): string | null {
  const content = withoutUtf32(given);
  if (typeof content !== 'string' && contentKind(content) !== 'text') return null;
  const whole =
    typeof content === 'string'
      ? content.replace(/^\ufeff+/, '')
      : decodeTable(content, options.choices.encoding).text;
  const text = withoutMarks(whole, options);
  return textKind(text) === 'delimited' ? text : null;
}

export function splitDelimited(text: string, options: TableOptions): DelimitedRows {
  const { choices, columnOf } = options;
  const declared = /^\s*"?sep=([^\r\n"])"?[ \t]*(?:\r\n|\n|\r)/i.exec(text);
  const body = declared === null ? text : text.slice(declared[0].length);
  const [firstLine] = /[^\r\n]*/.exec(body) ?? [''];
  // Some programs declare a separator and write another one.
  const [, named = ''] = declared ?? [];
  const isRight = isSeparator(named) && firstLine.includes(named);
  const separator = choices.separator ?? (isRight ? named : undefined);
  const found = separate(body, { separator, quotes: choices.quotes }, columnOf);
  const mixed =
    choices.separator === undefined
      ? rowsOfOtherSeparator(body, found, columnOf)
      : new Map<number, readonly string[]>();
  // The line that declares the separator is a row of the file.
  const before = declared === null ? 1 : 2;
  const offset = text.length - body.length;
  const starts = found.starts.map((at) => at + offset);
  return {
    separator: found.separator,
    quotes: found.quotes,
    rows: withoutDoubleBars(found).map((cells, at): GridRow => ({
      row: at + before,
      cells: mixed.get(at) ?? cells,
    })),
    mixed: new Set([...mixed.keys()].map((at) => at + before)),
    open: new Set(found.open.map((at) => at + before)),
    spaced: new Set(found.spaced.map((at) => at + before)),
    encloses: found.needed > 0,
    starts,
    lineOf: (row) => text.slice(starts[row - before], starts[row - before + 1]),
    excess: found.excess,
  };
}

/** Jira writes `||title||message||` above `|One|a|`. */
function withoutDoubleBars({ separator, rows }: Separation & SplitRows): SplitRows['rows'] {
  const [header = [], ...others] = rows;
  const isDouble =
    separator === '|' &&
    header.length > 4 &&
    header.every(
      (cell, at) => isVisible(cell) === (at > 0 && at % 2 === 0 && at < header.length - 1),
    );
  return isDouble ? [header.filter((_, at) => at % 2 === 0), ...others] : rows;
}

function readHtml(
  name: string,
  html: string,
  options: TableOptions,
  how: Encoded & Pick<NonNullable<Records['reading']>, 'kind'>,
): Records {
  const { choices, columnOf } = options;
  const rows = htmlRows(html, columnOf, choices.turn === true);
  const grid = choices.turn === true ? turnGrid({ rows, hiddenColumns: new Set() }).rows : rows;
  const table = locateTable(grid, options);
  const { headerRow } = table;
  const hiddenRows = grid.filter(
    ({ row, isHidden }) => isHidden === true && row > (headerRow ?? 0),
  ).length;
  return recordsOf(name, table, new Set(), choices, { ...NOTHING_READ, ...how, hiddenRows });
}
