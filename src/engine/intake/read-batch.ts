import type { BatchSource } from '../../contract/batch.ts';
import type { Failure } from '../../contract/failure.ts';
import type { BatchReading, IntakeRow } from './batch-reading.ts';
import { readDelimited } from './delimited.ts';
import { readJsonArray, readJsonLines } from './json-records.ts';
import { noRecords, unreadable, type Records } from './records.ts';
import type { RequestTemplate } from './request-template.ts';
import { RowReader } from './row-reader.ts';

/**
 * Reads a batch and makes every row's request. Everything that is wrong with it is in `faults`, one
 * sentence each; it throws for defects only.
 */
export function readBatch(source: BatchSource, template: RequestTemplate): BatchReading {
  const name = batchName(source.name);
  const records = readRecords(source);
  if (records.rows.length === 0) {
    const faults = records.faults.length > 0 ? records.faults : [emptyFault(source)];
    return { name, columns: records.columns, rows: [], faults };
  }
  const columns = matchColumns(records, template);
  const faults = [...records.faults, ...columns.faults];
  if (columns.faults.length > 0) return { name, columns: columns.names, rows: [], faults };

  const reader = new RowReader(template, records.unit, columns.byName);
  const rows: IntakeRow[] = [];
  for (const record of records.rows) {
    const reading = reader.read(record);
    if (reading.kind === 'row') rows.push(reading.row);
    else faults.push(...reading.faults);
  }
  faults.sort((one, other) => (one.row ?? 0) - (other.row ?? 0));
  return { name, columns: columns.names, rows, faults };
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

interface MatchedColumns {
  /** The file's columns in its order, under the template's names where it knows them. */
  readonly names: readonly string[];
  /** From the file's name for a column to the one in `names`. */
  readonly byName: ReadonlyMap<string, string>;
  readonly faults: readonly Failure[];
}

function matchColumns(records: Records, { columns }: RequestTemplate): MatchedColumns {
  const known = new Map<string, string>();
  for (const [name, column] of Object.entries(columns)) {
    for (const spelling of [name, ...(column.aliases ?? [])]) known.set(fold(spelling), name);
  }
  const byName = new Map<string, string>();
  const taken = new Map<string, string>();
  const faults: Failure[] = [];
  for (const given of records.columns) {
    const name = known.get(fold(given)) ?? given;
    const other = taken.get(fold(name));
    if (other !== undefined && records.unit === 'Row') {
      faults.push({
        ...unreadable(`Two columns are for the same thing: “${other}” and “${given}”.`),
        column: name,
      });
    }
    byName.set(given, name);
    taken.set(fold(name), given);
  }
  const names = [...new Set(byName.values())];
  for (const [name, column] of Object.entries(columns)) {
    if (column.required !== true || taken.has(fold(name))) continue;
    faults.push({
      code: 'column-missing',
      message: `There is no “${name}” column. The columns are: ${records.columns.join(', ')}.`,
      column: name,
    });
  }
  return { names, byName, faults };
}

function emptyFault({ name }: BatchSource): Failure {
  return { code: 'batch-empty', message: `“${name}” has no rows to make videos from.` };
}

/** `Launch week` for `/somewhere/Launch week.csv`. */
function batchName(fileName: string): string {
  const last = fileName.split(/[/\\]/).at(-1) ?? '';
  return last.replace(/\.[a-z]{2,7}$/i, '').trim() || 'Batch';
}

/** Headers are told apart by their letters and digits: `Sub-Title` is `sub title`. */
function fold(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim();
}
