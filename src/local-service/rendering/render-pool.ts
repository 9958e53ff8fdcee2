import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { partOf } from './part-file.ts';
import {
  ImageUnreadableError,
  RenderCancelledError,
  RenderFailedError,
  RenderWorkerLostError,
} from './render-errors.ts';
import type { RenderError } from './render-errors.ts';
import type { Storyboard } from './storyboard.ts';
import type { FromWorker, RenderOrder, RenderResult, ToWorker } from './worker-messages.ts';

export interface RenderTask {
  storyboard: Storyboard;
  /** Where the MP4 appears once it is complete. Its folder exists. */
  videoPath: string;
  /** Where the poster, a JPEG, appears once it is complete. Its folder exists. */
  posterPath: string;
  /** The file of an uploaded image, or undefined when there is none of that id. */
  imagePath?: (id: string) => string | undefined;
}

type OnProgress = (framesDone: number, framesTotal: number) => void;

interface Waiting {
  order: RenderOrder;
  onProgress: OnProgress;
  resolve: (result: RenderResult) => void;
  reject: (error: RenderError) => void;
}

interface Seat {
  worker: Worker;
  /** What the worker is rendering; undefined while it is free. */
  job: Waiting | undefined;
}

/**
 * Renders storyboards in worker threads, as many at a time as there are workers; the rest wait in
 * the order in which they came. Workers start when they are first needed and are replaced when
 * they die.
 */
export class RenderPool {
  readonly #workers: number;
  readonly #startWorker: () => Worker;
  readonly #seats = new Set<Seat>();
  readonly #line: Waiting[] = [];
  #closed = false;

  /**
   * @param options.workers How many videos are rendered at the same time; at least 1.
   * @param options.startWorker Starts a thread that understands {@link ToWorker}; the renderer's
   * own when omitted.
   */
  constructor(options: { workers: number; startWorker?: () => Worker }) {
    this.#workers = options.workers;
    this.#startWorker = options.startWorker ?? startRenderWorker;
  }

  /**
   * Renders one video and its poster. Both files appear under their names only when complete.
   * `onProgress` hears of frames drawn and encoded, a few times a second.
   * @throws {RenderCancelledError} when `signal` is aborted or the pool is closed
   * @throws {RenderWorkerLostError} when the worker died
   * @throws {ImageUnreadableError} when an image is unknown or broken
   * @throws {RenderFailedError} when drawing, encoding or writing failed
   */
  async render(
    task: RenderTask,
    onProgress: OnProgress,
    signal?: AbortSignal,
  ): Promise<RenderResult> {
    if (this.#closed || signal?.aborted) throw new RenderCancelledError();
    const order: RenderOrder = {
      storyboard: task.storyboard,
      videoPath: task.videoPath,
      posterPath: task.posterPath,
      imageFiles: resolveImages(task),
    };
    const { promise, resolve, reject } = Promise.withResolvers<RenderResult>();
    const waiting: Waiting = { order, onProgress, resolve, reject };
    const cancel = () => this.#cancel(waiting);
    signal?.addEventListener('abort', cancel, { once: true });
    this.#line.push(waiting);
    this.#seatNext();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Cancels whatever waits or is under way, ends the workers and leaves no unfinished files. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const waiting of this.#line.splice(0)) waiting.reject(new RenderCancelledError());
    const seats = [...this.#seats];
    this.#seats.clear();
    for (const { worker, job } of seats) {
      worker.removeAllListeners();
      await worker.terminate();
      if (job) {
        await removeParts(job.order);
        job.reject(new RenderCancelledError());
      }
    }
  }

  #seatNext(): void {
    if (this.#closed || this.#line.length === 0) return;
    const seat = [...this.#seats].find(({ job }) => !job) ?? this.#newSeat();
    if (!seat) return;
    const next = this.#line.shift();
    if (!next) return;
    seat.job = next;
    post(seat.worker, { kind: 'render', order: next.order });
    seat.worker.ref();
    this.#seatNext();
  }

  #newSeat(): Seat | undefined {
    if (this.#seats.size >= this.#workers) return undefined;
    const worker = this.#startWorker();
    const seat: Seat = { worker, job: undefined };
    let cause: unknown;
    worker.on('message', (message: FromWorker) => this.#heard(seat, message));
    worker.on('error', (error: unknown) => {
      cause = error;
    });
    worker.on('exit', () => void this.#lost(seat, cause));
    this.#seats.add(seat);
    return seat;
  }

  #heard(seat: Seat, message: FromWorker): void {
    const job = seat.job;
    if (!job) return;
    if (message.kind === 'progress') {
      job.onProgress(message.framesDone, message.framesTotal);
      return;
    }
    seat.job = undefined;
    // An idle worker must not keep the process alive.
    seat.worker.unref();
    if (message.kind === 'done') job.resolve(message.result);
    else job.reject(errorFrom(message));
    this.#seatNext();
  }

  async #lost(seat: Seat, cause: unknown): Promise<void> {
    this.#seats.delete(seat);
    const job = seat.job;
    seat.job = undefined;
    if (job) {
      await removeParts(job.order);
      job.reject(new RenderWorkerLostError(cause));
    }
    this.#seatNext();
  }

  #cancel(waiting: Waiting): void {
    const place = this.#line.indexOf(waiting);
    if (place >= 0) {
      this.#line.splice(place, 1);
      waiting.reject(new RenderCancelledError());
      return;
    }
    const seat = [...this.#seats].find(({ job }) => job === waiting);
    if (seat) post(seat.worker, { kind: 'cancel' });
  }
}

/** Starts the thread that renders; its file has this one's extension, in the source and built. */
export function startRenderWorker(): Worker {
  const extension = path.extname(import.meta.filename);
  return new Worker(new URL(`./render-worker${extension}`, import.meta.url));
}

function post(worker: Worker, message: ToWorker): void {
  worker.postMessage(message);
}

function resolveImages(task: RenderTask): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [index, scene] of task.storyboard.scenes.entries()) {
    if (scene.kind !== 'image' || scene.image.startsWith('data:')) continue;
    const file = task.imagePath?.(scene.image);
    if (file === undefined) throw new ImageUnreadableError(`scene ${index + 1}`);
    files[scene.image] = file;
  }
  return files;
}

function errorFrom(message: Extract<FromWorker, { kind: 'failed' }>): RenderError {
  switch (message.code) {
    case 'RENDER_CANCELLED':
      return new RenderCancelledError();
    case 'IMAGE_UNREADABLE':
      return new ImageUnreadableError(message.detail);
    case 'RENDER_FAILED':
      return new RenderFailedError(message.detail);
  }
}

async function removeParts(order: RenderOrder): Promise<void> {
  for (const path of [order.videoPath, order.posterPath]) await rm(partOf(path), { force: true });
}
