import type { Summary } from '../../contract/summary.ts';

/**
 * Until when rows wait that this quota cycle has no room for; `null` when none does, or when they
 * wait for something else.
 */
export function resetOfQueue(summary: Pick<Summary, 'batches' | 'quota'> | null): number | null {
  const isForQuota = summary?.batches.some(
    ({ wait }) => wait?.reason === 'quota' || wait?.reason === 'daily-quota',
  );
  return isForQuota === true ? (summary?.quota?.resetAt ?? null) : null;
}
