import { BlobDamagedError, StorageOutageError } from '../storage-errors.ts';

/** The render's signal was aborted, or the pool was closed. Leaves no files. */
export class RenderCancelledError extends Error {
  override readonly name = 'RenderCancelledError';
  readonly code = 'RENDER_CANCELLED';
  constructor() {
    super('The rendering was cancelled.');
  }
}

/** The worker ended for a reason unrelated to this video, such as a signal. A retry may succeed. */
export class RenderWorkerLostError extends Error {
  override readonly name = 'RenderWorkerLostError';
  readonly code = 'RENDER_WORKER_LOST';
  constructor(cause?: unknown) {
    super('The worker that rendered this video stopped unexpectedly.', { cause });
  }
}

/** How a video made its worker end. */
export type RenderLimit = 'crash' | 'memory' | 'time';

const limitSentences: Readonly<Record<RenderLimit, string>> = {
  crash: 'The renderer crashed on this video. If it shows images, one of them may be damaged.',
  memory: 'This video needs more memory than one render may use.',
  time: 'Rendering this video stood still for too long.',
};

/** The video made its worker crash, run out of memory or stall. A retry would do the same. */
export class RenderLimitError extends Error {
  override readonly name = 'RenderLimitError';
  readonly code = 'RENDER_LIMIT';
  readonly limit: RenderLimit;
  constructor(limit: RenderLimit, cause?: unknown) {
    super(limitSentences[limit], { cause });
    this.limit = limit;
  }
}

/** A picture, sound or font of the storyboard is missing or unreadable. A retry would fail too. */
export class ImageUnreadableError extends Error {
  override readonly name = 'ImageUnreadableError';
  readonly code = 'IMAGE_UNREADABLE';
  /** What shows it: `scene 1`, `the background`, `the font`. */
  readonly of: string;
  /** Why, as the end of a sentence; `undefined` for an image that is damaged. */
  readonly reason: string | undefined;
  constructor(of: string, cause?: unknown, reason?: string) {
    const message =
      reason === undefined
        ? `The image of ${of} could not be read.`
        : `The file of ${of} ${reason}.`;
    super(message, { cause });
    this.of = of;
    this.reason = reason;
  }
}

/** Drawing, encoding or writing failed; the message says what. */
export class RenderFailedError extends Error {
  override readonly name = 'RenderFailedError';
  readonly code = 'RENDER_FAILED';
  constructor(reason: string) {
    super(`The video could not be rendered: ${reason}`);
  }
}

/** Why no video can be rendered. */
export type Outage =
  | 'disk-full'
  | 'files-unusable'
  | 'no-workers'
  | 'no-computers'
  | 'storage-full'
  | 'storage-refused'
  | 'storage-unreachable'
  | 'storage-damaged'
  | 'database-unreachable';

const outageSentences: Readonly<Record<Outage, string>> = {
  'disk-full': 'Rendering waits because the disk of the service is full.',
  'files-unusable': 'Rendering waits because the service cannot write to its data folder.',
  'no-workers': 'Rendering waits because the service cannot start its renderer.',
  'no-computers': 'Rendering waits because no computer of the service is rendering.',
  'storage-full': 'Rendering waits because the file storage of the service is full.',
  'storage-refused': 'Rendering waits because the file storage of the service refuses access.',
  'database-unreachable': 'Rendering waits because the database of the service does not answer.',
  'storage-unreachable': 'Rendering waits because the file storage of the service does not answer.',
  'storage-damaged':
    'Rendering waits because the file storage of the service returns other files than it was given.',
};

/** Parses a stored outage; `undefined` for one that only another version knows. */
export function parseOutage(name: string): Outage | undefined {
  return outages.find((outage) => outage === name);
}

const outages = Object.keys(outageSentences) as Outage[];

/** No video can be rendered for now. The video waits and is not failed. */
export class RenderOutageError extends Error {
  override readonly name = 'RenderOutageError';
  readonly code = 'RENDER_OUTAGE';
  readonly outage: Outage;
  constructor(outage: Outage, cause?: unknown) {
    super(outageSentences[outage], { cause });
    this.outage = outage;
  }
}

const DISK_FULL = ['ENOSPC', 'EDQUOT'];
const FILES_UNUSABLE = [
  'EIO',
  'EROFS',
  'EACCES',
  'EPERM',
  'ENOENT',
  'ENOTDIR',
  'ENODEV',
  'ENXIO',
  'ESTALE',
  'EBUSY',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'EAGAIN',
];

/**
 * The outage behind an error of the operating system or the blob store, if any. A full disk is
 * always `disk-full`, also if the store is on it.
 */
export function outageIn(error: unknown): Outage | undefined {
  if (error instanceof RenderOutageError) return error.outage;
  if (error instanceof BlobDamagedError) return 'storage-damaged';
  if (error instanceof StorageOutageError) {
    return outageIn(error.cause) ?? `storage-${error.outage}`;
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string') return undefined;
  if (DISK_FULL.includes(code)) return 'disk-full';
  return FILES_UNUSABLE.includes(code) ? 'files-unusable' : undefined;
}

/** All errors of a render. */
export type RenderError =
  | RenderCancelledError
  | RenderWorkerLostError
  | RenderLimitError
  | ImageUnreadableError
  | RenderFailedError
  | RenderOutageError;
