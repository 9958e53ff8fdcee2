/** Why a blob store cannot be used for now. */
export type StorageOutage = 'full' | 'refused' | 'unreachable';

const outageSentences: Readonly<Record<StorageOutage, string>> = {
  full: 'The file storage is full.',
  refused: 'The file storage refuses access.',
  unreachable: 'The file storage does not answer.',
};

/** The blob store cannot be used for now. No blob is lost, and the same call may succeed later. */
export class StorageOutageError extends Error {
  override readonly name = 'StorageOutageError';
  readonly code = 'STORAGE_OUTAGE';
  readonly outage: StorageOutage;
  constructor(outage: StorageOutage, cause?: unknown) {
    super(outageSentences[outage], { cause });
    this.outage = outage;
  }
}

/** A blob exists, but its size or content differs from what was stored. */
export class BlobDamagedError extends Error {
  override readonly name = 'BlobDamagedError';
  readonly code = 'BLOB_DAMAGED';
  readonly key: string;
  constructor(key: string, difference: string, cause?: unknown) {
    super(`The stored file ${key} is not as it was stored: ${difference}.`, { cause });
    this.key = key;
  }
}

const FULL = new Set(['ENOSPC', 'EDQUOT']);
const REFUSED = new Set(['EACCES', 'EPERM', 'EROFS']);
const UNREACHABLE = new Set([
  'EIO',
  'ENODEV',
  'ENXIO',
  'ESTALE',
  'ENOTCONN',
  'EHOSTDOWN',
  'ETIMEDOUT',
  'EREMOTEIO',
  'EBUSY',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'EAGAIN',
]);

/** Converts a file system error to a `StorageOutageError`; returns other errors unchanged. */
export function storageErrorOf(error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  if (FULL.has(code)) return new StorageOutageError('full', error);
  if (REFUSED.has(code)) return new StorageOutageError('refused', error);
  return UNREACHABLE.has(code) ? new StorageOutageError('unreachable', error) : error;
}

/** The code of an operating system error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
