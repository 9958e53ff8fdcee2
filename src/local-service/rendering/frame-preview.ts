import { RenderPool, type DrawTask, type RenderPoolOptions } from './render-pool.ts';

/** Of the shorter side: what a page shows, at two pixels a point. */
const FRAME_LINES = 480;
/** A page that shows one frame at a time never requests more at once. */
const MAX_WAITING = 4;
const STALL_MS = 20_000;

/** Too many frames wait already. */
export class FramesBusyError extends Error {
  override readonly name = 'FramesBusyError';
  readonly code = 'FRAMES_BUSY';
  constructor() {
    super('Too many frames are waiting to be drawn.');
  }
}

/** {@link FramePreview}, or a fake in tests. */
export interface FrameSource {
  /** The frame that shows best what a video is about, as a JPEG. */
  draw(task: DrawTask, signal: AbortSignal): Promise<Buffer>;
  close(): Promise<void>;
}

/**
 * Draws single frames in a separate worker, so that they neither wait for videos nor delay them. It
 * has the same limits as the others and ends when idle.
 */
export class FramePreview implements FrameSource {
  readonly #pool: RenderPool;
  #waiting = 0;

  constructor(options: Partial<RenderPoolOptions> = {}) {
    this.#pool = new RenderPool({ workers: 1, stallMs: STALL_MS, ...options });
  }

  /**
   * @throws {FramesBusyError} when four others wait
   * @throws as `RenderPool.draw` does
   */
  async draw(task: DrawTask, signal: AbortSignal): Promise<Buffer> {
    if (this.#waiting >= MAX_WAITING) throw new FramesBusyError();
    this.#waiting += 1;
    try {
      const storyboard = { ...task.storyboard, resolution: FRAME_LINES } as const;
      return await this.#pool.draw({ ...task, storyboard }, signal);
    } finally {
      this.#waiting -= 1;
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
