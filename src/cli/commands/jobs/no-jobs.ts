/** Says why a command has no videos to work on. */
import type { JobState } from '../../../contract/job-states.ts';
import { stateLabel } from '../../display/state-labels.ts';
import type { JobSelection } from './choose-jobs.ts';

/**
 * What to say when a selection is empty.
 * @param defaultStates the states that the command selects if the user names none
 */
export function noJobsText(
  { batch, state, search, archived = false }: JobSelection,
  defaultStates?: readonly JobState[],
): string {
  if (state === undefined && defaultStates !== undefined) {
    return `No selected video is ${statesText(defaultStates)}. Select others by --state or by their ids.`;
  }
  const isNarrowed = [batch, state, search].some((filter) => filter !== undefined);
  if (isNarrowed) return 'No video matches.';
  return archived ? 'The archive has no videos.' : 'There are no videos here.';
}

/** `waiting, held or sending`. */
function statesText(states: readonly JobState[]): string {
  const words = new Set(states.map((state) => stateLabel(state).word));
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words);
}
