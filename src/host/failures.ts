import { ORPCError } from '@orpc/client';
import { failureSchema, type Failure } from '../contract/failure.ts';
import { EngineError } from '../engine/engine-error.ts';

/** The failure that an error carries for a person, through the contract or not; `null` if none. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof EngineError) return error.failure;
  if (!(error instanceof ORPCError) || error.code !== 'FAILED') return null;
  return failureSchema.safeParse(error.data).data ?? null;
}

/** The error as it crosses the contract: what is for a person as `FAILED`, anything else as it is. */
export function crossing(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  return new ORPCError('FAILED', {
    status: 422,
    message: error.failure.message,
    data: error.failure,
    cause: error,
  });
}
