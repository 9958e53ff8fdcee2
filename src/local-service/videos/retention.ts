import type { After } from '../clock.ts';
import type { VideoFiles } from './video-files.ts';
import type { VideoRepository } from './video-repository.ts';

const SWEEP_INTERVAL_MS = 60 * 60 * 1000;

export interface RetentionSweepOptions {
  readonly videos: Pick<VideoRepository, 'expired' | 'markFilesRemoved'>;
  readonly files: Pick<VideoFiles, 'remove'>;
  readonly after: After;
  /** Called for every failure, for the log; without an identifier if it affects no single video. */
  readonly onFailure: (error: unknown, id?: string) => void;
}

/**
 * Deletes the files of expired and failed videos, at the start and every hour. The files are
 * deleted before the row is updated: after a crash in between, or a failed deletion, the next sweep
 * tries again. Clients do not depend on the sweep: a video is refused from its expiry on, whether
 * or not its files still exist.
 */
export class RetentionSweep {
  readonly #options: RetentionSweepOptions;
  #sweeping: Promise<void> = Promise.resolve();
  #next: Disposable | undefined;
  #isClosed = false;

  constructor(options: RetentionSweepOptions) {
    this.#options = options;
  }

  /** Sweeps now, and again one hour after the end of each sweep. To be called once. */
  start(): void {
    this.#sweeping = this.#sweep()
      .catch((error: unknown) => this.#options.onFailure(error))
      .finally(() => {
        if (!this.#isClosed)
          this.#next = this.#options.after(SWEEP_INTERVAL_MS, () => this.start());
      });
  }

  /** Stops the sweep after the current video. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#next?.[Symbol.dispose]();
    await this.#sweeping;
  }

  async #sweep(): Promise<void> {
    const { videos, files, onFailure } = this.#options;
    const removed: string[] = [];
    for (const id of await videos.expired()) {
      if (this.#isClosed) break;
      try {
        await files.remove(id);
        removed.push(id);
      } catch (error) {
        onFailure(error, id);
      }
    }
    if (removed.length > 0) await videos.markFilesRemoved(removed);
  }
}
