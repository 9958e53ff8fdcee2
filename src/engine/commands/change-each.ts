import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Changed } from '../../contract/contract.ts';
import { EngineError } from '../engine-error.ts';
import type { JobRow } from '../jobs/job-row.ts';
import type { Store } from '../jobs/store.ts';
import { jobIdOf } from './ids.ts';

/** Rows changed in one transaction: enough to be quick, few enough not to hold up other work. */
const AT_A_TIME = 2000;

/**
 * Does the same to each job. One that refuses does not stop the others.
 * @param act throws an `EngineError` for a job that it does not change
 */
export async function changeEach(
  ids: readonly string[],
  { jobs, transactions }: Store,
  act: (job: JobRow) => void,
): Promise<Changed> {
  const refused: Changed['refused'] = [];
  for (let start = 0; start < ids.length; start += AT_A_TIME) {
    if (start > 0) await nextTurn();
    transactions.write(() => {
      for (const id of ids.slice(start, start + AT_A_TIME)) {
        try {
          act(jobs.get(jobIdOf(id)));
        } catch (error) {
          if (!(error instanceof EngineError)) throw error;
          refused.push({ id, failure: error.failure });
        }
      }
    });
  }
  return { changed: ids.length - refused.length, refused };
}
