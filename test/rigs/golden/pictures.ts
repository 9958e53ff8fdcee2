import { type Canvas, createCanvas, loadImage } from '@napi-rs/canvas';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import pixelmatch from 'pixelmatch';
import { FrameRenderer } from '../../../src/local-service/rendering/frame-renderer.ts';
import { imageDecoder } from '../../../src/local-service/rendering/image-source.ts';
import { renderToFiles } from '../../../src/local-service/rendering/render-to-files.ts';
import { pictureSize } from '../../../src/local-service/rendering/storyboard.ts';
import type { GoldenVideo } from './videos.ts';

const run = promisify(execFile);

/** A frame of a video as a player shows it, scaled down. */
export interface Picture {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** RGBA. */
  readonly pixels: Uint8ClampedArray;
}

const FOLDER = path.join(import.meta.dirname, '../../golden');

/**
 * Lines of a picture's shorter side. Scaling down averages out most differences of a lossy encoder.
 */
const SHORTER_SIDE = 180;

/**
 * How much a pixel may differ before it counts: 16 of 255 levels of grey. Smaller differences are
 * invisible at an edge, and vary between encoders.
 */
const THRESHOLD = 0.06;

/**
 * Pixels of a picture that may differ. docs/measured.md lists the differences of encoders and
 * defects.
 */
export const MAX_DIFFERENT_PIXELS = 24;

/** Renders as the service does. */
export async function renderVideo({ storyboard }: GoldenVideo, file: string): Promise<void> {
  const job = {
    storyboard,
    videoPath: file,
    posterPath: `${file}.jpg`,
    imageFiles: {},
    memoryBytes: Infinity,
  };
  await renderToFiles(job, () => undefined, new AbortController().signal);
}

/** The frames of a video that are compared as pictures, decoded from its file. */
export async function decodePictures(video: GoldenVideo, file: string): Promise<Picture[]> {
  const full = pictureSize(video.storyboard);
  const scale = SHORTER_SIDE / Math.min(full.width, full.height);
  const [width, height] = [Math.round(full.width * scale), Math.round(full.height * scale)];
  const chosen = Object.values(video.frames).map((frame) => `eq(n,${frame})`);
  const filters = [
    `select='${chosen.join('+')}'`,
    // Bit-exact, so that processors with other instructions produce the same pixels.
    `scale=${width}:${height}:flags=area+accurate_rnd+full_chroma_int+bitexact`,
    'format=rgba',
  ];
  const { stdout } = await run(
    'ffmpeg',
    [
      '-v',
      'error',
      '-i',
      file,
      '-vf',
      filters.join(','),
      '-fps_mode',
      'passthrough',
      '-f',
      'rawvideo',
      '-',
    ],
    { encoding: 'buffer', maxBuffer: 1e8 },
  );
  const size = width * height * 4;
  if (stdout.length !== size * chosen.length) {
    throw new Error(`${video.name} has ${stdout.length / size} of ${chosen.length} frames.`);
  }
  return Object.keys(video.frames).map((frame, index) => ({
    name: `${video.name}.${frame}`,
    width,
    height,
    pixels: new Uint8ClampedArray(stdout.subarray(index * size, (index + 1) * size)),
  }));
}

/** The same frames as drawn, before encoding. */
export async function drawPictures({ name, storyboard, frames }: GoldenVideo): Promise<Picture[]> {
  const renderer = new FrameRenderer(storyboard, imageDecoder({}));
  const pictures: Picture[] = [];
  for (const [frame, index] of Object.entries(frames)) {
    const { canvas } = await renderer.draw(index);
    pictures.push({ name: `${name}.${frame}`, ...scaledDown(canvas) });
  }
  return pictures;
}

/** Each pixel is the mean of the area that it covers. */
function scaledDown(canvas: Canvas): Omit<Picture, 'name'> {
  const scale = SHORTER_SIDE / Math.min(canvas.width, canvas.height);
  const [width, height] = [Math.round(canvas.width * scale), Math.round(canvas.height * scale)];
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const across = meansOf(data, canvas.width, width, canvas.height, [4, 4 * canvas.width]);
  const down = meansOf(across, canvas.height, height, width, [4 * width, 4]);
  return { width, height, pixels: Uint8ClampedArray.from(down) };
}

/**
 * Reduces each of `count` rows (or columns) of pixels, which are `step` numbers apart, to its mean.
 */
function meansOf(
  pixels: ArrayLike<number>,
  from: number,
  to: number,
  count: number,
  [step, rowStep]: readonly [number, number],
): Float64Array {
  const isRow = step === 4;
  const means = new Float64Array(4 * to * count);
  const per = from / to;
  for (let row = 0; row < count; row += 1) {
    for (let at = 0; at < to; at += 1) {
      const target = isRow ? 4 * (row * to + at) : 4 * (at * count + row);
      for (let pixel = Math.floor(at * per); pixel < Math.ceil((at + 1) * per); pixel += 1) {
        const share = (Math.min(pixel + 1, (at + 1) * per) - Math.max(pixel, at * per)) / per;
        for (let channel = 0; channel < 4; channel += 1) {
          const value = pixels[row * rowStep + pixel * step + channel] ?? 0;
          means[target + channel]! += share * value;
        }
      }
    }
  }
  return means;
}

/** Path of a committed picture. */
export function goldenFile(name: string): string {
  return path.join(FOLDER, `${name}.webp`);
}

export async function readGolden(name: string): Promise<Picture | undefined> {
  const file = goldenFile(name);
  if (!existsSync(file)) return undefined;
  const image = await loadImage(file);
  const { width, height } = image;
  const context = createCanvas(width, height).getContext('2d');
  context.drawImage(image, 0, 0);
  return { name, width, height, pixels: context.getImageData(0, 0, width, height).data };
}

/** A WebP without loss. */
export function encodePicture({ width, height, pixels }: Omit<Picture, 'name'>): Buffer {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const data = context.createImageData(width, height);
  data.data.set(pixels);
  context.putImageData(data, 0, 0);
  return canvas.encodeSync('webp', 100);
}

/** Pixels that differ visibly, and where they are. A picture of another size differs completely. */
export function compare(expected: Picture | undefined, actual: Picture) {
  const { width, height } = actual;
  const map = new Uint8ClampedArray(width * height * 4);
  if (expected?.width !== width || expected.height !== height) {
    return { pixels: width * height, map };
  }
  const options = { threshold: THRESHOLD, includeAA: true };
  return {
    pixels: pixelmatch(expected.pixels, actual.pixels, map, width, height, options),
    map,
  };
}
