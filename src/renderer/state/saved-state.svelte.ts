import type { Client } from '../../contract/contract.ts';
import type { JobState } from '../../contract/job-states.ts';
import { JobList } from './job-list.svelte.ts';
import { Selection } from './selection.svelte.ts';

const EVERY: readonly JobState[] = ['done', 'missing'];
const GONE: readonly JobState[] = ['missing'];

/** What the view of saved files shows and what is chosen in it. */
export class SavedState {
  readonly list: JobList;
  readonly selection: Selection;
  search = $state('');
  /** Shows only what is missing or damaged. */
  onlyGone = $state(false);
  /** The one that plays in its place. */
  playing = $state<string | null>(null);

  constructor(client: Client) {
    this.list = new JobList(client);
    this.selection = new Selection(this.list);
  }

  searchFor(search: string): void {
    this.search = search;
    this.narrow();
  }

  showOnlyGone(onlyGone: boolean): void {
    this.onlyGone = onlyGone;
    this.narrow();
  }

  narrow(): void {
    this.playing = null;
    this.selection.clear();
    this.selection.cursor = -1;
    this.list.narrow({
      batchId: null,
      states: this.onlyGone ? GONE : EVERY,
      alsoFetchedAgain: !this.onlyGone,
      search: this.search.trim(),
    });
  }
}
