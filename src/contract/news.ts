import type { Batch } from './batch.ts';
import type { FailureCode } from './failure.ts';
import { obstacleOf } from './flow.ts';
import { countIn } from './job-states.ts';
import type { Settings } from './settings.ts';
import type { Summary } from './summary.ts';

/** Something that the user may want to hear of while looking elsewhere. */
export type News =
  /** A batch has nothing left to do by itself. */
  | {
      readonly kind: 'batch';
      readonly id: string;
      readonly name: string;
      readonly saved: number;
      readonly failed: number;
      /** Videos that only the user can move on: a request's fate is unknown. */
      readonly uncertain: number;
    }
  /** Nothing moves until the user does something. */
  | { readonly kind: 'standstill'; readonly reason: FailureCode };

/**
 * What came about between two looks, so that each batch is told of once and no single video is.
 *
 * @param before `null` at the first look, when what is finished was so before
 */
export function newsBetween(before: Summary | null, now: Summary): readonly News[] {
  const news: News[] = before === null ? [] : [...finishedBatches(before.batches, now.batches)];
  const reason = standstill(now);
  if (reason !== null && (before === null || standstill(before) !== reason)) {
    news.push({ kind: 'standstill', reason });
  }
  return news;
}

/** Whether the user wants to hear of it. */
export function isWanted(news: News, wanted: Settings['notifications']): boolean {
  switch (news.kind) {
    case 'batch':
      if (news.uncertain > 0 && wanted.needsDecision) return true;
      if (news.failed > 0 && wanted.failed) return true;
      return wanted.batchSaved;
    case 'standstill':
      return wanted.needsDecision;
  }
}

/** A batch whose rows were all cancelled is no news to whoever cancelled them. */
function finishedBatches(before: readonly Batch[], now: readonly Batch[]): readonly News[] {
  const wasOpen = new Set(
    before.filter(({ counts }) => countIn('active', counts) > 0).map(({ id }) => id),
  );
  return now
    .filter(({ id, counts }) => wasOpen.has(id) && countIn('active', counts) === 0)
    .map(({ id, name, counts }) => ({
      kind: 'batch' as const,
      ...{ id, name, saved: counts.done },
      failed: counts.failed + counts.rejected,
      uncertain: counts.uncertain,
    }))
    .filter(({ saved, failed, uncertain }) => saved + failed + uncertain > 0);
}

/**
 * What keeps the queue from its work until the user does something; `null` when nothing does, when
 * there is nothing to do, or when only the network is away, which comes back by itself.
 */
function standstill({ flow, batches }: Summary): FailureCode | null {
  const obstacle = obstacleOf(flow);
  if (obstacle === null || obstacle.code === 'service-unreachable') return null;
  return batches.some(({ counts }) => countIn('active', counts) > 0) ? obstacle.code : null;
}
