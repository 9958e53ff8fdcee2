/** Rows with errors that a command leaves out, and the account of all rows of a batch. */
import path from 'node:path';
import { errorsAmong } from '../contract/errors-among.ts';
import type { AddedBatch, BatchPlan } from '../contract/batch.ts';
import { writeNewFile } from '../engine/files/new-numbered-file.ts';
import { leftOutTable } from '../engine/intake/left-out-table.ts';
import type { BatchReading } from '../engine/intake/read-batch.ts';

/** What became of every row of a batch; the counts add up to `videos` and those left out. */
export interface RowAccount {
  /** Rows of the batch's files that are not empty. */
  readonly rows: number;
  /** Of rows that are not left out: one each, or several. */
  readonly videos: number;
  /** Rendered, or downloaded because they were rendered before. */
  readonly added: number;
  /** In this batch already, or skipped by choice. */
  readonly there: number;
  /** In other batches, whose videos are not finished. */
  readonly inOtherBatches: number;
  readonly leftOut: readonly { readonly row: number; readonly reasons: readonly string[] }[];
  /** The file with the rows that are left out; `null` for none. */
  readonly file: string | null;
}

/** The rows that have errors; none if no row would remain. */
export function invalidRowsOf({ errors, rows }: BatchReading): number[] {
  if (rows.length === 0) return [];
  const numbers = errorsAmong(errors).flatMap(({ row }) => row ?? []);
  return [...new Set(numbers)];
}

/**
 * Saves the rows that are left out, with their reasons, as `NAME.left-out.csv`, or `.xlsx` for a
 * workbook.
 *
 * @param folders the first one that can be written to gets the file
 * @returns its path
 */
export async function saveLeftOut(
  reading: BatchReading,
  folders: readonly string[],
): Promise<string> {
  const { ending, bytes } = await leftOutTable(reading, 'en');
  return writeNewFile(folders, path.basename(reading.name), ending, bytes);
}

/** @param file see {@link RowAccount.file} */
export function accountOf(
  { rows, leftOut }: Pick<BatchPlan, 'rows' | 'leftOut'>,
  { submitted, downloadedAgain, alreadyThere, inOtherBatches }: AddedBatch,
  file: string | null,
): RowAccount {
  return {
    rows: new Set(rows.map(({ row }) => row)).size + leftOut.length,
    videos: rows.length,
    added: submitted + downloadedAgain,
    there: alreadyThere,
    inOtherBatches: inOtherBatches.length,
    leftOut: leftOut.map(({ row, issues }) => ({
      row,
      reasons: issues.map(({ message }) => message),
    })),
    file,
  };
}
