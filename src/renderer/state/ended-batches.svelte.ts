import { SvelteSet } from 'svelte/reactivity';
import type { Batch } from '../../contract/batch.ts';
import { countIn } from '../../contract/job-states.ts';

const KEY = 'spool.ended';

/** Ids that are remembered; a queue has few batches that ended and were not cleared away. */
const MAX_REMEMBERED = 200;

/** The batch whose end is shown, until the user dismisses it. */
export class EndedBatches {
  readonly #dismissed: SvelteSet<string>;
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>;

  constructor(storage: Pick<Storage, 'getItem' | 'setItem'>) {
    this.#storage = storage;
    this.#dismissed = new SvelteSet(readIds(storage.getItem(KEY)));
  }

  /**
   * The batch that was added last, if it has ended with saved videos.
   * @param batchId of the batch that the user chose; `null` for none
   */
  shown(batches: readonly Batch[], batchId: string | null): Batch | null {
    const batch = batches.findLast(({ id }) => batchId === null || id === batchId);
    const isShown = batch !== undefined && hasEnded(batch) && !this.#dismissed.has(keyOf(batch));
    return isShown ? batch : null;
  }

  dismiss(batch: Batch): void {
    this.#dismissed.add(keyOf(batch));
    const ids = [...this.#dismissed].slice(-MAX_REMEMBERED);
    this.#storage.setItem(KEY, JSON.stringify(ids));
  }
}

/** Nothing of it goes on, unless the user decides so, and there is something to see. */
function hasEnded({ counts }: Batch): boolean {
  return countIn('open', counts) === 0 && counts.done > 0;
}

/** A batch that got more videos since ends again. */
function keyOf({ id, counts }: Batch): string {
  return `${id}/${counts.done}`;
}

/** Another version or page may have stored it: anything invalid reads as none. */
function readIds(text: string | null): readonly string[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}
