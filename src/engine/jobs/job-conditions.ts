/** A filter for jobs as SQL; `matches` of `contract/job-filter.ts` is the same without a database. */
import { DOWNLOADING_AGAIN, foldCase } from '../../contract/job-filter.ts';
import type { JobFilter } from '../../contract/job.ts';

type Values = readonly (string | number)[];

const IN_STATES = 'job.state IN (SELECT value FROM json_each(?))';

const DOWNLOADED_AGAIN = `(${IN_STATES}
  AND EXISTS (SELECT 1 FROM history WHERE job_id = job.id AND to_state = 'done'))`;

/**
 * Additional conditions of a WHERE clause on `job`, and their values.
 * @param withRemoved whether removed jobs match too: they stay in the past and in what was paid
 */
export function jobConditions(
  filter: JobFilter,
  withRemoved = false,
): {
  readonly sql: string;
  readonly values: Values;
} {
  // A job that is not archived is not removed.
  const isListed: readonly (readonly [string])[] =
    withRemoved || filter.archived === false ? [] : [['job.removed_at IS NULL']];
  const conditions = [...conditionsOf(filter), ...isListed];
  return {
    sql: conditions.map(([sql]) => ` AND ${sql}`).join(''),
    values: conditions.flatMap(([, ...values]) => values),
  };
}

function conditionsOf({
  batchId,
  states,
  alsoDownloadingAgain = false,
  archived,
  search = '',
}: JobFilter): readonly (readonly [sql: string, ...Values])[] {
  const named = JSON.stringify(states);
  const again = JSON.stringify(DOWNLOADING_AGAIN);
  return [
    batchId === undefined ? null : (['job.batch_id = ?', Number(batchId)] as const),
    states === undefined
      ? null
      : alsoDownloadingAgain
        ? ([`(${IN_STATES} OR ${DOWNLOADED_AGAIN})`, named, again] as const)
        : ([IN_STATES, named] as const),
    archived === undefined
      ? null
      : ([`job.archived_at IS ${archived ? 'NOT NULL' : 'NULL'}`] as const),
    search === '' ? null : (['instr(job.title_folded, ?) > 0', foldCase(search)] as const),
  ].filter((each) => each !== null);
}
