/** Makes the files that a user saves of a table: with corrections, or of the rows left out. */
import type { TableCopy, TableCopyWanted } from '../../contract/table-copy.ts';
import { messageIn } from '../../contract/message-in.ts';
import { userMessage } from '../../contract/user-message.ts';
import { csvLine } from '../csv-line.ts';
import { textOf } from './cell.ts';
import { withEdits } from './edited-cells.ts';
import { leftOutCsv, leftOutHeader } from './left-out-table.ts';
import { foldHeader } from './match-columns.ts';
import {
  optionsOf,
  readBatch,
  readFile,
  readRecords,
  tableOptions,
  type BatchReading,
  type ReadingOptions,
} from './read-batch.ts';
import type { Records } from './records.ts';
import type { RequestTemplate } from './request-template.ts';
import { rewriteTable, type ChangedCells } from './tables/rewrite-table.ts';
import type { TableFile, TableSource } from './tables/table-source.ts';
import { plainCells, writeWorkbook, XLSX_TYPE } from './write-workbook.ts';

export type CopyWanted = Pick<TableCopyWanted, 'what' | 'file' | 'language'>;

/** As it crosses to another thread. */
export type MadeCopy = Omit<TableCopy, 'base64'> & { readonly bytes: Uint8Array };

const CSV_TYPE = 'text/csv';

export function copyTable(
  source: TableSource,
  profile: RequestTemplate,
  options: ReadingOptions,
  wanted: CopyWanted,
): Promise<MadeCopy> {
  return wanted.what === 'corrected'
    ? correctedCopy(source, profile, options, wanted.file)
    : leftOutCopy(source, readBatch(source, profile, options), wanted.language);
}

async function correctedCopy(
  source: TableSource,
  profile: RequestTemplate,
  options: ReadingOptions,
  place: number,
): Promise<MadeCopy> {
  const files = [source, ...(source.further ?? [])];
  const file = files[place] ?? source;
  const how = tableOptions(profile, options);
  const { records } = readFile(file, how);
  const changes = changesIn(file, place, records, source, profile, options);
  const [base, extension] = splitName(file.name);
  const rewritten = rewriteTable(file.content, optionsOf(file, how), changes);
  if (rewritten !== null) {
    const ending =
      extension === '' ? (records.reading?.separator === '\t' ? '.tsv' : '.csv') : extension;
    return { name: `${base}.corrected${ending}`, type: CSV_TYPE, bytes: rewritten, note: null };
  }
  const edits = Object.fromEntries(
    [...changes].map(([row, texts]) => [String(row), Object.fromEntries(texts)]),
  );
  const rows = textsOf(withEdits(records, edits));
  return isWorkbook(records)
    ? {
        name: `${base}.corrected.xlsx`,
        type: XLSX_TYPE,
        bytes: await writeWorkbook([
          { name: records.reading?.sheet ?? '', rows: rows.map(plainCells) },
        ]),
        note: userMessage('copy-is-plain-workbook'),
      }
    : {
        name: `${base}.corrected.csv`,
        type: CSV_TYPE,
        bytes: utf8(`\ufeff${rows.map((cells) => csvLine(cells)).join('')}`),
        note: userMessage('copy-is-csv'),
      };
}

/** The corrections of one file of a batch, by its own rows and names of columns. */
function changesIn(
  { name }: TableFile,
  place: number,
  { columns }: Records,
  source: TableSource,
  profile: RequestTemplate,
  options: ReadingOptions,
): ChangedCells {
  const { edits = {} } = options;
  const joined = source.further?.length ? readRecords(source, profile, options).files : [];
  const first = joined[place]?.rowsBefore ?? 0;
  const last = joined[place + 1]?.rowsBefore ?? Infinity;
  const ownName = (column: string): string =>
    columns.includes(column)
      ? column
      : (columns.find((own) => foldHeader(own) === foldHeader(column)) ?? column);
  return new Map(
    Object.entries(edits)
      .map(([row, texts]) => [Number(row), texts] as const)
      .filter(([row]) => name !== '' && row > first && row <= last)
      .map(([row, texts]) => [
        row - first,
        new Map(Object.entries(texts).map(([column, text]) => [ownName(column), text])),
      ]),
  );
}

/** The header, and every row in the order of the file. */
function textsOf({ columns, rows, damaged }: Records): string[][] {
  const all = [...rows, ...damaged].sort((one, other) => one.row - other.row);
  return [
    [...columns],
    ...all.map(({ cells }) =>
      columns.map((column) => (Object.hasOwn(cells, column) ? textOf(cells[column] ?? '') : '')),
    ),
  ];
}

async function leftOutCopy(
  source: TableSource,
  reading: BatchReading,
  language: TableCopyWanted['language'],
): Promise<MadeCopy> {
  const { name, leftOut, fileColumns, fields, files } = reading;
  const isBook = source.further?.length ? false : files.some(({ reading: how }) => hasSheets(how));
  if (!isBook) {
    const bytes = utf8(leftOutCsv(reading, language));
    return { name: `${name}.left-out.csv`, type: CSV_TYPE, bytes, note: null };
  }
  const rows = leftOut.map(({ cells, issues }) => {
    const columns = new Set(
      issues.map(({ column }) => fields.find((field) => field.name === column)?.from ?? column),
    );
    const marked = cells.map((text, at) => ({ text, isMarked: columns.has(fileColumns[at]) }));
    const reason = issues.map((issue) => messageIn(language, issue)).join(' ');
    return [...marked, { text: reason, isMarked: false }];
  });
  const header = plainCells(leftOutHeader(reading, language));
  const sheet = { name: files[0]?.reading?.sheet ?? '', rows: [header, ...rows] };
  const bytes = await writeWorkbook([sheet]);
  return { name: `${name}.left-out.xlsx`, type: XLSX_TYPE, bytes, note: null };
}

function isWorkbook({ reading }: Records): boolean {
  return hasSheets(reading);
}

function hasSheets(reading: Records['reading']): boolean {
  return reading !== null && ['xlsx', 'xls', 'ods'].includes(reading.kind);
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** `["videos", ".csv"]`. */
function splitName(name: string): readonly [base: string, extension: string] {
  const [extension = ''] = /\.[a-z]{2,7}$/i.exec(name) ?? [];
  return [name.slice(0, name.length - extension.length) || 'Batch', extension];
}
