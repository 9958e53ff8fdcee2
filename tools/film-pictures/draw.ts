/**
 * `npm run film-pictures [NAME…]`: draws the pictures of examples/films into examples/films/media.
 * Everything is computed here; nothing is photographed or taken from elsewhere.
 */
import type { Canvas } from '@napi-rs/canvas';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { drawMoon, drawLever, drawCake } from './teacher.ts';
import { drawRecord, drawShow, drawSpeaker } from './band.ts';
import { drawHouse, drawLakeHouse, drawRoom } from './estate.ts';
import { drawBowls, drawMug, drawVase } from './shop.ts';

const FOLDER = path.join(import.meta.dirname, '../../examples/films/media');

const PICTURES: Readonly<Record<string, () => Canvas>> = {
  'mug.webp': drawMug,
  'vase.webp': drawVase,
  'bowls.webp': drawBowls,
  'moon.jpg': drawMoon,
  'lever.jpg': drawLever,
  'cake.jpg': drawCake,
  'show.jpg': drawShow,
  'record.jpg': drawRecord,
  'speaker.jpg': drawSpeaker,
  'house.jpg': drawHouse,
  'lake-house.jpg': drawLakeHouse,
  'room.jpg': drawRoom,
};

const wanted = process.argv.slice(2);
for (const [name, draw] of Object.entries(PICTURES)) {
  if (wanted.length > 0 && !wanted.some((each) => name.startsWith(each))) continue;
  const canvas = draw();
  const bytes = name.endsWith('.webp')
    ? canvas.encodeSync('webp', 88)
    : canvas.encodeSync('jpeg', 86);
  writeFileSync(path.join(FOLDER, name), bytes);
  console.log(
    `${name}: ${canvas.width} × ${canvas.height}, ${Math.round(bytes.length / 1024)} KiB`,
  );
}
