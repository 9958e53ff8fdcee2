/** The rows of a batch that are left out, with their reasons, as a file of the batch's kind. */
import type { Language } from '../../contract/in-language.ts';
import { messageIn } from '../../contract/message-in.ts';
import { csvLine, separatorLike } from '../csv-line.ts';
import type { BatchReading } from './read-batch.ts';
import { hasSheets } from './records.ts';
import { plainCells, writeWorkbook } from './write-workbook.ts';

export interface LeftOutTable {
  /** Of the file, after its name. */
  readonly ending: '.left-out.csv' | '.left-out.xlsx';
  readonly bytes: Uint8Array;
}

/** A workbook with the cells of the reasons marked, for a workbook; otherwise separated values. */
export async function leftOutTable(
  reading: BatchReading,
  language: Language,
): Promise<LeftOutTable> {
  const [first, ...further] = reading.files;
  return further.length === 0 && hasSheets(first?.reading ?? null)
    ? { ending: '.left-out.xlsx', bytes: await leftOutWorkbook(reading, language) }
    : {
        ending: '.left-out.csv',
        bytes: new TextEncoder().encode(leftOutCsv(reading, language)),
      };
}

function headerOf({ fileColumns }: BatchReading, language: Language): string[] {
  return [...fileColumns, language === 'de' ? 'Grund' : 'Reason'];
}

function reasonOf({ issues }: BatchReading['leftOut'][number], language: Language): string {
  return issues.map((issue) => messageIn(language, issue)).join(' ');
}

function leftOutCsv(reading: BatchReading, language: Language): string {
  const separator = separatorLike(reading.files[0]?.reading?.separator);
  const rows = reading.leftOut.map((row) => [...row.cells, reasonOf(row, language)]);
  const lines = [headerOf(reading, language), ...rows].map((row) => csvLine(row, separator));
  return `\ufeff${lines.join('')}`;
}

function leftOutWorkbook(reading: BatchReading, language: Language): Promise<Uint8Array> {
  const { leftOut, fileColumns, fields, files } = reading;
  const rows = leftOut.map((row) => {
    const columns = new Set(
      row.issues.map(({ column }) => fields.find(({ name }) => name === column)?.from ?? column),
    );
    const marked = row.cells.map((text, at) => ({ text, isMarked: columns.has(fileColumns[at]) }));
    return [...marked, ...plainCells([reasonOf(row, language)])];
  });
  const header = plainCells(headerOf(reading, language));
  return writeWorkbook([{ name: files[0]?.reading?.sheet ?? '', rows: [header, ...rows] }]);
}
