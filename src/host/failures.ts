import { ORPCError } from '@orpc/client';
import { failureSchema, type Failure } from '../contract/failure.ts';
import { safeParse } from '../contract/safe-parse.ts';
import { EngineError } from '../engine/engine-error.ts';

/**
 * The failure that an error carries for the user, through the contract or directly; `null` if none.
 */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof EngineError) return error.failure;
  if (!(error instanceof ORPCError) || error.code !== 'FAILED') return null;
  return safeParse(failureSchema, error.data).data ?? null;
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
