import type { Failure } from '../../contract/failure.ts';
import { userMessage } from '../../contract/user-message.ts';
import type { GenerateOutcome } from '../service/outcomes.ts';

/** Another computer works this queue as well, so nothing is sent from here. */
export const IN_USE: Failure = { code: 'in-use', ...userMessage('queue-in-use-elsewhere') };

/**
 * The outcome when this program failed while it sent: the request may have been sent.
 * @param detail what was thrown, if it is known
 */
export function unexpectedOutcome(detail?: string): GenerateOutcome & { readonly kind: 'unknown' } {
  return {
    kind: 'unknown',
    failure: {
      code: 'outcome-unknown',
      ...userMessage('sent-unexpectedly'),
      ...(detail === undefined ? {} : { detail: detail.slice(0, 2000) }),
    },
    answer: null,
  };
}
