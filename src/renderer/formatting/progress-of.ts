import type { Job } from '../../contract/job.ts';

/** The progress of a job's rendering or download. */
export interface JobProgress {
  /** 0 to 1. */
  readonly fraction: number;
  readonly estimated: boolean;
}

/** `null` when it is unknown, or the job is in another state. */
export function progressOf(job: Job): JobProgress | null {
  if (job.state === 'downloading') {
    const { receivedBytes = 0, totalBytes = null } = job.transfer ?? {};
    if (totalBytes === null || totalBytes === 0) return null;
    return { fraction: Math.min(1, receivedBytes / totalBytes), estimated: false };
  }
  return job.state === 'rendering' ? job.progress : null;
}
