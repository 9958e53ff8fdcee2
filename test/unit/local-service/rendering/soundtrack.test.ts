import { describe, expect, it } from 'vitest';
import { composeLoop } from '../../../../src/local-service/rendering/music.ts';
import { soundtrackOf } from '../../../../src/local-service/rendering/soundtrack.ts';
import { storyboard } from '../../../rigs/storyboards.ts';

const loudest = (samples: Float32Array) =>
  samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);

/** Root mean square: 1 is a square wave at full level. */
const loudness = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

const RATE = 16_000;

describe.each(['calm', 'bright', 'pulse'] as const)('%s music', (mood) => {
  it('has an even loudness on both sides, without silence', () => {
    for (const seed of [1, 2, 3]) {
      const loop = composeLoop(mood, seed, RATE);
      for (const side of [loop.left, loop.right]) {
        const usual = loudness(side);
        // About 14 dB below full scale: music to be mixed with another track.
        expect(usual).toBeGreaterThan(0.12);
        expect(usual).toBeLessThan(0.35);
        for (let at = 0; at + RATE / 2 <= side.length; at += RATE / 2) {
          const now = loudness(side.subarray(at, at + RATE / 2));
          expect(now / usual).toBeGreaterThan(0.5);
          expect(now / usual).toBeLessThan(1.6);
        }
      }
    }
  });

  it('is the same for the same seed, and differs for another', () => {
    const { left } = composeLoop(mood, 1, RATE);
    expect(composeLoop(mood, 1, RATE).left).toEqual(left);
    expect(composeLoop(mood, 2, RATE).left).not.toEqual(left);
  });
});

describe('a soundtrack', () => {
  it('fades in from silence and out to silence', () => {
    const sound = soundtrackOf(storyboard(), 8);
    if (!sound) throw new Error('There is a soundtrack.');
    expect(sound.length).toBe(8 * 48_000);
    expect(loudest(sound.block(0, 100))).toBeLessThan(0.01);
    expect(loudest(sound.block(3 * 48_000, 48_000))).toBeGreaterThan(0.1);
    expect(loudest(sound.block(sound.length - 100, 100))).toBeLessThan(0.01);
  });

  it('repeats its loop on both sides for as long as the video lasts', () => {
    const sound = soundtrackOf(storyboard({ soundtrack: 'bright' }), 60);
    if (!sound) throw new Error('There is a soundtrack.');
    const count = 48_000;
    const sidesAt = (second: number) => {
      const samples = sound.block(second * count, count);
      return [samples.subarray(0, count), samples.subarray(count)];
    };
    // The loop is eight bars of four beats: 18.46 s.
    const [early, late] = [
      sidesAt(5),
      sound.block(Math.round((5 + (32 * 60) / 104) * count), count),
    ];
    expect([...late.subarray(0, count)]).toEqual([...early[0]!]);
    expect([...late.subarray(count)]).toEqual([...early[1]!]);
    for (const second of [5, 30, 55]) {
      const [left, right] = sidesAt(second);
      expect(loudness(left!)).toBeGreaterThan(0.05);
      expect(loudness(right!)).toBeGreaterThan(0.05);
      expect(right).not.toEqual(left);
    }
  });

  it('is missing when none is wanted', () => {
    expect(soundtrackOf(storyboard({ soundtrack: 'none' }), 8)).toBeUndefined();
  });
});
