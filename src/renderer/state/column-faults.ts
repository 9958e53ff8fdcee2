import type { BatchPlan } from '../../contract/batch.ts';
import type { Failure } from '../../contract/failure.ts';

/** What is wrong with a batch's columns, and not with a row: choosing columns mends it. */
export function columnFaults(plan: BatchPlan): readonly Failure[] {
  return plan.faults.filter(({ row, column }) => row === undefined && column !== undefined);
}
