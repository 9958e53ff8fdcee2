import type { Loop } from './loop-mixer.ts';
import { LOUDNESS_RATE, type Samples } from './loudness.ts';
import { mastered } from './mastering.ts';
import { composeLoop } from './music.ts';
import { seedOf } from './seeded.ts';
import type { Sound } from './sound-encoder.ts';
import type { Storyboard } from './storyboard.ts';

/** Long enough that nothing clicks: a video begins with its music, as it does with its picture. */
const FADE_IN_SECONDS = 0.05;
const FADE_OUT_SECONDS = 1.6;

/**
 * The soundtrack of a video: a seamless loop in the storyboard's mood, faded out at the end, with
 * the loudness that all videos have. The same storyboard always has the same music; the title
 * determines key and melody.
 */
export function soundtrackOf(storyboard: Storyboard, seconds: number): Sound | undefined {
  if (storyboard.soundtrack === 'none') return undefined;
  const seed = seedOf(storyboard.title);
  const loop = composeLoop(storyboard.soundtrack, seed, LOUDNESS_RATE, seconds);
  return mastered(faded(loop, Math.round(seconds * LOUDNESS_RATE)));
}

/** A loop, repeated for `length` samples, with a fade at both ends. */
function faded(loop: Loop, length: number): Samples {
  const fadeIn = FADE_IN_SECONDS * LOUDNESS_RATE;
  const fadeOut = Math.min(FADE_OUT_SECONDS * LOUDNESS_RATE, length / 3);
  const loudness = (sample: number) => {
    const x = Math.min(1, sample / fadeIn, (length - sample) / fadeOut);
    return x * x * (3 - 2 * x);
  };
  return {
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
