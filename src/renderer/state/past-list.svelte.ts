import type { PointerReleased } from '../connection/pointer-press.ts';

/** A page of the past, newest first. */
export interface PastPage<Entry> {
  readonly entries: readonly Entry[];
  /** To ask for what came before; `null` when there is no more. */
  readonly next: string | null;
}

/** Entries beyond the visible ones at which more are read, so that slow scrolling never waits. */
const MARGIN = 60;
/** What happens is looked at this long after it did, in milliseconds, however much it is. */
const SETTLE_MS = 1000;

/**
 * The past from now backwards, as far as somebody has scrolled. New entries join it while its
 * newest end is in sight, so that nothing moves under the eyes of a reader further down.
 */
export class PastList<Entry extends { readonly id: string }> {
  entries = $state.raw<readonly Entry[]>([]);
  /** `unreadable` when the last reading failed; the next update tries again. */
  status = $state<'reading' | 'ready' | 'unreadable'>('reading');

  readonly #read: (after: string | null) => Promise<PastPage<Entry>>;
  readonly #pointerReleased: PointerReleased;
  #next: string | null = null;
  #generation = 0;
  #readingMore = false;
  #first = 0;
  #stale = false;
  #settling: ReturnType<typeof setTimeout> | undefined;

  constructor(
    read: (after: string | null) => Promise<PastPage<Entry>>,
    pointerReleased: PointerReleased,
  ) {
    this.#read = read;
    this.#pointerReleased = pointerReleased;
  }

  /** Rows that a table has room for: one more than is here while more is to come. */
  get total(): number {
    return this.entries.length + (this.#next === null ? 0 : 1);
  }

  /** Forgets what is here and begins at the newest end. */
  async reload(): Promise<void> {
    const generation = this.#begin();
    this.#first = 0;
    this.entries = [];
    this.status = 'reading';
    await this.#newest(generation);
  }

  /** Says which entries are visible. */
  show(first: number, last: number): void {
    this.#first = first;
    if (first === 0 && this.#stale) this.refresh();
    if (last + MARGIN >= this.entries.length) void this.#more();
  }

  /** Something may have happened. */
  refresh(): void {
    if (this.#first > 0) {
      this.#stale = true;
      return;
    }
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      void this.#newest(this.#begin());
    }, SETTLE_MS);
  }

  /** Reads no more until it is asked to. */
  stop(): void {
    clearTimeout(this.#settling);
    this.#settling = undefined;
    this.#begin();
  }

  #begin(): number {
    this.#generation += 1;
    this.#readingMore = false;
    return this.#generation;
  }

  async #newest(generation: number): Promise<void> {
    this.#stale = false;
    await this.#take(generation, null, ({ entries, next }) => {
      const last = entries.at(-1);
      const met = this.entries.findIndex(({ id }) => id === last?.id);
      // Without an entry in common there may be more between the two than this page.
      if (met < 0 || next === null) this.#next = next;
      this.entries =
        met < 0 || next === null ? entries : [...entries, ...this.entries.slice(met + 1)];
    });
  }

  async #more(): Promise<void> {
    if (this.#next === null || this.#readingMore) return;
    this.#readingMore = true;
    await this.#take(this.#generation, this.#next, ({ entries, next }) => {
      this.#next = next;
      this.entries = [...this.entries, ...entries];
      this.#readingMore = false;
    });
  }

  async #take(
    generation: number,
    after: string | null,
    use: (page: PastPage<Entry>) => void,
  ): Promise<void> {
    try {
      const page = await this.#read(after);
      // New entries move those that are shown.
      if (after === null && this.entries.length > 0) await this.#pointerReleased();
      if (generation !== this.#generation) return;
      use(page);
      this.status = 'ready';
    } catch {
      if (generation !== this.#generation) return;
      this.#readingMore = false;
      this.status = 'unreadable';
    }
  }
}
