import type { Wait } from '../../contract/job.ts';
import type { Texts } from '../texts/en.ts';
import type { Sizes } from './sizes.ts';
import type { Times } from './times.ts';

/** Why a job waits, for a column (`short`) and as a sentence. */
export interface WaitWords {
  readonly short: (when: string | null) => string;
  readonly sentence: (when: string | null) => string;
}

/** The words take the time of {@link Wait.until} as text, if there is one. */
export function waitWords(wait: Wait, texts: Texts, sizes: Pick<Sizes, 'bytes'>): WaitWords {
  const words = texts.waits;
  switch (wait.reason) {
    case 'disk-full': {
      const size = wait.missingBytes === null ? null : sizes.bytes(wait.missingBytes);
      return {
        short: () => words['disk-full'].short(size),
        sentence: () => words['disk-full'].sentence(size),
      };
    }
    case 'address-blocked':
      return {
        short: words['address-blocked'].short,
        sentence: () => words['address-blocked'].sentence(wait.host),
      };
    case 'proxy-failed':
      return {
        short: words['proxy-failed'].short,
        sentence: () => words['proxy-failed'].sentence(wait.proxy),
      };
    case 'render-slot':
      return {
        short: words['render-slot'].short,
        sentence: () => words['render-slot'].sentence(String(wait.limit)),
      };
    case 'turn':
    case 'quota':
    case 'daily-quota':
    case 'pause-point':
    case 'not-planned':
    case 'sending-suspended':
    case 'queue-unconfirmed':
    case 'queue-unwritable':
    case 'paused':
    case 'key-missing':
    case 'key-refused':
    case 'offline':
    case 'download-paused':
    case 'folder-unusable':
    case 'link-limit':
    case 'link-not-ready':
    case 'service-error':
    case 'not-found':
    case 'status-unknown':
    case 'looked-for':
    case 'sent-again':
    case 'cancelling':
    case 'too-many-files':
    case 'file-server-busy':
    case 'file-server-unreachable':
      return words[wait.reason];
  }
}

/** What times are formatted with. `now` is in milliseconds since the epoch. */
interface Formatting extends Pick<Sizes, 'bytes'> {
  readonly texts: Texts;
  readonly times: Times;
  readonly now: number;
}

/** The short words with the time filled in. */
export function shortWait(wait: Wait, page: Formatting): string {
  const when = wait.until === null ? null : page.times.moment(wait.until, page.now);
  return waitWords(wait, page.texts, page).short(when);
}
