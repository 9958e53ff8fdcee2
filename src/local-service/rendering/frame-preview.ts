import type { Storyboard } from './storyboard.ts';
import type { TextIssue } from './text-issue.ts';
import { RenderPool, type DrawTask, type RenderPoolOptions } from './render-pool.ts';

/** Pixels of the shorter side, enough for a page with two device pixels per CSS pixel. */
const FRAME_LINES = 480;
/** More than a page needs, which shows one frame at a time. */
const MAX_WAITING = 4;
const STALL_MS = 20_000;

/** Too many frames are already waiting. */
export class FramesBusyError extends Error {
  override readonly name = 'FramesBusyError';
  readonly code = 'FRAMES_BUSY';
  constructor() {
    super('Too many frames are waiting to be drawn.');
  }
}

/** {@link FramePreview}, or a fake in tests. */
export interface FrameSource {
  /** Draws the poster frame of a video, as a JPEG. */
  draw(task: DrawTask, signal: AbortSignal): Promise<Buffer>;
  /** Finds the characters of texts that no font of this computer can draw. */
  findUndrawable(texts: readonly string[], signal: AbortSignal): Promise<string[]>;
  /** Finds the texts of each of these videos that would be too small or badly broken. */
  checkLayouts(storyboards: readonly Storyboard[], signal: AbortSignal): Promise<TextIssue[][]>;
  close(): Promise<void>;
}

/**
 * Draws single frames in a separate worker, so that they neither wait for videos nor delay them.
 * That worker has the same limits as other workers and ends when idle.
 */
export class FramePreview implements FrameSource {
  readonly #pool: RenderPool;
  #waiting = 0;

  constructor(options: Partial<RenderPoolOptions> = {}) {
    this.#pool = new RenderPool({ workers: 1, stallMs: STALL_MS, ...options });
  }

  /**
   * @throws {FramesBusyError} when four other frames are waiting or being drawn
   * @throws the errors of `RenderPool.draw`
   */
  draw(task: DrawTask, signal: AbortSignal): Promise<Buffer> {
    const storyboard = { ...task.storyboard, resolution: FRAME_LINES } as const;
    return this.#inTurn(() => this.#pool.draw({ ...task, storyboard }, signal));
  }

  /**
   * @throws {FramesBusyError} when four other frames are waiting or being drawn
   * @throws the errors of `RenderPool.findUndrawable`
   */
  findUndrawable(texts: readonly string[], signal: AbortSignal): Promise<string[]> {
    return this.#inTurn(() => this.#pool.findUndrawable(texts, signal));
  }

  /**
   * @throws {FramesBusyError} when four other frames are waiting or being drawn
   * @throws the errors of `RenderPool.checkLayouts`
   */
  checkLayouts(storyboards: readonly Storyboard[], signal: AbortSignal): Promise<TextIssue[][]> {
    return this.#inTurn(() => this.#pool.checkLayouts(storyboards, signal));
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MAX_WAITING) throw new FramesBusyError();
    this.#waiting += 1;
    try {
      return await work();
    } finally {
      this.#waiting -= 1;
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
