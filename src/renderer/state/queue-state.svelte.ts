import type { Client } from '../../contract/contract.ts';
import type { JobState } from '../../contract/job-states.ts';
import { JobList } from './job-list.svelte.ts';
import { Selection } from './selection.svelte.ts';

export const QUEUE_FILTERS = ['all', 'open', 'attention', 'saved'] as const;
export type QueueFilter = (typeof QUEUE_FILTERS)[number];

/** States that wait for their owner's word. */
export const ATTENTION: readonly JobState[] = ['uncertain', 'rejected', 'failed', 'missing'];

/** States from which a job goes on without its owner. */
export const OPEN: readonly JobState[] = [
  'draft',
  'queued',
  'held',
  'reserved',
  'sending',
  'uncertain',
  'submitted',
  'rendering',
  'ready',
  'downloading',
  'verifying',
];

const STATES: Record<QueueFilter, readonly JobState[] | null> = {
  all: null,
  open: OPEN,
  attention: ATTENTION,
  saved: ['done'],
};

/** What the queue's view shows and what is chosen in it. */
export class QueueState {
  readonly list: JobList;
  readonly selection: Selection;
  filter = $state<QueueFilter>('all');
  /** One state that is shown alone, within no filter. */
  state = $state<JobState | null>(null);
  batchId = $state<string | null>(null);
  search = $state('');

  constructor(client: Client) {
    this.list = new JobList(client);
    this.selection = new Selection(this.list);
  }

  showOnly(filter: QueueFilter): void {
    this.filter = filter;
    this.state = null;
    this.#narrow();
  }

  /** Shows one state alone; `null` shows them all. */
  showState(state: JobState | null): void {
    this.filter = 'all';
    this.state = state;
    this.#narrow();
  }

  showBatch(batchId: string | null): void {
    this.batchId = batchId;
    this.#narrow();
  }

  searchFor(search: string): void {
    this.search = search;
    this.#narrow();
  }

  #narrow(): void {
    this.selection.clear();
    this.selection.cursor = -1;
    this.list.narrow({
      batchId: this.batchId,
      states: this.state === null ? STATES[this.filter] : [this.state],
      search: this.search.trim(),
    });
  }
}
