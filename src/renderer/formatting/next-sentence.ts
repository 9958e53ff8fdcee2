import type { Job } from '../../contract/job.ts';
import { waitWords } from '../../contract/wait.ts';
import type { Localization } from './localization.ts';
import { nextMomentOf } from './when.ts';

/**
 * What happens next to a job, with the time if it is known.
 * @param isHere whether this computer renders it without limits: no service accepts it
 */
export function nextSentence(job: Job, page: Localization, isHere = false): string {
  const { texts, times, now } = page;
  if (job.wait !== null) {
    const { until } = job.wait;
    const when = until === null ? null : times.momentInSentence(until, now);
    return waitWords(job.wait, texts.waits, (bytes) => page.bytes(bytes)).sentence(when);
  }
  const next = nextMomentOf(job);
  const words =
    isHere && (job.state === 'submitted' || job.state === 'rendering')
      ? texts.nextHere[job.state]
      : texts.next[job.state];
  if (next === null) return words(null);
  return words(
    next.estimated ? times.estimateInSentence(next.at, now) : times.momentInSentence(next.at, now),
  );
}
