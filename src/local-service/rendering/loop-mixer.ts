/** Music that can be repeated without a gap. Samples in −1…1. */
export interface Loop {
  left: Float32Array;
  right: Float32Array;
}

/** Mixes sounds into a loop. The part of a sound beyond the loop's end continues at its start. */
export class LoopMixer {
  readonly #left: Float64Array;
  readonly #right: Float64Array;
  readonly #rate: number;

  constructor(seconds: number, sampleRate: number) {
    const length = Math.round(seconds * sampleRate);
    this.#left = new Float64Array(length);
    this.#right = new Float64Array(length);
    this.#rate = sampleRate;
  }

  /** @param start in seconds; @param side from −1 (left) to 1 (right) */
  add(start: number, sound: Float64Array, gain: number, side: number): void {
    const [left, right] = [this.#left, this.#right];
    const angle = ((Math.min(1, Math.max(-1, side)) + 1) * Math.PI) / 4;
    const [toLeft, toRight] = [gain * Math.cos(angle), gain * Math.sin(angle)];
    let place = Math.round(start * this.#rate) % left.length;
    for (const sample of sound) {
      left[place] = (left[place] ?? 0) + sample * toLeft;
      right[place] = (right[place] ?? 0) + sample * toRight;
      place = place + 1 === left.length ? 0 : place + 1;
    }
  }

  /** Adds fading echoes that alternate between left and right. */
  echo(seconds: number, feedback: number): void {
    const [left, right] = [this.#left, this.#right];
    const { length } = left;
    const delay = Math.round(seconds * this.#rate) % length;
    const [dryLeft, dryRight] = [left.slice(), right.slice()];
    // In the second pass, the echoes of the loop's end reach its beginning.
    for (let i = 0; i < length * 2; i++) {
      const here = i < length ? i : i - length;
      const before = here < delay ? here - delay + length : here - delay;
      const fromRight = feedback * (right[before] ?? 0);
      const fromLeft = feedback * (left[before] ?? 0);
      left[here] = (dryLeft[here] ?? 0) + fromRight;
      right[here] = (dryRight[here] ?? 0) + fromLeft;
    }
  }

  /** The mix, normalised to `peak` (0–1). */
  finish(peak: number): Loop {
    const scale = peak / Math.max(1e-9, peakOf(this.#left), peakOf(this.#right));
    return { left: scaled(this.#left, scale), right: scaled(this.#right, scale) };
  }
}

function peakOf(samples: Float64Array): number {
  let peak = 0;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  return peak;
}

function scaled(samples: Float64Array, by: number): Float32Array {
  const result = new Float32Array(samples.length);
  for (let i = 0; i < samples.length; i++) result[i] = (samples[i] ?? 0) * by;
  return result;
}
