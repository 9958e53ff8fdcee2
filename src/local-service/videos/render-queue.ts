import { setImmediate } from 'node:timers/promises';
import type { Awaitable } from '../awaitable.ts';
import type { After } from '../clock.ts';
import { DatabaseUnavailableError } from '../database-unavailable.ts';
import type { DiskSpace } from '../disk-space.ts';
import { estimateBytes } from '../rendering/bitrate.ts';
import {
  ImageUnreadableError,
  outageIn,
  RenderLimitError,
  RenderOutageError,
} from '../rendering/render-errors.ts';
import type {
  InterruptedVideo,
  RenderClaim,
  RenderJob,
  RenderJobs,
  WaitingVideo,
} from './render-jobs.ts';
import { AttemptReports } from './attempt-reports.ts';
import type { RenderMonitor } from './render-monitor.ts';
import { isStorageError, RenderOutages } from './render-outages.ts';
import type { ImageSource, Renderer } from './renderer.ts';
import type { StoredVideo, VideoFiles } from './video-files.ts';

/** A video fails after so many failed attempts. */
const MAX_FAILURES = 3;
/**
 * A video fails if the service ended so often while it was being rendered: it may be the cause.
 * Higher than `MAX_FAILURES`, because most ends of a service are unrelated to a video.
 */
const MAX_INTERRUPTIONS = 10;
/**
 * How long the service's start may wait for the store to accept videos that are already rendered.
 */
const RECOVERY_MS = 2_000;

export interface RenderQueueOptions {
  readonly jobs: RenderJobs;
  readonly files: VideoFiles;
  readonly renderer: Renderer;
  readonly disk: Pick<DiskSpace, 'hasRoomFor' | 'makeRoom'>;
  /** How many videos are rendered at once, at first (`setWorkers`). */
  readonly workers: number;
  readonly images: ImageSource;
  readonly after: After;
  /** Called for every failure, for the log; without an identifier if it affects no single video. */
  readonly onFailure: (error: unknown, id?: string) => void;
  /** Called when an outage begins, and with `undefined` when the last one has ended. */
  readonly onOutage: (outage: RenderOutageError | undefined) => void;
  /** The longest wait in an outage, in milliseconds. Default: one minute. */
  readonly maxRetryMs?: number;
}

interface Running {
  readonly settled: Promise<void>;
  /** Stops the attempt because another one has replaced it. */
  readonly supersede: () => void;
  /** Disk space that the attempt may take. */
  readonly bytes: number;
}

/**
 * Another attempt has replaced this one, because this worker's reports were missing for too long.
 */
class SupersededError extends Error {
  override readonly name = 'SupersededError';
}

/**
 * Passes queued videos to the renderer, first come, first served. A finished video is never
 * rendered again: after a crash, a video with complete files is stored as it is. In an outage (no
 * disk space, no workers, a database that cannot be written) videos wait, and one is retried at
 * intervals.
 */
export class RenderQueue implements RenderMonitor {
  readonly #options: RenderQueueOptions;
  readonly #reports = new Map<string, AttemptReports>();
  readonly #running = new Map<string, Running>();
  readonly #stop = new AbortController();
  /** Number of calls to `wake`. */
  #wakes = 0;
  #isStarting = false;
  #started: Promise<void> = Promise.resolve();
  /** Resolves when each video that the last run had rendered is stored or cannot be stored. */
  #recovering: Promise<unknown> = Promise.resolve();
  #hasRecovered = false;
  readonly #outages: RenderOutages;
  #workers: number;

