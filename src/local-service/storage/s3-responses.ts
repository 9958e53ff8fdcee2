import type { GetObjectCommandOutput } from '@aws-sdk/client-s3';
import { BlobDamagedError } from '../storage-errors.ts';
import type { BlobRange } from './blobs.ts';

/**
 * The size of a blob and the length of a response's content, in bytes.
 *
 * @throws {BlobDamagedError} unless the response contains exactly the requested range
 */
export function responseSizes(
  key: string,
  { ContentLength, ContentRange }: GetObjectCommandOutput,
  range: BlobRange | undefined,
): { size: number; length: number } {
  if (ContentLength === undefined) throw new BlobDamagedError(key, 'it came without a length');
  if (!range) return { size: ContentLength, length: ContentLength };
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(ContentRange ?? '') ?? [];
  const whole = Number(size);
  const expectedLast = Math.min(range.last, whole - 1);
  if (Number(first) !== range.first || Number(last) !== expectedLast) {
    const came = ContentRange ?? 'no range';
    throw new BlobDamagedError(key, `${came} came for bytes ${range.first}-${range.last}`);
  }
  const length = expectedLast - range.first + 1;
  if (ContentLength !== length) {
    throw new BlobDamagedError(key, `${ContentLength} bytes came instead of ${length}`);
  }
  return { size: whole, length };
}

/**
 * Compares a blob's size and hash with the expected ones. An `undefined` value is not compared: a
 * blob that another program stored has no hash.
 *
 * @throws {BlobDamagedError}
 */
export function requireSame(
  key: string,
  expectedSize: number | undefined,
  size: number,
  expectedSha256: string | undefined,
  sha256: string | undefined,
): void {
  if (expectedSize !== undefined && expectedSize !== size) {
    throw new BlobDamagedError(key, `it has ${size} of ${expectedSize} bytes`);
  }
  if (expectedSha256 !== undefined && sha256 !== undefined && expectedSha256 !== sha256) {
    throw new BlobDamagedError(key, 'its bytes are others');
  }
}
