import type {
  BatchField,
  BatchOptions,
  InvalidRow,
  LeftOutRow,
  OwnTemplate,
  SampleRow,
} from '../../contract/batch.ts';
import type { BatchIssue } from '../../contract/batch-issue.ts';
import type { ColumnValues } from '../../contract/column-values.ts';
import type { Failure } from '../../contract/failure.ts';
import { placeOfRow } from '../../contract/row-place.ts';
import { userMessage } from '../../contract/user-message.ts';
import { sanitizeRemoteText } from '../sanitize-remote-text.ts';
import { textOf } from './cell.ts';
import { columnValues } from './column-values.ts';
import { cellIssue, type HowItWasRead } from './cell-issue.ts';
import { describeFields } from './describe-fields.ts';
import { withEdits } from './edited-cells.ts';
import { sentColumns } from './sent-columns.ts';
import { withEveryColumn } from './every-column.ts';
import { errorOf, warningOf, withoutRepeats } from './issues.ts';
import { lengthWarnings } from './length-warnings.ts';
import { columnsBeside, damagedTexts } from './likely-mistakes.ts';
import { allLanguages, languageColumns, type LanguageColumns } from './languages.ts';
import { RowPacker, unpack, type IntakeRow, type PackedRows, type ReadRow } from './intake-row.ts';
import { inFile, joinFiles, oneFile, type FileRecords, type JoinedRecords } from './join-files.ts';
import { foldHeader, similarHeaders, spellings, type MatchedColumns } from './match-columns.ts';
import { decimalMarks } from './number-cells.ts';
import { ownTemplate, type MadeTemplate } from './own-template.ts';
import { noRecords, type Records, type SourceRow } from './records.ts';
import { wholeValuesIn, type RequestTemplate } from './request-template.ts';
import { rowReader } from './row-reader.ts';
import { pictureColumns, requestsOf } from './row-values.ts';
import { sampleRequests } from './sample-requests.ts';
import { readTable } from './tables/read-table.ts';
import { headerText, isTooLong } from './tables/cell-visibility.ts';
import type { TableOptions } from './tables/table-options.ts';
import type { TableFile, TableSource } from './tables/table-source.ts';

/** Rows that are shown before a batch is added. */
const SAMPLE_ROWS = 10;

/** Rows with errors after the shown one, so that one goes from error to error without waiting. */
const NEXT_INVALID = 5;

/** The longest name of a row with errors, in characters: enough to find it in the file. */
const MAX_NAME = 120;

/** The result of reading a batch. Rows with errors are not in `rows`; nothing may be sent then. */
export interface BatchReading extends HowItWasRead {
  readonly name: string;
  /** With the template's names if they are matched to one of its columns. */
  readonly columns: readonly string[];
  /** With the file's own names. */
  readonly fileColumns: readonly string[];
  /** The file's columns that are numbers in requests because of their values. */
  readonly sentAsNumbers: readonly string[];
  /** The first rows of the file, including invalid ones, the first invalid one and the requested one. */
  readonly samples: readonly SampleRow[];
  /** The template of the requests, as the user can change it. */
  readonly template: OwnTemplate;
  /** The same with its columns, which the rows are stored with. */
  readonly rowTemplate: RequestTemplate;
  readonly rows: readonly IntakeRow[];
  /** How many of its rows are not empty. */
  readonly rowCount: number;
  /** All errors, in the order of the rows. */
  readonly errors: readonly BatchIssue[];
  /** The rows of `errors` that are not empty, each with a name to find it by. */
  readonly invalidRows: readonly InvalidRow[];
  /** Videos of rows with errors that name files, with these columns: the files are checked as well. */
  readonly withErrors: readonly Pick<ReadRow, 'row' | 'rowInFile' | 'variant' | 'values'>[];
  /** Rows that are not added by choice; neither `rows` nor `errors` has them. */
  readonly leftOut: readonly (LeftOutRow & RowCells)[];
  /** What is possible and probably not meant, in the order of the rows. */
  readonly warnings: readonly BatchIssue[];
  /** How columns were matched, to find those that nothing uses. */
  readonly matched: Pick<MatchedColumns, 'byName' | 'sources'> & Pick<Records, 'repeated'>;
}

