import type { MessageName } from '../../contract/messages.ts';
import type { UserMessage } from '../../contract/user-message.ts';

/** Stored in databases: do not rename them. */
const GONE: readonly string[] = [
  'video-unknown-there',
  'video-deleted-there',
] satisfies MessageName[];

/** Whether this says that the service no longer has a video that it accepted. */
export function isVideoGone(told: UserMessage | null): boolean {
  return told?.says.some(({ sentence }) => GONE.includes(sentence)) ?? false;
}
