import { z } from 'zod';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import type { Column } from './column.ts';

/** A cell as a file contains it: text in a spreadsheet, a few more types in JSON. */
export type RawCell = string | number | boolean | readonly (string | number)[];

/** A cell in JSON, which writes an empty one as `null`. */
export const rawCellSchema = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.union([z.string(), z.number()])),
  z.null().transform(() => ''),
]);

/** A cell as a request contains it. */
export type CellValue = string | number | readonly string[];

export type CellReading =
  | { readonly kind: 'empty' }
  | { readonly kind: 'value'; readonly value: CellValue }
  /**
   * `what` completes a sentence that begins with the cell's place; `fix` is what was probably meant.
   */
  | { readonly kind: 'fault'; readonly what: UserMessage; readonly fix?: string };

/** The longest piece of a cell that a message quotes. */
const QUOTED = 40;

/** Checks a cell and converts it to its column's type. Surrounding space is ignored. */
export function readCell(raw: RawCell, column: Column): CellReading {
  const text = textOf(raw).trim();
  if (text === '') return { kind: 'empty' };
  if (text.includes('\ufffd') || text.includes('\0') || !text.isWellFormed()) {
    return fault(userMessage('cell-damaged'));
  }
  switch (column.type) {
    case 'text':
      return checkLength(text, column.maxLength) ?? readText(text, column);
    case 'number':
      return readNumber(text, column);
    case 'colour':
      return readColour(text);
    case 'choice':
      return readChoice(text, column);
    case 'list':
      return readList(raw, column);
  }
}

/** An empty cell becomes its column's default, or an error if the column is required. */
export function withoutGaps(reading: CellReading, column: Column): CellReading {
  if (reading.kind !== 'empty') return reading;
  if (column.required === true) return fault(userMessage('cell-empty'));
  return column.default === undefined ? reading : value(column.default);
}

/** A cell as text, for file names and for the database. */
export function textOf(raw: RawCell): string {
  return typeof raw === 'object' ? raw.join(' | ') : String(raw);
}

/** The texts of a row's values by column, for file names. */
export function textsOf(
  values: readonly (readonly [column: string, value: CellValue])[],
): Record<string, string> {
  return Object.fromEntries(
    values.map(([name, value]) => [
      name,
      typeof value === 'object' ? textOf(value) : String(value),
    ]),
  );
}

/** A value in a cell's notation, as forms show it: items of a list on lines. */
export function cellText(value: CellValue): string {
  return typeof value === 'object' ? value.join('\n') : String(value);
}

/** A video's title on one line, in lists and file names. */
export function titleOf(value: CellValue): string {
  return textOf(typeof value === 'object' ? [...value] : value).replace(/\s+/g, ' ');
}

function readText(text: string, { isAddress }: Extract<Column, { type: 'text' }>): CellReading {
  return isAddress === true && !(/^https:\/\//i.test(text) && URL.canParse(text))
    ? fault(userMessage('cell-not-address', { text: quotable(text) }))
    : value(text);
}

function readNumber(text: string, column: Extract<Column, { type: 'number' }>): CellReading {
  // “7,5” is a decimal comma; “1,500” is ambiguous and is refused.
  const plain = /^[+-]?\d+,\d{1,2}$/.test(text) ? text.replace(',', '.') : text;
  const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(plain) ? Number(plain) : Number.NaN;
  if (Number.isNaN(number)) return fault(userMessage('cell-not-number', { text: quotable(text) }));
  if (column.whole === true && !Number.isInteger(number)) {
    return fault(userMessage('cell-not-whole', { text: quotable(text) }));
  }
  const { min = -Infinity, max = Infinity } = column;
  if (number >= min && number <= max) return value(column.asWritten === true ? plain : number);
  if (min === -Infinity) return fault(userMessage('cell-too-high', { text: quotable(text), max }));
  if (max === Infinity) return fault(userMessage('cell-too-low', { text: quotable(text), min }));
  return fault(userMessage('cell-not-between', { text: quotable(text), min, max }));
}

function readColour(text: string): CellReading {
  const [, short, long] = /^#(?:([\da-f]{3})|([\da-f]{6}))$/i.exec(text) ?? [];
  const digits = long ?? short?.replace(/./g, '$&$&');
  return digits === undefined
    ? fault(userMessage('cell-not-colour', { text: quotable(text) }))
    : value(`#${digits.toLowerCase()}`);
}

function readChoice(text: string, column: Extract<Column, { type: 'choice' }>): CellReading {
  const spellings = Object.entries(column.spellings ?? {});
  const wanted = text.toLowerCase();
  const option =
    column.options.find((known) => String(known).toLowerCase() === wanted) ??
    spellings.find(([spelling]) => spelling.toLowerCase() === wanted)?.[1];
  return option === undefined
    ? fault(
        userMessage('cell-not-one-of', {
          text: quotable(text),
          options: column.options.join(', '),
        }),
      )
    : value(option);
}

function readList(raw: RawCell, column: Extract<Column, { type: 'list' }>): CellReading {
  const parts = typeof raw === 'object' ? raw.map(String) : String(raw).split(/[|\r\n]+/);
  const items = parts.map((part) => part.trim()).filter((part) => part !== '');
  if (items.length === 0) return { kind: 'empty' };
  if (column.maxItems !== undefined && items.length > column.maxItems) {
    return fault(userMessage('cell-too-many', { count: items.length, max: column.maxItems }));
  }
  for (const item of items) {
    const tooLong = checkLength(item, column.maxLength);
    if (tooLong) return tooLong;
  }
  return value(items);
}

function checkLength(text: string, maxLength = Infinity): CellReading | null {
  return text.length <= maxLength
    ? null
    : fault(
        userMessage('cell-too-long', { text: quotable(text), count: text.length, max: maxLength }),
      );
}

function value(of: CellValue): CellReading {
  return { kind: 'value', value: of };
}

function fault(what: UserMessage): CellReading {
  return { kind: 'fault', what };
}

function quotable(text: string): string {
  // Cut first: a cell may be as large as its file.
  const line = text.slice(0, 4 * QUOTED).replace(/\s+/g, ' ');
  return line.length <= QUOTED ? line : `${line.slice(0, QUOTED).toWellFormed()}…`;
}
