import type { Batch } from './batch.ts';
import type { FailureCode } from './failure.ts';
import { obstacleOf } from './flow.ts';
import { countIn } from './job-states.ts';
import type { Settings } from './settings.ts';
import type { Flow, Summary } from './summary.ts';

/** The service that an event is about, by its name. */
export type NewsService = Pick<Summary['service'], 'name' | 'isLocal'>;

/** An event worth a notification. Its service is `null` when it is the one that is shown. */
export type News =
  /** None of a batch's videos can progress without the user. */
  | {
      readonly kind: 'batch';
      readonly id: string;
      readonly name: string;
      readonly service: NewsService | null;
      readonly saved: number;
      readonly failed: number;
      /** Videos that only the user can decide about: the outcome of a request is unknown. */
      readonly uncertain: number;
    }
  /** A service is blocked until the user acts. */
  | {
      readonly kind: 'standstill';
      readonly origin: string;
      readonly service: NewsService | null;
      readonly reason: FailureCode;
    };

/** What is known about a service, shown or not. */
interface ServiceState {
  readonly origin: string;
  readonly service: NewsService | null;
  readonly flow: Flow | null;
  readonly batches: readonly Pick<Batch, 'id' | 'name' | 'counts'>[];
}

/**
 * The events of all services between two summaries: each batch is reported once, and single videos
 * are not.
 *
 * @param before `null` for the first summary, when everything finished was finished before
 */
export function newsBetween(before: Summary | null, now: Summary): readonly News[] {
  const statesBefore = before === null ? [] : statesIn(before);
  const wereOpen = new Set(
    statesBefore.flatMap(({ batches }) => batches.filter(isActive).map(({ id }) => id)),
  );
  // The user who selects another service sees its state.
  const isOtherShown = before !== null && before.service.origin !== now.service.origin;
  return statesIn(now).flatMap((state): News[] => {
    const news: News[] = finishedBatches(state, wereOpen);
    const reason = standstill(state);
    const stateBefore = statesBefore.find(({ origin }) => origin === state.origin);
    const isKnown = stateBefore !== undefined && standstill(stateBefore) === reason;
    if (reason === null || isKnown || (isOtherShown && state.service === null)) return news;
    const { origin, service } = state;
    return [...news, { kind: 'standstill', origin, service, reason }];
  });
}

function statesIn({ service, flow, batches, others }: Summary): readonly ServiceState[] {
  const shown = { origin: service.origin, service: null, flow, batches };
  return [
    shown,
    ...others.map(({ name, isLocal, ...other }) => ({ ...other, service: { name, isLocal } })),
  ];
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
function finishedBatches(
  { service, batches }: ServiceState,
  wereOpen: ReadonlySet<string>,
): News[] {
  return batches
    .filter((batch) => wereOpen.has(batch.id) && !isActive(batch))
    .map(({ id, name, counts }) => ({
      kind: 'batch' as const,
      id,
      name,
      service,
      saved: counts.done,
      failed: counts.failed + counts.rejected,
      uncertain: counts.uncertain,
    }))
    .filter(({ saved, failed, uncertain }) => saved + failed + uncertain > 0);
}

/**
 * What blocks a service until the user acts; `null` when nothing does, when there is nothing to do,
 * or when only the network is down, which recovers without the user.
 */
function standstill({ flow, batches }: ServiceState): FailureCode | null {
  const obstacle = flow && obstacleOf(flow);
  if (obstacle === null || obstacle.code === 'service-unreachable') return null;
  return batches.some(isActive) ? obstacle.code : null;
}

function isActive({ counts }: Pick<Batch, 'counts'>): boolean {
  return countIn('active', counts) > 0;
}
