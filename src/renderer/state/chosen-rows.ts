import type { Job } from '../../contract/job.ts';
import type { JobState } from '../../contract/job-states.ts';
import type { DetailsState } from './details-state.svelte.ts';
import type { QueueState } from './queue-state.svelte.ts';

/** The rows that an action would act on. */
export interface ChosenRows {
  readonly ids: readonly string[];
  /** Of the rows that are read; of the others nothing is known, so nothing is ruled out. */
  readonly states: readonly JobState[] | null;
  /** The row, when it is one and read. */
  readonly only: Job | null;
}

/** What is selected, else the row under the cursor, else the one whose details are open. */
export function chosenRows(app: {
  readonly view: string;
  readonly queue: QueueState;
  readonly details: DetailsState;
}): ChosenRows {
  const { list, selection } = app.queue;
  const opened = app.details.details?.job ?? null;
  if (app.view === 'queue' && selection.ids.size > 0) {
    const [first] = selection.ids;
    const only = selection.ids.size === 1 ? (list.byId(first ?? '') ?? null) : null;
    return { ids: [...selection.ids], states: selection.states(), only };
  }
  const only = app.view === 'queue' ? (list.at(selection.cursor) ?? opened) : opened;
  return only === null
    ? { ids: [], states: [], only: null }
    : { ids: [only.id], states: [only.state], only };
}
