import { existsSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import type { S3Blobs } from '../../../../src/local-service/storage/s3-blobs.ts';
import { StorageOutageError } from '../../../../src/local-service/storage-errors.ts';
import { file, manyBytes, s3Blobs } from '../../../rigs/blob-stores.ts';
import { StrictS3Server } from '../../../rigs/strict-s3-server.ts';

const MIB = 1024 * 1024;
const HOUR = 60 * 60_000;
const KEY = 'video/1.mp4';
/** Two parts and a short one. */
const large = manyBytes('large', 16 * MIB + 1);

let server: Awaited<ReturnType<typeof StrictS3Server.start>>;
let blobs: S3Blobs;

beforeEach(async () => {
  server = await StrictS3Server.start();
  blobs = s3Blobs(server, { maxAttempts: 3 });
});

const put = (bytes: Buffer, source = file(bytes)) => blobs.put([{ key: KEY, file: source }]);

function expectStored(bytes: Buffer): void {
  expect(server.objects.get(`videos/${KEY}`)?.bytes.equals(bytes)).toBe(true);
  expect([...server.uploads.keys()]).toEqual([]);
}

test.each([
  ['of no bytes', 0],
  ['of one request', 8 * MIB],
  ['with a last part of one byte', 16 * MIB + 1],
  ['of whole parts', 16 * MIB],
])('a store with the limits of S3 takes a file %s', async (_, length) => {
  const bytes = manyBytes('film', length);
  await put(bytes);
  expectStored(bytes);
});

describe('an upload in parts', () => {
  test.each(['create', 'part', 'complete', 'head'] as const)(
    'continues after a store that was briefly too busy to %s',
    async (operation) => {
      server.faults.set(operation, ['slow-down']);
      await put(large);
      expectStored(large);
    },
  );

  test('repeats a part whose response was lost', async () => {
    server.faults.set('part', ['lost-answer']);
    await put(large);
    expectStored(large);
    expect(server.operations.filter((operation) => operation === 'part')).toHaveLength(4);
  });

  test('is stored when the response to its completion is lost', async () => {
    server.faults.set('complete', ['lost-answer']);
    await put(large);
    expectStored(large);
    expect(server.operations.filter((operation) => operation === 'create')).toHaveLength(1);
  });

  test('is completed again after an error that came with status 200', async () => {
    server.faults.set('complete', ['error-in-200']);
    await put(large);
    expectStored(large);
  });

  test('does not count as stored while every status 200 has an error', async () => {
    server.faults.set('complete', ['error-in-200', 'error-in-200', 'error-in-200']);
    const source = file(large);
    await expect(put(large, source)).rejects.toThrow(StorageOutageError);
    expect(existsSync(source)).toBe(true);
    expect(server.objects.size).toBe(0);
    expect([...server.uploads.keys()]).toEqual([]);
    await put(large, source);
    expectStored(large);
  });

  test('leaves no parts when it fails, and starts over', async () => {
    server.faults.set('part', ['slow-down', 'slow-down', 'slow-down']);
    const source = file(large);
    await expect(put(large, source)).rejects.toMatchObject({ outage: 'unreachable' });
    expect([...server.uploads.keys()]).toEqual([]);
    await put(large, source);
    expectStored(large);
  });

  test('repeats an abort that the store was too busy for', async () => {
    server.faults.set('part', ['slow-down', 'slow-down', 'slow-down']);
    server.faults.set('abort', ['slow-down', 'lost-answer']);
    await expect(put(large)).rejects.toMatchObject({ outage: 'unreachable' });
    expect([...server.uploads.keys()]).toEqual([]);
  });
});

test.each([
  ['behind', -HOUR],
  ['ahead', HOUR],
])('a request to a store whose clock is %s is repeated by that clock', async (_, aheadMs) => {
  server.clockAheadMs = aheadMs;
  await put(large);
  expectStored(large);
});
