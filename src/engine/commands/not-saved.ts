/** Counts the videos of a batch that have no file, by reason. */
import type { NotSaved } from '../../contract/batch.ts';
import { STATE_GROUPS, type JobState } from '../../contract/job-states.ts';
import type { CountedFailure } from '../jobs/job-reader.ts';

/** States of videos that have no file, and get none unless the user acts. */
export const WITHOUT_FILE: readonly JobState[] = ['held', 'uncertain', ...STATE_GROUPS.ended];

/** Texts that are shown for one reason. */
const MAX_TEXTS = 3;

/** Counts failures by reason, the most frequent first. */
export function notSavedOf(failures: readonly CountedFailure[]): NotSaved[] {
  const byReason = Map.groupBy(failures, ({ state, failure }) => `${state} ${failure?.code ?? ''}`);
  return [...byReason.values()].flatMap((alike) => {
    const [first] = alike;
    if (first === undefined) return [];
    const texts = alike.flatMap(({ count, failure }) => (failure ? [{ count, failure }] : []));
    return [
      {
        state: first.state,
        code: first.failure?.code ?? null,
        count: alike.reduce((sum, { count }) => sum + count, 0),
        texts: texts.slice(0, MAX_TEXTS),
      },
    ];
  });
}
