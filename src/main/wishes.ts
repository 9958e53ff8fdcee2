import type { Wish } from '../contract/computer.ts';

/** The page may be loading, or gone for a moment; more than this nobody wishes for meanwhile. */
const MOST_WAITING = 20;

/** What menus, links and double clicks want of the page, kept until the page takes it. */
export class Wishes {
  readonly #waiting: Wish[] = [];
  #wake: () => void = () => undefined;

  add(wish: Wish): void {
    this.#waiting.push(wish);
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
    this.#wake();
  }

  /** Each wish once, to whoever listens last: a page that was reloaded takes over. */
  async *taken(signal: AbortSignal): AsyncGenerator<Wish, void> {
    this.#wake();
    let over = signal.aborted;
    const end = (): void => {
      over = true;
      this.#wake();
    };
    signal.addEventListener('abort', end, { once: true });
    while (!over) {
      const wish = this.#waiting.shift();
      if (wish !== undefined) {
        yield wish;
        continue;
      }
      const mine = Promise.withResolvers<undefined>();
      const wake = (): void => mine.resolve(undefined);
      this.#wake = wake;
      await mine.promise;
      // Somebody else began to listen.
      if (this.#wake !== wake) return;
    }
  }
}
