import type { Batch } from '../contract/batch.ts';
import type { FailureCode } from '../contract/failure.ts';
import type { Settings } from '../contract/settings.ts';
import type { Summary } from '../contract/summary.ts';
import { openIn } from './standing.ts';

/** A batch that has nothing left to do by itself. */
export interface FinishedBatch {
  readonly name: string;
  readonly saved: number;
  readonly failed: number;
  /** Videos that only their owner can move on: a request's fate is unknown. */
  readonly uncertain: number;
}

/**
 * The batches that came to their end between two looks, so that each is told of once and no single
 * video is. A batch whose rows were all cancelled is no news to whoever cancelled them.
 */
export function finishedBatches(
  before: readonly Batch[],
  now: readonly Batch[],
): readonly FinishedBatch[] {
  const wasOpen = new Set(before.filter(({ counts }) => openIn(counts) > 0).map(({ id }) => id));
  return now
    .filter(({ id, counts }) => wasOpen.has(id) && openIn(counts) === 0)
    .map(({ name, counts }) => ({
      name,
      saved: counts.done,
      failed: counts.failed + counts.rejected,
      uncertain: counts.uncertain,
    }))
    .filter(({ saved, failed, uncertain }) => saved + failed + uncertain > 0);
}

/** Whether its owner wants to hear of a batch that ended like this. */
export function isWanted(
  { failed, uncertain }: FinishedBatch,
  wanted: Settings['notifications'],
): boolean {
  if (uncertain > 0 && wanted.needsDecision) return true;
  if (failed > 0 && wanted.failed) return true;
  return wanted.batchSaved;
}

/**
 * What keeps the queue from its work until its owner does something; `null` when nothing does, when
 * there is nothing to do, or when only the network is away, which comes back by itself.
 */
export function standstill({ flow, batches }: Summary): FailureCode | null {
  if (flow.state !== 'blocked' || flow.failure.code === 'service-unreachable') return null;
  return batches.some(({ counts }) => openIn(counts) > 0) ? flow.failure.code : null;
}
