/** Holds the rest of a batch after several refusals for content, a few rows at a time. */
import { z } from 'zod';
import { userMessage } from '../../contract/user-message.ts';
import type { JobRow } from '../jobs/job-row.ts';
import type { Store } from '../jobs/store.ts';

/** After so many videos in a row that were refused because of their content, a batch is held. */
const MAX_IN_A_ROW = 3;

/** Rows that are held in one transaction: 20,000 at once would block the engine for seconds. */
const ROWS_AT_A_TIME = 200;

const NOTE = 'batches-to-hold';

/** Batches whose rows with an id above `after` and up to `last` are still to be held. */
const markedSchema = z.array(z.object({ batchId: z.int(), after: z.int(), last: z.int() }));

type Marked = z.infer<typeof markedSchema>;

/**
 * Holds the rest of a batch after its last videos were refused because of their content: each of the
 * next ones may cost as much, and services suspend accounts that send many of them. The batch is
 * marked, also across restarts, and its rows are held a few at a time.
 */
export class RefusedBatches {
  readonly #store: Store;
  #marked: Marked;

  constructor(store: Store) {
    this.#store = store;
    this.#marked = store.notes.read(NOTE, markedSchema) ?? [];
  }

  /** Whether rows of a marked batch may still be queued. */
  get areAny(): boolean {
    return this.#marked.length > 0;
  }

  /**
   * Marks the batch of a job that was refused if its last videos were, too. The user releases it.
   * Joins the caller's transaction.
   */
  refused(job: JobRow): void {
    const { jobs } = this.#store;
    if (job.failure?.code !== 'content-refused') return;
    const isLater = job.failure.refusal?.when === 'after-render';
    const last = jobs
      .lastSent(job.batchId)
      .filter(({ state }) => !isLater || (state !== 'submitted' && state !== 'rendering'))
      .slice(0, MAX_IN_A_ROW);
    const areRefused = last.every(
      ({ state, failure }) => state === 'rejected' && failure?.code === 'content-refused',
    );
    if (last.length < MAX_IN_A_ROW || !areRefused) return;
    // Rows that are added from now on, and those that the user releases meanwhile, are sent.
    const marked = { batchId: job.batchId, after: 0, last: jobs.lastId };
    this.#keep([...this.#marked.filter(({ batchId }) => batchId !== job.batchId), marked]);
  }

  /** Holds the next rows of marked batches, in one transaction. */
  holdNext(at: number): void {
    const [first, ...others] = this.#marked;
    if (first === undefined) return;
    const { batchId, after, last } = first;
    const { jobs, transactions } = this.#store;
    const rows = jobs.walk('queued', after, ROWS_AT_A_TIME, batchId).filter(({ id }) => id <= last);
    const why = userMessage('batch-held', { count: MAX_IN_A_ROW });
    const failure = { code: 'batch-held', ...why } as const;
    transactions.write(() => {
      for (const { id } of rows) jobs.move(id, 'hold', at, { failure }, why);
      const held = rows.at(-1)?.id;
      const isOver = held === undefined || rows.length < ROWS_AT_A_TIME;
      this.#keep(isOver ? others : [{ batchId, after: held, last }, ...others]);
    });
  }

  #keep(marked: Marked): void {
    const { notes, transactions } = this.#store;
    if (marked.length === 0) notes.remove(NOTE);
    else notes.write(NOTE, marked);
    transactions.afterCommit(() => (this.#marked = marked));
  }
}
