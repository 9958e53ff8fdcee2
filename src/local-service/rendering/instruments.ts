import { seeded } from './seeded.ts';

/** Number of samples in a wavetable, which contains one period; a power of two. */
const WAVETABLE_LENGTH = 2048;
/** A look-up is several times faster than Math.sin. */
const SINE = wavetable(1);
const SOFT = wavetable(1, 0.28, 0.08);

/** Synthesises single notes. Samples may slightly exceed −1…1. */
export class Instruments {
  readonly #rate: number;

  constructor(sampleRate: number) {
    this.#rate = sampleRate;
  }

  /** A sound with slow attack and release; the release begins after `seconds`. */
  pad(hertz: number, seconds: number): Float64Array {
    const tail = 1.6;
    const length = seconds + tail;
    const samples = this.#silence(length);
    for (let i = 0; i < samples.length; i++) {
      const t = i / this.#rate;
      const swell = Math.min(1, t / 0.9, (length - t) / tail);
      samples[i] = swell * swell * at(SOFT, hertz * t);
    }
    return samples;
  }

  /** A plucked string, whose overtones fade first. */
  pluck(hertz: number): Float64Array {
    const samples = this.#silence(1.6);
    for (let i = 0; i < samples.length; i++) {
      const t = i / this.#rate;
      const phase = hertz * t;
      const body = Math.exp(-3.2 * t) * Math.min(1, t / 0.004, (1.6 - t) / 0.2);
      const shine = Math.exp(-11 * t) * (0.5 * at(SINE, phase * 2) + 0.25 * at(SINE, phase * 4));
      samples[i] = body * (at(SINE, phase) + shine);
    }
    return samples;
  }

  bass(hertz: number, seconds: number): Float64Array {
    const samples = this.#silence(seconds);
    for (let i = 0; i < samples.length; i++) {
      const t = i / this.#rate;
      const shape = Math.min(1, t / 0.015, (seconds - t) / 0.06);
      const phase = hertz * t;
      samples[i] = shape * (at(SINE, phase) + 0.3 * at(SINE, phase * 2) * Math.exp(-4 * t));
    }
    return samples;
  }

  /** A drum whose pitch falls from 158 to 48 hertz. */
  kick(): Float64Array {
    const samples = this.#silence(0.32);
    for (let i = 0; i < samples.length; i++) {
      const t = i / this.#rate;
      const phase = 48 * t + (110 / 32) * (1 - Math.exp(-32 * t));
      const shape = Math.exp(-9 * t) * Math.min(1, t / 0.002, (0.32 - t) / 0.05);
      samples[i] = shape * at(SINE, phase);
    }
    return samples;
  }

  /** A brush: high-pass filtered noise. */
  tick(): Float64Array {
    const samples = this.#silence(0.09);
    const noise = seeded(7);
    let last = 0;
    for (let i = 0; i < samples.length; i++) {
      const t = i / this.#rate;
      const now = noise() * 2 - 1;
      samples[i] = (now - last) * Math.exp(-55 * t) * Math.min(1, t / 0.001);
      last = now;
    }
    return samples;
  }

  #silence(seconds: number): Float64Array {
    return new Float64Array(Math.round(seconds * this.#rate));
  }
}

/** One period of a tone. @param amplitudes of the fundamental and its overtones */
function wavetable(...amplitudes: number[]): Float64Array {
  return Float64Array.from({ length: WAVETABLE_LENGTH }, (_, i) =>
    amplitudes.reduce(
      (sum, amplitude, overtone) =>
        sum + amplitude * Math.sin((i / WAVETABLE_LENGTH) * 2 * Math.PI * (overtone + 1)),
      0,
    ),
  );
}

/** A sample of a wavetable. @param phase in periods */
function at(wave: Float64Array, phase: number): number {
  return wave[(phase * WAVETABLE_LENGTH) & (WAVETABLE_LENGTH - 1)] ?? 0;
}
