import type { BatchPlan } from '../../contract/batch.ts';
import { failureOf } from '../connection/failure-of.ts';
import type { FileStatus } from './file-list.svelte.ts';
import type { AddProblem } from './offered-file.ts';

/** Why no row of a file can be read; `null` when some can. */
export function problemIn({ faults: [fault], fileColumns }: BatchPlan): AddProblem | null {
  return fault !== undefined && fileColumns.length === 0
    ? { kind: 'failure', failure: fault }
    : null;
}

export function fileStatusOf(plan: BatchPlan): FileStatus {
  const problem = problemIn(plan);
  return problem === null
    ? { kind: 'checked', rows: plan.rows.length, faults: plan.faults.length }
    : { kind: 'unreadable', problem };
}

/** Why a call has failed. */
export function problemOf(error: unknown): AddProblem {
  const failure = failureOf(error);
  return failure === null ? { kind: 'lost' } : { kind: 'failure', failure };
}
