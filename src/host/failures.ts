import { ORPCError } from '@orpc/client';
import { failureSchema, type Failure } from '../contract/failure.ts';
import { safeParse } from '../contract/safe-parse.ts';
import { userMessage } from '../contract/user-message.ts';
import { EngineError } from '../engine/engine-error.ts';
import { isFileLimit } from '../engine/file-limit.ts';
import { KeychainTrouble } from '../engine/keys/keychain.ts';

/**
 * The failure that an error carries for the user, through the contract or directly; `null` if none.
 */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof EngineError) return error.failure;
  if (isFileLimit(error))
    return { code: 'not-possible-now', ...userMessage('too-many-open-files') };
  if (!(error instanceof ORPCError) || error.code !== 'FAILED') return null;
  return safeParse(failureSchema, error.data).data ?? null;
}

/** What to show of an error that keeps a service or the queue from being opened. */
export function startFailure(error: unknown): Failure {
  if (error instanceof KeychainTrouble) return { code: error.code, ...error.userMessage };
  const unexpected = userMessage('went-wrong', { trouble: String(error) });
  return failureOf(error) ?? { code: 'not-possible-now', ...unexpected };
}

/**
 * The error as the contract transports it: `FAILED` for one with a user message, otherwise
 * unchanged.
 */
export function toContractError(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  return new ORPCError('FAILED', {
    status: 422,
    message: error.failure.message,
    data: error.failure,
    cause: error,
  });
}
