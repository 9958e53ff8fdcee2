import type { Image } from '@napi-rs/canvas';
import { loadImage } from '@napi-rs/canvas';
import { readFile } from 'node:fs/promises';
import { ImageUnreadableError } from './render-errors.ts';
import type { Storyboard } from './storyboard.ts';

/** Pixels beyond which an image is refused: decoding a small file can take gigabytes. */
const MAX_IMAGE_PIXELS = 64_000_000;

/** The decoded pictures of a storyboard, by what its scenes call them (data URL or id). */
export type Images = ReadonlyMap<string, Image>;

/**
 * Decodes the images of all image scenes.
 * @throws {ImageUnreadableError}
 */
export async function loadImages(
  storyboard: Storyboard,
  files: Readonly<Record<string, string>>,
): Promise<Images> {
  const images = new Map<string, Image>();
  for (const [index, scene] of storyboard.scenes.entries()) {
    if (scene.kind !== 'image' || images.has(scene.image)) continue;
    const where = `scene ${index + 1}`;
    try {
      const image = await loadImage(await bytesOf(scene.image, files));
      if (image.width * image.height > MAX_IMAGE_PIXELS) throw new Error('too large');
      images.set(scene.image, image);
    } catch (cause) {
      throw new ImageUnreadableError(where, cause);
    }
  }
  return images;
}

async function bytesOf(image: string, files: Readonly<Record<string, string>>): Promise<Buffer> {
  if (image.startsWith('data:')) {
    return Buffer.from(image.slice(image.indexOf(',') + 1), 'base64');
  }
  const file = files[image];
  if (file === undefined) throw new Error('unknown image');
  return await readFile(file);
}
