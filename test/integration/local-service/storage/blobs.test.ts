import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Blobs } from '../../../../src/local-service/storage/blobs.ts';
import { BlobDamagedError } from '../../../../src/local-service/storage-errors.ts';
import { file, manyBytes, stores } from '../../../rigs/blob-stores.ts';

const KEY = 'video/1.mp4';
const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

describe.each(Object.entries(stores))('%s', (_name, useStore) => {
  const store = useStore();
  let blobs: Blobs;

  beforeEach(() => {
    blobs = store();
  });

  const put = (content: Buffer | string, key = KEY) =>
    blobs.put([{ key, file: file(content), sha256: sha256(content) }]);

  const read = async (range?: { first: number; last: number }, key = KEY) => {
    const opened = await blobs.open(key, { range });
    return opened && { size: opened.size, content: (await buffer(opened.content)).toString() };
  };

  const keys = async (prefix = ''): Promise<string[]> => {
    const found: string[] = [];
    for await (const { key } of blobs.list(prefix)) found.push(key);
    return found.sort();
  };

  test('returns what was put, and removes the source file', async () => {
    const source = file('some bytes');
    expect(await blobs.put([{ key: KEY, file: source }])).toEqual([
      { key: KEY, size: 10, sha256: sha256('some bytes') },
    ]);
    expect(existsSync(source)).toBe(false);
    expect(await blobs.stat(KEY)).toEqual({ key: KEY, size: 10 });
    expect(await read()).toEqual({ size: 10, content: 'some bytes' });
  });

  test('puts several at once, and keeps all files when one is missing', async () => {
    const source = file('poster');
    const put = (film: string) =>
      blobs.put([
        { key: 'video/1.jpg', file: source },
        { key: KEY, file: film },
      ]);
    await expect(put(`${source}-missing`)).rejects.toThrow();
    expect(existsSync(source)).toBe(true);
    expect(await put(file('film'))).toEqual([
      { key: 'video/1.jpg', size: 6, sha256: sha256('poster') },
      { key: KEY, size: 4, sha256: sha256('film') },
    ]);
    expect(await keys()).toEqual(['video/1.jpg', KEY]);
    expect(await blobs.put([])).toEqual([]);
  });

  test('has nothing under another key', async () => {
    await put('some bytes');
    for (const key of ['video/2.mp4', 'video', 'video/1', 'other/1.mp4', 'video.mp4']) {
      expect(await blobs.stat(key)).toBeUndefined();
      expect(await blobs.open(key)).toBeUndefined();
    }
  });

  test.each([
    ['the first bytes', 0, 2, '012'],
    ['one byte', 4, 4, '4'],
    ['the last byte', 9, 9, '9'],
    ['everything', 0, 9, '0123456789'],
    ['beyond the end', 7, 100, '789'],
  ])('reads %s of a range', async (_what, first, last, content) => {
    await put('0123456789');
    expect(await read({ first, last })).toEqual({ size: 10, content });
  });

  test('refuses a range after the end', async () => {
    await put('0123456789');
    await expect(blobs.open(KEY, { range: { first: 10, last: 20 } })).rejects.toThrow(RangeError);
  });

  test('stores a file of many chunks unchanged, and reads any part of it', async () => {
    const content = manyBytes('large', 12_000_011);
    await put(content);
    const whole = await blobs.open(KEY, {
      expected: { size: content.length, sha256: sha256(content) },
    });
    expect((await buffer(whole!.content)).equals(content)).toBe(true);
    const part = await blobs.open(KEY, { range: { first: 1_234_567, last: 4_000_000 } });
    expect((await buffer(part!.content)).equals(content.subarray(1_234_567, 4_000_001))).toBe(true);
  });

  test('stores an empty file', async () => {
    await put('');
    expect(await read()).toEqual({ size: 0, content: '' });
  });

  test('replaces a blob as a whole, also during a read', async () => {
    const before = manyBytes('before', 3_000_000);
    const after = manyBytes('after', 2_000_000);
    await put(before);
    const reader = await blobs.open(KEY, { expected: { size: before.length } });
    await put(after);
    expect((await buffer(reader!.content)).equals(before)).toBe(true);
    expect((await buffer((await blobs.open(KEY))!.content)).equals(after)).toBe(true);
  });

  test('stores one of two simultaneous puts whole', async () => {
    const contents = ['one', 'two'].map((seed) => manyBytes(seed, 500_000));
    // A put that finds the other's blob stored rejects.
    await Promise.allSettled(contents.map((content) => put(content)));
    const stored = await buffer((await blobs.open(KEY))!.content);
    expect(contents.some((content) => content.equals(stored))).toBe(true);
  });

  test('lists all pages of a prefix, and nothing else', async () => {
    const own = Array.from({ length: 25 }, (_, index) => `video/${index}.mp4`).sort();
    for (const key of [...own, 'video-2/1.mp4', 'other/1.mp4', 'video.mp4']) await put('x', key);
    expect(await keys('video/')).toEqual(own);
    expect(await keys('video/2')).toEqual(own.filter((key) => key.startsWith('video/2')));
    expect(await keys('video')).toHaveLength(27);
    expect(await keys()).toHaveLength(28);
    expect(await keys('none/')).toEqual([]);
  });

  test('deletes existing blobs, and ignores missing ones', async () => {
    await put('x', 'video/1.mp4');
    await put('x', 'video/1.jpg');
    await put('x', 'other/1.mp4');
    await blobs.delete(['video/1.mp4', 'video/1.jpg', 'none/1.mp4', 'none.mp4']);
    expect(await keys()).toEqual(['other/1.mp4']);
    await blobs.delete([]);
    await put('again', 'video/1.mp4');
    expect(await read()).toEqual({ size: 5, content: 'again' });
  });

  test.each([
    '',
    '.',
    '..',
    '/',
    '/etc/passwd',
    '../passwd',
    'a/../../passwd',
    'a/..',
    'a/.',
    'a//b',
    'a/',
    '/a',
    'a/b/c',
    '.hidden',
    'a/.hidden',
    'a\\..\\b',
    'a\0b',
    'a\nb',
    'ä',
    'C:a',
    'a b',
    'a?b',
    'a#b',
    'a%2e',
    'a/b.part',
    'x'.repeat(201),
  ])('rejects the key %j', async (key) => {
    const source = file('x');
    await expect(blobs.put([{ key, file: source }])).rejects.toThrow(RangeError);
    await expect(blobs.open(key)).rejects.toThrow(RangeError);
    await expect(blobs.stat(key)).rejects.toThrow(RangeError);
    await expect(blobs.delete(['video/1.mp4', key])).rejects.toThrow(RangeError);
    expect(existsSync(source)).toBe(true);
  });

  test.each(['..', '../', '/', 'a/../', 'a/b/'])('rejects the prefix %j', async (prefix) => {
    await expect(keys(prefix)).rejects.toThrow(RangeError);
  });

  test('stores nothing of an aborted put, and keeps the file', async () => {
    const stop = new AbortController();
    stop.abort(new Error('shutting down'));
    const source = file('x');
    await expect(blobs.put([{ key: KEY, file: source }], stop.signal)).rejects.toThrow(
      'shutting down',
    );
    expect(await blobs.stat(KEY)).toBeUndefined();
    expect(existsSync(source)).toBe(true);
  });

  test('ends a read that is aborted by its reader or by a signal', async () => {
    const content = manyBytes('large', 5_000_000);
    await put(content);
    const left = await blobs.open(KEY);
    left!.content.destroy();
    const stop = new AbortController();
    const stopped = await blobs.open(KEY, { signal: stop.signal });
    const reading = buffer(stopped!.content);
    stop.abort(new Error('shutting down'));
    await expect(reading).rejects.toThrow();
    expect((await buffer((await blobs.open(KEY))!.content)).equals(content)).toBe(true);
  });

  test('reports a blob of unexpected size', async () => {
    await put('some bytes');
    for (const size of [0, 9, 11]) {
      await expect(blobs.open(KEY, { expected: { size } })).rejects.toThrow(BlobDamagedError);
    }
  });
});
