import type { JobRow } from '../jobs/job-row.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { isVideoGone } from '../jobs/job-events.ts';

type FailureReader = Pick<JobStore, 'failedAfterRendering'>;

/**
 * What a retry of an ended job does: `download` downloads its video, `render` renders it at the cost
 * of a unit of quota. `gone`: the video was paid for, and the service says that it no longer has it.
 * Rendering such a video costs a second unit.
 */
export type RetryKind = 'download' | 'render' | 'gone';

export function retryKindOf(job: JobRow, jobs: FailureReader): RetryKind {
  if (!mayHaveVideo(job, jobs)) return 'render';
  return isVideoGone(job.failure) ? 'gone' : 'download';
}

/** Whether there may be a video at the service that a job without a file could download. */
export function mayHaveVideo(job: JobRow, jobs: FailureReader): boolean {
  if (job.remoteId === null || job.state === 'rejected') return false;
  return job.state !== 'failed' || isVideoGone(job.failure) || jobs.failedAfterRendering(job.id);
}
