import type { Storyboard } from './storyboard.ts';
import { costOf } from './storyboard.ts';

/** Bits per second. */
export const AUDIO_BITRATE = 160_000;

/** Bits per second: 3.5 Mbit/s at 1280×720 and 30 fps, less than proportional to size and rate. */
export function videoBitrate(pixels: number, fps: number): number {
  return Math.round(3_500_000 * (pixels / (1280 * 720)) ** 0.8 * (fps / 30) ** 0.6);
}

/** Maximum disk space of a video and its poster, in bytes. Encoders may exceed their bit rate. */
export function estimateBytes(storyboard: Storyboard): number {
  const { pixels, seconds } = costOf(storyboard);
  const bits = (videoBitrate(pixels, storyboard.fps) + AUDIO_BITRATE) * seconds;
  return Math.ceil((bits / 8) * 1.25 + pixels);
}
