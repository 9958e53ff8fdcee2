import { userMessage, messageOf, type UserMessage } from '../../contract/user-message.ts';
import type { Cause } from './range-response.ts';
import type { DownloadOutcome, FailureCode } from './request.ts';

type Failure = Extract<DownloadOutcome, { kind: 'failed' }>;

/** A failure in words for a creator. */
export function failed(code: FailureCode, why: UserMessage): Failure {
  return { kind: 'failed', code, ...messageOf(why) };
}

/** How a download ends whose answers were useless again and again. */
export function failedFor(cause: Cause): Failure {
  switch (cause) {
    case 'not-a-video':
      return failed('not-a-video', userMessage('sent-no-video'));
    case 'empty':
      return failed('empty', userMessage('sent-empty'));
    case 'encoded':
      return failed('encoded', userMessage('sent-compressed'));
    case 'changed':
    case 'total-changed':
    case 'overlap-differs':
    case 'part-longer':
    case 'part-edited':
    case 'range-late':
    case 'range-missing':
    case 'range-multipart':
    case 'range-refused':
    case 'status':
      return failed('unusable-answer', userMessage('answers-senseless'));
  }
}

/** Codes by which a file system says that it will never take this file. */
const NEVER = new Set(['ENAMETOOLONG', 'EILSEQ', 'EINVAL', 'EFBIG', 'ELOOP', 'ENOTDIR', 'EISDIR']);

/**
 * How a download ends that the disk refused: what is the disk's fault passes, and is waited for.
 *
 * @param neededBytes what is still to be written; `null` when unknown.
 */
export function refusedByDisk(
  code: string,
  neededBytes: number | null,
): Extract<DownloadOutcome, { kind: 'waiting' | 'failed' }> {
  if (NEVER.has(code)) {
    return failed('cannot-write', userMessage('file-unwritable', { code }));
  }
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  return isFull
    ? { kind: 'waiting', reason: 'no-space', until: null, neededBytes }
    : { kind: 'waiting', reason: 'cannot-write', until: null, neededBytes: null };
}
