import { inLanguage } from '../../contract/in-language.ts';
import type { Job, Wait, WaitReason } from '../../contract/job.ts';
import { waitTexts } from '../../contract/wait-texts.ts';
import { waitWords } from '../../contract/wait.ts';
import { formatSize, formatWhen } from './numbers.ts';

const texts = inLanguage(waitTexts, 'en');

/** Why a job waits, and when it is tried again if that is known: on one line, as in the page. */
export function waitText(wait: Wait, now: number): string {
  return waitWords(wait, texts, formatSize).short(whenOf(wait, now));
}

/** The same as a sentence, with what the user can do. */
export function waitSentence(wait: Wait, now: number): string {
  return waitWords(wait, texts, formatSize).sentence(whenOf(wait, now));
}

function whenOf({ until }: Wait, now: number): string | null {
  return until === null ? null : formatWhen(until, now);
}

/**
 * Why only this job waits; `null` when it does not wait, or when the whole queue waits for the same
 * reason, which a log states once and not for each job.
 */
export function jobWaitReason({ wait }: Job): WaitReason | null {
  if (wait === null) return null;
  switch (wait.reason) {
    case 'download-paused':
    case 'disk-full':
    case 'folder-unusable':
    case 'link-limit':
    case 'link-not-ready':
    case 'service-error':
    case 'not-found':
    case 'status-unknown':
    case 'searching':
    case 'repeating':
    case 'cancelling':
    case 'too-many-files':
    case 'file-server-busy':
    case 'file-server-unreachable':
    case 'proxy-failed':
    case 'address-blocked':
      return wait.reason;
    case 'turn':
    case 'render-slot':
    case 'quota':
    case 'daily-quota':
    case 'pause-point':
    case 'not-planned':
    case 'years-away':
    case 'sending-suspended':
    case 'queue-unconfirmed':
    case 'queue-unwritable':
    case 'paused':
    case 'not-running':
    case 'key-missing':
    case 'key-refused':
    case 'offline':
      return null;
  }
}
