import type { PointerReleased } from '../connection/pointer-press.ts';

/** A page of entries, newest first. */
export interface HistoryPage<Entry> {
  readonly entries: readonly Entry[];
  /** Cursor of the next page, with older entries; `null` on the last one. */
  readonly next: string | null;
}

/** More is read when fewer entries than this follow, so that slow scrolling never waits. */
const MARGIN = 60;
/** New entries are read this long after the first change, in milliseconds, however many follow. */
const REFRESH_DELAY_MS = 1000;

/**
 * Entries from the newest one back to where the user has scrolled. New ones are added only while
 * the newest is visible, so that rows do not move for a reader further down.
 */
export class HistoryList<Entry extends { readonly id: string }> {
  entries = $state.raw<readonly Entry[]>([]);
  /** `unreadable` when the last read failed; the next update tries again. */
  status = $state<'reading' | 'ready' | 'unreadable'>('reading');

  readonly #read: (after: string | null) => Promise<HistoryPage<Entry>>;
  readonly #pointerReleased: PointerReleased;
  #next: string | null = null;
  #generation = 0;
  #readingNewest = false;
  #readingMore = false;
  #first = 0;
  #stale = false;
  #refreshTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    read: (after: string | null) => Promise<HistoryPage<Entry>>,
    pointerReleased: PointerReleased,
  ) {
    this.#read = read;
    this.#pointerReleased = pointerReleased;
  }

  /** Rows of a table: one more than was read while there are older entries. */
  get total(): number {
    return this.entries.length + (this.#next === null ? 0 : 1);
  }

  /** Drops all entries and reads the newest ones. */
  async reload(): Promise<void> {
    const generation = this.#cancelReads();
    this.#first = 0;
    this.entries = [];
    this.status = 'reading';
    await this.#readNewest(generation);
  }

  /** Sets the visible entries, and reads more when they are near the end. */
  show(first: number, last: number): void {
    this.#first = first;
    if (first === 0 && this.#stale) this.refresh();
    if (last + MARGIN >= this.entries.length) void this.#readMore();
  }

  /** Reads new entries soon, or once the newest entry is visible again. */
  refresh(): void {
    if (this.#first > 0) {
      this.#stale = true;
      return;
    }
    this.#refreshTimer ??= setTimeout(() => {
      this.#refreshTimer = undefined;
      // Frequent changes do not restart a slow read, which would then never be shown.
      if (this.#readingNewest) this.#stale = true;
      else void this.#readNewest(this.#cancelReads());
    }, REFRESH_DELAY_MS);
  }

  /** Cancels pending reads. */
  stop(): void {
    clearTimeout(this.#refreshTimer);
    this.#refreshTimer = undefined;
    this.#cancelReads();
  }

  #cancelReads(): number {
    this.#generation += 1;
    this.#stale = false;
    this.#readingNewest = false;
    this.#readingMore = false;
    return this.#generation;
  }

  async #readNewest(generation: number): Promise<void> {
    this.#readingNewest = true;
    await this.#readPage(generation, null, ({ entries, next }) => {
      const last = entries.at(-1);
      const common = this.entries.findIndex(({ id }) => id === last?.id);
      // Without a common entry, there may be more new ones than fit on this page.
      if (common < 0 || next === null) this.#next = next;
      this.entries =
        common < 0 || next === null ? entries : [...entries, ...this.entries.slice(common + 1)];
    });
    if (generation !== this.#generation) return;
    this.#readingNewest = false;
    // Something has changed meanwhile.
    if (this.#stale) this.refresh();
  }

  async #readMore(): Promise<void> {
    if (this.#next === null || this.#readingMore) return;
    this.#readingMore = true;
    await this.#readPage(this.#generation, this.#next, ({ entries, next }) => {
      this.#next = next;
      this.entries = [...this.entries, ...entries];
      this.#readingMore = false;
    });
  }

  async #readPage(
    generation: number,
    after: string | null,
    use: (page: HistoryPage<Entry>) => void,
  ): Promise<void> {
    try {
      const page = await this.#read(after);
      // New entries move the shown ones, which must not happen under a pressed pointer.
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
