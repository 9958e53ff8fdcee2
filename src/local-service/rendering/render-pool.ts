import { rm } from 'node:fs/promises';
import { partPath } from '../durable-file.ts';
import { filesOf } from './image-limits.ts';
import {
  ImageUnreadableError,
  RenderCancelledError,
  RenderFailedError,
  RenderLimitError,
  RenderOutageError,
  RenderWorkerLostError,
} from './render-errors.ts';
import type { RenderError } from './render-errors.ts';
import { startRenderProcess } from './render-process.ts';
import { startRenderThread } from './render-thread.ts';
import { pictureSize, type Storyboard } from './storyboard.ts';
import type { TextIssue } from './text-issue.ts';
import type { RenderWorker, StartWorker, WorkerExit } from './worker.ts';
import type {
  FromWorker,
  RenderResult,
  WorkerFailure,
  WorkerOrder,
  WorkerResult,
} from './worker-messages.ts';

export interface DrawTask {
  storyboard: Storyboard;
  /** The file of an uploaded image, or undefined when there is none of that id. */
  imagePath?: (id: string) => string | undefined;
}

export interface RenderTask extends DrawTask {
  /** Path of the MP4; the file appears once it is complete. Its folder must exist. */
  videoPath: string;
  /** Path of the poster, a JPEG; the file appears once it is complete. Its folder must exist. */
  posterPath: string;
}

export interface RenderPoolOptions {
  /** How many videos are rendered at the same time; at least 1. */
  readonly workers: number;
  /** Default: starts a process, or a thread in Electron, whose executable cannot run as Node. */
  readonly startWorker?: StartWorker;
  /** Memory limit of a worker's process for a storyboard, in bytes. */
  readonly memoryFor?: (storyboard: Storyboard) => number;
  /** A worker that is idle for so long is ended; milliseconds. */
  readonly idleMs?: number;
  /** A worker that reports no progress (every ten frames) for so long is killed; milliseconds. */
  readonly stallMs?: number;
}

const IDLE_MS = 30_000;
const STALL_MS = 120_000;
/** The time limit is counted in steps, so that sleep of the computer does not count as a stall. */
const STALL_STEPS = 10;
/** A worker is replaced after so many renders, because native libraries may leak memory. */
const MAX_RENDERS_PER_WORKER = 50;

const BASE_MEMORY = 1024 ** 3;
/** For the look-ahead and reference frames of each encoder thread; in bytes. */
const MEMORY_PER_PIXEL = 256;

type OnProgress = (framesDone: number, framesTotal: number) => void;

interface Job {
  readonly work: WorkerOrder;
  readonly onProgress: OnProgress;
  readonly resolve: (result: WorkerResult) => void;
  readonly reject: (error: RenderError) => void;
}

interface Slot {
  readonly worker: RenderWorker;
  ready: boolean;
  rendered: number;
  /** The worker's current job; `undefined` while it is idle. */
  job: Job | undefined;
  /** The worker is being killed: it takes no more jobs, but still uses the slot. */
  ending: boolean;
  /** Ends an idle or stalled worker. */
  timer: NodeJS.Timeout | undefined;
}

/**
 * Renders storyboards in parallel in a limited number of workers; further jobs wait in order of
 * arrival. Workers start on demand, are replaced after a crash, and end when idle.
 */
export class RenderPool {
  readonly #options: Required<RenderPoolOptions>;
  readonly #slots = new Set<Slot>();
  readonly #waiting: Job[] = [];
  #closed = false;

