/** A render that was called off through its signal or by closing the pool. Nothing is left behind. */
export class RenderCancelledError extends Error {
  override readonly name = 'RenderCancelledError';
  readonly code = 'RENDER_CANCELLED';
  constructor() {
    super('The rendering was cancelled.');
  }
}

/** The worker died (killed, out of memory, crashed) while it rendered. The render may be tried again. */
export class RenderWorkerLostError extends Error {
  override readonly name = 'RenderWorkerLostError';
  readonly code = 'RENDER_WORKER_LOST';
  constructor(cause?: unknown) {
    super('The worker that rendered this video stopped unexpectedly.', { cause });
  }
}

/** An image of the storyboard is unknown or cannot be decoded. Trying again changes nothing. */
export class ImageUnreadableError extends Error {
  override readonly name = 'ImageUnreadableError';
  readonly code = 'IMAGE_UNREADABLE';
  /** Whose image it is, such as "scene 3". */
  readonly where: string;
  constructor(where: string, cause?: unknown) {
    super(`The image of ${where} could not be read.`, { cause });
    this.where = where;
  }
}

/** Drawing, encoding or writing failed; the message says what. */
export class RenderFailedError extends Error {
  override readonly name = 'RenderFailedError';
  readonly code = 'RENDER_FAILED';
  constructor(reason: string, cause?: unknown) {
    super(`The video could not be rendered: ${reason}`, { cause });
  }
}

/** Every way in which a render can end without a video. */
export type RenderError =
  RenderCancelledError | RenderWorkerLostError | ImageUnreadableError | RenderFailedError;
