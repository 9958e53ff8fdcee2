import type { Wait } from '../../contract/job.ts';
import { waitWords } from '../../contract/wait.ts';
import type { Texts } from '../texts/en.ts';
import type { Sizes } from '../../contract/sizes.ts';
import type { Times } from './times.ts';

/** What times are formatted with. `now` is in milliseconds since the epoch. */
interface Formatting extends Pick<Sizes, 'bytes'> {
  readonly texts: Texts;
  readonly times: Times;
  readonly now: number;
}

/** The short words with the time filled in. */
export function shortWait(wait: Wait, page: Formatting): string {
  const when = wait.until === null ? null : page.times.moment(wait.until, page.now);
  return waitWords(wait, page.texts.waits, (bytes) => page.bytes(bytes)).short(when);
}
