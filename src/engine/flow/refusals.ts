import { userMessage } from '../../contract/user-message.ts';
import type { JobRow } from '../jobs/job-row.ts';
import type { Store } from '../jobs/store.ts';

/** After so many videos in a row that were refused because of their content, a batch is held. */
const MAX_IN_A_ROW = 3;

/**
 * Holds the rest of a batch if its last videos were refused because of their content: each of the
 * next ones may cost as much, and services suspend accounts that send many of them. The user
 * resumes it. Joins the caller's transaction.
 */
export function holdAfterRefusals(store: Store, job: JobRow, at: number): void {
  if (job.failure?.code !== 'content-refused') return;
  const isLater = job.failure.refusal?.when === 'after-render';
  const last = store.jobs
    .lastSent(job.batchId)
    .filter(({ state }) => !isLater || (state !== 'submitted' && state !== 'rendering'))
    .slice(0, MAX_IN_A_ROW);
  const areRefused = last.every(
    ({ state, failure }) => state === 'rejected' && failure?.code === 'content-refused',
  );
  if (last.length < MAX_IN_A_ROW || !areRefused) return;
  const why = userMessage('batch-held', { count: MAX_IN_A_ROW });
  for (const id of store.jobs.idsOf({ batchId: job.batchId, states: ['queued'] })) {
    store.jobs.move(id, 'hold', at, { failure: { code: 'batch-held', ...why } }, why);
  }
}
