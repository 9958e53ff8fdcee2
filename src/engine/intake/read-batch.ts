import type { BatchOptions, BatchSource, SampleRow } from '../../contract/batch.ts';
import type { Failure } from '../../contract/failure.ts';
import { tell } from '../../contract/told.ts';
import type { BatchReading, IntakeRow } from './batch-reading.ts';
import { textOf } from './cell.ts';
import { readDelimited } from './delimited.ts';
import { describeFields } from './describe-fields.ts';
import { faultyRows } from './faulty-rows.ts';
import { readJsonArray, readJsonLines } from './json-records.ts';
import { matchColumns } from './match-columns.ts';
import { ownTemplate } from './own-template.ts';
import { noRecords, unreadable, type Records } from './records.ts';
import type { RequestTemplate } from './request-template.ts';
import { RowReader } from './row-reader.ts';

/** Rows that are shown before a batch is added. */
const SAMPLE_ROWS = 10;

/** How a file is read, where it is not read as the profile has it. */
export type ReadingOptions = Pick<BatchOptions, 'columns' | 'template'> & {
  /** A row that is to be among the samples, wherever it is. */
  readonly show?: number | undefined;
};

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
  const made = options.template
    ? ownTemplate(options.template, records, profile)
    : ({ kind: 'template', template: profile, choice: {} } as const);
  const template = made.kind === 'template' ? made.template : profile;
  const choice = made.kind === 'template' ? made.choice : {};
  const columns = matchColumns(records, template, { ...choice, ...options.columns });
  const reading = {
    name,
    columns: columns.names,
    fileColumns: records.columns,
    fields: describeFields(template, columns.sources),
    samples: samplesOf(records, [], options.show),
    template: options.template ?? { body: profile.body, title: profile.title },
    rows: [],
  };
  const withFaults = (faults: readonly Failure[]): Pick<BatchReading, 'faults' | 'faultyRows'> => ({
    faults,
    faultyRows: faultyRows(records, faults, columns.sources.get(template.title)),
  });
  if (made.kind === 'faulty') {
    return { ...reading, ...withFaults([...records.faults, ...made.faults]) };
  }
  if (records.rows.length === 0) {
    const faults = records.faults.length > 0 ? records.faults : [emptyFault(source)];
    return { ...reading, ...withFaults(faults) };
  }
  const faults = [...records.faults, ...columns.faults];
  if (columns.faults.length > 0) return { ...reading, ...withFaults(faults) };

  const reader = new RowReader(template, records.unit, columns.byName);
  const rows: IntakeRow[] = [];
  for (const record of records.rows) {
    const read = reader.read(record);
    if (read.kind === 'row') rows.push(read.row);
    else faults.push(...read.faults);
  }
  faults.sort((one, other) => (one.row ?? 0) - (other.row ?? 0));
  return {
    ...reading,
    samples: samplesOf(records, rows, options.show),
    rows,
    ...withFaults(faults),
  };
}

/** @param rows those without faults, in the order of the file */
function samplesOf(
  records: Records,
  rows: readonly IntakeRow[],
  show: number | undefined,
): SampleRow[] {
  const first = records.rows.slice(0, SAMPLE_ROWS);
  const shown = records.rows.slice(SAMPLE_ROWS).filter(({ row }) => row === show);
  return [...first, ...shown].map(({ row, cells }) => {
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
    return noRecords('Row', unreadable(tell('file-is-workbook', { name })));
  }
  if (content.slice(0, 4096).includes('\0')) {
    return noRecords('Row', unreadable(tell('file-no-text', { name })));
  }
  const text = content.replace(/^\ufeff/, '');
  if (text.trim() === '') return noRecords('Row', emptyFault({ name, content }));
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
  return { code: 'batch-empty', ...tell('file-no-rows', { name }) };
}

/** `Launch week` for `/somewhere/Launch week.csv`. */
function batchName(fileName: string): string {
  const last = fileName.split(/[/\\]/).at(-1) ?? '';
  return last.replace(/\.[a-z]{2,7}$/i, '').trim() || 'Batch';
}
