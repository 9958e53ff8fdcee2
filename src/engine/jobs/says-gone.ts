import type { SentenceName } from '../../contract/sentences.ts';
import type { Told } from '../../contract/told.ts';

/** Stored in databases: do not rename them. */
const GONE: readonly string[] = [
  'video-unknown-there',
  'video-deleted-there',
] satisfies SentenceName[];

/** Whether this says that the service no longer has a video that it accepted. */
export function saysGone(told: Told | null): boolean {
  return told?.says.some(({ sentence }) => GONE.includes(sentence)) ?? false;
}
