import { countIn } from '../../contract/job-states.ts';
import type { OtherServiceStatus } from '../../contract/summary.ts';
import type { Localization } from './localization.ts';

export interface ServiceStatusWords {
  /** The most important part first. */
  readonly parts: readonly string[];
  /** Whether the user has to act, for example to decide or to resume. */
  readonly needsUser: boolean;
}

/** What a service's queue contains, and whether it is stopped. */
export function serviceStatus(
  { counts, flow }: Pick<OtherServiceStatus, 'counts' | 'flow'>,
  l10n: Pick<Localization, 'texts' | 'count'>,
): ServiceStatusWords {
  const { texts } = l10n;
  const waiting = countIn('unsent', counts);
  const inProgress = countIn('accepted', counts) + counts.reserved + counts.sending;
  const attention = countIn('needsAttention', counts);
  const isPaused = flow?.state === 'paused';
  const isBlocked = flow?.state === 'blocked' && countIn('active', counts) > 0;
  const parts = [
    isPaused && texts.status.paused,
    isBlocked && texts.status.blocked,
    attention > 0 && texts.queue.attention(attention),
    waiting > 0 && texts.frame.waitingCount(l10n.count(waiting)),
    inProgress > 0 && texts.frame.inProgress(l10n.count(inProgress)),
    counts.done > 0 && texts.frame.savedCount(l10n.count(counts.done)),
  ].filter((part) => typeof part === 'string');
  return {
    parts: parts.length === 0 ? [texts.frame.noVideos] : parts,
    needsUser: isPaused || isBlocked || attention > 0,
  };
}
