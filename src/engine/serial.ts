/** Runs tasks one after another, in the order in which they came. */
export class Serial {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Resolves when all tasks so far have ended. Never rejects. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
