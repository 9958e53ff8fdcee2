import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';

/** In pixels. Desktops, installers and the tray choose the ones that they need. */
const SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024];

/** Below this the mark gives up its frame and its fine detail, which would be a smudge. */
const SMALL = 32;

/**
 * Draws the mark in every size, as `16x16.png` and so on: names that electron-builder knows.
 *
 * @param source folder of `mark.svg` and `mark-small.svg`
 */
export async function drawIcons(source: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const size of SIZES) {
    const svg = await readFile(path.join(source, size <= SMALL ? 'mark-small.svg' : 'mark.svg'));
    const image = await loadImage(svg);
    const canvas = createCanvas(size, size);
    canvas.getContext('2d').drawImage(image, 0, 0, size, size);
    await writeFile(path.join(folder, `${size}x${size}.png`), canvas.toBuffer('image/png'));
  }
}
