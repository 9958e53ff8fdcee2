import path from 'node:path';
import { expect, test } from 'vitest';
import {
  openFilesLocation,
  parseFilesLocation,
} from '../../../../src/local-service/storage/files-location.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

test.each([
  ['s3://bucket', { kind: 's3', bucket: 'bucket', prefix: '' }],
  ['s3://bucket/', { kind: 's3', bucket: 'bucket', prefix: '' }],
  ['s3://my.bucket-1/a/b.c/', { kind: 's3', bucket: 'my.bucket-1', prefix: 'a/b.c' }],
  ['S3://bucket/prefix', { kind: 's3', bucket: 'bucket', prefix: 'prefix' }],
  ['/mnt/share/spool', { kind: 'folder', folder: path.resolve('/mnt/share/spool') }],
  ['share', { kind: 'folder', folder: path.resolve('share') }],
])('%s is a location', (text, location) => {
  expect(parseFilesLocation(text)).toEqual(location);
});

test.each([
  '',
  's3://',
  's3://B',
  's3://ab',
  's3:///prefix',
  's3://Bucket',
  's3://bucket//a',
  's3://bucket/../other',
  's3://bucket/a b',
  's3://bucket/a?b',
  's3://key:secret@bucket/a',
  'https://bucket.s3.amazonaws.com/',
  'gs://bucket',
  'file:///mnt',
  `s3://bucket/${'a'.repeat(501)}`,
])('%j is not a location', (text) => {
  expect(parseFilesLocation(text)).toBeUndefined();
});

test('a missing folder is refused, and not created', async () => {
  const folder = path.join(temporaryFolder(), 'not-mounted');
  const after = () => ({ [Symbol.dispose]: () => undefined });
  await expect(openFilesLocation({ kind: 'folder', folder }, after)).rejects.toThrow(
    `There is no folder ${folder} for files.`,
  );
});
