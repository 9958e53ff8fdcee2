import { obstacleOf } from '../contract/flow.ts';
import type { Job } from '../contract/job.ts';
import type { Summary } from '../contract/summary.ts';
import { isIn } from '../contract/job-states.ts';

/** Where the batches stand that the command line waits for. */
export interface BatchProgress {
  /** Several names are separated by commas. */
  readonly name: string;
  /** Absolute path of the folder its files go to. */
  readonly folder: string;
  /** In the order of the files. */
  readonly jobs: readonly Job[];
  readonly summary: Summary;
}

/** Why there is nothing left to wait for. */
export type BatchEnding =
  /** Every video is saved, or ended in a way that its line tells. */
  | { readonly kind: 'settled' }
  /** Nothing moves until the key is replaced. */
  | { readonly kind: 'key-refused' }
  /** What was sent is settled, and nothing else is until the owner has looked at the queue. */
  | { readonly kind: 'distrusted' }
  /** Everything that was sent is settled, and the month's quota has no room for the rest. */
  | { readonly kind: 'quota-used-up' };

/** Says when to stop waiting for a batch; `null` as long as anything can still move by itself. */
export function endingOf({ jobs, summary }: BatchProgress): BatchEnding | null {
  const moving = jobs.filter((job) => isIn('active', job.state));
  if (moving.length === 0) return { kind: 'settled' };
  const code = obstacleOf(summary.flow)?.code;
  if (code === 'key-refused' || code === 'key-missing') return { kind: 'key-refused' };
  if (moving.some((job) => job.state !== 'queued')) return null;
  if (isDistrusted(summary.flow)) return { kind: 'distrusted' };
  return isQuotaUsedUp(summary) ? { kind: 'quota-used-up' } : null;
}

/**
 * True while the queue may not know of all that was sent: only the user can say that it goes on.
 */
export function isDistrusted(flow: Summary['flow']): boolean {
  const code = obstacleOf(flow)?.code;
  return code === 'store-damaged' || code === 'store-copied' || code === 'in-use';
}

function isQuotaUsedUp({ quota, flow }: Summary): boolean {
  if (obstacleOf(flow)?.code === 'quota-used-up') return true;
  return quota.refused || quota.used + quota.held >= quota.limit;
}
