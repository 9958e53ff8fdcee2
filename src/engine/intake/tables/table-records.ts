/** Turns a located table into records: cells by the names of their columns. */
import { MAX_BATCH_CELLS, MAX_BATCH_ROWS } from '../../../contract/batch-limits.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { ReadingChoices, TableReading } from '../../../contract/table-reading.ts';
import { columnLetters } from '../../../contract/row-place.ts';
import { joinMessages, userMessage } from '../../../contract/user-message.ts';
import { sanitizeRemoteText } from '../../sanitize-remote-text.ts';
import { noRecords, rowName, unreadable, type Records, type SourceRow } from '../records.ts';
import { excessMessage } from '../table-size.ts';
import type { GridRow } from './grid-row.ts';
import type { LocatedTable } from './locate-table.ts';
import type { UnlikelyRows } from './unlikely-rows.ts';
import { isVisible, withVisibleEscapes } from './cell-visibility.ts';

/** The most rows that are listed as left out. */
const MAX_LEFT_OUT = 1000;
/** The longest text of a row that is left out, in characters. */
const MAX_TEXT = 120;

/** How a file was read, before it was known where its table is. */
type HowItWasOpened = Omit<
  TableReading,
  'turn' | 'headerRow' | 'rows' | 'leftOut' | 'leftOutCount' | 'undecided'
>;

export const NO_ROWS = { headerRow: null, rows: 0, leftOut: [], leftOutCount: 0, undecided: [] };

/**
 * The records of a table, or the reason why it has none.
 * @param open rows in which a quotation mark is not closed
 */
export function recordsOf(
  name: string,
  table: LocatedTable,
  open: ReadonlySet<number>,
  choices: ReadingChoices,
  how: HowItWasOpened,
): Records {
  if (table.headerRow === null && choices.headerRow !== undefined) {
    const row = choices.headerRow;
    return noRecords('Row', unreadable(userMessage('header-row-empty', { name, row })));
  }
  if (table.isSideways) {
    const refused = noRecords('Row', unreadable(userMessage('table-turned', { name })));
    return { ...refused, reading: { ...how, ...NO_ROWS, turn: 'proposed' } };
  }
  if (table.rows.length > MAX_BATCH_ROWS)
    return noRecords('Row', unreadable(excessMessage(name, 'rows')));
  // Every row has a cell of each column, however short its line is.
  if (table.rows.length * table.header.length > MAX_BATCH_CELLS)
    return noRecords('Row', unreadable(excessMessage(name, 'cells')));
  return tableRecords(table, open, { ...how, turn: choices.turn === true ? 'turned' : 'none' });
}

function tableRecords(
  table: LocatedTable,
  open: ReadonlySet<number>,
  how: HowItWasOpened & Pick<TableReading, 'turn'>,
): Records {
  const { names, repeated } = columnNames(table);
  const unit = how.turn === 'turned' ? 'Column' : 'Row';
  const { separator } = how;
  // A sheet has no separators, and texts no tabs.
  const advice =
    separator === null || separator === '\t'
      ? []
      : [userMessage('separator-in-text', { separator })];
  const errors: Failure[] = [];
  const warnings: Failure[] = [];
  const rows: SourceRow[] = [];
  const damaged: SourceRow[] = [];
  for (const gridRow of table.rows) {
    const { row, cells } = gridRow;
    const source = sourceRow(gridRow, names);
    const used = cells.findLastIndex(isVisible) + 1;
    if (gridRow.isStruck === true) {
      const message = userMessage('row-is-struck', { row: rowName(unit, row) });
      warnings.push({ code: 'value-invalid', ...message, row });
    }
    if (open.has(row)) {
      errors.push(unreadable(userMessage('row-quote-open', { row }), row));
      damaged.push(source);
    } else if (used > names.length) {
      const wide = userMessage('row-of-other-width', { row, cells: used, columns: names.length });
      errors.push(unreadable(joinMessages(wide, ...advice), row));
      damaged.push(source);
    } else rows.push(source);
  }
  for (const { looksLike, rows: unlikely } of table.undecided) {
    for (const { row, cells } of unlikely) {
      const text = textOfRow(cells);
      const sentence = unit === 'Column' ? 'column-is-unlikely' : (`row-is-${looksLike}` as const);
      errors.push(unreadable(userMessage(sentence, { row: rowName(unit, row), text }), row));
    }
  }
  const leftOut = table.leftOut.slice(0, MAX_LEFT_OUT);
  return {
    unit,
    columns: names.filter((name) => name !== ''),
    repeated,
    ...(table.gap === null
      ? {}
      : { beside: names.slice(table.gap + 1).filter((name) => name !== '') }),
    rows,
    damaged,
    lastRow: Math.max(
      table.headerRow ?? 0,
      table.rows.at(-1)?.row ?? 0,
      table.leftOut.at(-1)?.row ?? 0,
    ),
    ...(table.filled === undefined ? {} : { grid: { names, rows: table.filled } }),
    errors,
    warnings,
    reading: {
      ...how,
      headerRow: table.headerRow,
      rows: rows.length + damaged.length,
      leftOut: leftOut.map(({ row, reason, cells }) => ({ row, reason, text: textOfRow(cells) })),
      leftOutCount: table.leftOut.length,
      undecided: table.undecided.slice(0, MAX_LEFT_OUT).map(undecidedOf),
    },
  };
}

