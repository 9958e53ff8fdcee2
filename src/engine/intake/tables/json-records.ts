/** Reads JSON lists and JSON Lines as records. */
import {
  MAX_BATCH_CELLS,
  MAX_BATCH_COLUMNS,
  MAX_BATCH_ROWS,
} from '../../../contract/batch-limits.ts';
import type { Failure } from '../../../contract/failure.ts';
import { parseForWriting, sourceOfRawNumber } from '../../../contract/json-text.ts';
import { userMessage } from '../../../contract/user-message.ts';
import { rawCellSchema, textOf, type RawCell } from '../cell.ts';
import { cellError, noRecords, unreadable, type Records, type SourceRow } from '../records.ts';
import { excessMessage } from '../table-size.ts';
import { isVisible } from './cell-visibility.ts';
import { placeIn, scanJson, sourcesOfKeys } from './scan-json.ts';

/**
 * A JSON list of objects, one per video, or a single object. Entries are counted from 1.
 * @param listIn the text of the list that an object contains; `null` if there is none
 */
export function readJsonList(
  name: string,
  text: string,
  listIn: (text: string) => string | null,
): Records {
  const { errorAt, excess, starts, keyCounts } = scanJson(text);
  if (excess !== null) return noRecords('Entry', unreadable(excessMessage(name, excess)));
  if (errorAt !== null) {
    const place = placeIn(text, errorAt);
    return noRecords('Entry', unreadable(userMessage('file-json-broken', { name, ...place })));
  }
  const json = parseOrdered(text);
  if (!Array.isArray(json) && Object.values(json ?? {}).some(isNested)) {
    const list = listIn(text);
    if (list !== null) return readJsonList(name, list, listIn);
    return noRecords('Entry', unreadable(userMessage('file-no-list', { name, example: '{…}' })));
  }
  const values: readonly unknown[] = Array.isArray(json) ? json : [json];
  return collect(
    'Entry',
    name,
    values.map((value, index) => ({
      value,
      row: index + 1,
      text: textOfEntry(value),
      keys: keyCounts[index] ?? 0,
      source: () => ({ text, start: starts[index] ?? 0 }),
    })),
  );
}

/** One JSON object per line. A row's number is its line's. */
export function readJsonLines(name: string, text: string): Records {
  const entries: Entry[] = [];
  let values = 0;
  for (const { line, row } of linesOf(text)) {
    if (entries.length === MAX_BATCH_ROWS) {
      return noRecords('Line', unreadable(excessMessage(name, 'rows')));
    }
    const { errorAt, excess, keyCounts, starts } = scanJson(line);
    values += keyCounts.length === 1 ? (keyCounts[0] ?? 0) : starts.length;
    if (excess !== null || values > MAX_BATCH_CELLS) {
      return noRecords('Line', unreadable(excessMessage(name, 'cells')));
    }
    entries.push({
      value: errorAt === null ? parseOrdered(line) : undefined,
      row,
      text: line,
      keys: keyCounts[0] ?? 0,
      source: () => ({ text: line, start: starts[0] ?? 0 }),
      ...(errorAt === null ? {} : { brokenAt: placeIn(line, errorAt).column }),
    });
  }
  return collect('Line', name, entries);
}

/** The lines that are not blank, with their numbers. */
function* linesOf(content: string): Generator<{ readonly line: string; readonly row: number }> {
  const end = /\r\n|\n|\r/g;
  for (let row = 1, start = 0; start < content.length; row += 1) {
    const found = end.exec(content);
    const line = content.slice(start, found?.index);
    if (line.trim() !== '') yield { line, row };
    start = found ? end.lastIndex : content.length;
  }
}

interface Entry {
  readonly value: unknown;
  readonly row: number;
  /** The name as it is in the file, to find it there. */
  readonly text: string;
  /** How many keys it has, repeated ones included. */
  readonly keys: number;
  /** Where it begins, and in which text. */
  readonly source: () => { readonly text: string; readonly start: number };
  /** The column of its line in which it is no JSON. */
  readonly brokenAt?: number;
}

