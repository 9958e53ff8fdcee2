import type { Awaitable } from '../awaitable.ts';
import type { After } from '../clock.ts';

/** Interval of reports while the progress changes. */
const INTERVAL_MS = 2000;
/** Unchanged progress is reported after so many intervals: a silent worker counts as lost. */
const MAX_SILENT_INTERVALS = 2;

export interface AttemptReportsOptions {
  /** @returns whether the attempt is still the current one */
  readonly report: (progress: number) => Awaitable<boolean>;
  /** Called at most once, when the attempt is no longer the current one. */
  readonly onSuperseded: () => void;
  /** Called for the first of several failed reports in a row. */
  readonly onFailure: (error: unknown) => void;
  readonly after: After;
}

/** Reports the progress of an attempt to render a video, from construction until disposed. */
export class AttemptReports implements Disposable {
  readonly #options: AttemptReportsOptions;
  #progress = 0;
  #reported = -1;
  #silentIntervals = 0;
  #isFailing = false;
  #isDisposed = false;
  #timer: Disposable;

  constructor(options: AttemptReportsOptions) {
    this.#options = options;
    this.#timer = this.#schedule();
  }

  /** Share of the frames that is done, 0 to 1. */
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
    this.#silentIntervals += 1;
    const progress = this.#progress;
    if (progress !== this.#reported || this.#silentIntervals >= MAX_SILENT_INTERVALS) {
      try {
        const isCurrent = await this.#options.report(progress);
        this.#reported = progress;
        this.#silentIntervals = 0;
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
