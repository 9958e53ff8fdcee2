import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';

/** In pixels. Desktops, installers and the tray choose the sizes that they need. */
const SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024];

/** Template images for the macOS menu bar, which uses only their alpha channel. Sizes in pixels. */
const TRAY = [
  ['trayTemplate.png', 16],
  ['trayTemplate@2x.png', 32],
] as const;

/** In pixels. Up to this size the mark has no frame and no fine detail, which would blur. */
const MAX_SMALL_SIZE = 32;

/**
 * Draws the mark in every size, as `16x16.png` and so on: file names that electron-builder expects.
 *
 * @param source folder of `mark.svg`, `mark-small.svg` and `mark-template.svg`
 */
export async function drawIcons(source: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const size of SIZES) {
    const mark = size <= MAX_SMALL_SIZE ? 'mark-small.svg' : 'mark.svg';
    await draw(path.join(source, mark), size, path.join(folder, `${size}x${size}.png`));
  }
  for (const [name, size] of TRAY) {
    await draw(path.join(source, 'mark-template.svg'), size, path.join(folder, name));
  }
}

async function draw(svg: string, size: number, file: string): Promise<void> {
  const image = await loadImage(await readFile(svg));
  const canvas = createCanvas(size, size);
  canvas.getContext('2d').drawImage(image, 0, 0, size, size);
  await writeFile(file, canvas.toBuffer('image/png'));
}
