/** Makes the files that a user saves of a table: with corrections, or of the rows left out. */
import { isDeepStrictEqual } from 'node:util';
import type { TableCopy, TableCopyWanted } from '../../contract/table-copy.ts';
import { userMessage } from '../../contract/user-message.ts';
import { csvLine } from '../csv-line.ts';
import { textOf } from './cell.ts';
import { withEdits } from './edited-cells.ts';
import { leftOutTable } from './left-out-table.ts';
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
import { hasSheets, type Records } from './records.ts';
import type { RequestTemplate } from './request-template.ts';
import { rewriteTable, type ChangedCells } from './tables/rewrite-table.ts';
import { rewriteWorkbook } from './tables/rewrite-workbook.ts';
import type { TableOptions } from './tables/table-options.ts';
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
    : leftOutCopy(readBatch(source, profile, options), wanted.language);
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
  const edited = withEdits(
    records,
    Object.fromEntries(
      [...changes].map(([row, texts]) => [String(row), Object.fromEntries(texts)]),
    ),
  );
  const rows = textsOf(edited);
  const book = correctedWorkbook(file, records, how, changes, rows);
  if (book !== null) {
    const ending = /^\.xl[st][xm]$/i.test(extension) ? extension : '.xlsx';
    return { name: `${base}.corrected${ending}`, type: XLSX_TYPE, ...book };
  }
  return hasSheets(records.reading)
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

/** The workbook itself with the corrections, if it is then read as meant; otherwise `null`. */
function correctedWorkbook(
  file: TableFile,
  { reading }: Records,
  how: TableOptions,
  changes: ChangedCells,
  meant: readonly (readonly string[])[],
): Pick<MadeCopy, 'bytes' | 'note'> | null {
  if (typeof file.content === 'string' || reading === null) return null;
  const options = optionsOf(file, how);
  for (const numbersAs of ['numbers', 'texts'] as const) {
    const book = rewriteWorkbook(file.content, reading, options, changes, numbersAs);
    if (book === null) return null;
    const { bytes, replacedFormulas: count } = book;
    const { records } = readFile({ ...file, content: bytes }, how);
    if (records.reading?.sheet !== reading.sheet || !isDeepStrictEqual(textsOf(records), meant))
      continue;
    return { bytes, note: count === 0 ? null : userMessage('copy-replaces-formulas', { count }) };
  }
  return null;
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
  reading: BatchReading,
  language: TableCopyWanted['language'],
): Promise<MadeCopy> {
  const { ending, bytes } = await leftOutTable(reading, language);
  const type = ending === '.left-out.xlsx' ? XLSX_TYPE : CSV_TYPE;
  return { name: `${reading.name}${ending}`, type, bytes, note: null };
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** `["videos", ".csv"]`. */
function splitName(name: string): readonly [base: string, extension: string] {
  const [extension = ''] = /\.[a-z]{2,7}$/i.exec(name) ?? [];
  return [name.slice(0, name.length - extension.length) || 'Batch', extension];
}
