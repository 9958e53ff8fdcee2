import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LoopMixer } from '../../../../src/local-service/rendering/loop-mixer.ts';

const RATE = 1000;
const SECONDS = 0.4;
const LENGTH = SECONDS * RATE;

const sounds = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 3 * LENGTH })
  .filter((samples) => Math.max(...samples.map(Math.abs)) > 0.1)
  .map((samples) => Float64Array.from(samples));

describe('a loop', () => {
  it('sounds the same wherever a sound begins in it, and however long the sound is', () => {
    fc.assert(
      fc.property(sounds, fc.nat(LENGTH - 1), fc.boolean(), (sound, start, echoes) => {
        const mixed = (at: number) => {
          const mixer = new LoopMixer(SECONDS, RATE);
          mixer.add(at / RATE, sound, 1, -0.3);
          if (echoes) mixer.echo(0.13, 0.32);
          return mixer.finish(1);
        };
        const [first, later] = [mixed(0), mixed(start)];
        for (const side of ['left', 'right'] as const) {
          const moved = first[side].map((_, i) => later[side][(i + start) % LENGTH] ?? 0);
          const difference = first[side].map((sample, i) => Math.abs(sample - (moved[i] ?? 0)));
          // Echoes of echoes end once they are too quiet.
          expect(Math.max(...difference)).toBeLessThan(0.02);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('continues a sound that exceeds its end at its start', () => {
    const mixer = new LoopMixer(SECONDS, RATE);
    mixer.add(0.3, new Float64Array(150).fill(1), 1, 0);
    const { left } = mixer.finish(1);
    const heard = left.map((sample) => (sample > 0 ? 1 : 0));
    expect(heard.subarray(0, 50)).toEqual(new Float32Array(50).fill(1));
    expect(heard.subarray(50, 300)).toEqual(new Float32Array(250));
    expect(heard.subarray(300)).toEqual(new Float32Array(100).fill(1));
  });

  it('pans each sound at constant power', () => {
    const sidesOf = (side: number) => {
      const mixer = new LoopMixer(SECONDS, RATE);
      mixer.add(0, Float64Array.of(0.5), 1, side);
      // A louder sound in the middle gives every mix the same level.
      mixer.add(0.1, Float64Array.of(1), Math.SQRT2, 0);
      const { left, right } = mixer.finish(1);
      return [left[0]!, right[0]!] as const;
    };
    expect(sidesOf(-1)).toEqual([0.5, expect.closeTo(0)]);
    expect(sidesOf(1)).toEqual([expect.closeTo(0), 0.5]);
    for (const side of [-0.7, -0.3, 0, 0.3, 0.7]) {
      const [left, right] = sidesOf(side);
      expect(Math.hypot(left, right)).toBeCloseTo(0.5);
      expect(Math.sign(Number((right - left).toFixed(6)))).toBe(Math.sign(side));
    }
  });

  it('repeats a sound on the other side, then on its own, quieter each time', () => {
    const mixer = new LoopMixer(SECONDS, RATE);
    mixer.add(0, Float64Array.of(1), 1, -1);
    mixer.echo(0.13, 0.5);
    const { left, right } = mixer.finish(1);
    const heard = [left, right].map((samples) => [0, 130, 260].map((at) => samples[at]!));
    expect(heard[0]).toEqual([1, expect.closeTo(0), expect.closeTo(0.25)]);
    expect(heard[1]).toEqual([expect.closeTo(0), 0.5, expect.closeTo(0)]);
  });

  it.each([-0.8, 0.8])('is scaled to the maximum on its louder side: %d', (side) => {
    const mixer = new LoopMixer(SECONDS, RATE);
    mixer.add(0, Float64Array.of(0.2), 3, side);
    const { left, right } = mixer.finish(0.7);
    expect(Math.max(...left, ...right)).toBeCloseTo(0.7);
  });
});
