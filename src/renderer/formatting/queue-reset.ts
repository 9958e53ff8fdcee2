import type { Summary } from '../../contract/summary.ts';
import { isForQuota } from '../../contract/wait.ts';

/**
 * Until when rows wait that this quota cycle has no room for; `null` when none does, or when they
 * wait for something else.
 */
export function resetOfQueue(summary: Pick<Summary, 'batches' | 'quota'> | null): number | null {
  const isWaiting = summary?.batches.some(
    ({ wait }) => isForQuota(wait) || wait?.reason === 'years-away',
  );
  return isWaiting === true ? (summary?.quota?.resetAt ?? null) : null;
}
