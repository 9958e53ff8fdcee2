import type { Client } from '../../contract/contract.ts';
import { STATE_GROUPS, type JobState } from '../../contract/job-states.ts';
import {
  batchGroup,
  QUEUE_SECTIONS,
  SECTION_STATES,
  type JobOrder,
} from '../../contract/job-order.ts';
import type { Batch } from '../../contract/batch.ts';
import type { Update } from '../../contract/summary.ts';
import type { PointerReleased } from '../connection/pointer-press.ts';
import type { Commands } from './commands.svelte.ts';
import type { EndedBatches } from './ended-batches.svelte.ts';
import { GroupedLines, type Heading } from './grouped-lines.svelte.ts';
import type { JobQuery } from '../../contract/job.ts';
import { JobList } from './job-list.svelte.ts';
import { RowMover } from './row-mover.ts';
import { Selection } from './selection.svelte.ts';
import type { TableLayout } from './table-layout.svelte.ts';

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

/** Of a queue in its own order: what waits beyond the quota, and what is finished. */
const FOLDED = new Set(['later']);

/** The queue view's list, filters and selection. */
export class QueueState {
  readonly list: JobList;
  readonly selection: Selection;
  readonly mover: RowMover;
  readonly lines: GroupedLines;
  /** The columns of the table, and what it is sorted by. */
  readonly layout: TableLayout;
  readonly ended: EndedBatches;

  #shown = $state.raw(EVERYTHING);
  /**
   * The filter to restore when no video is uncertain any more; `null` unless `showUncertain` set
   * one.
   */
  #beforeUncertain: QueueScope | null = null;
  /** Headings that the user folded (`false`) or unfolded, by their group's key. */
  #unfoldedByUser = $state.raw<Readonly<Record<string, boolean>>>({});
  /** Rows whose videos have a line each. */
  #unfoldedRows = $state.raw<readonly string[]>([]);
  #batches: readonly Batch[] = [];

  constructor(
    client: Client,
    commands: Commands,
    pointerReleased: PointerReleased,
    layout: TableLayout,
    ended: EndedBatches,
  ) {
    this.layout = layout;
    this.ended = ended;
    this.list = new JobList(client, pointerReleased);
    this.list.filter = this.#query();
    this.selection = new Selection(this.list);
    this.mover = new RowMover(this.list, this.selection, commands);
    this.lines = new GroupedLines(this.list, () => !this.#isUnfolded('finished'));
  }

  /** Whether the rows are in sections: all rows of the queue, in its own order. */
  get hasSections(): boolean {
    return this.list.filter.grouping === 'sections';
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

  /** Sorts the rows; `null` shows them in sections. */
  sortBy(order: JobOrder | null): void {
    this.layout.sortBy(order);
    this.#narrow({});
  }

  isUnfolded(heading: Heading): boolean {
    return this.#isUnfolded(keyOf(heading));
  }

  /** Shows or hides the rows below a heading. */
  fold(heading: Heading, isFolded: boolean): void {
    this.#unfoldedByUser = { ...this.#unfoldedByUser, [keyOf(heading)]: !isFolded };
    this.list.arrange({ unfolded: this.#unfolded() });
  }

  /**
   * Shows one line for the videos of a row, or a line for each. Folded, they are selected together:
   * no selected video is out of sight.
   */
  foldRow(rowId: string, isFolded: boolean): void {
    const others = this.#unfoldedRows.filter((each) => each !== rowId);
    this.#unfoldedRows = isFolded ? others : [...others, rowId];
    this.list.arrange({ unfoldedRows: this.#unfoldedRows });
    if (isFolded) void this.selection.chooseRow(rowId);
  }

  apply(update: Update): void {
    this.#batches = update.summary.batches;
    this.#followBatches();
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
    this.list.narrow(this.#query());
  }

  #query(): JobQuery {
    const { batchId, state, filter, search } = this.#shown;
    const { order } = this.layout;
    const query: JobQuery = {
      batchId: batchId ?? undefined,
      states: state === null ? STATES[filter] : [state],
      archived: filter === 'archived',
      search: search.trim(),
    };
    if (order !== null) return { ...query, order };
    const isWhole = query.states === undefined && filter === 'all' && query.search === '';
    return isWhole
      ? {
          ...query,
          grouping: 'sections',
          unfolded: this.#unfolded(),
          unfoldedRows: this.#unfoldedRows,
        }
      : query;
  }

  /** Other batches may be finished now, or there may be others. */
  #followBatches(): void {
    if (!this.hasSections) return;
    const unfolded = this.#unfolded();
    if (unfolded.join() !== this.list.filter.unfolded?.join()) this.list.arrange({ unfolded });
  }

  #unfolded(): readonly string[] {
    const batches = this.#isUnfolded('finished')
      ? this.#batches.map(({ id }) => batchGroup(id)).filter((key) => this.#isUnfolded(key))
      : [];
    return [...QUEUE_SECTIONS.filter((key) => this.#isUnfolded(key)), ...batches];
  }

  #isUnfolded(key: string): boolean {
    const byUser = this.#unfoldedByUser[key];
    if (byUser !== undefined) return byUser;
    if (!key.startsWith(batchGroup(''))) return !FOLDED.has(key);
    return this.#isShownAlone(key);
  }

  /** Whether a finished batch is the only one of the queue, or was chosen. */
  #isShownAlone(key: string): boolean {
    if (this.batchId !== null) return key === batchGroup(this.batchId);
    const [only, another] = this.#batches;
    return only !== undefined && another === undefined && isAllFinished(only);
  }
}

function isAllFinished({ counts }: Batch): boolean {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return SECTION_STATES.finished.reduce((sum, state) => sum + counts[state], 0) === all;
}

function keyOf(heading: Heading): string {
  switch (heading.kind) {
    case 'section':
      return heading.key;
    case 'batch':
      return batchGroup(heading.batchId);
    case 'finished':
      return 'finished';
  }
}
