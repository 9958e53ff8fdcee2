/** Archives batches by itself in which nothing has happened for some days, if the user wishes. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isFinished } from '../../contract/job-states.ts';
import type { Store } from '../jobs/store.ts';

const DAY_MS = 86_400_000;

/** Jobs in one transaction, as in `changeEach`. */
const AT_A_TIME = 2000;

/**
 * Archives batches that can be cleared away and whose last video was added, sent, rendered or saved
 * before these days.
 * @param now milliseconds since the epoch
 * @returns whether any was archived
 */
export async function archiveOldBatches(
  { jobs, batches, transactions }: Pick<Store, 'jobs' | 'batches' | 'transactions'>,
  days: number,
  now: number,
): Promise<boolean> {
  let isAny = false;
  for (const { id } of batches.all()) {
    if (!isFinished(jobs.counts.of(id)) || jobs.lastChange(id) > now - days * DAY_MS) continue;
    const ids = jobs.idsOf({ batchId: String(id), archived: false });
    for (let start = 0; start < ids.length; start += AT_A_TIME) {
      await nextTurn();
      transactions.write(() => {
        for (const job of ids.slice(start, start + AT_A_TIME)) {
          // A video may have been retried since, or be cancelled at the service right now.
          const { nextTryAt, archivedAt } = jobs.get(job);
          if (nextTryAt === null && archivedAt === null && isFinished(jobs.counts.of(id)))
            jobs.archive(job, now);
        }
      });
    }
    isAny ||= ids.length > 0;
  }
  return isAny;
}