function undecidedOf({ looksLike, rows }: UnlikelyRows): TableReading['undecided'][number] {
  const [{ row, cells } = { row: 1, cells: [] }] = rows;
  return { looksLike, row, end: rows.at(-1)?.row ?? row, text: textOfRow(cells) };
}

/** The names of a table's columns by their place; empty for a column without a name and a text. */
export function columnNames({ header, rows }: Pick<LocatedTable, 'header' | 'rows'>): {
  readonly names: readonly string[];
  /** See `Records.repeated`. */
  readonly repeated: ReadonlyMap<string, string>;
} {
  return nameColumns(withNames(header, rows));
}

function sourceRow({ row, cells, numbers }: GridRow, names: readonly string[]): SourceRow {
  const named: Record<string, string> = {};
  const shown: Record<string, number> = {};
  for (const [at, name] of names.entries()) {
    if (name === '') continue;
    const cell = cells[at] ?? '';
    // Not an assignment: a column may be called `__proto__`.
    define(named, name, cell === '' || isVisible(cell) ? cell : '');
    const number = numbers?.[at];
    if (number !== undefined) define(shown, name, number);
  }
  return numbers === undefined ? { row, cells: named } : { row, cells: named, numbers: shown };
}

function define<Value>(record: Record<string, Value>, name: string, value: Value): void {
  if (name !== '__proto__') record[name] = value;
  else {
    Object.defineProperty(record, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
}

/**
 * A column without a header that contains text is named by its letter, as a spreadsheet does, so
 * that its text is not lost silently. Columns without either stay without a name.
 */
function withNames(header: readonly string[], rows: readonly GridRow[]): readonly string[] {
  const unnamed = new Set(header.flatMap((name, at) => (name === '' ? [at] : [])));
  const used = new Set<number>();
  for (const { cells } of unnamed.size === 0 ? [] : rows) {
    for (const at of unnamed) if (isVisible(cells[at] ?? '')) used.add(at);
    if (used.size === unnamed.size) break;
  }
  const last = header.findLastIndex((name, at) => name !== '' || used.has(at));
  return header
    .slice(0, last + 1)
    .map((name, at) => (used.has(at) ? `Column ${columnLetters(at)}` : name));
}

/** A repeated header gets a number, so that its column is not lost. */
function nameColumns(given: readonly string[]): {
  readonly names: readonly string[];
  readonly repeated: ReadonlyMap<string, string>;
} {
  const taken = new Set(given);
  /** The last number that was appended to each name. */
  const numbers = new Map<string, number>();
  const repeated = new Map<string, string>();
  const names = given.map((name) => {
    if (name === '' || !numbers.has(name)) {
      numbers.set(name, 1);
      return name;
    }
    let number = (numbers.get(name) ?? 1) + 1;
    while (taken.has(`${name} (${number})`)) number += 1;
    numbers.set(name, number);
    const own = `${name} (${number})`;
    taken.add(own);
    repeated.set(own, name);
    return own;
  });
  return { names, repeated };
}

/** The texts of a row on one line, to recognise it. */
function textOfRow(cells: readonly string[]): string {
  const texts = cells.filter(isVisible).map((cell) => withVisibleEscapes(cell.slice(0, MAX_TEXT)));
  return sanitizeRemoteText(texts.join(' · '), MAX_TEXT);
}
