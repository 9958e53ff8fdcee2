/** Reads finished files with ffmpeg and ffprobe, which know nothing of our code. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

interface Stream {
  codec_type: string;
  codec_name: string;
  avg_frame_rate: string;
  r_frame_rate: string;
  start_time: string;
  duration: string;
  nb_frames: string;
}

/** A packet of the pictures' track. Times are in seconds. */
export interface PicturePacket {
  readonly time: number;
  readonly isKey: boolean;
}

async function ffmpeg(args: readonly string[]): Promise<Buffer> {
  const options = { encoding: 'buffer', maxBuffer: 1e9 } as const;
  return (await run('ffmpeg', ['-v', 'error', ...args], options)).stdout;
}

/** What ffprobe reads. @returns the packets of pictures in the order of the file */
export async function probe(file: string) {
  const shown = ['-show_streams', '-show_entries', 'packet=codec_type,pts_time,flags'];
  const { stdout } = await run('ffprobe', ['-v', 'error', '-of', 'json', ...shown, file], {
    maxBuffer: 1e8,
  });
  const { streams, packets } = JSON.parse(stdout) as {
    streams: Stream[];
    packets: { codec_type: string; pts_time: string; flags: string }[];
  };
  return {
    pictures: streams.find(({ codec_type }) => codec_type === 'video'),
    sound: streams.find(({ codec_type }) => codec_type === 'audio'),
    packets: packets
      .filter(({ codec_type }) => codec_type === 'video')
      .map(({ pts_time, flags }): PicturePacket => ({
        time: Number(pts_time),
        isKey: flags.startsWith('K'),
      })),
  };
}

/** The mean brightness of every picture, 0–255, in the order of playing. */
export async function brightnessOf(file: string): Promise<number[]> {
  const mean = ['-vf', 'scale=1:1:flags=area,format=rgb24'];
  const raw = ['-fps_mode', 'passthrough', '-f', 'rawvideo', '-'];
  const pixels = await ffmpeg(['-i', file, ...mean, ...raw]);
  return Array.from({ length: pixels.length / 3 }, (_, index) =>
    brightness(pixels.subarray(index * 3)),
  );
}

/** @param pixel red, green and blue first; 0–255 */
export function brightness(pixel: ArrayLike<number>): number {
  return 0.2126 * (pixel[0] ?? 0) + 0.7152 * (pixel[1] ?? 0) + 0.0722 * (pixel[2] ?? 0);
}

/** Left and right as players decode them, from the time 0 of the file on, after a filter. */
export async function channelsOf(file: string, filter = 'anull'): Promise<Float32Array[]> {
  const raw = ['-map', '0:a', '-af', filter, '-f', 'f32le', '-'];
  const samples = new Float32Array(new Uint8Array(await ffmpeg(['-i', file, ...raw])).buffer);
  return [0, 1].map((side) => samples.filter((_, index) => index % 2 === side));
}

/** Integrated loudness in LUFS and true peak in dBTP, by ffmpeg. */
export async function loudnessOf(file: string): Promise<{ loudness: number; peak: number }> {
  const filter = ['-map', '0:a', '-af', 'ebur128=peak=true', '-f', 'null', '-'];
  const { stderr } = await run('ffmpeg', ['-hide_banner', '-nostats', '-i', file, ...filter], {
    maxBuffer: 1e8,
  });
  const summary = stderr.slice(stderr.lastIndexOf('Summary:'));
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(-?[\\d.]+)`).exec(summary)?.[1]);
  return { loudness: read('I'), peak: read('Peak') };
}

/** How many samples later `heard` is than `meant`, by cross-correlation over ± `reach` samples. */
export function lagOf(meant: Float32Array, heard: Float32Array, reach: number): number {
  const first = meant.findIndex((level) => level !== 0);
  const audible = meant.subarray(first, meant.findLastIndex((level) => level !== 0) + 1);
  // Silence around it, so that no lag reads past an end, which takes several times as long.
  const around = new Float32Array(Math.max(meant.length, heard.length) + 2 * reach);
  around.set(heard, reach);
  let best = { lag: 0, likeness: -Infinity };
  for (let lag = -reach; lag <= reach; lag++) {
    const from = first + lag + reach;
    let likeness = 0;
    for (let at = 0; at < audible.length; at++) likeness += audible[at]! * around[from + at]!;
    if (likeness > best.likeness) best = { lag, likeness };
  }
  return best.lag;
}