  constructor(options: RenderPoolOptions) {
    this.#options = {
      startWorker: process.versions.electron === undefined ? startRenderProcess : startRenderThread,
      memoryFor,
      idleMs: IDLE_MS,
      stallMs: STALL_MS,
      ...options,
    };
  }

  /**
   * Renders one video and its poster. Each file gets its final name only when it is complete.
   * `onProgress` gets the frames drawn and encoded, a few times a second.
   * @throws {RenderCancelledError} when `signal` is aborted or the pool is closed
   * @throws {RenderOutageError} when nothing can be rendered for now
   * @throws {RenderLimitError} when the video crashed the worker, filled its memory or stalled it
   * @throws {RenderWorkerLostError} when the worker crashed for another reason
   * @throws {ImageUnreadableError} when an image is unknown or broken
   * @throws {RenderFailedError} when drawing, encoding or writing failed
   */
  async render(
    task: RenderTask,
    onProgress: OnProgress,
    signal?: AbortSignal,
  ): Promise<RenderResult> {
    const { videoPath, posterPath } = task;
    const order = { ...this.#orderFor(task), videoPath, posterPath };
    const result = await this.#run({ kind: 'render', order }, onProgress, signal);
    if (result.kind !== 'done') throw new RenderFailedError('the worker did something else');
    return result.result;
  }

  /**
   * Draws a video's poster frame, as a JPEG.
   * @throws {RenderCancelledError | RenderOutageError | RenderLimitError | RenderWorkerLostError |
   *   ImageUnreadableError | RenderFailedError} as {@link render} does
   */
  async draw(task: DrawTask, signal?: AbortSignal): Promise<Buffer> {
    const order = this.#orderFor(task);
    const result = await this.#run({ kind: 'draw', order }, () => undefined, signal);
    if (result.kind !== 'drawn') throw new RenderFailedError('the worker did something else');
    return Buffer.from(result.jpeg, 'base64');
  }

  /**
   * Finds the characters of texts that no font of this computer can draw.
   * @throws {RenderCancelledError | RenderOutageError | RenderLimitError | RenderWorkerLostError |
   *   RenderFailedError} as {@link render} does
   */
  async findUndrawable(texts: readonly string[], signal?: AbortSignal): Promise<string[]> {
    const order = { texts, memoryBytes: BASE_MEMORY };
    const result = await this.#run({ kind: 'find-undrawable', order }, () => undefined, signal);
    if (result.kind !== 'found') throw new RenderFailedError('the worker did something else');
    return result.characters;
  }

  /**
   * Finds the texts of each of these videos that would be too small or badly broken.
   * @throws {RenderCancelledError | RenderOutageError | RenderLimitError | RenderWorkerLostError |
   *   RenderFailedError} as {@link render} does
   */
  async checkLayouts(
    storyboards: readonly Storyboard[],
    signal?: AbortSignal,
  ): Promise<TextIssue[][]> {
    const order = { storyboards, memoryBytes: BASE_MEMORY };
    const result = await this.#run({ kind: 'check-layouts', order }, () => undefined, signal);
    if (result.kind !== 'checked') throw new RenderFailedError('the worker did something else');
    return result.issues;
  }

  #orderFor(task: DrawTask) {
    const { storyboard } = task;
    const memoryBytes = this.#options.memoryFor(storyboard);
    return { storyboard, imageFiles: resolveImages(task), memoryBytes };
  }

  async #run(
    work: WorkerOrder,
    onProgress: OnProgress,
    signal: AbortSignal | undefined,
  ): Promise<WorkerResult> {
    if (this.#closed || signal?.aborted) throw new RenderCancelledError();
    const { promise, resolve, reject } = Promise.withResolvers<WorkerResult>();
    const job: Job = { work, onProgress, resolve, reject };
    const cancel = () => this.#cancel(job);
    signal?.addEventListener('abort', cancel, { once: true });
    this.#waiting.push(job);
    this.#startNext();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Cancels all jobs and ends the workers. Leaves no unfinished files. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#waiting.splice(0)) job.reject(new RenderCancelledError());
    const slots = [...this.#slots];
    await Promise.all(slots.map((slot) => this.#end(slot, new RenderCancelledError())));
  }

  #startNext(): void {
    if (this.#closed || this.#waiting.length === 0) return;
    const slot = [...this.#slots].find(({ job, ending }) => !job && !ending) ?? this.#newSlot();
    if (!slot) return;
    const next = this.#waiting.shift();
    if (!next) return;
    slot.job = next;
    slot.worker.setBusy(true);
    slot.worker.post(next.work);
    this.#watchForStall(slot);
    this.#startNext();
  }

  #newSlot(): Slot | undefined {
    if (this.#slots.size >= this.#options.workers) return undefined;
    let slot: Slot | undefined;
    try {
      const worker = this.#options.startWorker({
        onMessage: (message) => slot && this.#onMessage(slot, message),
        onExit: (exit) => slot && void this.#onExit(slot, exit),
      });
      slot = { worker, ready: false, rendered: 0, job: undefined, ending: false, timer: undefined };
    } catch (error) {
      this.#waiting.shift()?.reject(new RenderOutageError('no-workers', error));
      return undefined;
    }
    this.#slots.add(slot);
    return slot;
  }

  #onMessage(slot: Slot, message: FromWorker): void {
    slot.ready = true;
    const { job } = slot;
    if (!job) return;
    switch (message.kind) {
      case 'ready':
        this.#watchForStall(slot);
        return;
      case 'progress':
        this.#watchForStall(slot);
        job.onProgress(message.framesDone, message.framesTotal);
        return;
      case 'done':
      case 'drawn':
      case 'found':
      case 'checked':
        this.#free(slot);
        job.resolve(message);
        break;
      case 'failed':
        if (message.failure.code === 'over-memory') {
          void this.#end(slot, new RenderLimitError('memory'));
          return;
        }
        this.#free(slot);
        job.reject(errorFrom(message.failure));
    }
    this.#startNext();
  }

  /** Marks the worker as idle. It ends after `idleMs`, or now if it has rendered enough. */
  #free(slot: Slot): void {
    slot.job = undefined;
    slot.rendered += 1;
    slot.worker.setBusy(false);
    clearTimeout(slot.timer);
    if (slot.rendered >= MAX_RENDERS_PER_WORKER) void this.#end(slot);
    else slot.timer = setTimeout(() => void this.#end(slot), this.#options.idleMs).unref();
  }

  /** Restarts the time limit after which the worker counts as stalled. */
  #watchForStall(slot: Slot): void {
    clearTimeout(slot.timer);
    let steps = 0;
    slot.timer = setInterval(() => {
      steps += 1;
      if (steps < STALL_STEPS) return;
      const error = slot.ready ? new RenderLimitError('time') : new RenderOutageError('no-workers');
      void this.#end(slot, error);
    }, this.#options.stallMs / STALL_STEPS);
  }

  /** Kills a worker. Its job, if any, fails with `error` and leaves no unfinished files. */
  async #end(slot: Slot, error?: RenderError): Promise<void> {
    const { job } = slot;
    slot.job = undefined;
    slot.ending = true;
    clearTimeout(slot.timer);
    await slot.worker.kill();
    this.#slots.delete(slot);
    if (job) await removeParts(job.work);
    if (job && error) job.reject(error);
    this.#startNext();
  }

  async #onExit(slot: Slot, { crashed, cause }: WorkerExit): Promise<void> {
    this.#slots.delete(slot);
    clearTimeout(slot.timer);
    const { job } = slot;
    slot.job = undefined;
    if (job) {
      await removeParts(job.work);
      if (crashed) job.reject(new RenderLimitError('crash', cause));
      else if (slot.ready) job.reject(new RenderWorkerLostError(cause));
      else job.reject(new RenderOutageError('no-workers', cause));
    }
    this.#startNext();
  }

  #cancel(job: Job): void {
    const place = this.#waiting.indexOf(job);
    if (place >= 0) {
      this.#waiting.splice(place, 1);
      job.reject(new RenderCancelledError());
      return;
    }
    const slot = [...this.#slots].find((each) => each.job === job);
    slot?.worker.post({ kind: 'cancel' });
  }
}

