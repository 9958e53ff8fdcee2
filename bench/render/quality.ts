/** How much of the drawn pictures is left in a file: SSIM, by the ffmpeg on the PATH. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { FrameRenderer } from '../../src/local-service/rendering/frame-renderer.ts';
import { imageDecoder } from '../../src/local-service/rendering/image-source.ts';
import type { BenchVideo } from './bench-video.ts';

export interface Quality {
  /** Of all planes, 0–1; 1 is the same picture. */
  readonly ssim: number;
  /** Of the whole file, in kbit/s. */
  readonly rate: number;
}

/** Every picture as drawn, in the encoder's colours and without loss. */
export async function writeLossless(video: BenchVideo, file: string): Promise<void> {
  const { width, height, fps } = video;
  const size = ['-s', `${width}x${height}`, '-r', String(fps)];
  const colours = 'scale=out_color_matrix=bt709:out_range=tv,format=yuv420p';
  const source = ['-f', 'rawvideo', '-pix_fmt', 'rgba', ...size, '-i', 'pipe:0'];
  const args = ['-v', 'error', '-y', ...source, '-vf', colours, '-c:v', 'ffv1', file];
  const child = spawn('ffmpeg', args, { stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = once(child, 'close');
  const renderer = new FrameRenderer(video.storyboard, imageDecoder({}));
  for (let frame = 0; frame < renderer.frames; frame++) {
    const { canvas } = await renderer.draw(frame);
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
    if (!child.stdin.write(data)) await once(child.stdin, 'drain');
  }
  child.stdin.end();
  if ((await ended)[0] !== 0) throw new Error('ffmpeg did not write the pictures.');
}

/** Encodes the pictures with libx264 at a rate, in kbit/s. */
export async function encodeAgain(
  lossless: string,
  file: string,
  options: { preset: string; rate: number },
): Promise<void> {
  const { preset, rate } = options;
  const codec = ['-c:v', 'libx264', '-preset', preset, '-b:v', `${Math.round(rate)}k`];
  await outputOf(['-v', 'error', '-y', '-i', lossless, ...codec, file]);
}

/** @param lossless the pictures of the same video */
export async function qualityOf(
  file: string,
  lossless: string,
  { seconds }: BenchVideo,
): Promise<Quality> {
  const compared = ['-i', file, '-i', lossless, '-lavfi', '[0:v][1:v]ssim', '-f', 'null', '-'];
  const ssim = Number(/All:([\d.]+)/.exec(await outputOf(compared))?.[1]);
  const { size } = await stat(file);
  return { ssim, rate: (size * 8) / 1000 / seconds };
}

async function outputOf(args: readonly string[]): Promise<string> {
  const child = spawn('ffmpeg', ['-nostdin', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}: ${output.slice(-500)}`);
  return output;
}
