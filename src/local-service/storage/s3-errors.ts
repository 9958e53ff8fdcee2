import { S3ServiceException } from '@aws-sdk/client-s3';
import { BlobDamagedError, StorageOutageError } from '../storage-errors.ts';

/** Codes of stores that have no space, for which HTTP has only 507. */
const FULL = new Set(['QuotaExceeded', 'InsufficientCapacity', 'XMinioStorageFull', 'NoSpaceLeft']);

/** The store received other bytes than were sent. */
const DAMAGED = new Set([
  'BadDigest',
  'InvalidDigest',
  'XAmzContentSHA256Mismatch',
  'IncompleteBody',
]);

/** What the SDK throws before a request, when there are no credentials or no usable ones. */
const NO_CREDENTIALS = /Credentials|Token|Region is missing/;

const MISSING = new Set(['NoSuchKey', 'NotFound']);

/** Whether the store has no such object, as far as it says. */
export function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && MISSING.has(error.name);
}

/** Whether the store has no such upload in parts: it was completed, or aborted. */
export function isUnknownUpload(error: unknown): boolean {
  return error instanceof S3ServiceException && error.name === 'NoSuchUpload';
}

/**
 * An error of a request as one of a store. A missing object and errors that are known already are
 * returned as they are.
 */
export function s3ErrorOf(error: unknown, key: string): unknown {
  if (!(error instanceof S3ServiceException)) return errorWithoutAnswer(error);
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

function errorWithoutAnswer(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const isKnown =
    error instanceof StorageOutageError ||
    error instanceof BlobDamagedError ||
    error instanceof RangeError;
  if (isKnown) return error;
  const isRefused = NO_CREDENTIALS.test(`${error.name} ${error.message}`);
  return new StorageOutageError(isRefused ? 'refused' : 'unreachable', error);
}
