import type { FaultyRow } from '../../contract/batch.ts';
import type { Failure } from '../../contract/failure.ts';
import { sanitizeRemoteText } from '../sanitize-remote-text.ts';
import { textOf } from './cell.ts';
import type { Records, SourceRow } from './records.ts';

/** The longest name of a faulty row, in characters: enough to find it in the file. */
const MAX_NAME = 120;

/**
 * What the rows that have faults are found again by, in the order of the file: one a row, however
 * many faults it has. Those that say nothing at all are not among them.
 *
 * @param titleColumn the file's column that titles are taken from
 */
export function faultyRows(
  records: Records,
  faults: readonly Failure[],
  titleColumn: string | undefined,
): FaultyRow[] {
  const faulty = new Set(faults.map(({ row }) => row));
  const order = titleColumn === undefined ? records.columns : [titleColumn, ...records.columns];
  return [...records.rows, ...records.damaged]
    .filter(({ row }) => faulty.has(row))
    .sort((one, other) => one.row - other.row)
    .map((source) => ({ row: source.row, name: firstWords(source, order) }))
    .filter(({ name }) => name !== '');
}

function firstWords({ cells }: SourceRow, order: readonly string[]): string {
  // What is damaged may say something in no column at all.
  for (const column of [...order, ...Object.keys(cells)]) {
    // A column of other rows may be called as something that every object has.
    const cell = Object.hasOwn(cells, column) ? cells[column] : undefined;
    const words = sanitizeRemoteText(textOf(cell ?? ''), MAX_NAME);
    if (words !== '') return words;
  }
  return '';
}
