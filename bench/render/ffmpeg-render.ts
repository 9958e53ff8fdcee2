import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { BenchVideo } from './bench-video.ts';

/**
 * The gradient's steps per second: as many as in our background, so that ffmpeg does not draw more.
 */
const GRADIENT_RATE = 6;
/** The lines of text in every frame: about as many as in our scenes. */
const LINES = ['Launch week', 'begins on Monday', 'Five days, five things'];

/** Draws and encodes a video like ours with the ffmpeg on the PATH. */
export async function ffmpegRender(video: BenchVideo, file: string): Promise<void> {
  const { width, height, fps, seconds, bitrate } = video;
  const gradient = `gradients=s=${width}x${height}:r=${GRADIENT_RATE}:d=${seconds}:c0=0x15120e:c1=0x3a2a10:speed=0.01`;
  const sound = `aevalsrc='0.2*sin(440*2*PI*t)|0.2*sin(550*2*PI*t)':s=48000:d=${seconds}`;
  const filter = [
    `fps=${fps}`,
    ...LINES.map((line, index) => drawText(line, index, video)),
    'format=yuv420p',
  ];
  const child = spawn(
    'ffmpeg',
    [
      '-v',
      'error',
      '-y',
      '-f',
      'lavfi',
      '-i',
      gradient,
      '-f',
      'lavfi',
      '-i',
      sound,
      '-vf',
      filter.join(','),
      '-c:v',
      'libx264',
      '-preset',
      'medium',
      '-profile:v',
      'high',
      '-b:v',
      String(bitrate),
      '-g',
      String(fps * 2),
      '-c:a',
      'aac',
      '-b:a',
      '160k',
      '-movflags',
      '+faststart',
      file,
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}.`);
}

/**
 * A line of text that rises and fades in, then stays until its scene, a quarter of the video, ends.
 */
function drawText(line: string, index: number, { height, seconds }: BenchVideo): string {
  const size = Math.round(height * (index === LINES.length - 1 ? 0.048 : 0.13));
  const within = `mod(t\\,${seconds / 4})`;
  const progress = `(1-pow(1-min(1\\,max(0\\,(${within}-${0.1 + index * 0.09})/0.75))\\,4))`;
  const y = Math.round(height * (0.36 + index * 0.14));
  return [
    `drawtext=font=Sans:text='${line}':fontcolor=0xf4efe6:fontsize=${size}`,
    `x=${Math.round(height * 0.178)}:y='${y}+(1-${progress})*${size / 2}':alpha='${progress}'`,
  ].join(':');
}
