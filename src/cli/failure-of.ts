import { ORPCError } from '@orpc/client';
import { failureSchema, type Failure } from '../contract/failure.ts';
import { EngineError } from '../engine/engine-error.ts';

/** The failure that an error carries for a person, through the contract or not; `null` if none. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof EngineError) return error.failure;
  if (!(error instanceof ORPCError) || error.code !== 'FAILED') return null;
  return failureSchema.safeParse(error.data).data ?? null;
}
