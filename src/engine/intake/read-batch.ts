import { createHash } from 'node:crypto';
import type { BatchSource } from '../../contract/batch.ts';
import type { Failure } from '../../contract/failure.ts';
import type { BatchReading, IntakeRow } from './batch-reading.ts';
import { canonicalJson } from './canonical-json.ts';
import { readCell, textOf, type CellValue } from './cell.ts';
import type { Column } from './column.ts';
import { readDelimited } from './delimited.ts';
import { readJsonArray, readJsonLines } from './json-records.ts';
import { noRecords, unreadable, type Records, type SourceRow } from './records.ts';
import { fillBody, presetOf } from './request-body.ts';
import type { RequestTemplate } from './request-template.ts';

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

  const rows: IntakeRow[] = [];
  for (const source of records.rows) {
    const row = readRow(source, records.unit, columns.byName, template, faults);
    if (row !== null) rows.push(row);
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

/** The row's request, or `null` with its faults added to `faults`. */
function readRow(
  { cells: given, row }: SourceRow,
  unit: Records['unit'],
  byName: ReadonlyMap<string, string>,
  template: RequestTemplate,
  faults: Failure[],
): IntakeRow | null {
  const raw = new Map(
    Object.entries(given).map(([column, cell]) => [byName.get(column) ?? column, cell]),
  );
  const values = new Map<string, CellValue>();
  let isSound = true;
  for (const [name, column] of Object.entries(template.columns)) {
    const reading = readCell(raw.get(name) ?? '', column);
    if (reading.kind === 'value') {
      values.set(name, reading.value);
      continue;
    }
    const what = reading.kind === 'fault' ? reading.what : missing(name, column);
    if (what !== null) {
      isSound = false;
      faults.push({
        code: 'value-invalid',
        message: `${unit} ${row}, ${name}: ${what}`,
        row,
        column: name,
      });
    } else if (column.default !== undefined) {
      values.set(name, column.default);
    }
  }
  if (!isSound) return null;

  const body = canonicalJson(fillBody(template.body, values));
  const title = values.get(template.title);
  return {
    row,
    title: title === undefined ? `${unit} ${row}` : textOf(title).replace(/\s+/g, ' '),
    cells: Object.fromEntries([...raw].map(([name, cell]) => [name, textOf(cell).trim()])),
    body,
    bodySha256: createHash('sha256').update(body).digest('hex'),
    preset: presetOf(template, values),
  };
}

function missing(name: string, column: Column): string | null {
  return column.required === true ? `every video needs a ${name}.` : null;
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
