import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';

/** In pixels. Desktops, installers and the tray choose the ones that they need. */
const SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024];

/** For the menu bar of macOS, which uses what is not transparent, in its own colour. */
const TRAY = [
  ['trayTemplate.png', 16],
  ['trayTemplate@2x.png', 32],
] as const;

/** Below this the mark gives up its frame and its fine detail, which would be a smudge. */
const SMALL = 32;

/**
 * Draws the mark in every size, as `16x16.png` and so on: names that electron-builder knows.
 *
 * @param source folder of `mark.svg`, `mark-small.svg` and `mark-template.svg`
 */
export async function drawIcons(source: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const size of SIZES) {
    const mark = size <= SMALL ? 'mark-small.svg' : 'mark.svg';
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
