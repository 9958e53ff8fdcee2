import type { Sound } from './sound-encoder.ts';
import { composeLoop } from './music.ts';
import { seedOf } from './seeded.ts';
import type { Storyboard } from './storyboard.ts';

const SAMPLE_RATE = 48_000;
const FADE_IN_SECONDS = 0.8;
const FADE_OUT_SECONDS = 2.5;

/**
 * The soundtrack of a video: a seamless loop in the storyboard's mood, faded in and out. The same
 * storyboard always has the same music; the title determines key and melody.
 */
export function soundtrackOf(storyboard: Storyboard, seconds: number): Sound | undefined {
  if (storyboard.soundtrack === 'none') return undefined;
  const loop = composeLoop(storyboard.soundtrack, seedOf(storyboard.title), SAMPLE_RATE, seconds);
  const length = Math.round(seconds * SAMPLE_RATE);
  const fadeIn = Math.min(FADE_IN_SECONDS, seconds / 4) * SAMPLE_RATE;
  const fadeOut = Math.min(FADE_OUT_SECONDS, seconds / 3) * SAMPLE_RATE;
  const loudness = (sample: number) => {
    const x = Math.min(1, sample / fadeIn, (length - sample) / fadeOut);
    return x * x * (3 - 2 * x);
  };
  return {
    sampleRate: SAMPLE_RATE,
    length,
    block(start, count) {
      const samples = new Float32Array(count * 2);
      for (let i = 0; i < count; i++) {
        const gain = loudness(start + i);
        const place = (start + i) % loop.left.length;
        samples[i] = (loop.left[place] ?? 0) * gain;
        samples[count + i] = (loop.right[place] ?? 0) * gain;
      }
      return samples;
    },
  };
}
