import type { Batch } from './batch.ts';
import type { FailureCode } from './failure.ts';
import { obstacleOf } from './flow.ts';
import { countIn } from './job-states.ts';
import type { Settings } from './settings.ts';
import type { Summary } from './summary.ts';

/** An event worth a notification. */
export type News =
  /** None of a batch's videos can progress without the user. */
  | {
      readonly kind: 'batch';
      readonly id: string;
      readonly name: string;
      readonly saved: number;
      readonly failed: number;
      /** Videos that only the user can decide about: the outcome of a request is unknown. */
      readonly uncertain: number;
    }
  /** The queue is blocked until the user acts. */
  | { readonly kind: 'standstill'; readonly reason: FailureCode };

/**
 * The events between two summaries: each batch is reported once, and single videos are not.
 *
 * @param before `null` for the first summary, when everything finished was finished before
 */
export function newsBetween(before: Summary | null, now: Summary): readonly News[] {
  const news: News[] = before === null ? [] : [...finishedBatches(before.batches, now.batches)];
  const reason = standstill(now);
  // The user who chose to see another service sees how it is.
  if (before !== null && before.service.origin !== now.service.origin) return news;
  if (reason !== null && (before === null || standstill(before) !== reason)) {
    news.push({ kind: 'standstill', reason });
  }
  return news;
}

/** Whether the user has enabled this notification. */
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

/** A batch whose rows were all cancelled is not reported: the user cancelled them. */
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
 * What blocks the queue until the user acts; `null` when nothing does, when there is nothing to do,
 * or when only the network is down, which recovers without the user.
 */
function standstill({ flow, batches }: Summary): FailureCode | null {
  const obstacle = obstacleOf(flow);
  if (obstacle === null || obstacle.code === 'service-unreachable') return null;
  return batches.some(({ counts }) => countIn('active', counts) > 0) ? obstacle.code : null;
}
