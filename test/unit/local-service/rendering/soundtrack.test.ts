import { describe, expect, it } from 'vitest';
import { composeLoop } from '../../../../src/local-service/rendering/music.ts';
import { soundtrackOf } from '../../../../src/local-service/rendering/soundtrack.ts';
import { storyboard } from '../../../rigs/storyboards.ts';

const loudest = (samples: Float32Array) =>
  samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);

describe.each(['calm', 'bright', 'pulse'] as const)('%s music', (mood) => {
  const { left, right } = composeLoop(mood, 1, 16_000);

  it('is heard, and never clips', () => {
    for (const side of [left, right]) {
      expect(loudest(side)).toBeGreaterThan(0.3);
      expect(loudest(side)).toBeLessThan(0.9);
    }
  });

  it('repeats without a click', () => {
    const jump = Math.abs((left[0] ?? 0) - (left.at(-1) ?? 0));
    let largest = 0;
    for (let i = 1; i < left.length; i++) {
      largest = Math.max(largest, Math.abs((left[i] ?? 0) - (left[i - 1] ?? 0)));
    }
    expect(jump).toBeLessThanOrEqual(largest);
  });

  it('is the same for the same seed and another for another', () => {
    expect(composeLoop(mood, 1, 16_000).left).toEqual(left);
    expect(composeLoop(mood, 2, 16_000).left).not.toEqual(left);
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

  it('is missing when none is wanted', () => {
    expect(soundtrackOf(storyboard({ soundtrack: 'none' }), 8)).toBeUndefined();
  });
});
