/** The page's only clock. Components that show times read `now`, and so update automatically. */
export class Ticker {
  /** Milliseconds since the epoch, a second old at most while the page is visible. */
  now = $state(0);

  readonly #read: () => number;

  constructor(read: () => number) {
    this.#read = read;
    this.now = read();
  }

  /** Ticks every second, and at once when the page becomes visible again, until it is stopped. */
  start(page: Document): () => void {
    const tick = (): void => {
      if (!page.hidden) this.now = this.#read();
    };
    const timer = setInterval(tick, 1000);
    page.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      page.removeEventListener('visibilitychange', tick);
    };
  }
}
