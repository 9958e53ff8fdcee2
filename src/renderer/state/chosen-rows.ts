import type { Job } from '../../contract/job.ts';
import type { JobState } from '../../contract/job-states.ts';
import type { DetailsState } from './details-state.svelte.ts';
import type { JobList } from './job-list.svelte.ts';
import type { Selection } from './selection.svelte.ts';

/** The rows that an action would act on. */
export interface ChosenRows {
  readonly ids: readonly string[];
  /** Of the rows that are read; of the others nothing is known, so nothing is ruled out. */
  readonly states: readonly JobState[] | null;
  /** The row, when it is one and read. */
  readonly only: Job | null;
  /** Those in one of some states. Asks the engine about rows that are not read. */
  readonly idsIn: (states: readonly JobState[]) => Promise<readonly string[]>;
}

/** What a view lists and what is chosen in it. */
interface Choice {
  readonly list: JobList;
  readonly selection: Selection;
}

/** What is selected, else the row that has the cursor, else the one whose details are open. */
export function chosenRows(choice: Choice | null, details: DetailsState): ChosenRows {
  const opened = details.details?.job ?? null;
  if (choice !== null && choice.selection.ids.size > 0) {
    const { list, selection } = choice;
    const [first] = selection.ids;
    const only = selection.ids.size === 1 ? (list.byId(first ?? '') ?? null) : null;
    return {
      ids: [...selection.ids],
      states: selection.states(),
      only,
      idsIn: (states) => selection.idsIn(states),
    };
  }
  const only = choice?.selection.rowAtCursor ?? opened;
  return only === null
    ? { ids: [], states: [], only: null, idsIn: () => Promise.resolve([]) }
    : {
        ids: [only.id],
        states: [only.state],
        only,
        idsIn: (states) => Promise.resolve(states.includes(only.state) ? [only.id] : []),
      };
}
