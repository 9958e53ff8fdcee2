import { MAX_BATCH_FILES } from '../contract/batch-limits.ts';
import type { PageRequest } from '../contract/computer.ts';

/** The page may be loading or reloading; more requests than this are unlikely meanwhile. */
const MAX_WAITING = 20;

type Waiting = { readonly request: PageRequest } | { readonly load: () => Promise<PageRequest> };

/**
 * A queue of requests to the page from menus, links and double clicks, until the page reads them.
 */
export class PageRequests {
  readonly #waiting: Waiting[] = [];
  #listenerId = 0;
  #notifyListener: () => void = () => undefined;

  add(request: PageRequest): void {
    const [oldest, ...others] = this.#waiting.filter((each) => 'request' in each);
    if (oldest && others.length + 1 >= MAX_WAITING) this.#remove(oldest);
    this.#waiting.push({ request });
    this.#notifyListener();
  }

  /**
   * Adds a request with a file. The file is read only when the request is delivered: all files at
   * once may exceed the memory.
   * @param load must not reject
   * @returns false when too many files wait
   */
  addFile(load: () => Promise<PageRequest>): boolean {
    if (this.#waiting.filter((each) => 'load' in each).length >= MAX_BATCH_FILES) return false;
    this.#waiting.push({ load });
    this.#notifyListener();
    return true;
  }

  /** Delivers each request once, to the newest listener: a reloaded page takes over. */
  async *requests(signal: AbortSignal): AsyncGenerator<PageRequest, void> {
    const listenerId = (this.#listenerId += 1);
    const isEnded = (): boolean => signal.aborted || this.#listenerId !== listenerId;
    // Ends an earlier listener.
    this.#notifyListener();
    signal.addEventListener('abort', () => this.#notifyListener(), { once: true });
    while (!isEnded()) {
      const [next] = this.#waiting;
      if (next === undefined) {
        const added = Promise.withResolvers<undefined>();
        this.#notifyListener = () => added.resolve(undefined);
        await added.promise;
        continue;
      }
      const request = 'request' in next ? next.request : await next.load();
      // The page closed during the read; the next page's listener reads the file again.
      if (isEnded()) return;
      this.#remove(next);
      yield request;
    }
  }

  #remove(waiting: Waiting): void {
    const index = this.#waiting.indexOf(waiting);
    if (index >= 0) this.#waiting.splice(index, 1);
  }
}
