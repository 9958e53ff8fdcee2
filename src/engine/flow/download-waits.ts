import { backoff } from '../backoff.ts';
import { NO_WAIT, type JobChange, type JobRow } from '../jobs/job-row.ts';
import type { JobWait } from '../jobs/job-wait.ts';
import type { Store } from '../jobs/store.ts';

/** Jobs wait at least so long for a moment that was told. */
const SHORTEST_MS = 1000;

type Waits = Pick<Store, 'jobs' | 'transactions'>;

/**
 * A job's download has failed and is tried again later.
 * @param until milliseconds since the epoch; `null`: longer each time
 */
export function waitAgain(
  job: Pick<JobRow, 'tries'>,
  waitReason: JobWait,
  now: number,
  until: number | null = null,
): JobChange {
  const tries = job.tries + 1;
  const nextTryAt =
    until === null ? now + backoff('video', tries) : Math.max(now + SHORTEST_MS, until);
  return { waitReason, tries, nextTryAt };
}

/** Ends the waits for these reasons. */
export function endWaits({ jobs, transactions }: Waits, ...kinds: JobWait['kind'][]): void {
  changeWaits({ jobs, transactions }, (wait) => (kinds.includes(wait.kind) ? NO_WAIT : null));
}

/** Looks names up again now whose address is not allowed. */
export function lookUpNow(store: Waits, now: number): void {
  changeWaits(store, (wait) => (isToLookUp(wait) ? { nextTryAt: now } : null));
}

/** Everything is tried now; names whose address is not allowed are looked up again before that. */
export function tryAll(store: Waits, now: number): void {
  changeWaits(store, (wait) => (isToLookUp(wait) ? { nextTryAt: now } : NO_WAIT));
}

/** Whether DNS is asked for a server's address before a link is requested. */
export function isToLookUp(wait: JobWait | null): boolean {
  return wait?.kind === 'address-blocked' && wait.host !== null;
}

function changeWaits(
  { jobs, transactions }: Waits,
  changeOf: (wait: JobWait) => JobChange | null,
): void {
  const changes = jobs.waiting().flatMap(({ id, waitReason }) => {
    const change = waitReason && changeOf(waitReason);
    return change ? [{ id, change }] : [];
  });
  if (changes.length === 0) return;
  transactions.write(() => {
    for (const { id, change } of changes) jobs.change(id, change);
  });
}
