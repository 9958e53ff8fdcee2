import type { BatchField, BatchOptions, BatchSource, SampleRow } from '../../contract/batch.ts';
import type { Failure } from '../../contract/failure.ts';
import type { BatchReading, IntakeRow } from './batch-reading.ts';
import { textOf } from './cell.ts';
import { readDelimited } from './delimited.ts';
import { readJsonArray, readJsonLines } from './json-records.ts';
import { matchColumns } from './match-columns.ts';
import { ownTemplate } from './own-template.ts';
import { noRecords, unreadable, type Records } from './records.ts';
import type { RequestTemplate } from './request-template.ts';
import { RowReader } from './row-reader.ts';

/** Rows that are shown before a batch is added. */
const SAMPLE_ROWS = 10;

/** How a file is read, where it is not read as the profile has it. */
export type ReadingOptions = Pick<BatchOptions, 'columns' | 'template'>;

/**
 * Reads a batch and makes every row's request. Everything that is wrong with it is in `faults`, one
 * sentence each; it throws for defects only.
 */
export function readBatch(
  source: BatchSource,
  profile: RequestTemplate,
  options: ReadingOptions = {},
): BatchReading {
  const name = batchName(source.name);
  const records = readRecords(source);
  const nothing = { name, columns: records.columns, fileColumns: records.columns, rows: [] };
  const made = options.template
    ? ownTemplate(options.template, records, profile)
    : ({ kind: 'template', template: profile, choice: {} } as const);
  if (made.kind === 'faulty') {
    const faults = [...records.faults, ...made.faults];
    return { ...nothing, fields: [], samples: samplesOf(records, []), faults };
  }
  const { template } = made;
  if (records.rows.length === 0) {
    const faults = records.faults.length > 0 ? records.faults : [emptyFault(source)];
    return { ...nothing, fields: fieldsOf(template), samples: [], faults };
  }
  const columns = matchColumns(records, template, { ...made.choice, ...options.columns });
  const fields = fieldsOf(template, columns.sources);
  const faults = [...records.faults, ...columns.faults];
  if (columns.faults.length > 0) {
    return { ...nothing, columns: columns.names, fields, samples: samplesOf(records, []), faults };
  }
  const reader = new RowReader(template, records.unit, columns.byName);
  const rows: IntakeRow[] = [];
  for (const record of records.rows) {
    const reading = reader.read(record);
    if (reading.kind === 'row') rows.push(reading.row);
    else faults.push(...reading.faults);
  }
  faults.sort((one, other) => (one.row ?? 0) - (other.row ?? 0));
  const samples = samplesOf(records, rows);
  return { ...nothing, columns: columns.names, fields, samples, rows, faults };
}

function fieldsOf(
  { columns }: RequestTemplate,
  sources: ReadonlyMap<string, string> = new Map(),
): BatchField[] {
  return Object.entries(columns).map(([name, { type, required = false }]) => ({
    name,
    type,
    required,
    from: sources.get(name) ?? null,
  }));
}

/** @param rows those without faults, in the order of the file */
function samplesOf(records: Records, rows: readonly IntakeRow[]): SampleRow[] {
  return records.rows.slice(0, SAMPLE_ROWS).map(({ row, cells }) => {
    const body = rows.find((read) => read.row === row)?.body;
    return {
      row,
      cells: Object.fromEntries(
        Object.entries(cells).map(([column, cell]) => [column, textOf(cell)]),
      ),
      request: body === undefined ? null : (JSON.parse(body) as SampleRow['request']),
    };
  });
}

function readRecords({ name, content }: BatchSource): Records {
  if (content.startsWith('PK\u0003\u0004') || /\.(?:xlsx?|ods|numbers)$/i.test(name)) {
    return noRecords('Row', unreadable(`“${name}” is a workbook. Save it as CSV first.`));
  }
  if (content.slice(0, 4096).includes('\0')) {
    return noRecords(
      'Row',
      unreadable(`“${name}” is not a text that can be read. Save the table as CSV UTF-8.`),
    );
  }
  const text = content.replace(/^\ufeff/, '');
  if (text.trim() === '') return { unit: 'Row', columns: [], rows: [], faults: [] };
  switch (formatOf(name, text)) {
    case 'json':
      return readJsonArray(name, text);
    case 'json-lines':
      return readJsonLines(text);
    case 'delimited':
      return readDelimited(name, text);
  }
}

/** The name decides where it can; pasted text is told apart by its first character. */
function formatOf(name: string, text: string): 'json' | 'json-lines' | 'delimited' {
  if (/\.json$/i.test(name)) return 'json';
  if (/\.(?:jsonl|ndjson)$/i.test(name)) return 'json-lines';
  if (/\.(?:csv|tsv)$/i.test(name)) return 'delimited';
  switch (text.trimStart()[0]) {
    case '[':
      return 'json';
    case '{':
      return 'json-lines';
    default:
      return 'delimited';
  }
}

function emptyFault({ name }: BatchSource): Failure {
  return { code: 'batch-empty', message: `“${name}” has no rows to make videos from.` };
}

/** `Launch week` for `/somewhere/Launch week.csv`. */
function batchName(fileName: string): string {
  const last = fileName.split(/[/\\]/).at(-1) ?? '';
  return last.replace(/\.[a-z]{2,7}$/i, '').trim() || 'Batch';
}