/** Enough for one decoded image and the frames of an encoder with many threads. */
function memoryFor(storyboard: Storyboard): number {
  const { width, height } = pictureSize(storyboard);
  return BASE_MEMORY + width * height * MEMORY_PER_PIXEL;
}

function resolveImages(task: DrawTask): Record<string, string> {
  const files: Record<string, string> = {};
  for (const { image, of } of filesOf(task.storyboard)) {
    if (image.startsWith('data:')) continue;
    const file = task.imagePath?.(image);
    if (file === undefined) throw new ImageUnreadableError(of);
    files[image] = file;
  }
  return files;
}

function errorFrom(failure: WorkerFailure): RenderError {
  switch (failure.code) {
    case 'cancelled':
      return new RenderCancelledError();
    case 'image-unreadable':
      return new ImageUnreadableError(failure.of, undefined, failure.reason);
    case 'over-memory':
      return new RenderLimitError('memory');
    case 'outage':
      return new RenderOutageError(failure.outage);
    case 'failed':
      return new RenderFailedError(failure.reason);
  }
}

/** Deletes a killed worker's unfinished files. Ignores errors, which affect no other video. */
async function removeParts({ kind, order }: WorkerOrder): Promise<void> {
  if (kind !== 'render') return;
  for (const path of [order.videoPath, order.posterPath]) {
    await rm(partPath(path), { force: true }).catch(() => undefined);
  }
}
