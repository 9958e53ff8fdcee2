import type { InLanguage } from './in-language.ts';
import type { Wait } from './job.ts';
import type { waitTexts } from './wait-texts.ts';

/**
 * Whether the forecast includes this wait, so that its times still hold. This file imports no
 * schema, so that a page can use it without loading the library.
 */
export function isForecast(wait: Wait | null): boolean {
  switch (wait?.reason) {
    case undefined:
    case 'turn':
    case 'render-slot':
    case 'link-limit':
    case 'quota':
    case 'daily-quota':
      return true;
    default:
      return false;
  }
}

/** Whether the quota of this month or day has no room for it, but a later one does. */
export function isForQuota(wait: Wait | null): boolean {
  return wait?.reason === 'quota' || wait?.reason === 'daily-quota';
}

/** Why a job waits, on one line (`short`) and as a sentence. */
export interface WaitWords {
  readonly short: (when: string | null) => string;
  readonly sentence: (when: string | null) => string;
}

/**
 * The words of a wait; they take the time of {@link Wait.until} as text, if there is one.
 *
 * @param formatBytes formats a number of bytes
 */
export function waitWords(
  wait: Wait,
  texts: InLanguage<typeof waitTexts>,
  formatBytes: (bytes: number) => string,
): WaitWords {
  switch (wait.reason) {
    case 'disk-full': {
      const words = texts['disk-full'];
      const size = wait.missingBytes === null ? null : formatBytes(wait.missingBytes);
      return { short: () => words.short(size), sentence: () => words.sentence(size) };
    }
    case 'address-blocked': {
      const words = texts['address-blocked'];
      return { short: words.short, sentence: () => words.sentence(wait.host) };
    }
    case 'proxy-failed': {
      const words = texts['proxy-failed'];
      return { short: words.short, sentence: () => words.sentence(wait.proxy) };
    }
    default:
      return texts[wait.reason];
  }
}
