import { MAX_BATCH_FILES } from '../contract/batch-limits.ts';
import type { PageRequest } from '../contract/computer.ts';

/** The page may be loading, or gone for a moment; more than this nobody wishes for meanwhile. */
const MAX_WAITING = 20;

type Waiting = { readonly wish: PageRequest } | { readonly make: () => Promise<PageRequest> };

/** What menus, links and double clicks want of the page, kept until the page takes it. */
export class PageRequests {
  readonly #waiting: Waiting[] = [];
  #turn = 0;
  #wake: () => void = () => undefined;

  add(wish: PageRequest): void {
    const [oldest, ...others] = this.#waiting.filter((each) => 'wish' in each);
    if (oldest && others.length + 1 >= MAX_WAITING) this.#remove(oldest);
    this.#waiting.push({ wish });
    this.#wake();
  }

  /**
   * Adds a wish with a file in it, which is read when its turn comes: all of them at once may be more
   * than fits into memory.
   * @param make must not reject
   * @returns false when too many wait
   */
  addFile(make: () => Promise<PageRequest>): boolean {
    if (this.#waiting.filter((each) => 'make' in each).length >= MAX_BATCH_FILES) return false;
    this.#waiting.push({ make });
    this.#wake();
    return true;
  }

  /** Each wish once, to whoever listens last: a page that was reloaded takes over. */
  async *taken(signal: AbortSignal): AsyncGenerator<PageRequest, void> {
    const turn = (this.#turn += 1);
    const isOver = (): boolean => signal.aborted || this.#turn !== turn;
    // An earlier listener ends.
    this.#wake();
    signal.addEventListener('abort', () => this.#wake(), { once: true });
    while (!isOver()) {
      const [next] = this.#waiting;
      if (next === undefined) {
        const woken = Promise.withResolvers<undefined>();
        this.#wake = () => woken.resolve(undefined);
        await woken.promise;
        continue;
      }
      const wish = 'wish' in next ? next.wish : await next.make();
      // A file that was read for a closed page is read again for the next one.
      if (isOver()) return;
      this.#remove(next);
      yield wish;
    }
  }

  #remove(waiting: Waiting): void {
    const place = this.#waiting.indexOf(waiting);
    if (place >= 0) this.#waiting.splice(place, 1);
  }
}
