/**
 * Runs a task after each request, one run at a time. However many requests come during a run, one
 * more run follows.
 */
export class CoalescingRunner {
  readonly #task: () => Promise<void>;
  #isRunning = false;
  #isRequested = false;

  /** @param task must not reject */
  constructor(task: () => Promise<void>) {
    this.#task = task;
  }

  /** Whether another run was requested since the current one began. */
  get isRequested(): boolean {
    return this.#isRequested;
  }

  /** Resolves when no run is left; at once when the current run is followed by another. */
  async request(): Promise<void> {
    this.#isRequested = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#isRequested) {
      this.#isRequested = false;
      await this.#task();
    }
    this.#isRunning = false;
  }
}
