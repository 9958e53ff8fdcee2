import { obstacleOf } from '../contract/flow.ts';
import type { Job } from '../contract/job.ts';
import type { Summary } from '../contract/summary.ts';
import { isIn, isPending } from '../contract/job-states.ts';

/** The progress of the batches that a command waits for. */
export interface BatchProgress {
  /** Several names are separated by commas. */
  readonly name: string;
  /** Absolute path of the folder its files go to. */
  readonly folder: string;
  /** In the order of the files. */
  readonly jobs: readonly Job[];
  /** Jobs of other batches with the requests of rows that were not added for that reason. */
  readonly awaited: readonly Job[];
  readonly summary: Summary;
  /** What the batches have cost, once they have ended: `40 videos of the quota`, `free`. */
  readonly spent?: string | null;
}

/** Why there is nothing left to wait for. */
export type BatchEnding =
  /** Every video is saved, or ended with an outcome that its line shows. */
  | { readonly kind: 'settled' }
  /** Nothing continues until the key is replaced. */
  | { readonly kind: 'key-refused' }
  /** Everything submitted has ended; the rest waits until the user has checked the queue. */
  | { readonly kind: 'needs-check' }
  /** Everything submitted has ended, and the quota does not suffice for the rest. */
  | { readonly kind: 'quota-used-up' };

/** Why to stop waiting for a batch; `null` while anything can still progress without the user. */
export function endingOf({ jobs, awaited, summary }: BatchProgress): BatchEnding | null {
  const moving = [...jobs, ...awaited.filter(isPending)].filter(
    (job) => isIn('active', job.state) || isBeingSettled(job),
  );
  if (moving.length === 0) return { kind: 'settled' };
  const code = obstacleOf(summary.flow)?.code;
  if (code === 'key-refused' || code === 'key-missing') return { kind: 'key-refused' };
  if (moving.some((job) => job.state !== 'queued')) return null;
  if (awaitsQueueCheck(summary.flow)) return { kind: 'needs-check' };
  return isQuotaUsedUp(summary) ? { kind: 'quota-used-up' } : null;
}

/** Its outcome is uncertain, and Spool can still find it out without the user. */
function isBeingSettled({ state, wait }: Job): boolean {
  return state === 'uncertain' && wait !== null;
}

/** True while the queue may not know of all submissions: only the user can decide to continue. */
export function awaitsQueueCheck(flow: Summary['flow']): boolean {
  const code = obstacleOf(flow)?.code;
  return code === 'store-damaged' || code === 'store-copied' || code === 'in-use';
}

function isQuotaUsedUp({ quota, flow }: Summary): boolean {
  switch (obstacleOf(flow)?.code) {
    case 'quota-used-up':
    case 'daily-quota-used-up':
    case 'nothing-left':
      return true;
    default:
      return quota !== null && (quota.refused || quota.used + quota.held >= quota.limit);
  }
}
