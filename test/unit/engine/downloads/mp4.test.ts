import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { inspectMp4 } from '../../../../src/engine/downloads/mp4.ts';
import type { ReadAt } from '../../../../src/engine/downloads/mp4-boxes.ts';
import { verifyFile } from '../../../../src/engine/downloads/verify.ts';
import { box, seededVideo } from '../../../rigs/seeded-video.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

/** A reader of bytes in memory that counts reads and bytes. */
function counting(bytes: Buffer): { read: ReadAt; counted: { reads: number; bytes: number } } {
  const counted = { reads: 0, bytes: 0 };
  const read: ReadAt = (position, length) => {
    const piece = bytes.subarray(position, position + length);
    counted.reads += 1;
    counted.bytes += piece.length;
    return Promise.resolve(piece);
  };
  return { read, counted };
}

/** A whole video, followed by empty boxes of so many bytes. */
function withEmptyBoxes(length: number): Buffer {
  const video = seededVideo(1, 4096).bytes;
  return Buffer.concat([video, Buffer.concat(Array(length / 8).fill(box('free')))]);
}

// abuse.md 32
test('reads a file of small boxes in large pieces, once, and refuses a million of them', async () => {
  const some = withEmptyBoxes(1024 * 1024);
  const few = counting(some);
  expect(await inspectMp4(few.read, some.length)).toMatchObject({ kind: 'whole' });
  expect(few.counted.reads).toBeLessThan(40);
  expect(few.counted.bytes).toBeLessThan(some.length * 1.5);

  const bytes = withEmptyBoxes(8 * 1024 * 1024);
  const many = counting(bytes);
  expect(await inspectMp4(many.read, bytes.length)).toMatchObject({
    kind: 'broken',
    reason: { says: [{ sentence: 'file-boxes-too-many' }] },
  });
  expect(many.counted.reads).toBeLessThan(200);
});

// abuse.md 32
test('counts the boxes inside of a header as well', async () => {
  const empty = Buffer.concat(Array(300_000).fill(box('free')));
  const bytes = Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\x02\0', 'latin1')),
    box('moov', box('trak', empty)),
    box('mdat', Buffer.alloc(8)),
  ]);
  const { read } = counting(bytes);
  expect(await inspectMp4(read, bytes.length)).toMatchObject({
    kind: 'broken',
    reason: { says: [{ sentence: 'file-boxes-too-many' }] },
  });
});

// abuse.md 32
test('stops between two reads when aborted', async () => {
  const bytes = withEmptyBoxes(1024 * 1024);
  const { read, counted } = counting(bytes);
  const interruption = new AbortController();
  const interrupting: ReadAt = (position, length) => {
    if (counted.reads === 3) interruption.abort(new Error('interrupted'));
    return read(position, length);
  };
  await expect(inspectMp4(interrupting, bytes.length, interruption.signal)).rejects.toThrow(
    'interrupted',
  );
  expect(counted.reads).toBe(4);
});

test('a verification that is interrupted while it reads the boxes rejects', async () => {
  const file = path.join(temporaryFolder(), 'film.mp4');
  writeFileSync(file, withEmptyBoxes(1024 * 1024));
  const interruption = AbortSignal.abort(new Error('interrupted'));
  await expect(verifyFile(file, {}, interruption)).rejects.toThrow('interrupted');
});

test.each([
  ['at the end of its media', -1],
  ['in the middle of a box', -2000],
])('a video that is cut %s is cut', async (_, by) => {
  const bytes = seededVideo(1, 4096).bytes.subarray(0, by);
  const { read } = counting(bytes);
  expect(await inspectMp4(read, bytes.length)).toEqual({ kind: 'cut' });
});

test('a box that ends beyond the file, behind a whole video, is cut', async () => {
  const tail = box('free', Buffer.alloc(100)).subarray(0, 50);
  const bytes = Buffer.concat([seededVideo(1, 4096).bytes, tail]);
  const { read } = counting(bytes);
  expect(await inspectMp4(read, bytes.length)).toEqual({ kind: 'cut' });
});
