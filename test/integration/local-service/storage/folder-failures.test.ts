import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { describe, expect, test } from 'vitest';
import type { BlobRange } from '../../../../src/local-service/storage/blobs.ts';
import { FolderBlobs } from '../../../../src/local-service/storage/folder-blobs.ts';
import { storageErrorOf } from '../../../../src/local-service/storage-errors.ts';
import { file, manyBytes } from '../../../rigs/blob-stores.ts';
import { fillDisk, smallDisk } from '../../../rigs/small-disk.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const KEY = 'video/1.mp4';

test('a shared folder that is not mounted is an outage, and its blobs are not missing', async () => {
  const folder = path.join(temporaryFolder(), 'share');
  const unreachable = { code: 'STORAGE_OUTAGE', outage: 'unreachable' };
  mkdirSync(folder);
  const blobs = new FolderBlobs(folder);
  await blobs.put([{ key: KEY, file: file('x') }]);
  renameSync(folder, `${folder}-elsewhere`);
  const source = file('y');
  await expect(blobs.stat(KEY)).rejects.toMatchObject(unreachable);
  await expect(blobs.open(KEY)).rejects.toMatchObject(unreachable);
  await expect(blobs.delete([KEY])).rejects.toMatchObject(unreachable);
  await expect(blobs.list('')[Symbol.asyncIterator]().next()).rejects.toMatchObject(unreachable);
  await expect(blobs.put([{ key: KEY, file: source }])).rejects.toMatchObject(unreachable);
  expect(existsSync(source)).toBe(true);
  expect(existsSync(folder)).toBe(false);

  renameSync(`${folder}-elsewhere`, folder);
  await blobs.put([{ key: KEY, file: source }]);
  expect(readFileSync(path.join(folder, KEY), 'utf8')).toBe('y');
});

test('no symbolic link below the folder is followed', async () => {
  const outside = temporaryFolder();
  const folder = temporaryFolder();
  writeFileSync(path.join(outside, '1.mp4'), 'secret');
  symlinkSync(outside, path.join(folder, 'video'));
  mkdirSync(path.join(folder, 'other'));
  symlinkSync(path.join(outside, '1.mp4'), path.join(folder, 'other', '1.mp4'));
  const blobs = new FolderBlobs(folder);
  for (const key of ['video/1.mp4', 'other/1.mp4']) {
    expect(await blobs.stat(key)).toBeUndefined();
    expect(await blobs.open(key)).toBeUndefined();
  }
  await expect(blobs.put([{ key: 'video/2.mp4', file: file('x') }])).rejects.toThrow();
  expect(existsSync(path.join(outside, '2.mp4'))).toBe(false);
});

test.skipIf(process.platform === 'win32')('a pipe is no blob, and does not block', async () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'video'));
  execFileSync('mkfifo', [path.join(folder, KEY)]);
  const blobs = new FolderBlobs(folder);
  expect(await blobs.stat(KEY)).toBeUndefined();
  expect(await blobs.open(KEY, { range: { first: 0, last: 0 } })).toBeUndefined();
});

test('a blob that becomes shorter while it is read fails its reader', async () => {
  const folder = temporaryFolder();
  const blobs = new FolderBlobs(folder);
  await blobs.put([{ key: KEY, file: file(manyBytes('film', 3_000_000)) }]);
  const opened = await blobs.open(KEY);
  writeFileSync(path.join(folder, KEY), 'short');
  await expect(buffer(opened!.content)).rejects.toMatchObject({ code: 'BLOB_DAMAGED' });
});

