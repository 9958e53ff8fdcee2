import type { Image } from '@napi-rs/canvas';
import { loadImage } from '@napi-rs/canvas';
import { readFile } from 'node:fs/promises';
import { hasSizeOf, readImageHeader } from './image-header.ts';
import { bytesOfDataUrl, imageIssue, type NamedImage } from './image-limits.ts';
import { ImageUnreadableError } from './render-errors.ts';

/** A decoded image. Disposing of it frees its pixels immediately. */
export interface DecodedImage extends Disposable {
  readonly pixels: Image;
}

/** @throws {ImageUnreadableError} */
export type DecodeImage = (image: Pick<NamedImage, 'image' | 'of'>) => Promise<DecodedImage>;

/** @param files the file of each uploaded image */
export function imageDecoder(files: Readonly<Record<string, string>>): DecodeImage {
  return async ({ image, of }) => {
    try {
      const bytes = image.startsWith('data:')
        ? bytesOfDataUrl(image)
        : await readUpload(image, files);
      // Checked again, since the file may have changed after the video was accepted.
      const header = readImageHeader(bytes);
      const issue = imageIssue(header);
      if (issue !== undefined) throw new Error(issue);
      const pixels = await loadImage(bytes);
      if (!hasSizeOf(header, pixels)) {
        throw new Error('has not the size that its header states');
      }
      // The garbage collector does not know how much memory the pixels take.
      return { pixels, [Symbol.dispose]: () => (pixels.src = Buffer.alloc(0)) };
    } catch (cause) {
      throw new ImageUnreadableError(of, cause);
    }
  };
}

async function readUpload(id: string, files: Readonly<Record<string, string>>): Promise<Buffer> {
  const file = files[id];
  if (file === undefined) throw new Error('unknown image');
  return await readFile(file);
}