/** As another thread gets it: with the bytes of its rows, and with those that are left out. */
export interface PackedReading extends Omit<BatchReading, 'rows'> {
  readonly rows: readonly PackedRows[];
}

/** The texts of a row's cells, in the order of the file's columns. */
export interface RowCells {
  readonly cells: readonly string[];
}

/** How a file is read, if it differs from the profile. */
export type ReadingOptions = Pick<
  BatchOptions,
  'columns' | 'template' | 'edits' | 'leaveOut' | 'reading'
> & {
  /** A row that must be among the samples, wherever it is. */
  readonly show?: number | undefined;
  /** The language in which this computer shows numbers; the system's when left out. */
  readonly language?: string | undefined;
};

/**
 * Reads a batch and makes every row's request. All errors in it are in `errors`, with one message
 * each; it throws for defects only.
 */
export function readBatch(
  source: TableSource,
  profile: RequestTemplate,
  options: ReadingOptions = {},
): BatchReading {
  return unpackReading(readPacked(source, profile, options), options);
}

/** As {@link readBatch}. */
export function readPacked(
  source: TableSource,
  profile: RequestTemplate,
  options: ReadingOptions,
): PackedReading {
  return readingOf(readRecords(source, profile, options), source, profile, options);
}

export function unpackReading(
  { rows: packed, ...reading }: PackedReading,
  { leaveOut }: ReadingOptions,
): BatchReading {
  const rows = unpack(packed, requestsOf(reading.rowTemplate));
  const without = new Set(leaveOut);
  return { ...reading, rows: rows.filter(({ row }) => !without.has(row)) };
}

/**
 * Counts the distinct values of one column as the user sees it: with corrections, and without rows
 * that are left out.
 * @param column the file's name for it
 */
export function readColumn(
  source: TableSource,
  profile: RequestTemplate,
  options: ReadingOptions,
  column: string,
): ColumnValues {
  return columnValues(readRecords(source, profile, options), column, options.leaveOut);
}

/** The rows of all files, with the user's corrections. */
export function readRecords(
  source: TableSource,
  profile: RequestTemplate,
  options: ReadingOptions,
): JoinedRecords {
  const { further = [] } = source;
  const how = tableOptions(profile, options);
  const records =
    further.length === 0
      ? oneFile(readFile(source, how))
      : joinFiles(readFiles([source, ...further], how), profile);
  return withEdits(records, options.edits);
}

/** The result for a batch that cannot be read at all, for this reason. */
export function unreadBatch(
  source: TableSource,
  profile: RequestTemplate,
  options: ReadingOptions,
  error: Failure,
): BatchReading {
  const records = oneFile({ name: source.name, records: noRecords('Row', error) });
  return unpackReading(readingOf(records, source, profile, options), options);
}

