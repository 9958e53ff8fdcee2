import { createCanvas, loadImage } from '@napi-rs/canvas';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PictureFit } from '../../../src/engine/pictures/picture-fit.ts';
import { readPictureHeader } from '../../../src/engine/pictures/picture-header.ts';
import { DECODER_FILE, decoderInNode } from '../../../src/host/posters/decoder-process.ts';
import { PictureFitter } from '../../../src/host/posters/picture-fitter.ts';
import { blankPng, deepInterlacedPng, noisePng, turnedJpeg } from '../../rigs/pictures.ts';

const NO_LIMIT = 2 ** 31 - 1;

let fitter: PictureFitter;
beforeEach(() => {
  fitter = new PictureFitter(decoderInNode(DECODER_FILE));
});
afterEach(() => fitter.close());

function fit(bytes: Buffer, wanted: Partial<PictureFit>): Promise<Buffer | null> {
  return fitter.fit(bytes, { maxSide: NO_LIMIT, maxBytes: NO_LIMIT, format: 'jpeg', ...wanted });
}

/** A picture whose left half is red, and whose right half is blue. */
function halves(width: number, height: number) {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#e02020';
  context.fillRect(0, 0, width / 2, height);
  context.fillStyle = '#2020e0';
  context.fillRect(width / 2, 0, width / 2, height);
  return canvas;
}

/** Red, green, blue and alpha of the pixel at a part of the width and height. */
async function pixelAt(bytes: Buffer, x: number, y: number): Promise<number[]> {
  const image = await loadImage(bytes);
  const canvas = createCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const at = [Math.floor(x * image.width), Math.floor(y * image.height)] as const;
  return [...context.getImageData(...at, 1, 1).data];
}

describe('a picture is converted in another process', () => {
  it('turned as its metadata say, and scaled', async () => {
    const photo = turnedJpeg(halves(5712, 4284).toBuffer('image/jpeg', 90), 6);
    const fitted = await fit(photo, { maxSide: 2048 });
    expect(readPictureHeader(fitted!)).toMatchObject({
      format: 'jpeg',
      width: 1536,
      height: 2048,
      orientation: 1,
    });
    // A quarter clockwise: the left half is at the top.
    const [top, bottom] = [await pixelAt(fitted!, 0.5, 0.1), await pixelAt(fitted!, 0.5, 0.9)];
    expect(top[0]).toBeGreaterThan(200);
    expect(bottom[2]).toBeGreaterThan(200);
  });

  it('to equal bytes each time', async () => {
    const png = halves(900, 600).toBuffer('image/png');
    expect(await fit(png, { maxSide: 300 })).toEqual(await fit(png, { maxSide: 300 }));
  });

  it('until it has few enough bytes', async () => {
    const noise = noisePng(1600, 1200);
    const fitted = await fit(noise, { maxBytes: 60_000 });
    expect(fitted!.length).toBeLessThanOrEqual(60_000);
    expect(readPictureHeader(fitted!)?.width).toBeLessThan(1600);
  });

  it('with its transparent parts', async () => {
    const canvas = createCanvas(800, 400);
    canvas.getContext('2d').fillRect(0, 0, 400, 400);
    const fitted = await fit(canvas.toBuffer('image/png'), { maxSide: 200, format: 'png' });
    expect(readPictureHeader(fitted!)).toMatchObject({ format: 'png', width: 200, height: 100 });
    expect((await pixelAt(fitted!, 0.1, 0.5))[3]).toBe(255);
    expect((await pixelAt(fitted!, 0.9, 0.5))[3]).toBe(0);
  });

  it('from 16 bits, interlaced', async () => {
    const fitted = await fit(deepInterlacedPng(60, 30), { maxSide: 20 });
    expect(readPictureHeader(fitted!)).toMatchObject({ format: 'jpeg', width: 20, height: 10 });
    expect(await pixelAt(fitted!, 0.5, 0.5)).toEqual([0, 0, 0, 255]);
  });

  it('from AVIF', async () => {
    const avif = await halves(300, 200).encode('avif');
    expect(readPictureHeader(avif)).toMatchObject({ format: 'avif', width: 300, height: 200 });
    const fitted = await fit(avif, {});
    expect(readPictureHeader(fitted!)).toMatchObject({ format: 'jpeg', width: 300, height: 200 });
    expect((await pixelAt(fitted!, 0.1, 0.5))[0]).toBeGreaterThan(200);
  });

  it('from SVG', async () => {
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="20" height="20" fill="#e02020"/></svg>',
    );
    const fitted = await fit(svg, { format: 'png', maxSide: 2048 });
    const header = readPictureHeader(fitted!);
    expect(header!.width / header!.height).toBe(2);
    expect(await pixelAt(fitted!, 0.2, 0.5)).toEqual([224, 32, 32, 255]);
    expect((await pixelAt(fitted!, 0.8, 0.5))[3]).toBe(0);
  });

  it.each([
    [
      'that is nested too deep',
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${'<g>'.repeat(100_000)}`),
    ],
    ['that is none', Buffer.from('just text')],
    ['whose end is missing', halves(900, 600).toBuffer('image/jpeg').subarray(0, 300)],
    ['with too many pixels', blankPng(12_000, 12_000)],
    ['that cannot become as small', noisePng(900, 900)],
  ])('and a file is refused %s', async (_, bytes) => {
    expect(await fit(bytes, { maxBytes: 200, format: 'png' })).toBeNull();
    // The next one is converted all the same.
    expect(await fit(noisePng(40, 30), {})).not.toBeNull();
  });
});
