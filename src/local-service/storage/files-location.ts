import { statSync } from 'node:fs';
import path from 'node:path';
import type { After } from '../clock.ts';
import { DomainError } from '../domain-error.ts';
import type { Blobs } from './blobs.ts';
import { FolderBlobs } from './folder-blobs.ts';
import { StorageOutageError } from '../storage-errors.ts';

/** Where a service on several computers stores finished videos and images. */
export type FilesLocation =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string };

/** S3's rules for bucket names. */
const bucketPattern = /^[a-z\d](?:[a-z\d.-]{1,61})[a-z\d]$/;
const prefixPattern = /^(?:[\w-][\w.-]*(?:\/[\w-][\w.-]*)*)?$/;
const MAX_PREFIX_LENGTH = 500;

/**
 * Parses `s3://bucket/prefix` or the path of a folder. Returns `undefined` for other schemes, and
 * for buckets and prefixes with characters that URLs or stores interpret differently. Credentials
 * are never accepted.
 */
export function parseFilesLocation(text: string): FilesLocation | undefined {
  const [, scheme, rest = ''] = /^([a-z][a-z\d+.-]+):\/\/(.*)$/is.exec(text) ?? [];
  if (scheme === undefined) {
    // A mistyped bucket address is not treated as a folder: messages quote folders, and it may
    // contain credentials.
    return text === '' || /^s3:/i.test(text)
      ? undefined
      : { kind: 'folder', folder: path.resolve(text) };
  }
  const [bucket = '', ...segments] = rest.replace(/\/$/, '').split('/');
  const prefix = segments.join('/');
  const isValid =
    scheme.toLowerCase() === 's3' &&
    bucketPattern.test(bucket) &&
    prefixPattern.test(prefix) &&
    prefix.length <= MAX_PREFIX_LENGTH;
  return isValid ? { kind: 's3', bucket, prefix } : undefined;
}

/**
 * Parses the value of `--files`. Not while options are parsed, because commander quotes a value
 * that it refuses, and this one may contain credentials.
 *
 * @throws {DomainError} `FILES_UNUSABLE`
 */
export function filesLocation(text: string): FilesLocation {
  const location = parseFilesLocation(text);
  if (location) return location;
  throw new DomainError(
    'FILES_UNUSABLE',
    'Files are in a folder or in s3://bucket/prefix. Credentials belong in the AWS variables.',
  );
}

/**
 * Opens the blobs of a location. Resolves even if the store does not respond for now; its users
 * wait for it.
 *
 * @throws {DomainError} `FILES_UNUSABLE` when there is no such folder, or the store refuses access
 */
export async function openFilesLocation(location: FilesLocation, after: After): Promise<Blobs> {
  const blobs = await blobsOf(location, after);
  try {
    await blobs.stat('access-check');
  } catch (error) {
    if (!(error instanceof StorageOutageError)) throw error;
    if (error.outage === 'refused') {
      throw new DomainError('FILES_UNUSABLE', refusalOf(location, error));
    }
  }
  return blobs;
}

async function blobsOf(location: FilesLocation, after: After): Promise<Blobs> {
  if (location.kind === 's3') {
    // Loaded on demand, because the SDK takes time and memory that a folder does not need.
    const { S3Blobs } = await import('./s3-blobs.ts');
    return new S3Blobs({ ...location, after });
  }
  // The folder is not created, so that one that is not mounted does not look like an empty one.
  if (!statSync(location.folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new DomainError('FILES_UNUSABLE', `There is no folder ${location.folder} for files.`);
  }
  return new FolderBlobs(location.folder);
}

function refusalOf(location: FilesLocation, error: StorageOutageError): string {
  const reason = error.cause instanceof Error ? error.cause.message : error.message;
  return location.kind === 'folder'
    ? `The folder ${location.folder} cannot be used for files: ${reason}`
    : `The bucket ${location.bucket} refuses access: ${reason} Check its name, the region and the credentials in the AWS variables.`;
}
