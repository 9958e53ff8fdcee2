import type { Transfer } from '../../contract/job.ts';
import type { Clock } from '../clock.ts';
import type { PartFile } from './part-file.ts';

export type Progress = Readonly<Transfer>;

/** Smoothing time: long enough for a calm display, short enough to follow changes. */
const SMOOTHING_MS = 4_000;
/** No speed is shown before this much time. */
const WARM_UP_MS = 750;
/** A speed that is older than this is out of date. */
export const STALE_MS = 5_000;
const SAMPLE_MS = 100;

/** Turns byte counts into a smoothed speed; unknown when there is too little to go by. */
export class SpeedMeter {
  readonly #clock: Clock;
  #startedAt: number;
  #sampledAt: number;
  #pending = 0;
  #rate: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
    this.#sampledAt = this.#startedAt;
  }

  /** Counts bytes that just arrived. */
  add(bytes: number): void {
    this.#pending += bytes;
    const now = this.#clock.monotonic();
    const elapsed = now - this.#sampledAt;
    if (elapsed < SAMPLE_MS) return;
    if (elapsed >= STALE_MS) {
      // An average over a silence is no speed that ever was, so the average starts again.
      this.reset();
      return;
    }
    const current = (this.#pending / elapsed) * 1000;
    // Exponential smoothing that is right for samples of unequal length.
    const weight = 1 - Math.exp(-elapsed / SMOOTHING_MS);
    this.#rate = this.#rate === null ? current : this.#rate + weight * (current - this.#rate);
    this.#pending = 0;
    this.#sampledAt = now;
  }

  /** Starts again: the connection is new, or there was a pause. */
  reset(): void {
    this.#startedAt = this.#clock.monotonic();
    this.#sampledAt = this.#startedAt;
    this.#pending = 0;
    this.#rate = null;
  }

  /** The progress to show for a file of which `received` bytes are here. */
  progress(received: number, total: number | null): Progress {
    const now = this.#clock.monotonic();
    const isKnown =
      this.#rate !== null &&
      now - this.#startedAt >= WARM_UP_MS &&
      now - this.#sampledAt < STALE_MS;
    const bytesPerSecond = isKnown && this.#rate !== null ? Math.round(this.#rate) : null;
    return { receivedBytes: received, totalBytes: total, bytesPerSecond };
  }
}

const PROGRESS_MS = 250;

/** Reports how far a transfer is, as often as a person can read it, and never an outdated speed. */
export class ProgressReporter {
  readonly #clock: Clock;
  readonly #onProgress: ((progress: Progress) => void) | undefined;
  readonly #meter: SpeedMeter;
  #reported: Progress | undefined;
  #reportedAt = -Infinity;

  constructor(clock: Clock, onProgress: ((progress: Progress) => void) | undefined) {
    this.#clock = clock;
    this.#onProgress = onProgress;
    this.#meter = new SpeedMeter(clock);
  }

  /** Counts bytes that just arrived. */
  received(bytes: number): void {
    this.#meter.add(bytes);
  }

  /** The next bytes come over another connection, or after a pause. */
  interrupted(): void {
    this.#meter.reset();
  }

  /** Reports, unless it did so a moment ago. */
  report(part: PartFile): void {
    if (this.#clock.monotonic() - this.#reportedAt >= PROGRESS_MS) this.reportNow(part);
  }

  reportNow({ offset, total }: PartFile): void {
    this.#reportedAt = this.#clock.monotonic();
    this.#reported = this.#meter.progress(offset, total);
    this.#onProgress?.(this.#reported);
  }

  /**
   * Clears the speed of a transfer that stalls: without bytes there is no report that would clear
   * it.
   */
  async clearStaleSpeed(part: () => PartFile, ended: AbortSignal): Promise<void> {
    for (;;) {
      try {
        await this.#clock.sleep(STALE_MS, ended);
      } catch {
        return;
      }
      if (this.#reported !== undefined && this.#reported.bytesPerSecond !== null)
        this.report(part());
    }
  }
}
