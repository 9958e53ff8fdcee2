import type { Client } from '../../contract/contract.ts';
import { STATE_GROUPS, type JobState } from '../../contract/job-states.ts';
import type { Update } from '../../contract/summary.ts';
import type { PointerReleased } from '../connection/pointer-press.ts';
import type { Commands } from './commands.svelte.ts';
import { JobList } from './job-list.svelte.ts';
import { RowMover } from './row-mover.ts';
import { Selection } from './selection.svelte.ts';

export const QUEUE_FILTERS = ['all', 'open', 'attention', 'saved', 'archived'] as const;
export type QueueFilter = (typeof QUEUE_FILTERS)[number];

const STATES: Record<QueueFilter, readonly JobState[] | undefined> = {
  all: undefined,
  open: STATE_GROUPS.open,
  attention: STATE_GROUPS.needsAttention,
  saved: ['done'],
  archived: undefined,
};

/** Which rows of the queue are shown. */
interface QueueScope {
  readonly filter: QueueFilter;
  readonly state: JobState | null;
  readonly batchId: string | null;
  readonly search: string;
}

const EVERYTHING: QueueScope = { filter: 'all', state: null, batchId: null, search: '' };

/** The queue view's list, filters and selection. */
export class QueueState {
  readonly list: JobList;
  readonly selection: Selection;
  readonly mover: RowMover;

  #shown = $state.raw(EVERYTHING);
  /**
   * The filter to restore when no video is uncertain any more; `null` unless `showUncertain` set
   * one.
   */
  #beforeUncertain: QueueScope | null = null;

  constructor(client: Client, commands: Commands, pointerReleased: PointerReleased) {
    this.list = new JobList(client, pointerReleased);
    this.list.filter = { archived: false };
    this.selection = new Selection(this.list);
    this.mover = new RowMover(this.list, this.selection, commands);
  }

  get filter(): QueueFilter {
    return this.#shown.filter;
  }

  /** The only state that is shown; `null` when `filter` applies. */
  get state(): JobState | null {
    return this.#shown.state;
  }

  get batchId(): string | null {
    return this.#shown.batchId;
  }

  get search(): string {
    return this.#shown.search;
  }

  showOnly(filter: QueueFilter): void {
    this.#narrow({ filter, state: null });
  }

  /** Shows one state alone; `null` shows them all. */
  showState(state: JobState | null): void {
    this.#narrow({ filter: 'all', state });
  }

  showBatch(batchId: string | null): void {
    this.#narrow({ batchId });
  }

  /** Shows every row of a batch: clears the search and the filter. */
  showWholeBatch(batchId: string): void {
    this.#narrow({ ...EVERYTHING, batchId });
  }

  searchFor(search: string): void {
    this.#narrow({ search });
  }

  /** Shows the uncertain videos of all batches, until the last one is decided. */
  showUncertain(): void {
    const before = this.#beforeUncertain ?? this.#shown;
    this.#narrow({ ...EVERYTHING, state: 'uncertain' });
    this.#beforeUncertain = before;
  }

  apply(update: Update): void {
    this.list.apply(update);
    this.selection.apply(update);
    const { batches, counts } = update.summary;
    if (this.#beforeUncertain !== null && counts.uncertain === 0) {
      this.#narrow(this.#beforeUncertain);
    }
    // After a change of the service, the queue has other batches.
    const isKnown = this.batchId === null || batches.some(({ id }) => id === this.batchId);
    if (!isKnown) this.showBatch(null);
  }

  /** Reads what is shown again, after updates were missed. */
  reload(): void {
    this.list.reload();
    this.selection.reconcile();
  }

  #narrow(change: Partial<QueueScope>): void {
    this.#beforeUncertain = null;
    this.#shown = { ...this.#shown, ...change };
    this.selection.reset();
    const { batchId, state, filter, search } = this.#shown;
    this.list.narrow({
      batchId: batchId ?? undefined,
      states: state === null ? STATES[filter] : [state],
      archived: filter === 'archived',
      search: search.trim(),
    });
  }
}
