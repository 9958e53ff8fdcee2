import { describe, expect, it } from 'vitest';
import {
  integratedLoudness,
  LOUDNESS_RATE,
  type Samples,
  truePeak,
} from '../../../../src/local-service/rendering/loudness.ts';
import { mastered } from '../../../../src/local-service/rendering/mastering.ts';
import { seeded } from '../../../../src/local-service/rendering/seeded.ts';

/** The same on both sides. */
function sound(seconds: number, at: (sample: number) => number): Samples {
  return {
    length: Math.round(seconds * LOUDNESS_RATE),
    block(start, count) {
      const samples = new Float32Array(2 * count);
      for (let i = 0; i < count; i++) samples[i] = samples[count + i] = at(start + i);
      return samples;
    },
  };
}

const tone = (hertz: number, level: number) => (sample: number) =>
  level * Math.sin((2 * Math.PI * hertz * sample) / LOUDNESS_RATE);

describe('loudness', () => {
  // EBU Tech 3341, cases 1 to 4: a tone of 1 kHz on both sides.
  it.each([-23, -33])('of a tone of %d dBFS is its level', (level) => {
    const measured = integratedLoudness(sound(20, tone(1000, 10 ** (level / 20))));
    expect(Math.abs(measured - level)).toBeLessThan(0.1);
  });

  it('does not count what is much quieter', () => {
    const [quiet, loud] = [tone(1000, 10 ** (-36 / 20)), tone(1000, 10 ** (-23 / 20))];
    const measured = integratedLoudness(
      sound(40, (sample) =>
        sample > 10 * LOUDNESS_RATE && sample < 30 * LOUDNESS_RATE ? loud(sample) : quiet(sample),
      ),
    );
    expect(Math.abs(measured + 23)).toBeLessThan(0.1);
  });

  it('of silence is minus infinity', () => {
    expect(integratedLoudness(sound(2, () => 0))).toBe(-Infinity);
  });
});

describe('a true peak', () => {
  it('is found between samples', () => {
    // A quarter of the rate, sampled at 45°: samples reach .707 of the wave.
    const wave = Float32Array.from({ length: 400 }, (_, i) => Math.sin((Math.PI * i) / 2 + 0.785));
    expect(Math.max(...wave)).toBeLessThan(0.71);
    expect(truePeak(wave, 100, 200, 0)).toBeCloseTo(1, 1);
  });
});

describe('a mastered mix', () => {
  const noise = seeded(5);
  const burst = Float32Array.from({ length: LOUDNESS_RATE }, () => noise() * 2 - 1);
  const mixes: Record<string, (sample: number) => number> = {
    'a quiet tone': tone(440, 0.01),
    'a loud tone': tone(440, 1),
    'drums over a quiet chord': (sample) =>
      tone(300, 0.05)(sample) +
      (burst[sample % LOUDNESS_RATE] ?? 0) * Math.exp((-30 * (sample % 24_000)) / LOUDNESS_RATE),
  };

  it.each(Object.entries(mixes))('of %s has the loudness of all, below its peak', (_, mix) => {
    const result = mastered(sound(5, mix));
    const heard = result.block(0, result.length);
    const loudness = integratedLoudness(result);
    expect(Math.abs(loudness + 14)).toBeLessThan(0.5);
    for (const side of [heard.subarray(0, result.length), heard.subarray(result.length)]) {
      expect(truePeak(side, 0, result.length, 0)).toBeLessThan(10 ** (-1.9 / 20));
    }
  });

  it('is the same however it is read', () => {
    const result = mastered(sound(3, mixes['drums over a quiet chord']!));
    const whole = result.block(0, result.length).subarray(0, result.length);
    for (const start of [0, 1, 4095, 48_001]) {
      expect(result.block(start, 3000).subarray(0, 3000)).toEqual(
        whole.subarray(start, start + 3000),
      );
    }
  });

  it('turns down without a step', () => {
    const pulse = (sample: number) => (sample > 100_000 && sample < 100_300 ? 1 : 0);
    const mix = sound(4, (sample) => 0.1 + pulse(sample) * 0.9);
    const heard = mastered(mix).block(0, mix.length).subarray(0, mix.length);
    // Where the mix itself is constant, only the limiter changes it.
    for (let at = 90_000; at < 120_000; at++) {
      if (pulse(at) !== pulse(at + 1)) continue;
      expect(Math.abs((heard[at + 1] ?? 0) - (heard[at] ?? 0))).toBeLessThan(0.01);
    }
  });

  it('of silence is silence', () => {
    const result = mastered(sound(1, () => 0));
    expect(result.block(0, 1000)).toEqual(new Float32Array(2000));
  });
});
