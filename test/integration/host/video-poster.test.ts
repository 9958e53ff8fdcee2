import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { expect, test } from 'vitest';
import { makePoster } from '../../../src/host/video-poster.ts';
import { Mp4Writer } from '../../../src/local-service/rendering/mp4-writer.ts';
import { seededVideo } from '../../rigs/seeded-video.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

/** A film of three seconds: black, then blue, then red, a second each. */
async function film(width: number, height: number): Promise<string> {
  const file = path.join(temporaryFolder(), 'film.mp4');
  const fps = 5;
  const writer = await Mp4Writer.open({
    ...{ path: file, width, height, fps, frames: 3 * fps, sound: undefined },
  });
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  for (const colour of ['#000000', '#0000ff', '#ff0000']) {
    context.fillStyle = colour;
    context.fillRect(0, 0, width, height);
    for (let frame = 0; frame < fps; frame += 1) {
      const changed = frame === 0 ? { top: 0, height } : undefined;
      await writer.addPicture({ canvas, changed });
    }
  }
  await writer.finish();
  await writer.close();
  return file;
}

async function colourOf(jpeg: Buffer) {
  const image = await loadImage(jpeg);
  const canvas = createCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const [red = 0, green = 0, blue = 0] = context.getImageData(9, 9, 1, 1).data;
  return { width: image.width, height: image.height, red, green, blue };
}

test('a poster shows the film once it has begun, in its own proportions', async () => {
  const { width, height, red, green, blue } = await colourOf(
    await makePoster(await film(1280, 720)),
  );
  expect({ width, height }).toEqual({ width: 640, height: 360 });
  expect(blue).toBeGreaterThan(200);
  expect(Math.max(red, green)).toBeLessThan(60);
});

test('a small upright film is not blown up', async () => {
  const { width, height } = await colourOf(await makePoster(await film(144, 256)));
  expect({ width, height }).toEqual({ width: 144, height: 256 });
});

test.each([
  ['whose pictures are noise', seededVideo(1, 4096).bytes],
  ['that is none', Buffer.from('<html>')],
  ['that is empty', Buffer.alloc(0)],
])('a file %s has no poster, and does no harm', async (_, bytes) => {
  const file = path.join(temporaryFolder(), 'film.mp4');
  writeFileSync(file, bytes);
  await expect(makePoster(file)).rejects.toThrow();
});