describe('several blobs of which one cannot be stored', () => {
  test('keep all their files, which can be put again', async () => {
    const folder = temporaryFolder();
    const blobs = new FolderBlobs(folder);
    const files = ['poster', 'film'].map((content) => file(content));
    // A file cannot replace a folder.
    mkdirSync(path.join(folder, KEY), { recursive: true });
    const put = () =>
      blobs.put(['video/1.jpg', KEY].map((key, index) => ({ key, file: files[index]! })));
    await expect(put()).rejects.toThrow();
    expect(files.map((name) => readFileSync(name, 'utf8'))).toEqual(['poster', 'film']);
    expect(await blobs.stat('video/1.jpg')).toBeUndefined();
    rmSync(path.join(folder, KEY), { recursive: true });
    expect((await put()).map(({ size }) => size)).toEqual([6, 4]);
    expect(files.filter((name) => existsSync(name))).toEqual([]);
  });

  test('keep all their files on another disk', async (context) => {
    const folder = await smallDisk(context, 4);
    const blobs = new FolderBlobs(folder);
    const files = [manyBytes('poster', 1000), manyBytes('film', 5_000_000)].map((bytes) =>
      file(bytes),
    );
    const put = ['video/1.jpg', KEY].map((key, index) => ({ key, file: files[index]! }));
    await expect(blobs.put(put)).rejects.toMatchObject({ outage: 'full' });
    expect(files.every((name) => existsSync(name))).toBe(true);
    expect(readdirSync(path.join(folder, 'video'))).toEqual([]);
  });
});

describe('a folder on another disk than the file', () => {
  test('gets a whole copy, or is reported as full and keeps the file', async (context) => {
    const folder = await smallDisk(context, 4);
    const blobs = new FolderBlobs(folder);
    const content = manyBytes('film', 1_000_000);
    await blobs.put([{ key: KEY, file: file(content) }]);
    expect(readFileSync(path.join(folder, KEY)).equals(content)).toBe(true);

    const release = fillDisk(folder);
    const source = file(content);
    await expect(blobs.put([{ key: 'video/2.mp4', file: source }])).rejects.toMatchObject({
      outage: 'full',
    });
    expect(existsSync(source)).toBe(true);
    expect(existsSync(path.join(folder, 'video', '2.mp4.part'))).toBe(false);
    release();
    await blobs.put([{ key: 'video/2.mp4', file: source }]);
    expect((await blobs.stat('video/2.mp4'))?.size).toBe(content.length);
  });

  test('gets nothing of a put that is aborted during its copy', async (context) => {
    const folder = await smallDisk(context, 4);
    const blobs = new FolderBlobs(folder);
    const source = file(manyBytes('film', 1_000_000));
    const stop = new AbortController();
    const put = blobs.put([{ key: KEY, file: source }], stop.signal);
    stop.abort(new Error('The service is shutting down.'));
    await expect(put).rejects.toThrow('The service is shutting down.');
    expect(existsSync(source)).toBe(true);
    expect(readdirSync(path.join(folder, 'video'))).toEqual([]);
  });
});

test.each([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EACCES', 'refused'],
  ['EROFS', 'refused'],
  ['ESTALE', 'unreachable'],
  ['EIO', 'unreachable'],
])('the error %s of a file system is an outage: %s', (code, outage) => {
  const error = Object.assign(new Error(code), { code });
  expect(storageErrorOf(error)).toMatchObject({ outage, cause: error });
});

