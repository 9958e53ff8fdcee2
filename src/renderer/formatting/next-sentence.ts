import type { Job } from '../../contract/job.ts';
import type { Texts } from '../texts/en.ts';
import type { Sizes } from './sizes.ts';
import type { Times } from './times.ts';
import { waitWords } from './transfer-wait.ts';
import { nextMomentOf } from './when.ts';

/** What a page writes sentences with. `now` is in milliseconds. */
interface Wording extends Pick<Sizes, 'bytes'> {
  readonly texts: Texts;
  readonly times: Times;
  readonly now: number;
}

/** What happens next to a job, and when where that is known. */
export function nextSentence(job: Job, page: Wording): string {
  const { texts, times, now } = page;
  if (job.transferWait !== null) {
    const { until } = job.transferWait;
    const when = until === null ? null : times.momentInSentence(until, now);
    return waitWords(job.transferWait, texts, page).sentence(when);
  }
  const next = nextMomentOf(job);
  if (next === null) return texts.next[job.state](null);
  return texts.next[job.state](
    next.estimated ? times.estimateInSentence(next.at, now) : times.momentInSentence(next.at, now),
  );
}
