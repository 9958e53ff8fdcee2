import { statSync } from 'node:fs';
import path from 'node:path';
import type { After } from '../clock.ts';
import { DomainError } from '../domain-error.ts';
import type { Blobs } from './blobs.ts';
import { FolderBlobs } from './folder-blobs.ts';
import { StorageOutageError } from '../storage-errors.ts';

/** Where several computers keep finished files. */
export type FilesLocation =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string };

/** The rules of S3 for names of buckets. */
const bucketPattern = /^[a-z\d](?:[a-z\d.-]{1,61})[a-z\d]$/;
const prefixPattern = /^(?:[\w-][\w.-]*(?:\/[\w-][\w.-]*)*)?$/;
const MAX_PREFIX_LENGTH = 500;

/**
 * `s3://bucket/prefix`, or the path of a folder. `undefined` for other schemes and for buckets and
 * prefixes with characters that URLs or stores read differently; credentials have no place in it.
 */
export function parseFilesLocation(text: string): FilesLocation | undefined {
  const [, scheme, rest = ''] = /^([a-z][a-z\d+.-]+):\/\/(.*)$/is.exec(text) ?? [];
  if (scheme === undefined) {
    // A mistyped address of a bucket could contain credentials, and folders are quoted in sentences.
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
 * The value of an option. Checked here and not while options are parsed: commander quotes a value
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
 * The blobs of a location. A store that does not answer for now is no reason not to start: those
 * who use it wait.
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
    // Loaded here: the SDK takes time and memory that a service with a folder does not need.
    const { S3Blobs } = await import('./s3-blobs.ts');
    return new S3Blobs({ ...location, after });
  }
  // It is not made: a folder that is not mounted would look like an empty one.
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
