import type { Job } from '../../contract/job.ts';
import type { Texts } from '../texts/en.ts';

/** True when it was saved, and its file is gone or not what was saved. */
export function isGone(job: Job): boolean {
  return job.state === 'missing';
}

/** The word for where a job stands. A file that is there and damaged is not said to be missing. */
export function stateWord(job: Job, texts: Texts): string {
  return isGone(job) && job.failure?.code === 'file-damaged'
    ? texts.damagedState
    : texts.states[job.state];
}
