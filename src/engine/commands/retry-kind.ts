/** What a job without a file has cost, and what trying again would. */
import { isPending } from '../../contract/job-states.ts';
import { isVideoGone } from '../jobs/job-events.ts';
import type { AlikeJob, JobRow } from '../jobs/job-row.ts';
import type { JobStore } from '../jobs/job-store.ts';

type FailureReader = Pick<JobStore, 'failedAfterRendering'>;

/**
 * What retrying an ended job does: `download` downloads its video; `render` renders it, which uses
 * one unit of quota. `gone`: the video was paid for and the service does not deliver it, so rendering
 * it again uses a second unit.
 */
export type RetryKind = 'download' | 'render' | 'gone';

export function retryKindOf(job: JobRow, jobs: FailureReader): RetryKind {
  if (!mayHaveVideo(job, jobs)) return 'render';
  return isUndelivered(job) ? 'gone' : 'download';
}

/** Whether the service may have a video that a job without a file could download. */
export function mayHaveVideo(job: JobRow, jobs: FailureReader): boolean {
  if (job.remoteId === null || job.videoDeleted || job.state === 'rejected') return false;
  return job.state !== 'failed' || isUndelivered(job) || jobs.failedAfterRendering(job.id);
}

function isUndelivered({ failure }: JobRow): boolean {
  const code = failure?.code;
  return isVideoGone(failure) || code === 'status-unknown' || code === 'file-not-offered';
}

/**
 * Whether another row with the same request might be paid for twice: this job's video is not
 * finished, or the service does not say what became of it. One that is gone for certain can only be
 * rendered again.
 */
export function isUndecided(alike: AlikeJob, jobs: Pick<JobStore, 'get'>): boolean {
  if (alike.state !== 'failed') return isPending(alike);
  const job = jobs.get(alike.id);
  return isUndelivered(job) && !isVideoGone(job.failure);
}

/** Whether a job was paid for, may have been, or will be: another one would be paid for twice. */
export function isPaid(
  { id, state }: AlikeJob,
  jobs: Pick<JobStore, 'get' | 'failedAfterRendering'>,
): boolean {
  if (state === 'cancelled' || state === 'rejected') return false;
  return state !== 'failed' || retryKindOf(jobs.get(id), jobs) !== 'render';
}
