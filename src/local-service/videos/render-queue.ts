import type { After } from '../clock.ts';
import type { DiskSpace } from '../disk-space.ts';
import { estimateBytes } from '../rendering/bitrate.ts';
import {
  ImageUnreadableError,
  outageIn,
  RenderLimitError,
  RenderOutageError,
} from '../rendering/render-errors.ts';
import type { Storyboard } from '../rendering/storyboard.ts';
import type { Renderer } from './renderer.ts';
import { FIRST_ATTEMPT, type StoredVideo, type VideoFiles } from './video-files.ts';
import type { VideoStore } from './video-store.ts';

/** A rendering that fails this often in a running service is given up. */
const MAX_FAILURES = 3;
/**
 * A video in whose company the whole service died this often is given up: it may be what killed it.
 * Higher than the former, because most deaths of a service have nothing to do with a video.
 */
const MAX_INTERRUPTIONS = 10;

/** The first wait in an outage; each next one is twice as long. Milliseconds. */
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;

export interface RenderQueueOptions {
  readonly videos: VideoStore;
  readonly files: VideoFiles;
  readonly renderer: Renderer;
  readonly disk: Pick<DiskSpace, 'hasRoomFor' | 'makeRoom'>;
  /** Videos rendered side by side. */
  readonly workers: number;
  /** The file of an uploaded image, or undefined when there is none of that id. */
  readonly imagePath: (id: string) => string | undefined;
  readonly after: After;
  /**
   * Called for every failed attempt, for the log; without an identifier where no video is
   * concerned.
   */
  readonly onFailure: (error: unknown, id?: string) => void;
  /** Called when an outage begins, and with `undefined` when it is over. */
  readonly onOutage: (outage: RenderOutageError | undefined) => void;
}

interface Running {
  readonly settled: Promise<void>;
  /** Disk space that it may take. */
  readonly bytes: number;
}

/**
 * Passes queued videos to the renderer, first come first served. A finished video is never rendered
 * again: after a crash, a video whose files are complete is accepted unchanged. In an outage (no
 * disk space, no workers, a database that cannot be written) videos wait, and the first one is
 * retried at intervals.
 */
export class RenderQueue {
  readonly #options: RenderQueueOptions;
  readonly #progress = new Map<string, number>();
  readonly #running = new Map<string, Running>();
  readonly #stop = new AbortController();
  #outage: RenderOutageError | undefined;
  #retryMs = FIRST_RETRY_MS;
  #retry: Disposable | undefined;

  constructor(options: RenderQueueOptions) {
    this.#options = options;
  }

