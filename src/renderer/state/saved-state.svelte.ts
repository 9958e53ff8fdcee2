import type { Client } from '../../contract/contract.ts';
import type { Job, JobQuery } from '../../contract/job.ts';
import { STATE_GROUPS, type JobState } from '../../contract/job-states.ts';
import type { Update } from '../../contract/summary.ts';
import type { PointerReleased } from '../connection/pointer-press.ts';
import type { JobOrder } from '../../contract/job-order.ts';
import { GroupedLines } from './grouped-lines.svelte.ts';
import { JobList } from './job-list.svelte.ts';
import { Selection } from './selection.svelte.ts';
import type { TableLayout } from './table-layout.svelte.ts';

const EVERY: readonly JobState[] = STATE_GROUPS.saved;
const GONE: readonly JobState[] = ['missing'];

/** The saved view's list, filters and selection. */
export class SavedState {
  readonly list: JobList;
  readonly selection: Selection;
  readonly lines: GroupedLines;
  /** What the videos are sorted by; by batch, the newest first, if by nothing. */
  readonly layout: TableLayout;
  search = $state('');
  /** Shows only what is missing or damaged. */
  onlyGone = $state(false);
  /** The video in the player, as it was when it was opened. */
  playing = $state.raw<Job | null>(null);
  /** Whether the list has the videos of one batch, which are played one after another. */
  #playsAll = false;

  constructor(client: Client, pointerReleased: PointerReleased, layout: TableLayout) {
    this.layout = layout;
    this.list = new JobList(client, pointerReleased);
    this.selection = new Selection(this.list);
    this.lines = new GroupedLines(this.list);
  }

  /** Sorts the videos; `null`: by batch, the newest first. */
  sortBy(order: JobOrder | null): void {
    this.layout.sortBy(order);
    this.narrow();
  }

  /**
   * Opens a video in the player, above any view.
   * @param isListed whether the list is shown, and so has the videos beside it
   */
  play(job: Job, isListed: boolean): void {
    if (!isListed) this.narrow();
    this.playing = job;
  }

  /**
   * Plays the saved videos of a batch, one after another, while the list is not shown.
   * @throws {Error} if they could not be read
   */
  async playAll(batchId: string): Promise<void> {
    this.#narrow({ batchId, states: ['done'], archived: false });
    this.#playsAll = true;
    await this.list.read;
    if (this.list.unreadable) throw new Error('The videos of the batch could not be read.');
    this.playing = this.list.at(0) ?? null;
  }

  /** Goes on with the next video of the batch that is played, if there is one. */
  onVideoEnd(): void {
    if (this.#playsAll) this.playBeside(1);
  }

  /** Opens the next or the previous video that can be played in the player; without one, it stays. */
  playBeside(step: 1 | -1): void {
    if (this.playing === null) return;
    const index = this.list.indexOf(this.playing.id);
    if (index < 0) return;
    for (let at = index + step; ; at += step) {
      const job = this.list.at(at);
      if (job === undefined) return;
      if (job.state !== 'done') continue;
      this.playing = job;
      if (this.#playsAll) this.list.show(at, at);
      else this.selection.choose(at);
      return;
    }
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
    const { order } = this.layout;
    this.#narrow({
      states: this.onlyGone ? GONE : EVERY,
      alsoDownloadingAgain: !this.onlyGone,
      archived: false,
      search: this.search.trim(),
      ...(order === null ? { grouping: 'batches' as const } : { order }),
    });
  }

  #narrow(query: JobQuery): void {
    this.playing = null;
    this.#playsAll = false;
    this.selection.reset();
    this.list.narrow(query);
  }
}