function readingOf(
  records: JoinedRecords,
  source: TableSource,
  profile: RequestTemplate,
  options: ReadingOptions,
): PackedReading {
  const { further = [] } = source;
  const made: MadeTemplate = options.template
    ? ownTemplate(options.template, records, profile)
    : { template: profile, choice: {}, errors: [] };
  const { template, choice } = withEveryColumn(made.template, records);
  // A request that the user wrote uses the file's names of columns, also of matched ones.
  const chosen = Object.values(options.columns ?? {}).filter((given) => given !== null);
  const asInFile = Object.fromEntries(
    chosen.filter((given) => Object.hasOwn(template.columns, given)).map((name) => [name, name]),
  );
  const languages = languageColumns(records, template, {
    ...choice,
    ...made.choice,
    ...(options.template ? asInFile : {}),
    ...options.columns,
  });
  const columns = allLanguages(languages);
  const how: HowItWasRead = {
    files: records.files.map(({ name: file, rowsBefore, reading }) => ({
      name: file,
      rowsBefore,
      reading,
    })),
    units: records.files.map(({ unit }) => unit),
    fields: withTranslations(
      describeFields(template, columns.sources, [
        ...new Set([...Object.keys(profile.columns), ...records.columns]),
      ]),
      languages,
    ),
    languages: languages.map(({ language }) => language).filter((language) => language !== ''),
  };
  const isEmpty = records.rows.length === 0;
  const unfit = made.errors.length > 0 || isEmpty ? made.errors : columns.errors;
  const {
    rows,
    withErrors,
    warnings,
    errors: found,
  } = unfit.length > 0 || isEmpty
    ? {
        rows: [],
        withErrors: [],
        warnings: [],
        errors: [...records.errors, ...unfit].map((error) => errorOf(error)),
      }
    : readRows(records, template, languages, how);
  const titleColumn = columns.sources.get(template.title);
  const without = new Set(options.leaveOut);
  const errors = found.filter(({ row }) => row === undefined || !without.has(row));
  return {
    name: batchName([source, ...further].map((file) => file.name)),
    ...how,
    columns: columns.names,
    fileColumns: records.columns,
    sentAsNumbers: sentAsNumbers(template, profile, columns),
    samples: samplesOf(
      records,
      unpack(rows, requestsOf(template)),
      new Set([options.show, ...nextInvalid(errors, options.show)]),
    ),
    template: options.template ?? { body: template.body, title: profile.title },
    rowTemplate: template,
    rows,
    rowCount: records.rows.length + records.damaged.length,
    errors,
    withErrors: withErrors.filter(({ row }) => !without.has(row)),
    invalidRows: namesOf(records, new Set(errors.map(({ row }) => row)), titleColumn),
    warnings: [
      ...columnsBeside(records, columns),
      ...[...(records.warnings ?? []).map((each) => warningOf(each)), ...warnings].filter(
        ({ row }) => row === undefined || !without.has(row),
      ),
    ],
    matched: { byName: columns.byName, sources: columns.sources, repeated: records.repeated },
    leftOut: leftOutRows(records, found, without, titleColumn),
  };
}

/** The requests of all rows without errors, and all errors in the order of the rows. */
function readRows(
  records: JoinedRecords,
  template: RequestTemplate,
  languages: readonly LanguageColumns[],
  how: HowItWasRead,
): Pick<PackedReading, 'rows' | 'errors' | 'warnings' | 'withErrors'> {
  const { files } = records;
  const marks = decimalMarks(
    records.rows,
    template,
    languages.map(({ columns }) => columns),
  );
  const readers = new Map(
    files.map((file) => [
      file,
      languages.map((each) => ({ each, read: rowReader(template, file.unit, each, marks) })),
    ]),
  );
  const packer = new RowPacker();
  const pictures = pictureColumns(template);
  const withErrors: BatchReading['withErrors'][number][] = [];
  const errors: BatchIssue[] = records.errors.map((error) => errorOf(error));
  const warnings: BatchIssue[] = [];
  const numbers = [...records.rows, ...records.damaged].map(({ row }) => row);
  // A row that is asked about may be no video: errors of its cells do not matter yet.
  const asked = new Set(records.errors.map(({ row }) => row));
  const indexes = new Map(numbers.sort((a, b) => a - b).map((row, place) => [row, place + 1]));
  for (const record of records.rows) {
    const { file, rowInFile } = placeOfRow(files, record.row);
    const readRow = file && readers.get(file);
    if (!readRow) throw new Error('The row is in no file.');
    const source = { ...record, row: rowInFile };
    const place = { row: record.row, index: indexes.get(record.row) ?? 0 };
    const inLanguages = readRow.map(({ read }) => read(source, place));
    const inBatch = (issue: BatchIssue): BatchIssue =>
      files.length === 1 ? issue : inFile(issue, file);
    const damaged = readRow.flatMap(({ each }) => damagedTexts(source, file.unit, template, each));
    warnings.push(...withoutRepeats(damaged).map(inBatch));
    const invalid = inLanguages.filter((read) => read.kind === 'invalid');
    if (invalid.length > 0) {
      if (asked.has(record.row)) continue;
      errors.push(...withoutRepeats(invalid.flatMap((read) => read.errors)).map(inBatch));
      for (const [at, read] of inLanguages.entries()) {
        const own = read.kind === 'invalid' ? read.values : (read.rows[0]?.values ?? []);
        const values = own.filter(([name, value]) => value !== '' && pictures.includes(name));
        const variant = languages[at]?.language ?? '';
        if (values.length > 0) withErrors.push({ row: record.row, rowInFile, variant, values });
      }
    } else {
      const read = inLanguages.flatMap((each) => (each.kind === 'rows' ? each.rows : []));
      for (const row of read) packer.add(row);
    }
  }
  const rows = packer.packed();
  const unpackedRows = unpack(rows, requestsOf(template));
  const lengths = lengthWarnings(unpackedRows, template).flatMap(({ at, ...finding }) => {
    const row = unpackedRows[at];
    return row === undefined ? [] : [cellIssue(warningOf, row, finding, how)];
  });
  warnings.push(...withoutRepeats(lengths));
  errors.sort((one, other) => (one.row ?? 0) - (other.row ?? 0));
  return { rows, withErrors, warnings, errors };
}

