/** Finds texts of a written table that a reading lost or changed without a word. */
import type { BatchIssue } from '../../src/contract/batch-issue.ts';
import type { BatchReading } from '../../src/engine/intake/read-batch.ts';
import { textsOf } from '../../src/engine/intake/cell.ts';
import type { TextRow } from './table-texts.ts';

/**
 * What is asked about a row in every table: a total, and a date, a text with a colon at its end or
 * one with lines before it that is alone in its row.
 */
const ASKED =
  /a total: “(?:Total|Summe)[^“]*”|a heading between videos: “(?:27\.11\.2026|2026-11-27|[^·]*:|[-–—=*#~+>•.]{2}[^·]*)”/;

/** The errors of a reading in English that are not such questions. */
export function errorsInTexts({ errors }: BatchReading): readonly BatchIssue[] {
  return errors.filter(({ message }) => !ASKED.test(message));
}

/**
 * The rows of a table that arrived in another way than they were written, and are named by neither
 * an error nor a decision of the reading that the user sees.
 * @param rowOf the number of each row in its file; an empty result means that nothing was lost
 */
export function unaccounted(
  written: readonly TextRow[],
  reading: BatchReading,
  rowOf: (index: number) => number,
): string[] {
  // A file that cannot be read as a whole is named as a whole.
  if (reading.errors.some(({ row }) => row === undefined)) return [];
  const read = new Map(reading.rows.map(({ row, values }) => [row, textsOf(values)]));
  const named = new Set([
    ...reading.errors.map(({ row }) => row),
    ...reading.files.flatMap(({ reading: how }) =>
      [...(how?.leftOut ?? []), ...(how?.undecided ?? [])].map(({ row }) => row),
    ),
  ]);
  const lost = written.flatMap(([title, message], index) => {
    const row = rowOf(index);
    const found = read.get(row);
    read.delete(row);
    if (named.has(row)) return [];
    const { title: readTitle = '', message: readMessage = '' } = found ?? {};
    if (found !== undefined && readTitle === title && readMessage === message) return [];
    const got = found === undefined ? 'nothing' : JSON.stringify([readTitle, readMessage]);
    return [`row ${row}: ${JSON.stringify([title, message])} became ${got}`];
  });
  const invented = [...read.keys()]
    .filter((row) => !named.has(row))
    .map((row) => `row ${row}: not written`);
  return [...lost, ...invented];
}
