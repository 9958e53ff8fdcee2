import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { Mp4Writer } from '../../src/local-service/rendering/mp4-writer.ts';

const MAX_UINT32 = 0xffff_ffff;

/** A video of three seconds: black, blue, red. Returns its path. */
export function film(folder: string, width: number, height: number): Promise<string> {
  const name = `film-${width}x${height}.mp4`;
  return paintedFilm(path.join(folder, name), width, height, (context, second) => {
    context.fillStyle = ['#000000', '#0000ff', '#ff0000'][second] ?? '#000000';
    context.fillRect(0, 0, width, height);
  });
}

/** A video of three seconds, each with one picture. Returns its path. */
export async function paintedFilm(
  file: string,
  width: number,
  height: number,
  paint: (context: SKRSContext2D, second: number) => void,
): Promise<string> {
  const fps = 5;
  const writer = await Mp4Writer.open({
    path: file,
    width,
    height,
    fps,
    frames: 3 * fps,
    sound: undefined,
  });
  const canvas = createCanvas(width, height);
  for (const second of [0, 1, 2]) {
    paint(canvas.getContext('2d'), second);
    for (let frame = 0; frame < fps; frame += 1) {
      const changed = frame === 0 ? { x: 0, y: 0, width, height } : undefined;
      await writer.addPicture({ canvas, changed });
    }
  }
  await writer.finish();
  await writer.close();
  return file;
}

/** Videos that are valid for saving, but cost a reader far more than their size suggests. */
export const HOSTILE_VIDEOS = {
  'whose time table has more entries than it holds': (film: Buffer) =>
    overwrite(film, 'stts', 4, MAX_UINT32),
  'whose time table counts four billion samples': (film: Buffer) =>
    overwrite(film, 'stts', 8, MAX_UINT32),
  'whose chunks hold four billion samples each': (film: Buffer) =>
    overwrite(film, 'stsc', 12, MAX_UINT32),
  'whose size table has more entries than it holds': (film: Buffer) =>
    overwrite(film, 'stsz', 8, MAX_UINT32),
} as const;

/** Overwrites the four bytes at `offset` of a box's content. */
function overwrite(film: Buffer, type: string, offset: number, value: number): Buffer {
  const copy = Buffer.from(film);
  copy.writeUInt32BE(value, copy.indexOf(type) + 4 + offset);
  return copy;
}

/** A video in fragments, one of which claims four billion samples without a byte for each. */
export function endlessFragment(folder: string): string {
  const file = path.join(folder, 'fragments.mp4');
  ffmpeg('color=red:s=320x240:r=5:d=2', ['-movflags', '+frag_keyframe+empty_moov'], file);
  const bytes = readFileSync(file);
  const run = overwrite(overwrite(bytes, 'trun', 0, 0), 'trun', 4, MAX_UINT32);
  writeFileSync(file, run);
  return file;
}

/** A video whose container says 640 × 480, and whose pictures are 12,000 × 12,000. */
export function pictureBomb(folder: string): string {
  const file = path.join(folder, 'bomb.mp4');
  ffmpeg('color=red:s=12000x12000:r=1:d=1', [], file);
  const bytes = readFileSync(file);
  const entry = bytes.indexOf('avc1', bytes.indexOf('stsd')) + 4;
  bytes.writeUInt16BE(640, entry + 24);
  bytes.writeUInt16BE(480, entry + 26);
  const track = bytes.indexOf('tkhd') - 4;
  const end = track + bytes.readUInt32BE(track);
  bytes.writeUInt16BE(640, end - 8);
  bytes.writeUInt16BE(480, end - 4);
  writeFileSync(file, bytes);
  return file;
}

function ffmpeg(source: string, options: readonly string[], file: string): void {
  const quiet = ['-loglevel', 'error', '-y', '-f', 'lavfi', '-i', source];
  const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  execFileSync('ffmpeg', [...quiet, ...encoder, ...options, file]);
}
