import { ORPCError } from '@orpc/client';
import type { Failure } from '../../contract/failure.ts';

/**
 * The failure that the engine reported. `null` for a lost connection or an internal error: the page
 * has its own words for both.
 */
export function failureOf(error: unknown): Failure | null {
  if (!(error instanceof ORPCError) || error.code !== 'FAILED') return null;
  // The contract gives FAILED one schema, and the host has checked its data against it.
  return error.data as Failure;
}
