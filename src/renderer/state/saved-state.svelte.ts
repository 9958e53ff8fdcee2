import type { Client } from '../../contract/contract.ts';
import type { Job } from '../../contract/job.ts';
import { STATE_GROUPS, type JobState } from '../../contract/job-states.ts';
import type { Update } from '../../contract/summary.ts';
import type { PointerReleased } from '../connection/pointer-press.ts';
import { JobList } from './job-list.svelte.ts';
import { Selection } from './selection.svelte.ts';

const EVERY: readonly JobState[] = STATE_GROUPS.saved;
const GONE: readonly JobState[] = ['missing'];

/** The saved view's list, filters and selection. */
export class SavedState {
  readonly list: JobList;
  readonly selection: Selection;
  search = $state('');
  /** Shows only what is missing or damaged. */
  onlyGone = $state(false);
  /** The video in the player, as it was when it was opened. */
  playing = $state.raw<Job | null>(null);

  constructor(client: Client, pointerReleased: PointerReleased) {
    this.list = new JobList(client, pointerReleased);
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

  apply(update: Update): void {
    this.list.apply(update);
    this.selection.apply(update);
  }

  narrow(): void {
    this.playing = null;
    this.selection.reset();
    this.list.narrow({
      states: this.onlyGone ? GONE : EVERY,
      alsoDownloadingAgain: !this.onlyGone,
      archived: false,
      search: this.search.trim(),
    });
  }
}
