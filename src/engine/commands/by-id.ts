import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import type { Changed } from '../../contract/contract.ts';
import type { JobFilter } from '../../contract/job.ts';
import { isIn } from '../../contract/job-states.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import { JobUnknownError, EngineError, NotPossibleNowError } from '../engine-error.ts';
import type { JobRow } from '../jobs/job-row.ts';
import type { Store } from '../jobs/store.ts';
import type { StepRecorder } from '../jobs/undo-log.ts';

/** Parses a job's id as UIs send it. @throws {JobUnknownError} */
export function jobIdOf(id: string): number {
  const parsed = z.coerce.number().int().positive().safeParse(id);
  if (!parsed.success) throw new JobUnknownError();
  return parsed.data;
}

/** The same filter. @throws {BatchUnknownError} if it names a batch that the service does not have */
export function withKnownBatch<Filter extends Pick<JobFilter, 'batchId'>>(
  filter: Filter,
  { batches }: Store,
): Filter {
  if (filter.batchId !== undefined) batches.get(Number(filter.batchId));
  return filter;
}

/** @throws {NotPossibleNowError} with `tooLate`, unless the job was cancelled */
export function assertUnsent({ state }: Pick<JobRow, 'state'>, tooLate: UserMessage): void {
  if (isIn('unsent', state)) return;
  throw new NotPossibleNowError(state === 'cancelled' ? userMessage('was-cancelled') : tooLate);
}

/** Rows changed in one transaction: enough to be quick, few enough not to block other work. */
const AT_A_TIME = 2000;

/**
 * Makes the same change to each job. If it fails for one job, the others are still changed.
 * @param act throws an `EngineError` for a job that it does not change
 * @param prepare called before the jobs of a transaction are changed
 * @param undo records the changes, so that they can be undone; they cannot when it is left out
 * @param isUndoable whether the change of a job, as it is before, can be undone
 */
export async function changeEach(
  ids: readonly string[],
  { jobs, transactions }: Store,
  act: (job: JobRow) => void,
  {
    prepare,
    undo,
    isUndoable = () => true,
  }: {
    readonly prepare?: (ids: readonly string[]) => Promise<void>;
    readonly undo?: StepRecorder;
    readonly isUndoable?: (job: JobRow) => boolean;
  } = {},
): Promise<Changed> {
  const refused: Changed['refused'] = [];
  for (let start = 0; start < ids.length; start += AT_A_TIME) {
    if (start > 0) await nextTurn();
    const some = ids.slice(start, start + AT_A_TIME);
    await prepare?.(some);
    transactions.write(() => {
      for (const id of some) {
        try {
          const job = jobs.get(jobIdOf(id));
          if (undo !== undefined && isUndoable(job)) undo.change([job.id], () => act(job));
          else act(job);
        } catch (error) {
          if (!(error instanceof EngineError)) throw error;
          refused.push({ id, failure: error.failure });
        }
      }
    });
  }
  return { changed: ids.length - refused.length, refused, step: undo?.id ?? null };
}
