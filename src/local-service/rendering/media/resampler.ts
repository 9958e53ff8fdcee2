/** Changes the sample rate of stereo sound to 48 kHz, as its parts arrive. */
import { LOUDNESS_RATE } from '../loudness.ts';

/** Neighbours of a place that its level is made of, on each side. */
const REACH = 16;
/** Places between two samples, for each of which a filter is kept. */
const PHASES = 256;
const GAP_SECONDS = 0.15;

/**
 * Collects samples from `from` seconds on. Gaps in the timestamps are silence, so that sound stays
 * with its pictures.
 */
export class Resampler {
  readonly #rate: number;
  readonly #from: number;
  readonly #maxLength: number;
  /** What was added, at the rate of the file; starts at {@link #from}, minus {@link REACH}. */
  readonly #sides: readonly [Float32Array, Float32Array];
  #end = 0;
  /** Where the next part belongs if nothing is missing. */
  #next: number | undefined;

  /** @param maxLength of the result, in samples */
  constructor(rate: number, from: number, maxLength: number) {
    this.#rate = rate;
    this.#from = from;
    this.#maxLength = maxLength;
    const capacity = Math.ceil((maxLength / LOUDNESS_RATE) * rate) + 2 * REACH;
    this.#sides = [new Float32Array(capacity), new Float32Array(capacity)];
  }

  /** Samples of the file so far. */
  get length(): number {
    return Math.max(0, this.#end - REACH);
  }

  get isFull(): boolean {
    return this.#end >= this.#sides[0].length;
  }

  /** @param seconds of the file; earlier samples than wanted are left out */
  add(seconds: number, sides: readonly [Float32Array, Float32Array]): void {
    const stated = Math.round((seconds - this.#from) * this.#rate) + REACH;
    // Timestamps are rounded, and some decoders' are a packet's off; only a gap is believed.
    const next = this.#next ?? stated;
    const place = Math.abs(stated - next) < GAP_SECONDS * this.#rate ? next : stated;
    this.#next = place + sides[0].length;
    const skipped = Math.max(0, -place);
    for (const [index, side] of this.#sides.entries()) {
      const samples = sides[index as 0 | 1].subarray(skipped);
      if (place + skipped >= side.length) continue;
      side.set(samples.subarray(0, side.length - place - skipped), place + skipped);
    }
    this.#end = Math.max(this.#end, Math.min(this.#sides[0].length, place + sides[0].length));
  }

  /** Nothing may be added afterwards. */
  finish(): readonly [Float32Array, Float32Array] {
    const inSamples = this.#rate / LOUDNESS_RATE;
    const length = Math.min(this.#maxLength, Math.floor(this.length / inSamples));
    const [left, right] = this.#sides;
    if (inSamples === 1) {
      return [left.subarray(REACH, REACH + length), right.subarray(REACH, REACH + length)];
    }
    const filters = filtersOf(Math.min(1, 1 / inSamples));
    return [
      resampled(left, length, inSamples, filters),
      resampled(right, length, inSamples, filters),
    ];
  }
}

function resampled(
  samples: Float32Array,
  length: number,
  step: number,
  filters: readonly Float64Array[],
): Float32Array {
  const result = new Float32Array(length);
  for (let i = 0; i < length; i++) {
    const place = i * step + REACH;
    const before = Math.floor(place);
    const taps = filters[Math.round((place - before) * PHASES)] ?? new Float64Array(0);
    let level = 0;
    const first = before - REACH + 1;
    for (let tap = 0; tap < taps.length; tap++)
      level += (taps[tap] ?? 0) * (samples[first + tap] ?? 0);
    result[i] = level;
  }
  return result;
}

/** Windowed sinc functions. @param cutoff relative to half of the file's rate */
function filtersOf(cutoff: number): Float64Array[] {
  return Array.from({ length: PHASES + 1 }, (_, phase) => {
    const taps = Float64Array.from({ length: 2 * REACH }, (__, tap) => {
      const x = tap - REACH + 1 - phase / PHASES;
      const window = Math.cos((Math.PI * x) / (2 * REACH)) ** 2;
      const angle = Math.PI * cutoff * x;
      return cutoff * (angle === 0 ? 1 : Math.sin(angle) / angle) * window;
    });
    const sum = taps.reduce((all, tap) => all + tap, 0);
    return taps.map((tap) => tap / sum);
  });
}
