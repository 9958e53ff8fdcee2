import type { Failure } from '../../contract/failure.ts';
import type { RawCell } from './cell.ts';

/** One row of a file, before anything is known about its columns. */
export interface SourceRow {
  /** By the names that the file gives its columns. Empty cells may be left out. */
  readonly cells: Readonly<Record<string, RawCell>>;
  readonly row: number;
}

/** A file's rows, or why there are none. */
export interface Records {
  /** What a row is called in sentences: a spreadsheet has rows, JSON has entries, JSONL has lines. */
  readonly unit: 'Row' | 'Entry' | 'Line';
  /** In the order of the file. */
  readonly columns: readonly string[];
  readonly rows: readonly SourceRow[];
  readonly faults: readonly Failure[];
}

export function unreadable(message: string, row?: number): Failure {
  return { code: 'batch-unreadable', message, ...(row === undefined ? {} : { row }) };
}

export function noRecords(unit: Records['unit'], fault: Failure): Records {
  return { unit, columns: [], rows: [], faults: [fault] };
}
