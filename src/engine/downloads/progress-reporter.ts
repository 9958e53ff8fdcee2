import type { Clock } from '../clock.ts';
import type { PartFile } from './part-file.ts';
import { SpeedMeter, STALE_MS, type Progress } from './progress.ts';
import type { DownloadRequest } from './request.ts';

const PROGRESS_MS = 250;

/** Tells how far a transfer is, as often as anybody can read it, and never a speed that is over. */
export class ProgressReporter {
  readonly #clock: Clock;
  readonly #onProgress: DownloadRequest['onProgress'];
  readonly #meter: SpeedMeter;
  #told: Progress | undefined;
  #toldAt = -Infinity;

  constructor(clock: Clock, onProgress: DownloadRequest['onProgress']) {
    this.#clock = clock;
    this.#onProgress = onProgress;
    this.#meter = new SpeedMeter(clock);
  }

  /** Counts bytes that just arrived. */
  received(bytes: number): void {
    this.#meter.add(bytes);
  }

  /** What comes next comes over another connection, or after a pause. */
  interrupted(): void {
    this.#meter.reset();
  }

  /** Tells, unless it was told a moment ago. */
  report(part: PartFile): void {
    if (this.#clock.monotonic() - this.#toldAt >= PROGRESS_MS) this.tellNow(part);
  }

  tellNow({ offset, total }: PartFile): void {
    this.#toldAt = this.#clock.monotonic();
    this.#told = this.#meter.progress(offset, total);
    this.#onProgress?.(this.#told);
  }

  /** While nothing comes nothing is told, so that a speed would stay: it is taken back in time. */
  async takeBackSpeed(part: () => PartFile, ended: AbortSignal): Promise<void> {
    for (;;) {
      try {
        await this.#clock.sleep(STALE_MS, ended);
      } catch {
        return;
      }
      if (this.#told !== undefined && this.#told.bytesPerSecond !== null) this.report(part());
    }
  }
}
