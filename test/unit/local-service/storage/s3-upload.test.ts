import { expect, test } from 'vitest';
import { partBytesOf } from '../../../../src/local-service/storage/s3-upload.ts';

const MIB = 1024 * 1024;
const TIB = MIB * MIB;

test.each([
  ['a small one', 8 * MIB + 1, 8],
  ['the largest of 8 MiB', 80_000 * MIB, 8],
  ['a byte more', 80_000 * MIB + 1, 9],
  ['the largest object of S3', 5 * TIB, 525],
])('a file is sent in 10,000 parts at most: %s', (_, size, mib) => {
  expect(partBytesOf(size)).toBe(mib * MIB);
  expect(Math.ceil(size / partBytesOf(size))).toBeLessThanOrEqual(10_000);
});
