import { ImageUnreadableError } from '../rendering/render-errors.ts';
import type { Renderer } from './renderer.ts';
import type { VideoFiles } from './video-files.ts';
import type { ClaimedVideo, VideoStore } from './video-store.ts';

/** A rendering that fails this often in a running service is given up. */
const MOST_FAILURES = 3;
/**
 * A video in whose company the whole service died this often is given up: it may be what killed it.
 * Higher than the former, because most deaths of a service have nothing to do with a video.
 */
const MOST_INTERRUPTIONS = 10;

export interface RenderQueueOptions {
  readonly videos: VideoStore;
  readonly files: VideoFiles;
  readonly renderer: Renderer;
  /** Videos rendered side by side. */
  readonly workers: number;
  /** The file of an uploaded image, or undefined when there is none of that id. */
  readonly imagePath: (id: string) => string | undefined;
  /** Told of every failed attempt, for the log; without an identifier, of a line that cannot be read. */
  readonly onFailure: (error: unknown, id?: string) => void;
}

/**
 * Gives the renderer the videos in line, first come first served. What was finished is never rendered
 * again: after a crash a video whose files are complete is taken as it is.
 */
export class RenderQueue {
  readonly #options: RenderQueueOptions;
  readonly #progress = new Map<string, number>();
  readonly #running = new Set<Promise<void>>();
  readonly #stop = new AbortController();

  constructor(options: RenderQueueOptions) {
    this.#options = options;
  }

  /** Settles what the last run left half done. To be called once, before anything else. */
  async recover(): Promise<void> {
    const { videos, files } = this.#options;
    for (const { id, interruptions } of videos.interrupted()) {
      const file = await files.inspect(id);
      if (file) videos.finish(id, file);
      else if (interruptions >= MOST_INTERRUPTIONS) {
        videos.fail(id, 'Rendering was interrupted too often.');
      } else videos.putBack(id, 'interrupted');
    }
  }

  /** Starts on the line. To be called once after `recover`, and whenever a video was put in line. */
  wake(): void {
    while (this.#running.size < this.#options.workers && !this.#stop.signal.aborted) {
      const claimed = this.#claim();
      if (!claimed) return;
      const run = this.#render(claimed)
        // A disk that is full, for one: the video is settled when the service starts again.
        .catch((error: unknown) => this.#options.onFailure(error, claimed.id))
        .finally(() => {
          this.#running.delete(run);
          this.wake();
        });
      this.#running.add(run);
    }
  }

  /** The part of a video's frames that is drawn and encoded: 0 to 1. */
  progressOf(id: string): number {
    return this.#progress.get(id) ?? 0;
  }

  /** Stops rendering and puts unfinished videos back in line. */
  async close(): Promise<void> {
    this.#stop.abort(new Error('The service is shutting down.'));
    await Promise.all(this.#running);
    await this.#options.renderer.close();
  }

  #claim(): ClaimedVideo | undefined {
    try {
      return this.#options.videos.claimNext();
    } catch (error) {
      this.#options.onFailure(error);
      return undefined;
    }
  }

  async #render({ id, storyboard, failures }: ClaimedVideo): Promise<void> {
    const { videos, files, renderer, imagePath, onFailure } = this.#options;
    try {
      await renderer.render(
        {
          storyboard,
          videoPath: files.pathOf(id, 'video'),
          posterPath: files.pathOf(id, 'poster'),
          imagePath,
        },
        (done, total) => this.#progress.set(id, total > 0 ? Math.min(1, done / total) : 0),
        this.#stop.signal,
      );
      const file = await files.inspect(id);
      if (!file) throw new Error('The renderer left no files.');
      videos.finish(id, file);
    } catch (error) {
      if (this.#stop.signal.aborted) {
        videos.putBack(id, 'stopped');
        return;
      }
      onFailure(error, id);
      if (error instanceof ImageUnreadableError) videos.fail(id, error.message);
      else if (failures + 1 < MOST_FAILURES) videos.putBack(id, 'failed');
      else videos.fail(id, 'The video could not be rendered.');
    } finally {
      this.#progress.delete(id);
    }
  }
}
