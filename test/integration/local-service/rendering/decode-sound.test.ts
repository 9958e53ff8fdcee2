import { execFileSync } from 'node:child_process';
import { readFileSync, truncateSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  decodeSound,
  decodeTrack,
} from '../../../../src/local-service/rendering/media/decode-sound.ts';
import { openMedia } from '../../../../src/local-service/rendering/media/open-media.ts';
import { MediaUnreadableError } from '../../../../src/local-service/rendering/media/media-error.ts';
import { lagOf } from '../../../rigs/decoded-media.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const RATE = 48_000;
/** A chirp at 1 s, and another one at 2.5 s; 4 s long. */
const SOURCE =
  "aevalsrc='0.6*sin(2*PI*(400+3000*mod(t,1.5))*t)*(between(t,1,1.1)+between(t,2.5,2.6))'";

function ffmpeg(...args: string[]): void {
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...args]);
}

function make(folder: string, name: string, rate: number, args: readonly string[]): string {
  const file = path.join(folder, name);
  ffmpeg('-f', 'lavfi', '-i', `${SOURCE}:s=${rate}:d=4`, '-ac', '2', ...args, file);
  return file;
}

/** The chirps as they were made, at 48 kHz. */
function meant(folder: string): Float32Array {
  const file = path.join(folder, 'meant.f32');
  ffmpeg('-f', 'lavfi', '-i', `${SOURCE}:s=48000:d=4`, '-f', 'f32le', '-ac', '1', file);
  return new Float32Array(new Uint8Array(readFileSync(file)).buffer);
}

const FORMATS: Record<string, readonly [name: string, rate: number, ...args: string[]]> = {
  'WAV of 44.1 kHz': ['sound.wav', 44_100],
  'WAV of 24 bits and 96 kHz': ['sound.wav', 96_000, '-c:a', 'pcm_s24le'],
  'MP3 of 44.1 kHz': ['sound.mp3', 44_100, '-b:a', '192k'],
  'MP3 of 48 kHz without a header': ['sound.mp3', 48_000, '-write_xing', '0', '-b:a', '192k'],
  'AAC in M4A': ['sound.m4a', 48_000, '-b:a', '192k'],
  'AAC without a container': ['sound.aac', 48_000, '-b:a', '192k'],
  'AC-3 in MP4': ['sound.mp4', 48_000, '-c:a', 'ac3', '-b:a', '192k'],
  'Opus in MP4': ['sound.mp4', 48_000, '-c:a', 'libopus', '-b:a', '128k'],
  'Opus in Ogg': ['sound.ogg', 48_000, '-c:a', 'libopus', '-b:a', '128k'],
  'Opus in WebM': ['sound.webm', 48_000, '-c:a', 'libopus', '-b:a', '128k'],
};

describe('a sound file', () => {
  it.each(Object.entries(FORMATS))('as %s is heard when it was recorded', async (_, format) => {
    const folder = temporaryFolder();
    const [name, rate, ...args] = format;
    const file = make(folder, name, rate, args);
    const expected = meant(folder);
    const { left, right } = await decodeSound(file, { from: 0, seconds: 10 });
    expect(Math.abs(left.length - 4 * RATE)).toBeLessThan(2500);
    for (const side of [left, right]) {
      const heard = Float32Array.from(side, (level) => level / 32_767);
      for (const second of [0.9, 2.4]) {
        const part = (samples: Float32Array) =>
          samples.subarray(second * RATE, (second + 0.3) * RATE);
        expect(Math.abs(lagOf(part(expected), part(heard), 3000))).toBeLessThanOrEqual(1);
      }
      const peak = heard.reduce((most, level) => Math.max(most, Math.abs(level)), 0);
      expect(peak).toBeGreaterThan(0.4);
      expect(peak).toBeLessThan(0.75);
    }
    for (const from of [0.95, 2.4]) {
      const part = await decodeSound(file, { from, seconds: 0.5 });
      expect(part.left.length).toBe(0.5 * RATE);
      const heard = Float32Array.from(part.left, (level) => level / 32_767);
      const meantHere = expected.subarray(from * RATE, (from + 0.5) * RATE);
      expect([from, Math.abs(lagOf(meantHere, heard, 3000))]).toEqual([
        from,
        expect.toSatisfy((lag: number) => lag <= 1),
      ]);
      const whole = left.subarray(from * RATE, (from + 0.5) * RATE);
      const difference = part.left.reduce(
        (most, level, at) => Math.max(most, Math.abs(level - (whole[at] ?? 0))),
        0,
      );
      expect([from, difference < 100]).toEqual([from, true]);
    }
  });

  it('is not decoded far before the part that is used', async () => {
    const file = make(temporaryFolder(), 'sound.m4a', 48_000, []);
    using media = await openMedia(file);
    let parts = 0;
    await decodeTrack(media.sound!, { from: 3, seconds: 0.5 }, () => (parts += 1));
    expect(parts * 1024).toBeLessThan(2 * RATE);
  });

  it.each([
    ['three hours', ['-t', '10800'], /lasts 180 minutes/],
    ['twenty-one minutes', ['-t', '1260'], /lasts 21 minutes/],
  ])('of %s is refused by its header', async (_, args, reason) => {
    const folder = temporaryFolder();
    const [minute, file] = [path.join(folder, 'minute.mp3'), path.join(folder, 'long.mp3')];
    const silence = ['-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono', '-t', '60', '-b:a', '8k'];
    ffmpeg(...silence, minute);
    // Over and over again: to encode hours takes a quarter of a minute.
    ffmpeg('-stream_loop', '-1', '-i', minute, ...args, '-c', 'copy', file);
    await expect(decodeSound(file, { from: 0, seconds: 5 })).rejects.toThrow(reason);
  });

  it('that is something else is refused', async () => {
    const folder = temporaryFolder();
    for (const [name, bytes] of [
      ['text.mp3', 'This is no sound.'],
      ['empty.wav', ''],
      ['header.wav', 'RIFF\0\0\0\0WAVEfmt '],
      ['zeros.m4a', Buffer.alloc(10_000)],
    ] as const) {
      const file = path.join(folder, name);
      writeFileSync(file, bytes);
      await expect(decodeSound(file, { from: 0, seconds: 5 })).rejects.toThrow(
        MediaUnreadableError,
      );
    }
  });

  it('that was cut off is heard up to there, or refused', async () => {
    const folder = temporaryFolder();
    const mp3 = make(folder, 'cut.mp3', 44_100, []);
    truncateSync(mp3, statSync(mp3).size / 2);
    const { left } = await decodeSound(mp3, { from: 0, seconds: 10 });
    expect(left.length).toBeGreaterThan(RATE);
    const m4a = make(folder, 'cut.m4a', 44_100, []);
    truncateSync(m4a, statSync(m4a).size / 2);
    await expect(decodeSound(m4a, { from: 0, seconds: 10 })).rejects.toThrow(MediaUnreadableError);
  });

  it('without sound is refused', async () => {
    const file = path.join(temporaryFolder(), 'mute.mp4');
    ffmpeg('-f', 'lavfi', '-i', 'color=red:s=64x64:d=1', file);
    await expect(decodeSound(file, { from: 0, seconds: 5 })).rejects.toThrow('has no sound');
  });
});
