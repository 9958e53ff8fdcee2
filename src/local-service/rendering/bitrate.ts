import type { Storyboard } from './storyboard.ts';
import { costOf } from './storyboard.ts';

/** Bits a second. */
export const AUDIO_BITRATE = 160_000;

/** Bits a second: 3.5 Mbit/s at 1280×720 and 30 frames, growing more slowly than the picture. */
export function videoBitrate(pixels: number, fps: number): number {
  return Math.round(3_500_000 * (pixels / (1280 * 720)) ** 0.8 * (fps / 30) ** 0.6);
}

/** Disk space that a video and its poster take at most, in bytes: encoders exceed their bit rate. */
export function estimateBytes(storyboard: Storyboard): number {
  const { pixels, seconds } = costOf(storyboard);
  const bits = (videoBitrate(pixels, storyboard.fps) + AUDIO_BITRATE) * seconds;
  return Math.ceil((bits / 8) * 1.25 + pixels);
}
