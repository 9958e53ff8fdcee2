import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { seededVideo } from '../../test/rigs/seeded-video.ts';

const PIECE = 16 * 1024 * 1024;

/** Writes a file of `size` bytes, below 4 GiB, that is a video as far as its boxes go. */
export async function writeLargeVideo(path: string, size: number): Promise<void> {
  const small = seededVideo(1, 4096).bytes;
  const media = small.indexOf('mdat') - 4;
  const head = Buffer.from(small.subarray(0, media + 8));
  head.writeUInt32BE(size - media, media);
  const noise = randomBytes(PIECE);
  const file = await open(path, 'w');
  try {
    await file.write(head);
    for (let left = size - head.length; left > 0; left -= PIECE) {
      await file.write(noise, 0, Math.min(left, PIECE));
    }
  } finally {
    await file.close();
  }
}
