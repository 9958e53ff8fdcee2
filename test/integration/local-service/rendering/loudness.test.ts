import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { channelsOf, loudnessOf } from '../../../rigs/decoded-media.ts';
import { renderVideo } from '../../../rigs/golden/pictures.ts';
import { storyboard } from '../../../rigs/storyboards.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const RATE = 48_000;
const SECONDS = 4;

/** Decibels relative to a square wave at full level. */
function decibels(samples: Float32Array): number {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  return 10 * Math.log10(power + 1e-12);
}

/**
 * Frequency ranges of the instruments, and the tolerance of their levels in decibels: other
 * encoders at half of the bit rate change them by half of that.
 */
const BANDS = {
  low: { filter: 'lowpass=f=150,lowpass=f=150', tolerance: 1 },
  chords: { filter: 'highpass=f=200,highpass=f=200,lowpass=f=700,lowpass=f=700', tolerance: 1 },
  tune: { filter: 'highpass=f=1000,highpass=f=1000,lowpass=f=4000', tolerance: 1 },
  brush: { filter: 'highpass=f=7000,highpass=f=7000', tolerance: 4 },
};

type Band = keyof typeof BANDS;
type Levels = readonly [left: number, right: number];

/** The levels of each mood when it was composed, in decibels, left and right. */
const LEVELS: Record<'calm' | 'bright' | 'pulse', Partial<Record<Band, Levels>>> = {
  calm: { low: [-21.9, -22], chords: [-21.3, -20], tune: [-41, -41.3] },
  bright: {
    low: [-18.1, -18.1],
    chords: [-24.6, -24.2],
    tune: [-28.2, -29.7],
    brush: [-53.9, -52.3],
  },
  pulse: {
    low: [-17.2, -17.2],
    chords: [-26.9, -26.4],
    tune: [-30.1, -31.7],
    brush: [-46.7, -45.2],
  },
};

describe.each(['calm', 'bright', 'pulse'] as const)('%s music in a video', (mood) => {
  it('is audible on both sides all the time, similar but not identical, and unclipped', async () => {
    const file = path.join(temporaryFolder(), 'video.mp4');
    const scenes = [{ kind: 'title', text: 'Music', seconds: SECONDS }];
    const board = storyboard({ title: mood, scenes, soundtrack: mood });
    await renderVideo({ name: mood, storyboard: board, frames: {} }, file);

    const channels = await channelsOf(file);
    const [left, right] = channels as [Float32Array, Float32Array];
    expect(right.length).toBe(left.length);
    expect(left.length / RATE).toBeCloseTo(SECONDS, 1);
    expect(Math.abs(decibels(left) - decibels(right))).toBeLessThan(3);
    const difference = left.map((sample, index) => sample - (right[index] ?? 0));
    expect(decibels(difference)).toBeGreaterThan(decibels(left) - 20);
    for (const samples of channels) {
      expect(samples.every((sample) => Math.abs(sample) < 1)).toBe(true);
      // A quarter of a second each, where no fade makes it quiet.
      for (let at = RATE; at < (SECONDS - 2) * RATE; at += RATE / 4) {
        expect(decibels(samples.subarray(at, at + RATE / 4))).toBeGreaterThan(-30);
      }
    }
    const { loudness, peak } = await loudnessOf(file);
    expect(Math.abs(loudness + 14)).toBeLessThan(0.5);
    expect(peak).toBeLessThanOrEqual(-1);
    for (const [band, expected] of Object.entries(LEVELS[mood])) {
      const { filter, tolerance } = BANDS[band as Band];
      for (const [side, samples] of (await channelsOf(file, filter)).entries()) {
        const off = decibels(samples) - expected[side]!;
        expect(Math.abs(off), `${band} is off by ${off} dB`).toBeLessThan(tolerance);
      }
    }
  });
});
