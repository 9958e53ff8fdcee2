import { MAX_BATCH_CELLS, MAX_BATCH_COLUMNS, MAX_BATCH_ROWS } from '../../contract/batch-limits.ts';
import type { PlannedFile } from '../../contract/batch.ts';
import type { Failure } from '../../contract/failure.ts';
import { userMessage, joinMessages } from '../../contract/user-message.ts';
import { foldHeader, spellings } from './match-columns.ts';
import { isSpreadsheet, noRecords, unreadable, type Records, type SourceRow } from './records.ts';
import type { RequestTemplate } from './request-template.ts';
import { excessMessageOfFiles, type Excess } from './table-size.ts';

export interface FileRecords {
  readonly name: string;
  readonly records: Records;
}

/** The rows of all files of a batch; each has a number that is unique in the batch. */
export interface JoinedRecords extends Records {
  readonly files: readonly (PlannedFile & Pick<Records, 'unit' | 'reading'>)[];
}

/** The rows of a batch that is one file, with the file's own numbers. */
export function oneFile({ name, records }: FileRecords): JoinedRecords {
  return {
    ...records,
    files: [{ name, unit: records.unit, rowsBefore: 0, reading: records.reading }],
  };
}

/**
 * Joins the rows of several files. Two columns are the same if both are matched to one column of
 * the template, or if their names differ only in spelling. The limits of a batch apply to all files
 * together: files are taken from `given` until one limit is exceeded.
 */
export function joinFiles(
  given: Iterable<FileRecords>,
  { columns: templateColumns }: RequestTemplate,
): JoinedRecords {
  const known = spellings(templateColumns);
  const keyOf = (column: string): string => known.get(foldHeader(column)) ?? foldHeader(column);
  const files: JoinedRecords['files'][number][] = [];
  const columns = new Set<string>();
  const repeated = new Map<string, string>();
  const beside: string[] = [];
  const rows: SourceRow[] = [];
  const damaged: SourceRow[] = [];
  const errors: Failure[] = [];
  const warnings: Failure[] = [];
  let rowsBefore = 0;
  let cells = 0;
  for (const { name, records } of given) {
    const file = { name, unit: records.unit, rowsBefore, reading: records.reading };
    files.push(file);
    const names = namesAmong(columns, records.columns, keyOf);
    for (const column of names.values()) columns.add(column);
    for (const [own, header] of records.repeated) repeated.set(names.get(own) ?? own, header);
    beside.push(...(records.beside ?? []).map((column) => names.get(column) ?? column));
    for (const row of records.rows) rows.push(joined(row, rowsBefore, names));
    for (const row of records.damaged) damaged.push(joined(row, rowsBefore, names));
    errors.push(...records.errors.map((error) => inFile(error, file)));
    warnings.push(...(records.warnings ?? []).map((warning) => inFile(warning, file)));
    // Rows are numbered alike whatever the user chooses about those of the files before.
    rowsBefore += lastRowOf(records);
    cells += (records.rows.length + records.damaged.length) * records.columns.length;
    const excess = excessOf(rows.length + damaged.length, columns.size, cells);
    if (excess === null) continue;
    return { ...noRecords('Row', unreadable(excessMessageOfFiles(excess))), files };
  }
  const unit = files.find((file) => isSpreadsheet(file.unit))?.unit ?? files[0]?.unit ?? 'Row';
  const all = { columns: [...columns], repeated, beside };
  return { unit, files, ...all, rows, damaged, errors, warnings, reading: null };
}

function lastRowOf({ rows, damaged, lastRow = 0 }: Records): number {
  return [...rows, ...damaged].reduce((last, { row }) => Math.max(last, row), lastRow);
}

/** An error in a row, with its number in the batch and its file's name. */
export function inFile<Error extends Failure>(
  error: Error,
  { name, rowsBefore }: PlannedFile,
): Error {
  if (error.row === undefined) return error;
  const row = rowsBefore + error.row;
  return { ...error, ...joinMessages(userMessage('in-file', { name }), error), row };
}

/** Maps a file's names for its columns to those of the batch, each of which is used once. */
function namesAmong(
  joinedColumns: ReadonlySet<string>,
  own: readonly string[],
  keyOf: (column: string) => string,
): ReadonlyMap<string, string> {
  const inBoth = new Set(own.filter((column) => joinedColumns.has(column)));
  const free = new Map<string, string>();
  for (const name of joinedColumns) if (!inBoth.has(name)) free.set(keyOf(name), name);
  return new Map(
    own.map((column) => {
      if (inBoth.has(column)) return [column, column];
      const name = free.get(keyOf(column)) ?? column;
      free.delete(keyOf(column));
      return [column, name];
    }),
  );
}

function joined(
  { row, cells, numbers }: SourceRow,
  rowsBefore: number,
  names: ReadonlyMap<string, string>,
): SourceRow {
  const isRenamed = Object.keys(cells).some((name) => (names.get(name) ?? name) !== name);
  const named = <Value>(values: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
    isRenamed
      ? Object.fromEntries(
          Object.entries(values).map(([name, value]) => [names.get(name) ?? name, value]),
        )
      : values;
  return {
    row: rowsBefore + row,
    cells: named(cells),
    ...(numbers === undefined ? {} : { numbers: named(numbers) }),
  };
}

function excessOf(rows: number, columns: number, cells: number): Excess | null {
  if (rows > MAX_BATCH_ROWS) return 'rows';
  if (columns > MAX_BATCH_COLUMNS) return 'columns';
  return cells > MAX_BATCH_CELLS ? 'cells' : null;
}
