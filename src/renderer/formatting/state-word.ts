import type { Job } from '../../contract/job.ts';
import type { Texts } from '../texts/en.ts';

/** Whether the saved file is missing or damaged. */
export function isGone(job: Job): boolean {
  return job.state === 'missing';
}

/**
 * The word for a job's state. A file that exists but is damaged is not called missing.
 * @param isHere whether this computer renders it without limits: no service accepts it
 */
export function stateWord(job: Job, texts: Texts, isHere = false): string {
  if (isHere && job.state === 'submitted') return texts.states.reserved;
  return isGone(job) && job.failure?.code === 'file-damaged'
    ? texts.damagedState
    : texts.states[job.state];
}