  constructor(options: RenderQueueOptions) {
    const { after, onOutage, maxRetryMs, workers } = options;
    this.#options = options;
    this.#workers = workers;
    this.#outages = new RenderOutages({
      after,
      onOutage,
      maxRetryMs,
      stop: this.#stop.signal,
      onRetry: () => this.wake(),
    });
  }

  /**
   * Finishes, requeues or fails the videos that the last run was rendering. To be called once,
   * before anything else. A video whose storing takes longer than 2 s stays in state `rendering`
   * until the store responds; if the service ends before that, its next start settles the video.
   */
  async recover(): Promise<void> {
    const { jobs, files, onFailure, after } = this.#options;
    const interrupted = await jobs.interrupted();
    await files.discardAllBut(interrupted.map(({ id }) => id)).catch(onFailure);
    this.#recovering = Promise.all(interrupted.map((video) => this.#settleInterrupted(video)));
    const deadline = Promise.withResolvers<undefined>();
    using _timer = after(RECOVERY_MS, () => deadline.resolve(undefined));
    await Promise.race([this.#recovering, deadline.promise]);
    this.#hasRecovered = true;
  }

  async #settleInterrupted({ id, attempt, interruptions }: InterruptedVideo): Promise<void> {
    const { jobs, onFailure } = this.#options;
    const file = await this.#finishedFile({ id, attempt }).catch((error: unknown) => {
      onFailure(error, id);
      return undefined;
    });
    // Not settled, so that the next start can store what is rendered: a requeued video would have
    // to be rendered again.
    if (!file && this.#stop.signal.aborted) return;
    const claim = { id, attempt };
    const settle = (): Awaitable<boolean> => {
      if (file) return jobs.finish(claim, file);
      if (interruptions >= MAX_INTERRUPTIONS) {
        return jobs.fail(claim, 'Rendering was interrupted too often.');
      }
      return jobs.requeue(claim, 'interrupted');
    };
    // Not awaited: on a full disk, too, the service starts and serves finished videos. The first
    // attempt is immediate.
    void this.#settle(id, settle).then(() => {
      if (this.#hasRecovered) this.wake();
    });
  }

  /** Stores a video that a killed service had finished; `undefined` if there is none. */
  #finishedFile({ id, attempt }: RenderClaim): Promise<StoredVideo | undefined> {
    return this.#options.files.store(id, attempt, this.#stop.signal);
  }

  /** Starts queued videos. To be called once after `recover`, and whenever a video was queued. */
  wake(): void {
    this.#wakes += 1;
    if (!this.#isStarting) this.#started = this.#start();
  }

  /** Changes how many videos are rendered at once. With fewer, running renders finish. */
  setWorkers(count: number): void {
    this.#workers = count;
    this.wake();
  }

  /**
   * Only one loop at a time starts videos: two concurrent claims would both count on the same free
   * slots and disk space.
   */
  async #start(): Promise<void> {
    this.#isStarting = true;
    try {
      for (let seen = -1; seen !== this.#wakes;) {
        // Videos whose results are stored together end in the same turn of the event loop; after
        // it, the next videos are claimed together too.
        await setImmediate();
        seen = this.#wakes;
        while (this.#freeSlots > 0 && (await this.#startNext(this.#freeSlots)));
      }
    } catch (error) {
      if (!(error instanceof RenderOutageError)) this.#options.onFailure(error);
      const isDatabase = error instanceof DatabaseUnavailableError;
      this.#outages.begin(isDatabase ? 'database' : 'rendering', error);
    } finally {
      this.#isStarting = false;
    }
  }

  /** Share of a video's frames that is drawn and encoded, 0 to 1. */
  progressOf(id: string): number {
    return this.#reports.get(id)?.progress ?? 0;
  }

  /** Why nothing is rendered for now, as a sentence; `undefined` without an outage. */
  waitingFor(): string | undefined {
    return this.#outages.current()?.message;
  }

  /** Stops rendering and requeues unfinished videos. */
  async close(): Promise<void> {
    this.#stop.abort(new Error('The service is shutting down.'));
    this.#outages[Symbol.dispose]();
    await Promise.all([this.#started, this.#recovering]);
    await Promise.all([...this.#running.values()].map(({ settled }) => settled));
    await this.#options.renderer.close();
  }

  /** How many videos may be started. */
  get #freeSlots(): number {
    if (this.#outages.isWaiting || this.#stop.signal.aborted) return 0;
    // In an outage, one video is enough to detect its end.
    const limit = this.#outages.current() ? Math.min(1, this.#workers) : this.#workers;
    return limit - this.#running.size;
  }

  /** Starts the next queued videos. @returns false if there was none */
  async #startNext(count: number): Promise<boolean> {
    const started = await this.#options.jobs.take(count, (video, before) =>
      this.#requireSpace(video, before),
    );
    if (this.#outages.current('database')?.outage === 'database-unreachable') {
      this.#outages.end('database');
    }
    for (const job of started) this.#begin(job);
    return started.length > 0;
  }

  #begin(job: RenderJob): void {
    const { id } = job;
    // After a missing heartbeat, pg-boss can give a video to the same worker again. Both attempts
    // would write the same files.
    const earlier = this.#running.get(id);
    earlier?.supersede();
    const superseded = new AbortController();
    const running: Running = {
      bytes: bytesOf(job),
      supersede: () => superseded.abort(new SupersededError()),
      settled: this.#work(job, superseded, earlier?.settled).finally(() => {
        if (this.#running.get(id) === running) this.#running.delete(id);
        this.wake();
      }),
    };
    this.#running.set(id, running);
  }

  /** @throws {RenderOutageError} when the disk has no space for one more video */
  #requireSpace(video: WaitingVideo, before: readonly WaitingVideo[]): void {
    const taken = [...this.#running.values()].reduce((sum, running) => sum + running.bytes, 0);
    const bytes = [...before, video].reduce((sum, next) => sum + bytesOf(next), 0);
    if (!this.#options.disk.hasRoomFor(bytes + taken)) {
      throw new RenderOutageError('disk-full');
    }
  }

  /** Renders a video and settles its job. */
  async #work(
    job: RenderJob,
    superseded: AbortController,
    earlier: Promise<void> | undefined,
  ): Promise<void> {
    const { jobs, after, onFailure } = this.#options;
    await earlier;
    const reports = new AttemptReports({
      report: (progress) => jobs.report(job, progress),
      onSuperseded: () => superseded.abort(new SupersededError()),
      onFailure: (error) => onFailure(error, job.id),
      after,
    });
    this.#reports.set(job.id, reports);
    try {
      const signal = AbortSignal.any([this.#stop.signal, superseded.signal]);
      const settle = await this.#render(job, reports, signal);
      if (superseded.signal.aborted || (await this.#settle(job.id, settle)) === 'superseded') {
        await this.#discard(job);
      }
    } finally {
      reports[Symbol.dispose]();
      this.#reports.delete(job.id);
    }
  }

  /** Deletes the files of a superseded attempt. */
  async #discard({ id, attempt }: RenderClaim): Promise<void> {
    const { files, onFailure } = this.#options;
    try {
      await files.discard(id);
      await files.removeAttempt(id, attempt);
    } catch (error) {
      // The files of all attempts are deleted again when the video has expired or failed.
      onFailure(error, id);
    }
  }

  /** @returns a function that stores the outcome in the database */
  async #render(
    job: RenderJob,
    reports: AttemptReports,
    signal: AbortSignal,
  ): Promise<() => Awaitable<boolean>> {
    const { jobs, files, renderer, images, onFailure } = this.#options;
    const { id, storyboard } = job;
    if (!storyboard) {
      onFailure(new Error('The storyboard cannot be read.'), id);
      const reason = 'This video was stored in a form that this version cannot read.';
      return () => jobs.fail(job, reason);
    }
    try {
      // A video that was rendered during an outage of the store only has to be stored.
      const isRendered = await files.isRendered(id);
      signal.throwIfAborted();
      if (!isRendered) {
        await using local = await images.local(storyboard);
        await renderer.render(
          {
            storyboard,
            videoPath: files.workPath(id, 'video'),
            posterPath: files.workPath(id, 'poster'),
            imagePath: (image) => local.pathOf(image),
          },
          (done, total) => {
            if (done > 0) this.#outages.end('rendering');
            reports.progress = total > 0 ? Math.min(1, done / total) : 0;
          },
          signal,
        );
        this.#outages.end('rendering');
      }
      const file = await this.#store(job, signal);
      this.#outages.resetRetry();
      return () => this.#finish(job, file);
    } catch (error) {
      if (signal.aborted) return () => jobs.requeue(job, 'stopped');
      onFailure(error, id);
      return this.#settlementOf(error, job, job.failures);
    }
  }

  /**
   * Moves a rendered video to the store, and retries during an outage of the store: another worker
   * would have to render it again.
   */
  #store({ id, attempt }: RenderClaim, signal: AbortSignal): Promise<StoredVideo> {
    const { files, onFailure } = this.#options;
    const store = async (): Promise<StoredVideo> => {
      signal.throwIfAborted();
      const file = await files.store(id, attempt, signal);
      if (!file) throw new Error('The renderer left no files.');
      return file;
    };
    return this.#outages.repeat('storage', store, {
      signal,
      isOutage: isStorageError,
      onFailure: (error) => onFailure(error, id),
    });
  }

  /** Stores the result, and deletes files of earlier attempts, whose workers may have been lost. */
  async #finish(claim: RenderClaim, file: StoredVideo): Promise<boolean> {
    const { jobs, files, onFailure } = this.#options;
    const isStored = await jobs.finish(claim, file);
    if (isStored && claim.attempt > 1) {
      await files
        .removeAllBut(claim.id, claim.attempt)
        .catch((error: unknown) => onFailure(error, claim.id));
    }
    return isStored;
  }

  /** Decides whether a video whose rendering failed is requeued or fails. */
  #settlementOf(error: unknown, claim: RenderClaim, failures: number): () => Awaitable<boolean> {
    const { jobs } = this.#options;
    const outage = outageIn(error);
    if (outage !== undefined) {
      this.#outages.begin(isStorageError(error) ? 'storage' : 'rendering', error);
      return () => jobs.requeue(claim, 'stopped');
    }
    if (error instanceof ImageUnreadableError || error instanceof RenderLimitError) {
      return () => jobs.fail(claim, error.message);
    }
    return failures + 1 < MAX_FAILURES
      ? () => jobs.requeue(claim, 'failed')
      : () => jobs.fail(claim, 'The video could not be rendered.');
  }

  /** Writes a video's outcome to the database, and retries until that succeeds. */
  async #settle(
    id: string,
    write: () => Awaitable<boolean>,
  ): Promise<'settled' | 'superseded' | 'stopped'> {
    const { disk, onFailure } = this.#options;
    const writeWithRoom = (): Awaitable<boolean> => {
      disk.makeRoom();
      return write();
    };
    try {
      const isCurrent = await this.#outages.repeat('database', writeWithRoom, {
        signal: this.#stop.signal,
        isOutage: () => true,
        onFailure: (error) => onFailure(error, id),
      });
      return isCurrent ? 'settled' : 'superseded';
    } catch (error) {
      // The service is stopping. Its next start settles the video.
      onFailure(error, id);
      return 'stopped';
    }
  }
}

/** Disk space that rendering a video may take. */
function bytesOf({ storyboard }: WaitingVideo): number {
  return storyboard ? estimateBytes(storyboard) : 0;
}
