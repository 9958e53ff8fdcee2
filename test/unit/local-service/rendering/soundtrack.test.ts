import { describe, expect, it } from 'vitest';
import { composeLoop } from '../../../../src/local-service/rendering/music.ts';
import { soundtrackOf } from '../../../../src/local-service/rendering/soundtrack.ts';
import type { ClipSound } from '../../../../src/local-service/rendering/media/clip-sounds.ts';
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

const HERTZ = 48_000;

/** A tone that only the clip has, on both sides. @param seconds of its sound */
function clipSound(fields: Partial<ClipSound> = {}, seconds = 2): ClipSound {
  const left = Int16Array.from({ length: seconds * HERTZ }, (_, at) =>
    Math.round(10_000 * Math.cos((2 * Math.PI * 200 * at) / HERTZ)),
  );
  const pcm = { left, right: left };
  const rest = { end: 'hold', sound: 'on', clipSeconds: seconds } as const;
  return { pcm, start: 3, seconds: 4, ...rest, ...fields };
}

describe('the sound of a clip', () => {
  const own = (clip: ClipSound) => ({ clips: [clip] });
  const silent = storyboard({ soundtrack: 'none' });
  const partOf = (clip: ClipSound, from: number, until: number) => {
    const sound = soundtrackOf(silent, 8, own(clip))!;
    const count = Math.round((until - from) * HERTZ);
    return sound.block(Math.round(from * HERTZ), count).subarray(0, count);
  };

  it('is heard while its clip is seen', () => {
    for (const [end, silentFrom] of [
      ['hold', 5.001],
      ['cut', 5.001],
      ['loop', 7.001],
    ] as const) {
      const clip = clipSound({ end });
      expect(loudest(partOf(clip, 0, 3))).toBe(0);
      expect(loudness(partOf(clip, 3.02, 4.98))).toBeGreaterThan(0.1);
      expect(loudest(partOf(clip, silentFrom, 8))).toBe(0);
    }
    expect(loudness(partOf(clipSound({ end: 'loop' }), 5.02, 6.98))).toBeGreaterThan(0.1);
  });

  it('begins, repeats and ends without a click, also where its sound is shorter', () => {
    const clip = clipSound({ end: 'loop', clipSeconds: 1.5012, start: 1 }, 1.3012);
    const heard = partOf(clip, 0, 8);
    const usual = (2 * Math.PI * 200) / HERTZ;
    const peak = loudest(heard);
    let steepest = 0;
    for (let at = 1; at < heard.length; at++) {
      steepest = Math.max(steepest, Math.abs(heard[at]! - heard[at - 1]!));
    }
    expect(steepest).toBeLessThan(1.1 * usual * peak);
  });

  it.each(['on', -18] as const)('as %s is in front of the music, or beside it', (sound) => {
    // The music is on the right only, the clip on the left.
    const tone = Int16Array.from({ length: 5 * HERTZ }, (_, at) =>
      Math.round(10_000 * Math.sin((2 * Math.PI * 200 * at) / HERTZ)),
    );
    const nothing = new Int16Array(tone.length);
    const clip = clipSound({ start: 2, sound });
    const clips = [{ ...clip, pcm: { left: clip.pcm.left, right: nothing } }];
    const board = storyboard({ music: { asset: 'm' } });
    const mix = soundtrackOf(board, 5, { music: { left: nothing, right: tone }, clips })!;
    const levels = (from: number) => {
      const samples = mix.block(from * HERTZ, HERTZ);
      const sides = [samples.subarray(0, HERTZ), samples.subarray(HERTZ)];
      return sides.map((side) => 20 * Math.log10(loudness(side)));
    };
    const [, alone] = levels(0.5);
    const [heard, music] = levels(2.5);
    expect(music! - alone!).toBeCloseTo(sound === 'on' ? -12 : 0, 0);
    expect(heard! - alone!).toBeCloseTo(sound === 'on' ? 0 : sound, 0);
  });

  it('is as much quieter as was chosen, also where its recording is very quiet', () => {
    const tone = clipSound().pcm.left.map((level) => level / 2);
    const nothing = new Int16Array(tone.length);
    // 46 dB quieter than the music, so that it cannot be raised to the common loudness.
    const faint = { left: tone.map((level) => level / 200), right: nothing };
    const levelAt = (sound: number) => {
      const clips = [{ ...clipSound({ start: 0, sound }), pcm: faint }];
      const board = storyboard({ music: { asset: 'm' } });
      const mix = soundtrackOf(board, 2, { music: { left: nothing, right: tone }, clips })!;
      return 20 * Math.log10(loudness(mix.block(HERTZ / 2, HERTZ).subarray(0, HERTZ)));
    };
    expect(levelAt(-12) - levelAt(0)).toBeCloseTo(-12, 0);
  });

  it('is 12 dB lower while a voice speaks', () => {
    const voice = Int16Array.from({ length: 8 * HERTZ }, (_, at) =>
      at > 5 * HERTZ && at < 7 * HERTZ
        ? Math.round(10_000 * Math.sin((2 * Math.PI * 300 * at) / HERTZ))
        : 0,
    );
    const nothing = new Int16Array(voice.length);
    const clip = clipSound({ start: 0, seconds: 8 }, 8);
    const clips = [{ ...clip, pcm: { left: clip.pcm.left, right: nothing } }];
    const sound = soundtrackOf(silent, 8, { voice: { left: nothing, right: voice }, clips })!;
    const level = (from: number) =>
      20 * Math.log10(loudness(sound.block(from * HERTZ, HERTZ).subarray(0, HERTZ)));
    expect(level(5.5) - level(2)).toBeCloseTo(-12, 0);
  });
});
