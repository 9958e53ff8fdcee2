/** Clips made by ffmpeg, and their frames as ffmpeg decodes them. */
import { execFileSync, spawnSync } from 'node:child_process';

export const CLIP = { width: 96, height: 64 } as const;

/** Frames that all differ, on the whole picture. */
const SOURCE = `testsrc2=s=${CLIP.width}x${CLIP.height}`;

interface ClipOptions {
  readonly fps?: number;
  readonly seconds?: number;
  /** After the pictures' source. */
  readonly filter?: string;
  /** Of the encoder. */
  readonly encoding?: readonly string[];
}

/** @returns the file */
export function makeClip(file: string, options: ClipOptions = {}): string {
  const { fps = 30, seconds = 1, filter, encoding = ['-c:v', 'libx264'] } = options;
  const source = [`${SOURCE}:r=${fps}:d=${seconds}`, ...(filter === undefined ? [] : [filter])];
  const pictures = ['-f', 'lavfi', '-i', source.join(',')];
  const format = ['-pix_fmt', 'yuv420p'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...pictures, ...format, ...encoding, file], {
    stdio: 'ignore',
  });
  return file;
}

export interface ClipFrame {
  readonly seconds: number;
  /** RGB, row by row. */
  readonly pixels: Buffer;
}

/** All frames with their times, upright, scaled to a size. */
export function framesOf(
  file: string,
  { width, height }: { readonly width: number; readonly height: number } = CLIP,
): ClipFrame[] {
  const filter = `showinfo,scale=${width}:${height}:flags=bicubic,format=rgb24`;
  const raw = ['-fps_mode', 'passthrough', '-vf', filter, '-f', 'rawvideo', '-'];
  const { stdout, stderr } = spawnSync('ffmpeg', ['-i', file, ...raw], { maxBuffer: 1e9 });
  const size = width * height * 3;
  return [...stderr.toString().matchAll(/ pts_time:(\S+)/gu)].map(([, seconds], index) => ({
    seconds: Number(seconds),
    pixels: stdout.subarray(index * size, (index + 1) * size),
  }));
}

/** The mean difference of two pictures, 0–255. @param rgba as a canvas has them */
export function differenceOf(rgba: ArrayLike<number>, rgb: Buffer): number {
  let sum = 0;
  for (let at = 0; at < rgb.length / 3; at++) {
    for (let part = 0; part < 3; part++) {
      sum += Math.abs((rgba[4 * at + part] ?? 0) - (rgb[3 * at + part] ?? 0));
    }
  }
  return sum / rgb.length;
}