/** A field that is translated becomes one for each language. */
function withTranslations(
  fields: readonly BatchField[],
  languages: readonly LanguageColumns[],
): BatchField[] {
  return fields.flatMap((field) => {
    const own = languages.flatMap(({ translated }) => translated.get(field.name) ?? []);
    if (own.length === 0) return [field];
    return own.map(({ name, given = null }) => {
      const { label } = field;
      const tag = name.slice(field.name.length);
      const labels = label && {
        label: { en: `${label.en} ${tag}`.trim(), de: `${label.de} ${tag}`.trim() },
      };
      return { ...field, ...labels, name, from: given };
    });
  });
}

function sentAsNumbers(
  { body, columns }: RequestTemplate,
  profile: RequestTemplate,
  { sources }: MatchedColumns,
): string[] {
  if (body === profile.body) return [];
  const whole = wholeValuesIn(body).filter(
    (name) => Object.hasOwn(columns, name) && columns[name]?.type === 'number',
  );
  return [...new Set(whole.flatMap((name) => sources.get(name) ?? []))];
}

/** Rows with errors: the next ones of a row, and the first ones, which follow the last. */
function nextInvalid(errors: readonly BatchIssue[], show = 0): number[] {
  const rows = [...new Set(errors.flatMap(({ row }) => row ?? []))].sort((a, b) => a - b);
  const after = rows.filter((row) => row > show);
  return [...rows.slice(0, NEXT_INVALID), ...after.slice(0, NEXT_INVALID)];
}

/** @param rows those without errors, in the order of the file */
function samplesOf(
  records: Records,
  rows: readonly IntakeRow[],
  further: ReadonlySet<number | undefined>,
): SampleRow[] {
  const first = records.rows.slice(0, SAMPLE_ROWS);
  const shown = records.rows.slice(SAMPLE_ROWS).filter(({ row }) => further.has(row));
  const samples = [...first, ...shown];
  const wanted = new Set(samples.map(({ row }) => row));
  const requests = Map.groupBy(
    rows.filter(({ row }) => wanted.has(row)),
    ({ row }) => row,
  );
  return samples.map(({ row, cells }) => ({
    row,
    cells: Object.fromEntries(
      Object.entries(cells).map(([column, cell]) => [column, textOf(cell)]),
    ),
    ...sampleRequests(requests.get(row) ?? []),
  }));
}

function leftOutRows(
  records: Records,
  errors: readonly BatchIssue[],
  without: ReadonlySet<number>,
  titleColumn: string | undefined,
): (LeftOutRow & RowCells)[] {
  if (without.size === 0) return [];
  const issues = Map.groupBy(errors, ({ row }) => row);
  const sources = new Map(
    [...records.rows, ...records.damaged].map((source) => [source.row, source.cells]),
  );
  return namesOf(records, without, titleColumn).map((named) => {
    const cells = sources.get(named.row) ?? {};
    return {
      ...named,
      issues: issues.get(named.row) ?? [],
      cells: records.columns.map((column) =>
        Object.hasOwn(cells, column) ? textOf(cells[column] ?? '') : '',
      ),
    };
  });
}

