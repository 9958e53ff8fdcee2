import type { Job } from '../../contract/job.ts';
import type { JobState } from '../../contract/job-states.ts';
import { videosOfLine } from '../formatting/line-videos.ts';
import type { JobList } from './job-list.svelte.ts';
import type { Selection } from './selection.svelte.ts';

/** The rows that an action would apply to. */
export interface ChosenRows {
  readonly ids: readonly string[];
  /** `null` when some rows are not read, so that no action can be ruled out. */
  readonly states: readonly JobState[] | null;
  /** Whether they are archived: a list has either archived rows or others. */
  readonly areArchived: boolean;
  /** The row, if it is the only one and read. */
  readonly only: Job | null;
  /** Ids of the rows in `states`. Asks the engine about rows that are not read. */
  readonly idsIn: (states: readonly JobState[]) => Promise<readonly string[]>;
}

/** A view's list and its selection. */
interface SelectableList {
  readonly list: JobList;
  readonly selection: Selection;
}

/** The selected rows, else the row at the cursor, else `opened`, whose details are open. */
export function chosenRows(view: SelectableList | null, opened: Job | undefined): ChosenRows {
  if (view !== null && view.selection.ids.size > 0) {
    const { list, selection } = view;
    const [first] = selection.ids;
    const only = selection.ids.size === 1 ? (list.byId(first ?? '') ?? null) : null;
    return {
      ids: [...selection.ids],
      states: selection.states(),
      areArchived: list.filter.archived === true,
      only,
      idsIn: (states) => selection.idsIn(states),
    };
  }
  const line = view?.selection.rowAtCursor ?? opened ?? null;
  const videos = line === null ? [] : videosOfLine(line);
  const idsOf = (chosen: typeof videos): readonly string[] => chosen.map(({ id }) => id);
  return {
    ids: idsOf(videos),
    states: videos.map(({ state }) => state),
    areArchived: line !== null && line.archivedAt !== null,
    only: videos.length === 1 ? line : null,
    idsIn: (states) => Promise.resolve(idsOf(videos.filter(({ state }) => states.includes(state)))),
  };
}
