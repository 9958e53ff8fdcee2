import { userMessage, messageOf, type UserMessage } from '../../contract/user-message.ts';
import type { Cause } from './range-response.ts';

/** Why a download fails permanently. Stable; for messages and decisions. */
export type FailureCode =
  | 'link-invalid'
  | 'link-not-https'
  | 'address-refused'
  | 'link-refused'
  | 'certificate'
  | 'redirects'
  | 'unusable-answer'
  | 'encoded'
  | 'empty'
  | 'not-a-video'
  | 'damaged'
  | 'target-busy'
  | 'cannot-write';

/** The outcome of a download that fails permanently. */
export type Failed = { readonly kind: 'failed'; readonly code: FailureCode } & UserMessage;

/** A link, an address, a redirect or a certificate that a download must not follow or trust. */
export class DownloadRefusedError extends Error {
  override readonly name = 'DownloadRefusedError';
  readonly code: FailureCode;
  readonly userMessage: UserMessage;

  constructor(code: FailureCode, message: UserMessage, cause?: unknown) {
    super(message.message, { cause });
    this.code = code;
    this.userMessage = message;
  }
}

/** A failure with its message for the user. */
export function failed(code: FailureCode, why: UserMessage): Failed {
  return { kind: 'failed', code, ...messageOf(why) };
}

/** The outcome of a download after too many useless responses. */
export function failedFor(cause: Cause): Failed {
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

/** Codes with which a file system refuses a file permanently. */
const NEVER = new Set(['ENAMETOOLONG', 'EILSEQ', 'EINVAL', 'EFBIG', 'ELOOP', 'ENOTDIR', 'EISDIR']);

/**
 * The outcome of a download that the disk refused: temporary conditions of the disk are waited for.
 *
 * @param neededBytes what is still to be written; `null` when unknown.
 */
export function refusedByDisk(code: string, neededBytes: number | null) {
  if (NEVER.has(code)) return failed('cannot-write', userMessage('file-unwritable', { code }));
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return { kind: 'waiting', reason: 'no-space', until: null, neededBytes } as const;
  const reason = code === 'EMFILE' || code === 'ENFILE' ? 'too-many-files' : 'cannot-write';
  return { kind: 'waiting', reason, until: null, neededBytes: null } as const;
}