/**
 * Names of rows, to find them in the file. Rows without any text are left out.
 *
 * @param titleColumn the file's column that titles are taken from
 */
function namesOf(
  records: Records,
  numbers: ReadonlySet<number | undefined>,
  titleColumn: string | undefined,
): InvalidRow[] {
  const order = titleColumn === undefined ? records.columns : [titleColumn, ...records.columns];
  return [...records.rows, ...records.damaged]
    .filter(({ row }) => numbers.has(row))
    .sort((one, other) => one.row - other.row)
    .map((source) => ({ row: source.row, name: firstWords(source, order) }))
    .filter(({ name }) => name !== '');
}

function firstWords({ cells }: SourceRow, order: readonly string[]): string {
  // A damaged row may have text in columns that no other row has.
  for (const column of [...order, ...Object.keys(cells)]) {
    // A column may have the name of a property that every object has.
    const cell = Object.hasOwn(cells, column) ? cells[column] : undefined;
    const words = sanitizeRemoteText(textOf(cell ?? ''), MAX_NAME);
    if (words !== '') return words;
  }
  return '';
}

export function tableOptions(
  profile: RequestTemplate,
  { columns: chosen = {}, reading = {}, language, template }: ReadingOptions,
): TableOptions {
  const known = spellings(profile.columns);
  const nameOfSimilar = similarHeaders(profile.columns);
  const named = new Map(Object.entries(chosen).map(([name, header]) => [header, name]));
  const columnNamed = (cell: string): string | undefined => {
    if (isTooLong(cell)) return undefined;
    const header = headerText(cell);
    return known.get(foldHeader(header)) ?? nameOfSimilar(header);
  };
  const columnOf = (cell: string): string | undefined =>
    (isTooLong(cell) ? undefined : named.get(headerText(cell))) ?? columnNamed(cell);
  return {
    choices: reading,
    language: language ?? new Intl.NumberFormat().resolvedOptions().locale,
    columnOf,
    columnNamed,
    isSent: sentColumns(profile, template, columnOf),
  };
}

function* readFiles(files: readonly TableFile[], how: TableOptions): Generator<FileRecords> {
  for (const file of files) yield readFile(file, how);
}

export function readFile(file: TableFile, how: TableOptions): FileRecords {
  const { name } = file;
  const records = readTable(file, optionsOf(file, how));
  const isEmpty = records.rows.length + records.damaged.length === 0 && records.errors.length === 0;
  return { name, records: isEmpty ? { ...records, errors: [emptyError(name)] } : records };
}

/** The choices about a file take precedence over those about the batch. */
export function optionsOf({ reading }: TableFile, how: TableOptions): TableOptions {
  return { ...how, choices: { ...how.choices, ...reading } };
}

export function emptyError(name: string): Failure {
  return { code: 'batch-empty', ...userMessage('file-no-rows', { name }) };
}

/** `Launch week` for `Launch week.csv`, and for `Launch week 1.csv` with `Launch week 2.csv`. */
function batchName(fileNames: readonly string[]): string {
  const [first = '', ...others] = fileNames.map((name) => {
    const last = name.split(/[/\\]/).at(-1) ?? '';
    return last.replace(/\.[a-z]{2,7}$/i, '').trim();
  });
  const shared = others.reduce(sharedWords, first).replace(/[\s_.,([-]+$/, '');
  return shared || first || 'Batch';
}

/** The words and numbers that both names begin with; none is cut. */
function sharedWords(one: string, other: string): string {
  const [words, otherWords] = [one, other].map((name) => name.match(/\d+|\p{L}+|[^\d\p{L}]+/gu));
  const differs = words?.findIndex((word, at) => word !== otherWords?.[at]) ?? -1;
  return differs < 0 ? one : (words ?? []).slice(0, differs).join('');
}
