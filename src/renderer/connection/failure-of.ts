import { ORPCError } from '@orpc/client';
import type { Failure } from '../../contract/failure.ts';

/**
 * What a rejected call says. `null` means that it says nothing of the engine's: the connection was
 * lost or a defect was met, and the page has its own words for both.
 */
export function failureOf(error: unknown): Failure | null {
  if (!(error instanceof ORPCError) || error.code !== 'FAILED') return null;
  // The contract gives FAILED one schema, and the host has checked its data against it.
  return error.data as Failure;
}
