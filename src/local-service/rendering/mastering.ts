/** Brings a mix to the loudness that platforms play, without peaks above full scale. */
import { integratedLoudness, LOUDNESS_RATE, type Samples, truePeak } from './loudness.ts';
import type { Sound } from './sound-encoder.ts';

/** Integrated, in LUFS. Louder videos are turned down by platforms, quieter ones stay quiet. */
export const TARGET_LOUDNESS = -14;
/** In dBTP; AAC at our rate adds up to 0.9 dB to it. */
const CEILING = -2;
/** Silence stays silence: noise is not made audible. In decibels. */
const MAX_GAIN = 30;
/** A limited peak is prepared and released over this many steps of {@link STEP} samples. */
const LOOK_AHEAD = 5;
const RELEASE = 60;
const STEP = LOUDNESS_RATE / 1000;
const STEPS_AT_ONCE = 1000;
/** Samples before and after a part that its true peaks depend on. */
const MARGIN = 6;
/** Limiting makes a mix quieter; the gain follows it. */
const ROUNDS = 8;

/** A mix with the target loudness, in any order of reading. Silence is returned unchanged. */
export function mastered(mix: Samples): Sound {
  const loudness = integratedLoudness(mix);
  let gain = Number.isFinite(loudness)
    ? decibels(Math.min(MAX_GAIN, TARGET_LOUDNESS - loudness))
    : 1;
  // Limiting raises the gain a little, so lower peaks count too.
  const peaks = peaksOf(mix, (decibels(CEILING) / gain) * 0.5);
  let sound = limited(mix, gain, peaks);
  for (let round = 0; round < ROUNDS && Number.isFinite(loudness); round++) {
    const missing = TARGET_LOUDNESS - integratedLoudness(sound);
    if (Math.abs(missing) < 0.1) break;
    gain = Math.min(decibels(MAX_GAIN), gain * decibels(missing));
    sound = limited(mix, gain, peaks);
  }
  return { sampleRate: LOUDNESS_RATE, ...sound };
}

function limited(mix: Samples, gain: number, peaks: Float32Array): Samples {
  const envelope = envelopeOf(peaks, gain);
  return {
    length: mix.length,
    block(start, count) {
      const samples = mix.block(start, count);
      for (let i = 0; i < count; i++) {
        const place = (start + i) / STEP;
        const step = Math.floor(place);
        const before = envelope[step] ?? 1;
        const now = gain * (before + ((envelope[step + 1] ?? before) - before) * (place - step));
        samples[i] = (samples[i] ?? 0) * now;
        samples[count + i] = (samples[count + i] ?? 0) * now;
      }
      return samples;
    },
  };
}

/** The factor at the start of each step that keeps peaks below the ceiling, without jumps. */
function envelopeOf(peaks: Float32Array, gain: number): Float32Array {
  const ceiling = decibels(CEILING);
  const needed = Float32Array.from(peaks, (peak) => Math.min(1, ceiling / (peak * gain || 1e-9)));
  // The lowest of the steps that a factor has an effect on, already ahead of a peak.
  const lowest = new Float32Array(peaks.length + 1);
  for (let step = 0; step < lowest.length; step++) {
    let low = 1;
    const [first, last] = [step - LOOK_AHEAD - 1, step + LOOK_AHEAD];
    for (let near = first; near <= last; near++) low = Math.min(low, needed[near] ?? 1);
    lowest[step] = low;
  }
  // A slow release, then a short mean that turns steps into slopes; both stay within the look-ahead.
  let released = 1;
  for (let step = 0; step < lowest.length; step++) {
    released = Math.min(lowest[step] ?? 1, released + (1 - released) / RELEASE);
    lowest[step] = released;
  }
  return lowest.map((_, step) => {
    let sum = 0;
    for (let near = step - LOOK_AHEAD; near <= step + LOOK_AHEAD; near++) {
      sum += lowest[Math.max(0, Math.min(lowest.length - 1, near))] ?? 1;
    }
    return sum / (2 * LOOK_AHEAD + 1);
  });
}

/** The true peak of each step, the higher one of both sides; exact above `floor`. */
function peaksOf(mix: Samples, floor: number): Float32Array {
  const steps = Math.ceil(mix.length / STEP);
  const peaks = new Float32Array(steps);
  for (let first = 0; first < steps; first += STEPS_AT_ONCE) {
    const from = Math.max(0, first * STEP - MARGIN);
    const until = Math.min(mix.length, (first + STEPS_AT_ONCE) * STEP + MARGIN);
    const count = until - from;
    const block = mix.block(from, count);
    const sides = [block.subarray(0, count), block.subarray(count)];
    for (let step = first; step < Math.min(steps, first + STEPS_AT_ONCE); step++) {
      const start = step * STEP - from;
      const length = Math.min(STEP, count - start);
      peaks[step] = Math.max(...sides.map((side) => truePeak(side, start, length, floor)));
    }
  }
  return peaks;
}

function decibels(level: number): number {
  return 10 ** (level / 20);
}
