import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PictureChecks, type PictureReading } from '../../../src/engine/pictures/read-picture.ts';
import { readPictureHeader } from '../../../src/engine/pictures/picture-header.ts';
import { DECODER_FILE, decoderInNode } from '../../../src/host/posters/decoder-process.ts';
import { PictureFitter } from '../../../src/host/posters/picture-fitter.ts';
import { Thumbnails } from '../../../src/host/thumbnails.ts';
import { jpegWithPreview, noisePng, turnedJpeg } from '../../rigs/pictures.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

let fitter: PictureFitter;
let checks: PictureChecks;
/** Bytes of each picture that was decoded. */
let decoded: number[];
let thumbnails: Thumbnails;
beforeEach(() => {
  fitter = new PictureFitter(decoderInNode(DECODER_FILE));
  checks = new PictureChecks();
  decoded = [];
  thumbnails = new Thumbnails(checks, (bytes, ...wanted) => {
    decoded.push(bytes.length);
    return fitter.fit(bytes, ...wanted);
  });
});
afterEach(() => fitter.close());

function referenceOf(reading: PictureReading): string {
  return reading.kind === 'picture' ? `sha256:${reading.picture.sha256}` : '';
}

it('a checked picture has a small copy, which is made once', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'photo.jpg'), createCanvas(1600, 1200).toBuffer('image/jpeg'));
  const reference = referenceOf(await checks.check('photo.jpg', folder));
  const thumbnail = await thumbnails.of(reference);
  if (thumbnail.kind !== 'made') throw new Error('There is none.');
  const header = readPictureHeader(Buffer.from(thumbnail.webp, 'base64'));
  expect(header).toMatchObject({ format: 'webp', width: 96, height: 72 });
  expect(await thumbnails.of(reference)).toEqual(thumbnail);
  expect(decoded).toHaveLength(1);
});

it('no other file has one, and none that was replaced', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'photo.png');
  writeFileSync(file, noisePng(40, 30));
  expect(await thumbnails.of(`sha256:${'0'.repeat(64)}`)).toEqual({ kind: 'none' });
  const reference = referenceOf(await checks.check('photo.png', folder));
  writeFileSync(file, noisePng(41, 31));
  expect(await thumbnails.of(reference)).toEqual({ kind: 'none' });
  expect(decoded).toEqual([]);
});

/** A JPEG of one colour whose first quarter is white. */
function jpegOf(colour: string, width: number, height: number): Buffer {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = colour;
  context.fillRect(0, 0, width, height);
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width / 2, height / 2);
  return canvas.toBuffer('image/jpeg');
}

/** The thumbnail's size, what its last pixel shows, and in which corner the white quarter is. */
async function thumbnailOf(photo: Buffer) {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'photo.jpg'), photo);
  const reference = referenceOf(await checks.check('photo.jpg', folder));
  const thumbnail = await thumbnails.of(reference);
  if (thumbnail.kind !== 'made') throw new Error('There is none.');
  const image = await loadImage(Buffer.from(thumbnail.webp, 'base64'));
  const { width, height } = image;
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const corners = [0.1, 0.9].flatMap((y) =>
    [0.1, 0.9].map((x) => [...context.getImageData(x * width, y * height, 1, 1).data]),
  );
  const isWhite = (pixel: readonly number[]): boolean => Math.min(...pixel) > 200;
  const others = corners.filter((pixel) => !isWhite(pixel));
  const colour = others.every(([red = 0]) => red > 128) ? 'red' : 'blue';
  return { width, height, white: corners.findIndex(isWhite), colour };
}

it('a photo is shown as its metadata turn and mirror it, from its preview if it has one', async () => {
  const photo = jpegOf('#e02020', 800, 600);
  const preview = jpegOf('#2020e0', 160, 120);
  // The corner of the white quarter: at the top left, the top right, the bottom left or right.
  for (const [index, white] of [0, 1, 3, 2, 0, 1, 3, 2].entries()) {
    const [width, height] = index < 4 ? [96, 72] : [72, 96];
    const shown = { white, width, height };
    const turned = turnedJpeg(photo, index + 1);
    expect(await thumbnailOf(turned)).toEqual({ ...shown, colour: 'red' });
    const withPreview = jpegWithPreview(photo, preview, index + 1);
    expect(await thumbnailOf(withPreview)).toEqual({ ...shown, colour: 'blue' });
    expect(decoded.splice(0)).toEqual([turned.length, preview.length + 36]);
  }
});

it('a preview is not used that is too small, of another shape, or cut off', async () => {
  for (const preview of [
    jpegOf('#2020e0', 160, 90),
    jpegOf('#2020e0', 80, 60),
    jpegOf('#2020e0', 160, 120).subarray(0, 300),
    Buffer.from('just text'),
  ]) {
    const photo = jpegWithPreview(jpegOf('#e02020', 800, 600), preview);
    expect(await thumbnailOf(photo)).toMatchObject({ width: 96, height: 72, colour: 'red' });
    expect(decoded.splice(0)).toEqual([photo.length]);
  }
});

it('a preview that cannot be decoded is not used', async () => {
  const preview = Buffer.concat([
    Buffer.from('ffd8ffc0001108007800a003011100021100031100', 'hex'),
    Buffer.from('ffd9', 'hex'),
  ]);
  const photo = jpegWithPreview(jpegOf('#e02020', 800, 600), preview);
  expect(await thumbnailOf(photo)).toMatchObject({ colour: 'red' });
  expect(decoded).toHaveLength(2);
});
