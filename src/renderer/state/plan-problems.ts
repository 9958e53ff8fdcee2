/** What is wrong with a planned batch or one of its files. */
import { errorsAmong } from '../../contract/errors-among.ts';
import type { BatchPlan } from '../../contract/batch.ts';
import type { Failure } from '../../contract/failure.ts';
import { failureOf } from '../connection/failure-of.ts';
import type { FileStatus } from './file-list.svelte.ts';
import type { AddProblem } from './offered-file.ts';

/** Why no row of a file can be read; `null` when some can, or another sheet or a turned table may have some. */
export function problemIn({ issues, fileColumns, files }: BatchPlan): AddProblem | null {
  const [error] = errorsAmong(issues);
  const canReadOtherwise = files.some(
    ({ reading }) => (reading?.sheets.length ?? 0) > 1 || reading?.turn === 'proposed',
  );
  return error !== undefined && fileColumns.length === 0 && !canReadOtherwise
    ? { kind: 'failure', failure: error }
    : null;
}

export function fileStatusOf(plan: BatchPlan): FileStatus {
  const problem = problemIn(plan);
  if (problem !== null) return { kind: 'unreadable', problem };
  // Of several shapes or languages, a row has several videos.
  const rows = new Set(plan.rows.map(({ row }) => row)).size;
  return { kind: 'checked', rows, errors: errorsAmong(plan.issues).length };
}

/** Errors in a batch's columns, not in a row: assigning other columns fixes them. */
export function columnErrors(plan: BatchPlan): readonly Failure[] {
  return errorsAmong(plan.issues).filter(
    ({ row, column }) => row === undefined && column !== undefined,
  );
}

/** Why a call has failed. */
export function problemOf(error: unknown): AddProblem {
  const failure = failureOf(error);
  return failure === null ? { kind: 'lost' } : { kind: 'failure', failure };
}
