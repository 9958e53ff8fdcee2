import type { Awaitable } from '../awaitable.ts';
import type { After } from '../clock.ts';

/** Progress that changes is reported at most once in this time, in milliseconds. */
const INTERVAL_MS = 2000;
/** After so many intervals it is reported unchanged: a worker that is silent is taken for dead. */
const MAX_SILENT_INTERVALS = 2;

export interface AttemptReportsOptions {
  /** Answers whether the attempt is still the current one. */
  readonly report: (progress: number) => Awaitable<boolean>;
  /** Called when the attempt is not the current one any more, at most once. */
  readonly onSuperseded: () => void;
  /** Called for the first of several reports in a row that could not be made. */
  readonly onFailure: (error: unknown) => void;
  readonly after: After;
}

/** Reports that an attempt to render a video goes on, from now until it is disposed. */
export class AttemptReports implements Disposable {
  readonly #options: AttemptReportsOptions;
  #progress = 0;
  #reported = -1;
  #silent = 0;
  #isFailing = false;
  #isDisposed = false;
  #timer: Disposable;

  constructor(options: AttemptReportsOptions) {
    this.#options = options;
    this.#timer = this.#schedule();
  }

  /** The part of the frames that is done: 0 to 1. */
  get progress(): number {
    return this.#progress;
  }

  set progress(progress: number) {
    this.#progress = progress;
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#timer[Symbol.dispose]();
  }

  #schedule(): Disposable {
    return this.#options.after(INTERVAL_MS, () => void this.#report());
  }

  async #report(): Promise<void> {
    this.#silent += 1;
    const progress = this.#progress;
    if (progress !== this.#reported || this.#silent >= MAX_SILENT_INTERVALS) {
      try {
        const isCurrent = await this.#options.report(progress);
        this.#reported = progress;
        this.#silent = 0;
        this.#isFailing = false;
        if (!isCurrent && !this.#isDisposed) {
          this[Symbol.dispose]();
          this.#options.onSuperseded();
        }
      } catch (error) {
        if (!this.#isFailing) this.#options.onFailure(error);
        this.#isFailing = true;
      }
    }
    if (!this.#isDisposed) this.#timer = this.#schedule();
  }
}