describe('a blob that was replaced by other bytes of the same length', () => {
  const right = manyBytes('film', 1_000_000);
  const wrong = manyBytes('other', 1_000_000);
  const sha256 = createHash('sha256').update(right).digest('hex');
  const expected = { size: right.length, sha256 };
  const read = async (blobs: FolderBlobs, range?: BlobRange): Promise<Buffer> => {
    const opened = await blobs.open(KEY, { expected, range });
    return buffer(opened!.content);
  };
  const damaged = { message: expect.stringContaining('its bytes are others') as string };

  test.each([
    ['this', true],
    ['another', false],
  ])('fails its readers when %s process had stored it', async (_, isOwn) => {
    const folder = temporaryFolder();
    const writer = new FolderBlobs(folder);
    await writer.put([{ key: KEY, file: file(right), sha256 }]);
    const blobs = isOwn ? writer : new FolderBlobs(folder);
    for (let time = 0; time < 2; time += 1) expect(await read(blobs)).toEqual(right);
    const target = path.join(folder, KEY);
    writeFileSync(`${target}.new`, wrong);
    renameSync(`${target}.new`, target);
    for (let time = 0; time < 2; time += 1) {
      await expect(read(blobs)).rejects.toMatchObject(damaged);
    }
  });

  test('fails also when the file is written to in place', async () => {
    const folder = temporaryFolder();
    const blobs = new FolderBlobs(folder);
    await blobs.put([{ key: KEY, file: file(right), sha256 }]);
    expect(await read(blobs)).toEqual(right);
    writeFileSync(path.join(folder, KEY), wrong);
    // Not within the same tick of the file system's clock.
    utimesSync(path.join(folder, KEY), 1, 1);
    await expect(read(blobs)).rejects.toMatchObject(damaged);
  });

  test.each([
    ['the whole', undefined],
    ['a part', { first: 10, last: 900_000 }],
  ])('fails a reader of %s when the file is written to after it was checked', async (_, range) => {
    const folder = temporaryFolder();
    const blobs = new FolderBlobs(folder);
    await blobs.put([{ key: KEY, file: file(right), sha256 }]);
    const opened = await blobs.open(KEY, { expected, range });
    writeFileSync(path.join(folder, KEY), wrong);
    // Not within the same tick of the file system's clock.
    utimesSync(path.join(folder, KEY), 1, 1);
    await expect(buffer(opened!.content)).rejects.toMatchObject({
      name: 'BlobDamagedError',
      message: expect.stringContaining('written to') as string,
    });
    await expect(read(blobs, range)).rejects.toMatchObject(damaged);
  });

  test('is read to its end when it is deleted meanwhile', async () => {
    const blobs = new FolderBlobs(temporaryFolder());
    await blobs.put([{ key: KEY, file: file(right), sha256 }]);
    const opened = await blobs.open(KEY, { expected, range: { first: 0, last: 900_000 } });
    await blobs.delete([KEY]);
    expect((await buffer(opened!.content)).equals(right.subarray(0, 900_001))).toBe(true);
  });

  test.each([
    ['this', true],
    ['another', false],
  ])('fails a reader of a part when %s process had stored it', async (_, isOwn) => {
    const folder = temporaryFolder();
    const writer = new FolderBlobs(folder);
    const other = createHash('sha256').update(wrong).digest('hex');
    await writer.put([{ key: KEY, file: file(wrong), sha256: other }]);
    const blobs = isOwn ? writer : new FolderBlobs(folder);
    for (let time = 0; time < 2; time += 1) {
      await expect(read(blobs, { first: 0, last: 9 })).rejects.toMatchObject(damaged);
    }
  });

  test('fails readers of parts when it is replaced between them', async () => {
    const folder = temporaryFolder();
    await new FolderBlobs(folder).put([{ key: KEY, file: file(right), sha256 }]);
    const blobs = new FolderBlobs(folder);
    const part = { first: 500_000, last: 500_009 };
    expect(await read(blobs, part)).toEqual(right.subarray(500_000, 500_010));
    const target = path.join(folder, KEY);
    writeFileSync(`${target}.new`, wrong);
    renameSync(`${target}.new`, target);
    await expect(read(blobs, part)).rejects.toMatchObject(damaged);
  });

  test('fails a reader that continues after a part', async () => {
    const folder = temporaryFolder();
    await new FolderBlobs(folder).put([{ key: KEY, file: file(wrong) }]);
    const blobs = new FolderBlobs(folder);
    const last = await blobs.open(KEY, { expected, range: { first: 0, last: right.length - 1 } });
    let received = 0;
    last!.content.on('data', (chunk: Buffer) => void (received += chunk.length));
    await expect(finished(last!.content)).rejects.toMatchObject(damaged);
    expect(received).toBeLessThan(right.length);
    const rest = { first: received, last: right.length - 1 };
    await expect(read(blobs, rest)).rejects.toMatchObject(damaged);
  });
});
