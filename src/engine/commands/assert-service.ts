import { userMessage } from '../../contract/user-message.ts';
import { NotPossibleNowError } from '../engine-error.ts';
import type { CommandContext } from './command-context.ts';

/**
 * @param origin of the service that the caller means
 * @throws {NotPossibleNowError} when the session is another service's
 */
export function assertService(origin: string, { key }: Pick<CommandContext, 'key'>): void {
  if (origin === key.status.origin) return;
  throw new NotPossibleNowError(userMessage('meant-for-other-service'));
}
