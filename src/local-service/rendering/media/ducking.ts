/** Lowers music, or a clip, while a voice speaks or a clip is heard. */
import type { Samples } from '../loudness.ts';
import { LOUDNESS_RATE } from '../loudness.ts';

/** In decibels. */
const DEPTH = -12;
/** A voice that is louder speaks: its mean over 50 ms, in decibels of full scale. */
const SPEECH = -45;
const STEP = LOUDNESS_RATE / 100;
/** In steps of 10 ms. */
const MEAN_STEPS = 5;
const EARLY_STEPS = 10;
const HOLD_STEPS = 25;
const ATTACK_STEPS = 8;
const RELEASE_STEPS = 40;

/** The music with the gain that a voice leaves it. Both begin together. */
export function ducked(music: Samples, voice: Samples): Samples {
  const gains = gainsOf(speechOf(voice, music.length));
  return {
    length: music.length,
    block(start, count) {
      const samples = music.block(start, count);
      for (let i = 0; i < count; i++) {
        const place = (start + i) / STEP;
        const step = Math.floor(place);
        const before = gains[step] ?? 1;
        const gain = before + ((gains[step + 1] ?? before) - before) * (place - step);
        samples[i] = (samples[i] ?? 0) * gain;
        samples[count + i] = (samples[count + i] ?? 0) * gain;
      }
      return samples;
    },
  };
}

/** In which steps of 10 ms a voice speaks. @param length in samples, from the voice's beginning */
export function speechOf(voice: Samples, length: number): boolean[] {
  const powers: number[] = [];
  for (let start = 0; start < length; start += STEP) {
    const count = Math.max(0, Math.min(STEP, voice.length - start));
    let sum = 0;
    for (const level of voice.block(start, count)) sum += level * level;
    powers.push(sum / (2 * STEP));
  }
  const loud = 10 ** (SPEECH / 10);
  return powers.map((_, step) => {
    let sum = 0;
    for (let near = step - 2; near < step - 2 + MEAN_STEPS; near++) sum += powers[near] ?? 0;
    return sum / MEAN_STEPS > loud;
  });
}

/** The music's factor at the start of each step. */
function gainsOf(speech: readonly boolean[]): Float32Array {
  const gains = new Float32Array(speech.length + 1);
  let level = 0;
  // Steps since, and until, the voice speaks.
  let since = Infinity;
  let next = -1;
  for (let step = 0; step < gains.length; step++) {
    since = speech[step] === true ? 0 : since + 1;
    if (next < step) next = speech.indexOf(true, step);
    const isLow = since <= HOLD_STEPS || (next >= 0 && next - step <= EARLY_STEPS);
    level = isLow
      ? Math.max(DEPTH, level + DEPTH / ATTACK_STEPS)
      : Math.min(0, level - DEPTH / RELEASE_STEPS);
    gains[step] = 10 ** (level / 20);
    if (next < 0) next = Infinity;
  }
  return gains;
}
