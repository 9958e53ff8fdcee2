import type { BatchIssue } from '../../contract/batch-issue.ts';
import { type Failure, remoteReason } from '../../contract/failure.ts';
import { plainText } from './safe-text.ts';

/**
 * A failure as one sentence, followed by the other side's own text if there is one, or by what a
 * cell should probably contain.
 */
export function failureText(failure: Failure & Pick<BatchIssue, 'fix'>): string {
  const { message, fix } = failure;
  if (fix !== undefined) return plainText(`${message} Did you mean “${fix.value}”?`);
  const said = remoteReason(failure);
  return plainText(said === null ? message : `${message} (${said})`);
}

/** Why a video ended without a file: in the service's words if it refused or failed the video. */
export function reasonText(failure: Failure): string {
  switch (failure.code) {
    case 'service-refused':
    case 'content-refused':
    case 'render-failed':
      return plainText(remoteReason(failure) ?? failure.message);
    default:
      return plainText(failure.message);
  }
}
