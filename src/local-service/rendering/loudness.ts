/** Measures sound as ITU-R BS.1770-5 does: loudness in LUFS, true peaks in dBTP. At 48 kHz only. */

/** Stereo samples that are read in parts, in −1…1: left, then right. */
export interface Samples {
  /** In samples. */
  readonly length: number;
  block(start: number, count: number): Float32Array;
}

export const LOUDNESS_RATE = 48_000;
/** A measured block of 400 ms is four of these; blocks overlap by three quarters. */
const STEP = LOUDNESS_RATE / 10;
const STEPS_PER_BLOCK = 4;
const ABSOLUTE_GATE = -70;
const RELATIVE_GATE = -10;

/** Coefficients of a second-order filter. */
type Biquad = readonly [b0: number, b1: number, b2: number, a1: number, a2: number];
/** The head's effect, then the ear's (BS.1770 tables 1 and 2). */
const SHELF: Biquad = [
  1.53512485958697, -2.69169618940638, 1.19839281085285, -1.69065929318241, 0.73248077421585,
];
const HIGH_PASS: Biquad = [1, -2, 1, -1.99004745483398, 0.99007225036621];

/** @returns integrated loudness in LUFS; −Infinity for silence */
export function integratedLoudness(samples: Samples): number {
  const powers = powersOf(samples);
  const blocks: number[] = [];
  for (let at = 0; at + STEPS_PER_BLOCK <= powers.length; at++) {
    let sum = 0;
    for (let step = 0; step < STEPS_PER_BLOCK; step++) sum += powers[at + step] ?? 0;
    blocks.push(sum / STEPS_PER_BLOCK);
  }
  const audible = blocks.filter((power) => loudnessOf(power) > ABSOLUTE_GATE);
  const gate = loudnessOf(mean(audible)) + RELATIVE_GATE;
  return loudnessOf(mean(audible.filter((power) => loudnessOf(power) > gate)));
}

/** The weighted power of each step, both channels together. A sound below 400 ms counts as one. */
function powersOf(samples: Samples): number[] {
  const filters = [new Weighting(), new Weighting()];
  const length = Math.max(STEP * STEPS_PER_BLOCK, Math.floor(samples.length / STEP) * STEP);
  const powers: number[] = [];
  for (let start = 0; start < length; start += STEP) {
    const count = Math.max(0, Math.min(STEP, samples.length - start));
    const block = samples.block(start, count);
    const sums = filters.map((filter, side) =>
      filter.power(block.subarray(side * count, (side + 1) * count)),
    );
    powers.push(((sums[0] ?? 0) + (sums[1] ?? 0)) / STEP);
  }
  return powers;
}

function loudnessOf(power: number): number {
  return power > 0 ? -0.691 + 10 * Math.log10(power) : -Infinity;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / Math.max(1, numbers.length);
}

/** The K-weighting of one channel. */
class Weighting {
  readonly #state = new Float64Array(4);

  /** The sum of the squares of the filtered samples. */
  power(samples: Float32Array): number {
    const state = this.#state;
    let [s1, s2, h1, h2] = [state[0] ?? 0, state[1] ?? 0, state[2] ?? 0, state[3] ?? 0];
    const [b0, b1, b2, a1, a2] = SHELF;
    const [c0, c1, c2, d1, d2] = HIGH_PASS;
    let sum = 0;
    for (const sample of samples) {
      const shelved = b0 * sample + s1;
      s1 = b1 * sample - a1 * shelved + s2;
      s2 = b2 * sample - a2 * shelved;
      const heard = c0 * shelved + h1;
      h1 = c1 * shelved - d1 * heard + h2;
      h2 = c2 * shelved - d2 * heard;
      sum += heard * heard;
    }
    state.set([s1, s2, h1, h2]);
    return sum;
  }
}

const TAPS = 12;
const PHASES = 4;
/** Windowed sinc functions between two samples, at quarters of their distance. */
const BETWEEN = Array.from({ length: PHASES - 1 }, (_, phase) =>
  Float64Array.from({ length: TAPS }, (_, tap) => {
    const x = tap - (TAPS / 2 - 1) - (phase + 1) / PHASES;
    const sinc = Math.sin(Math.PI * x) / (Math.PI * x);
    return sinc * Math.cos((Math.PI * x) / TAPS) ** 2;
  }),
);
/** Between samples, a peak is at most about this much higher than the samples around it. */
const MAX_OVERSHOOT = 1.6;

/**
 * The highest level at and between samples, with four times the rate. Only peaks that may be
 * above `floor` are looked for between samples.
 *
 * @param from first sample that counts
 */
export function truePeak(
  samples: Float32Array,
  from: number,
  count: number,
  floor: number,
): number {
  let peak = 0;
  for (let at = from; at < from + count; at++) peak = Math.max(peak, Math.abs(samples[at] ?? 0));
  if (peak * MAX_OVERSHOOT <= floor) return peak;
  for (let at = from; at < from + count; at++) {
    const first = at - (TAPS / 2 - 1);
    for (const taps of BETWEEN) {
      let level = 0;
      for (let tap = 0; tap < TAPS; tap++) level += (taps[tap] ?? 0) * (samples[first + tap] ?? 0);
      peak = Math.max(peak, Math.abs(level));
    }
  }
  return peak;
}
