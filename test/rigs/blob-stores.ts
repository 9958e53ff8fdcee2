import { createCipheriv, createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type After, systemAfter } from '../../src/local-service/clock.ts';
import type { Blobs } from '../../src/local-service/storage/blobs.ts';
import { FolderBlobs } from '../../src/local-service/storage/folder-blobs.ts';
import { S3Blobs } from '../../src/local-service/storage/s3-blobs.ts';
import { type S3Server, useS3Server } from './s3-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

/**
 * Creates a store for each test of the calling suite; the returned function returns the current
 * one.
 */
export type UseStore = () => () => Blobs;

/** Both kinds of store, by name. */
export const stores: Readonly<Record<string, UseStore>> = {
  'a folder': () => () => FolderBlobs.openOwn(path.join(temporaryFolder(), 'blobs')),
  'an S3-protocol server': () => {
    const server = useS3Server();
    return () => s3Blobs(server);
  },
};

/** Blobs below `prefix` of a server, which ends with the test. */
export function s3Blobs(
  server: Pick<S3Server, 'endpoint' | 'bucket'>,
  options: { readonly after?: After; readonly bucket?: string; readonly maxAttempts?: number } = {},
): S3Blobs {
  const { after = systemAfter, bucket = server.bucket, maxAttempts = 1 } = options;
  const blobs = new S3Blobs({
    bucket,
    prefix: 'videos',
    endpoint: server.endpoint,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    after,
    maxAttempts,
    pageSize: 10,
  });
  onTestFinished(() => blobs.close());
  return blobs;
}

/** Bytes that are equal for equal seeds, made faster than those of `seededBytes`. */
export function manyBytes(seed: string, length: number): Buffer {
  const key = createHash('sha256').update(seed).digest();
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(length));
}

/** A file of this test with this content. */
export function file(content: Buffer | string): string {
  const name = path.join(temporaryFolder(), 'file');
  writeFileSync(name, content);
  return name;
}
