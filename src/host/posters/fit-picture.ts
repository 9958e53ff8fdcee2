/** Converts a picture to what a service takes. */
import { createCanvas, loadImage, type Canvas, type Image } from '@napi-rs/canvas';
import type { PictureFit } from '../../engine/pictures/picture-fit.ts';

/** The first quality that fits is used: below 70, blocks are seen. */
const QUALITIES = [92, 85, 78, 70];
/** Each further attempt has this part of the sides before. */
const SMALLER = 0.8;
/** Pixels of the longer side; a smaller picture is of no use. */
const MIN_SIDE = 64;
/** Every decoded pixel takes four bytes. */
const MAX_PIXELS = 64_000_000;

/**
 * A picture turned as its metadata say, scaled and encoded until it fits. Equal bytes give equal
 * bytes.
 *
 * Loads native code and decodes hostile bytes: only the decoder program may import this module.
 *
 * @throws an error that describes the problem with the file
 */
export async function fitPicture(bytes: Buffer, fit: PictureFit): Promise<Buffer> {
  const image = await loadImage(bytes);
  const longer = Math.max(image.width, image.height);
  if (longer === 0 || image.width * image.height > MAX_PIXELS) {
    throw new Error('It has no size that can be decoded.');
  }
  const smallest = Math.min(MIN_SIDE, longer, fit.maxSide);
  for (let side = Math.min(fit.maxSide, longer); side >= smallest; side *= SMALLER) {
    const canvas = drawn(image, side / longer);
    for (const quality of fit.format === 'png' ? [100] : QUALITIES) {
      const encoded = await encode(canvas, fit.format, quality);
      if (encoded.length <= fit.maxBytes) return encoded;
    }
  }
  throw new Error('It does not fit.');
}

function drawn(image: Image, scale: number): Canvas {
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, width, height);
  return canvas;
}

function encode(canvas: Canvas, format: PictureFit['format'], quality: number): Promise<Buffer> {
  switch (format) {
    case 'png':
      return canvas.encode('png');
    case 'jpeg':
      return canvas.encode('jpeg', quality);
    case 'webp':
      return canvas.encode('webp', quality);
  }
}