  /** Settles what the last run left half done. To be called once, before anything else. */
  async recover(): Promise<void> {
    const { videos, files, onFailure } = this.#options;
    const interrupted = videos.interrupted();
    await files.discardAllBut(interrupted.map(({ id }) => id)).catch(onFailure);
    for (const { id, interruptions } of interrupted) {
      const file = await this.#finishedFile(id).catch((error: unknown) => {
        onFailure(error, id);
        return undefined;
      });
      const settle = (): void => {
        if (file) videos.finish(id, file);
        else if (interruptions >= MAX_INTERRUPTIONS) {
          videos.fail(id, 'Rendering was interrupted too often.');
        } else videos.putBack(id, 'interrupted');
      };
      // The first attempt is immediate. The service starts with a full disk too, and serves
      // finished videos.
      void this.#settle(id, settle);
    }
  }

  /** What a service that was killed had finished; it is in the store afterwards. */
  #finishedFile(id: string): Promise<StoredVideo | undefined> {
    return this.#options.files.store(id, FIRST_ATTEMPT, this.#stop.signal);
  }

  /** Starts on the line. To be called once after `recover`, and whenever a video was put in line. */
  wake(): void {
    // In an outage, nothing starts before the retry.
    if (this.#retry) return;
    try {
      while (this.#running.size < this.#limit && !this.#stop.signal.aborted) {
        if (!this.#startNext()) return;
      }
    } catch (error) {
      if (!(error instanceof RenderOutageError)) this.#options.onFailure(error);
      this.#beginOutage(outageOf(error));
    }
  }

  /** The part of a video's frames that is drawn and encoded: 0 to 1. */
  progressOf(id: string): number {
    return this.#progress.get(id) ?? 0;
  }

  /** Why nothing is rendered for now, as a sentence; `undefined` when videos wait for others only. */
  get waitingFor(): string | undefined {
    return this.#outage?.message;
  }

  /** Stops rendering and puts unfinished videos back in line. */
  async close(): Promise<void> {
    this.#stop.abort(new Error('The service is shutting down.'));
    this.#retry?.[Symbol.dispose]();
    await Promise.all([...this.#running.values()].map(({ settled }) => settled));
    await this.#options.renderer.close();
  }

  /** In an outage one video is enough to learn that it is over. */
  get #limit(): number {
    return this.#outage ? 1 : this.#options.workers;
  }

  /** Starts the first video in line, if there is one. */
  #startNext(): boolean {
    const { videos } = this.#options;
    const next = videos.nextInLine();
    if (!next) return false;
    const { id, storyboard, failures } = next;
    if (!storyboard) {
      this.#options.onFailure(new Error('The storyboard cannot be read.'), id);
      videos.fail(id, 'This video was stored in a form that this version cannot read.');
      return true;
    }
    const bytes = estimateBytes(storyboard);
    this.#requireSpace(bytes);
    videos.start(id);
    const settled = this.#render(id, storyboard, failures).finally(() => {
      this.#running.delete(id);
      this.#progress.delete(id);
      this.wake();
    });
    this.#running.set(id, { settled, bytes });
    return true;
  }

  /** @throws {RenderOutageError} when the disk has no space for one more video */
  #requireSpace(bytes: number): void {
    const taken = [...this.#running.values()].reduce((sum, running) => sum + running.bytes, 0);
    if (!this.#options.disk.hasRoomFor(bytes + taken)) throw new RenderOutageError('disk-full');
  }

  async #render(id: string, storyboard: Storyboard, failures: number): Promise<void> {
    const { videos, files, renderer, imagePath, onFailure } = this.#options;
    let settle: () => void;
    try {
      // What was rendered when the store could not be used is only stored.
      const isRendered = await files.isRendered(id);
      this.#stop.signal.throwIfAborted();
      if (!isRendered) {
        await renderer.render(
          {
            storyboard,
            videoPath: files.workPath(id, 'video'),
            posterPath: files.workPath(id, 'poster'),
            imagePath,
          },
          (done, total) => {
            if (done > 0) this.#endOutage();
            this.#progress.set(id, total > 0 ? Math.min(1, done / total) : 0);
          },
          this.#stop.signal,
        );
      }
      const file = await files.store(id, FIRST_ATTEMPT, this.#stop.signal);
      if (!file) throw new Error('The renderer left no files.');
      this.#endOutage();
      this.#retryMs = FIRST_RETRY_MS;
      settle = () => videos.finish(id, file);
    } catch (error) {
      if (this.#stop.signal.aborted) settle = () => videos.putBack(id, 'stopped');
      else {
        onFailure(error, id);
        settle = this.#settlementOf(error, id, failures);
      }
    }
    await this.#settle(id, settle);
  }

  /** Decides about a video whose rendering failed: it ends, or it waits for another attempt. */
  #settlementOf(error: unknown, id: string, failures: number): () => void {
    const { videos } = this.#options;
    const outage = outageIn(error);
    if (outage !== undefined) {
      this.#beginOutage(outageOf(error));
      return () => videos.putBack(id, 'stopped');
    }
    if (error instanceof ImageUnreadableError || error instanceof RenderLimitError) {
      return () => videos.fail(id, error.message);
    }
    return failures + 1 < MAX_FAILURES
      ? () => videos.putBack(id, 'failed')
      : () => videos.fail(id, 'The video could not be rendered.');
  }

  /** Writes to the database how a video ended, again and again until that succeeds. */
  async #settle(id: string, write: () => void): Promise<void> {
    const { after, disk, onFailure } = this.#options;
    for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(2 * waitMs, MAX_RETRY_MS)) {
      try {
        disk.makeRoom();
        write();
        if (waitMs > FIRST_RETRY_MS) this.#endOutage();
        return;
      } catch (error) {
        onFailure(error, id);
        // The next start of the service settles it.
        if (this.#stop.signal.aborted) return;
        this.#beginOutage(outageOf(error));
      }
      await new Promise<void>((resolve) => {
        const wait = after(waitMs, resolve);
        const stop = (): void => {
          wait[Symbol.dispose]();
          resolve();
        };
        this.#stop.signal.addEventListener('abort', stop, { once: true });
      });
    }
  }

  #beginOutage(outage: RenderOutageError): void {
    if (this.#stop.signal.aborted) return;
    if (this.#outage?.outage !== outage.outage) {
      this.#outage = outage;
      this.#options.onOutage(outage);
    }
    if (this.#retry) return;
    this.#retry = this.#options.after(this.#retryMs, () => {
      this.#retry = undefined;
      this.wake();
    });
    this.#retryMs = Math.min(2 * this.#retryMs, MAX_RETRY_MS);
  }

  #endOutage(): void {
    if (!this.#outage) return;
    this.#outage = undefined;
    this.#options.onOutage(undefined);
  }
}

/** An error outside of rendering means that the data folder cannot be written. */
function outageOf(error: unknown): RenderOutageError {
  if (error instanceof RenderOutageError) return error;
  return new RenderOutageError(outageIn(error) ?? databaseOutage(error), error);
}

/** SQLite's SQLITE_FULL. */
const DATABASE_FULL = 13;

function databaseOutage(error: unknown): 'disk-full' | 'files-unusable' {
  const isFull = error instanceof Error && 'errcode' in error && error.errcode === DATABASE_FULL;
  return isFull ? 'disk-full' : 'files-unusable';
}