function collect(unit: Records['unit'], name: string, entries: readonly Entry[]): Records {
  const columns = new Set<string>();
  const rows: SourceRow[] = [];
  const damaged: SourceRow[] = [];
  const errors: Failure[] = [];
  for (const { value, row, text, keys, source, brokenAt } of entries) {
    if (brokenAt !== undefined) {
      errors.push(unreadable(userMessage('line-json-broken', { row, column: brokenAt }), row));
      damaged.push({ row, cells: { '': text } });
      continue;
    }
    if (!isObject(value) || Array.isArray(value)) {
      const sentence = unit === 'Entry' ? 'entry-no-object' : 'line-no-object';
      errors.push(unreadable(userMessage(sentence, { row, example: '{"title": "…"}' }), row));
      damaged.push({ row, cells: { '': text } });
      continue;
    }
    const cells = new Map<string, RawCell>();
    const numbers = new Map<string, number>();
    for (const [key, cell] of Object.entries(value)) {
      const column = key.trim();
      const parsed = rawCellSchema.safeParse(asWritten(cell));
      if (!parsed.success) {
        const place = { name: column, header: column };
        errors.push(cellError(unit, row, place, userMessage('cell-of-other-kind')));
      }
      const read = parsed.success && isVisible(textOf(parsed.data)) ? parsed.data : '';
      const other = cells.get(column);
      if (other !== undefined && isOther(other, read)) errors.push(twoValues(unit, row, column));
      const isEmpty = other === undefined || textOf(other).trim() === '';
      if (!isEmpty && key !== column) continue;
      cells.set(column, read);
      const number = sourceOfRawNumber(cell);
      if (number !== null) numbers.set(column, Number(number));
    }
    if (keys > Object.keys(value).length) {
      const { text: from, start } = source();
      for (const column of repeatedKeys(sourcesOfKeys(from, start))) {
        errors.push(twoValues(unit, row, column));
      }
    }
    for (const column of cells.keys()) columns.add(column);
    if (columns.size > MAX_BATCH_COLUMNS) {
      return noRecords(unit, unreadable(excessMessage(name, 'columns')));
    }
    rows.push({
      row,
      cells: Object.fromEntries(cells),
      ...(numbers.size === 0 ? {} : { numbers: Object.fromEntries(numbers) }),
    });
  }
  return {
    unit,
    columns: [...columns],
    repeated: new Map(),
    rows,
    damaged,
    errors,
    reading: null,
  };
}

/** Whether both have a text and the texts differ. */
function isOther(one: RawCell, other: RawCell): boolean {
  const [first, second] = [textOf(one).trim(), textOf(other).trim()];
  return first !== '' && second !== '' && first !== second;
}

/** Keys that an object has more than once, with values that differ: only the last would remain. */
function repeatedKeys(sources: readonly (readonly [string, string])[]): readonly string[] {
  const first = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [key, source] of sources) {
    if ((first.get(key) ?? source) !== source) repeated.add(key.trim());
    if (!first.has(key)) first.set(key, source);
  }
  return [...repeated];
}

function twoValues(unit: Records['unit'], row: number, column: string): Failure {
  return cellError(unit, row, { name: column, header: column }, userMessage('cell-two-values'));
}

function isNested(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isObject) : isObject(value);
}

/** An object or a list, not a number that is kept as its text. */
function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && sourceOfRawNumber(value) === null;
}

/** A value, or a list of values, with the digits of its file: 19.90, and numbers of any size. */
function asWritten(value: unknown): unknown {
  const exactly = (each: unknown): unknown => sourceOfRawNumber(each) ?? each;
  return Array.isArray(value) ? value.map(exactly) : exactly(value);
}

/** The text of an entry that is no object; empty for a list, which may be nested deeply. */
function textOfEntry(value: unknown): string {
  return isObject(value) ? '' : String(asWritten(value));
}

/** Numbers that JavaScript may write differently: 19.90, 1E5, 0.0000001, -0 and long ones. */
const REWRITTEN = /\d[.eE]\d*0|\d[eE][+-]?\d|-0|\d{16}|0\.000000/;

/**
 * Objects put names that are whole numbers first, which would reorder the columns. A space before
 * such a name keeps its place; names are trimmed later. In JSON, quoted digits before a colon are a
 * name, unless the first quotation mark is escaped and so part of a text.
 */
function parseOrdered(text: string): unknown {
  try {
    const ordered = text.replace(/(?<!\\)"(\d+)"(?=\s*:)/g, '" $1"');
    // Most texts contain no number that is written differently, and keeping its text takes longer.
    return REWRITTEN.test(ordered) ? parseForWriting(ordered) : JSON.parse(ordered);
  } catch {
    return undefined;
  }
}
