import { errorsAmong } from '../../contract/errors-among.ts';
import type { BatchPlan } from '../../contract/batch.ts';
import { failureOf } from '../connection/failure-of.ts';
import type { FileStatus } from './file-list.svelte.ts';
import type { AddProblem } from './offered-file.ts';

/** Why no row of a file can be read; `null` when some can, or another sheet may have some. */
export function problemIn({ issues, fileColumns, files }: BatchPlan): AddProblem | null {
  const [error] = errorsAmong(issues);
  const hasOtherSheets = files.some(({ reading }) => (reading?.sheets.length ?? 0) > 1);
  return error !== undefined && fileColumns.length === 0 && !hasOtherSheets
    ? { kind: 'failure', failure: error }
    : null;
}

export function fileStatusOf(plan: BatchPlan): FileStatus {
  const problem = problemIn(plan);
  return problem === null
    ? { kind: 'checked', rows: plan.rows.length, errors: errorsAmong(plan.issues).length }
    : { kind: 'unreadable', problem };
}

/** Why a call has failed. */
export function problemOf(error: unknown): AddProblem {
  const failure = failureOf(error);
  return failure === null ? { kind: 'lost' } : { kind: 'failure', failure };
}
