import { errorsAmong } from '../../contract/errors-among.ts';
import type { BatchPlan } from '../../contract/batch.ts';
import type { Failure } from '../../contract/failure.ts';

/** Errors in a batch's columns, not in a row: assigning other columns fixes them. */
export function columnErrors(plan: BatchPlan): readonly Failure[] {
  return errorsAmong(plan.issues).filter(
    ({ row, column }) => row === undefined && column !== undefined,
  );
}
