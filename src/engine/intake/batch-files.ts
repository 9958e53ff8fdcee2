/** Checks the files and brands that the rows of a batch name, and makes them part of the rows' values. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BatchIssue } from '../../contract/batch-issue.ts';
import type { BatchSource, InvalidRow } from '../../contract/batch.ts';
import { textsIn } from '../../contract/picture-value.ts';
import { placeOfRow } from '../../contract/row-place.ts';
import type { UserMessage } from '../../contract/user-message.ts';
import { Brands } from './brands.ts';
import { type CellFinding, cellIssue } from './cell-issue.ts';
import {
  checkFiles,
  type FileChecksOfRow,
  isFile,
  type RowFileChecks,
  type TakesFiles,
} from './check-files.ts';
import { RowPacker, unpack } from './intake-row.ts';
import { errorOf, warningOf } from './issues.ts';
import type { BatchReading } from './read-batch.ts';
import { pictureColumns, requestsOf, type RowValues } from './row-values.ts';
import { sampleRequests } from './sample-requests.ts';

/** Rows that are checked at a time, before other work gets its turn. */
const ROWS_AT_ONCE = 500;

/**
 * A reading with the files of its rows checked, and with the values of their brands: their hashes are
 * part of the rows' values, and thereby of their requests. Rows whose files or brands cannot be used
 * become invalid; those of rows with errors get theirs as well.
 */
export async function withFiles(
  reading: BatchReading,
  source: BatchSource,
  files: RowFileChecks,
  takes: TakesFiles,
): Promise<BatchReading> {
  const { rowTemplate } = reading;
  const brands = new Brands(rowTemplate);
  if (!namesFiles(reading, brands)) return reading;
  const checkRow = rowChecker(reading, source, brands, { files, takes });
  const makeRequest = requestsOf(rowTemplate);
  const packer = new RowPacker();
  const found = new FoundIssues();
  const invalid = new Map<number, InvalidRow>();
  for (const [at, read] of reading.rows.entries()) {
    if (at % ROWS_AT_ONCE === 0) await nextTurn();
    const { values, errors, warnings } = await checkRow(read);
    const { row, rowInFile, index, variant } = read;
    if (errors.length > 0) {
      found.add(row, 'errors', errors);
      invalid.set(row, { row, name: read.title });
      continue;
    }
    found.add(row, 'warnings', warnings);
    const { title, preset, bodySha256 } = makeRequest(values);
    const request = { title: title ?? read.title, preset, bodySha256 };
    packer.add({ row, rowInFile, index, variant, ...request, values });
  }
  for (const [at, row] of reading.withErrors.entries()) {
    if (at % ROWS_AT_ONCE === 0) await nextTurn();
    found.add(row.row, 'errors', (await checkRow(row)).errors);
  }
  const rows = unpack(packer.packed(), makeRequest).filter(({ row }) => !invalid.has(row));
  return {
    ...reading,
    rows,
    samples: reading.samples.map(({ row, cells }) => ({
      row,
      cells,
      ...sampleRequests(rows.filter((each) => each.row === row)),
    })),
    errors: byRow([...reading.errors, ...found.errors]),
    warnings: byRow([...reading.warnings, ...found.warnings]),
    invalidRows: byRow([...reading.invalidRows, ...invalid.values()]),
  };
}

function byRow<Item extends { readonly row?: number | undefined }>(items: Item[]): Item[] {
  return items.sort((one, other) => (one.row ?? 0) - (other.row ?? 0));
}

/** The issues of rows, which come one after another; those of a file that several videos share, once. */
class FoundIssues {
  readonly errors: BatchIssue[] = [];
  readonly warnings: BatchIssue[] = [];
  readonly #messages = new Set<string>();
  #row = 0;

  add(row: number, kind: 'errors' | 'warnings', issues: readonly BatchIssue[]): void {
    if (row !== this.#row) this.#messages.clear();
    this.#row = row;
    for (const issue of issues) {
      if (!this.#messages.has(issue.message)) this[kind].push(issue);
      this.#messages.add(issue.message);
    }
  }
}

/** Whether a row names a file or a brand. */
function namesFiles({ rows, withErrors, rowTemplate }: BatchReading, { column }: Brands): boolean {
  const names = new Set([...pictureColumns(rowTemplate), column]);
  const isNamed = ([name, value]: RowValues[number]): boolean => {
    if (name === column) return value !== '';
    const given = names.has(name) ? rowTemplate.columns[name] : undefined;
    return given?.type === 'picture' && textsIn(value).some((text) => isFile(given, text));
  };
  return (
    withErrors.some(({ values }) => values.some(isNamed)) ||
    // Values are read last: most tables have none of these columns, and 100,000 rows take a second.
    rows.some((row) => row.columns.some((name) => names.has(name)) && row.values.some(isNamed))
  );
}

interface CheckedRow {
  readonly values: RowValues;
  readonly errors: readonly BatchIssue[];
  readonly warnings: readonly BatchIssue[];
}

/** Checks the files and the brands of rows, which become a part of their values. */
function rowChecker(
  reading: BatchReading,
  source: BatchSource,
  brands: Brands,
  checks: FileChecksOfRow,
): (row: BatchReading['withErrors'][number]) => Promise<CheckedRow> {
  const folders = [source, ...(source.further ?? [])].map(({ folder }) => folder);
  return async (row) => {
    const { file } = placeOfRow(reading.files, row.row);
    const folder = folders[file === undefined ? 0 : reading.files.indexOf(file)];
    const given = await brands.fill(row.values, source.isForm === true ? undefined : folder);
    const brandFinding = (what: UserMessage): CellFinding => ({
      column: brands.column ?? '',
      cell: brands.nameIn(row.values),
      what,
    });
    const checked =
      given.kind === 'invalid'
        ? { values: row.values, errors: [brandFinding(given.what)], warned: [] }
        : await checkFiles(given.values, reading.rowTemplate, checks, () => ({ folder }));
    const missing = given.kind === 'filled' && given.warning ? [brandFinding(given.warning)] : [];
    const issuesOf = (make: typeof errorOf, found: readonly CellFinding[]): BatchIssue[] =>
      found.map((each) => cellIssue(make, row, each, reading));
    return {
      values: checked.values,
      errors: issuesOf(errorOf, checked.errors),
      warnings: issuesOf(warningOf, [...missing, ...checked.warned]),
    };
  };
}
