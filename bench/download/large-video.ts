import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { seededVideo } from '../../test/rigs/seeded-video.ts';

const CHUNK_BYTES = 16 * 1024 * 1024;

/** Writes a file of `size` bytes, below 4 GiB, with an MP4's boxes and random media data. */
export async function writeLargeVideo(path: string, size: number): Promise<void> {
  const small = seededVideo(1, 4096).bytes;
  const media = small.indexOf('mdat') - 4;
  const head = Buffer.from(small.subarray(0, media + 8));
  head.writeUInt32BE(size - media, media);
  const noise = randomBytes(CHUNK_BYTES);
  const file = await open(path, 'w');
  try {
    await file.write(head);
    for (let left = size - head.length; left > 0; left -= CHUNK_BYTES) {
      await file.write(noise, 0, Math.min(left, CHUNK_BYTES));
    }
  } finally {
    await file.close();
  }
}
