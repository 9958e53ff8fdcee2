import { S3ServiceException } from '@aws-sdk/client-s3';
import { BlobDamagedError, StorageOutageError } from '../storage-errors.ts';

/** Error codes of stores without space, besides HTTP status 507. */
const FULL = new Set(['QuotaExceeded', 'InsufficientCapacity', 'XMinioStorageFull', 'NoSpaceLeft']);

/** Error codes for bytes that were damaged on the way to the store. */
const DAMAGED = new Set([
  'BadDigest',
  'InvalidDigest',
  'XAmzContentSHA256Mismatch',
  'IncompleteBody',
]);

/** Matches what the SDK throws before a request when credentials are missing or unusable. */
const NO_CREDENTIALS = /Credentials|Token|Region is missing/;

const MISSING = new Set(['NoSuchKey', 'NotFound']);

/** Whether the store reports a missing object. HEAD requests report a missing bucket alike. */
export function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && MISSING.has(error.name);
}

/** Whether the store has no such multipart upload: it was completed or aborted. */
export function isUnknownUpload(error: unknown): boolean {
  return error instanceof S3ServiceException && error.name === 'NoSuchUpload';
}

/**
 * Converts an error of a request to an error of `Blobs`. Returns the error of a missing object, and
 * errors that are already converted, unchanged.
 */
export function s3ErrorOf(error: unknown, key: string): unknown {
  if (!(error instanceof S3ServiceException)) return errorWithoutResponse(error);
  if (isMissing(error)) return error;
  const status = error.$metadata.httpStatusCode ?? 0;
  if (status === 416) return new RangeError('beyond the end of the blob', { cause: error });
  if (DAMAGED.has(error.name)) {
    return new BlobDamagedError(key, 'other bytes arrived than were sent', error);
  }
  if (status === 507 || FULL.has(error.name)) return new StorageOutageError('full', error);
  const isRefused = status >= 300 && status < 500 && status !== 408 && status !== 429;
  return new StorageOutageError(isRefused ? 'refused' : 'unreachable', error);
}

function errorWithoutResponse(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const isKnown =
    error instanceof StorageOutageError ||
    error instanceof BlobDamagedError ||
    error instanceof RangeError;
  if (isKnown) return error;
  const isRefused = NO_CREDENTIALS.test(`${error.name} ${error.message}`);
  return new StorageOutageError(isRefused ? 'refused' : 'unreachable', error);
}
