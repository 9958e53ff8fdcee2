/** The orders of a list of jobs as SQL. */
import type { JobOrder, JobSort } from '../../contract/job-order.ts';
import { JOB_STATES } from '../../contract/job-states.ts';

const RANK_OF_STATE = `CASE state ${JOB_STATES.map((state, rank) => `WHEN '${state}' THEN ${rank}`).join(' ')} END`;

/** By what; the queue's order decides between equal values. */
const SORTED: Readonly<Record<Exclude<JobSort, 'queue'>, string>> = {
  title: 'title_folded',
  batch: '(SELECT lower(name) FROM batch WHERE batch.id = batch_id)',
  state: RANK_OF_STATE,
  when: 'saved_at',
  file: 'CASE WHEN file_path IS NULL THEN NULL ELSE lower(file_name) END',
  length: 'file_seconds',
  size: 'file_bytes',
};

/** An ORDER BY clause: what was saved last comes first, and videos of a row follow each other. */
export const LAST_SAVED_ROWS = `ORDER BY CASE WHEN row_id IS NULL THEN saved_at ELSE
    (SELECT max(other.saved_at) FROM job AS other WHERE other.row_id = job.row_id) END DESC NULLS LAST,
  row_id, priority DESC, position`;

/** An ORDER BY clause on `job`. */
export function orderBy(order: JobOrder = { by: 'queue', descending: false }): string {
  if (order.by === 'queue') {
    return order.descending
      ? 'ORDER BY priority, position DESC'
      : 'ORDER BY priority DESC, position';
  }
  const direction = order.descending ? 'DESC' : 'ASC';
  return `ORDER BY ${SORTED[order.by]} ${direction} NULLS LAST, priority DESC, position`;
}
