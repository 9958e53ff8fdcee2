import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  renderToFiles,
  withSounds,
} from '../../../../src/local-service/rendering/render-to-files.ts';
import { ClipReader } from '../../../../src/local-service/rendering/media/clip-reader.ts';
import { RenderCancelledError } from '../../../../src/local-service/rendering/render-errors.ts';
import { brightnessOf, channelsOf, lagOf, loudnessOf, probe } from '../../../rigs/decoded-media.ts';
import { storyboard } from '../../../rigs/storyboards.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const RATE = 48_000;

function makeSound(file: string, expression: string, seconds: number): string {
  const source = ['-f', 'lavfi', '-i', `aevalsrc='${expression}':s=${RATE}:d=${seconds}`];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...source, '-ac', '2', file]);
  return file;
}

/** A tone that only the music has. */
const MUSIC = '0.3*sin(2*PI*3000*t)';
const ABOVE = 'highpass=f=2500,highpass=f=2500,highpass=f=2500';
const BELOW = 'lowpass=f=400,lowpass=f=400';

async function render(fields: Record<string, unknown>, imageFiles: Record<string, string>) {
  const folder = temporaryFolder();
  const videoPath = path.join(folder, 'video.mp4');
  const board = storyboard({ fps: 24, ...fields });
  const order = { storyboard: board, videoPath, posterPath: `${videoPath}.jpg`, imageFiles };
  await renderToFiles(
    { ...order, memoryBytes: Infinity },
    () => undefined,
    new AbortController().signal,
  );
  return videoPath;
}

/** Mean level between two times, in decibels. */
function levelOf([samples]: Float32Array[], from: number, until: number): number {
  const part = samples!.subarray(from * RATE, until * RATE);
  const power = part.reduce((sum, level) => sum + level * level, 0) / part.length;
  return 10 * Math.log10(power + 1e-12);
}

const title = (seconds: number) => [{ kind: 'title', text: 'Sound', seconds }];

describe('music and a voice of the user’s own', () => {
  it('are heard together, the music 12 dB lower while the voice speaks', async () => {
    const folder = temporaryFolder();
    const music = makeSound(path.join(folder, 'music.mp3'), MUSIC, 30);
    const voice = makeSound(
      path.join(folder, 'voice.wav'),
      '0.5*sin(2*PI*200*t)*between(t,3,5)',
      5,
    );
    const file = await render(
      { scenes: title(10), music: { asset: 'm' }, voice: { asset: 'v' } },
      { m: music, v: voice },
    );
    const heard = await channelsOf(file, ABOVE);
    const before = levelOf(heard, 1, 2.7);
    expect(levelOf(heard, 3.2, 4.8) - before).toBeGreaterThan(-13);
    expect(levelOf(heard, 3.2, 4.8) - before).toBeLessThan(-11);
    // Ready when the voice begins, and back soon after it.
    expect(levelOf(heard, 3, 3.05) - before).toBeLessThan(-10);
    expect(levelOf(heard, 2.8, 2.88) - before).toBeGreaterThan(-1);
    expect(levelOf(heard, 5.05, 5.2) - before).toBeLessThan(-9);
    expect(Math.abs(levelOf(heard, 5.9, 8) - before)).toBeLessThan(0.5);
    const spoken = await channelsOf(file, BELOW);
    expect(levelOf(spoken, 3.2, 4.8)).toBeGreaterThan(-20);
    expect(levelOf(spoken, 6, 8)).toBeLessThan(-50);

    const { loudness, peak } = await loudnessOf(file);
    expect(Math.abs(loudness + 14)).toBeLessThan(0.5);
    expect(peak).toBeLessThanOrEqual(-1);
  });

  it('repeats music that is shorter than the video, without a click', async () => {
    // One and a quarter periods: the end and the beginning do not fit.
    const music = makeSound(
      path.join(temporaryFolder(), 'music.wav'),
      '0.3*cos(2*PI*100*t)',
      2.0025,
    );
    const file = await render({ scenes: title(7), music: { asset: 'm' } }, { m: music });
    const clicks = await channelsOf(file, 'highpass=f=3000,highpass=f=3000');
    const middle = clicks[0]!.subarray(RATE, 5 * RATE);
    expect(middle.reduce((most, level) => Math.max(most, Math.abs(level)), 0)).toBeLessThan(0.002);
    expect(levelOf(await channelsOf(file), 4.8, 5.2)).toBeGreaterThan(-25);
  });

  it('makes the video as long as the voice, unless its length is given', async () => {
    const voice = makeSound(path.join(temporaryFolder(), 'voice.mp3'), '0.3*sin(2*PI*300*t)', 9);
    const scenes = [
      { kind: 'title', text: 'One' },
      { kind: 'title', text: 'Two' },
    ];
    const fields = { scenes, soundtrack: 'none', voice: { asset: 'v' } };
    const { pictures } = await probe(await render(fields, { v: voice }));
    expect(Number(pictures?.duration)).toBeGreaterThan(9.5);
    expect(Number(pictures?.duration)).toBeLessThan(10.2);
    const given = await probe(await render({ ...fields, duration: 4 }, { v: voice }));
    expect(Number(given.pictures?.duration)).toBe(4);
  });

  it('are decoded no further than they are heard', async () => {
    const folder = temporaryFolder();
    const music = makeSound(path.join(folder, 'music.wav'), MUSIC, 30);
    const voice = makeSound(path.join(folder, 'voice.wav'), '0.3*sin(2*PI*300*t)', 5);
    const seconds = async (fields: Record<string, unknown>) => {
      const board = storyboard({ scenes: [{ kind: 'title', text: 'One' }], ...fields });
      const { sounds } = await withSounds(board, { m: music, v: voice });
      return [sounds.music, sounds.voice].map((each) => (each?.left.length ?? 0) / RATE);
    };
    expect(await seconds({ duration: 3, music: { asset: 'm' } })).toEqual([4, 0]);
    const [heard, spoken] = await seconds({ music: { asset: 'm' }, voice: { asset: 'v' } });
    expect(spoken).toBe(5);
    expect(heard).toBeGreaterThan(6);
    expect(heard).toBeLessThan(8);
  });

  it('says which file cannot be used, and why', async () => {
    const folder = temporaryFolder();
    const voice = path.join(folder, 'mute.mp4');
    execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'color=s=64x64:d=1', voice]);
    await expect(render({ scenes: title(1), voice: { asset: 'v' } }, { v: voice })).rejects.toThrow(
      'The file of the voice has no sound.',
    );
    await expect(
      render({ scenes: title(1), music: { asset: 'm' } }, { m: import.meta.filename }),
    ).rejects.toThrow('The file of the music is damaged, or of a format that cannot be read.');
  });
});

/** A flash of 1/24 s with a tone of the same length, half a second after the beginning. */
function flashingClip(file: string, ...encoding: string[]): string {
  const during = 'between(t,0.499,0.541)';
  const pictures = `color=black:s=64x64:r=24:d=1,drawbox=c=white:t=fill:enable='${during}'`;
  const sound = `aevalsrc='0.5*sin(2*PI*1000*(t-0.5))*between(t,0.5,0.5416)':s=${RATE}:d=1`;
  const inputs = ['-f', 'lavfi', '-i', pictures, '-f', 'lavfi', '-i', sound];
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-y',
    ...inputs,
    '-pix_fmt',
    'yuv420p',
    ...encoding,
    file,
  ]);
  return file;
}

/** A tone of 1/24 s. */
const TONE = Float32Array.from({ length: RATE / 24 }, (_, at) =>
  Math.sin((2 * Math.PI * 1000 * at) / RATE),
);

describe('the sound of a clip', () => {
  it('is heard with its pictures, in the part that is shown, each time that it repeats', async () => {
    const clip = flashingClip(path.join(temporaryFolder(), 'clip.mp4'));
    const background = { asset: 'c', from: 0.25, to: 1, sound: 'on' };
    const file = await render(
      { scenes: [{ kind: 'title', text: 'Hi', seconds: 3, background }], soundtrack: 'none' },
      { c: clip },
    );
    const brightness = await brightnessOf(file);
    const dark = Math.min(...brightness);
    const flashes = brightness.flatMap((level, at) => (level > dark + 40 ? [at / 24] : []));
    expect(flashes).toEqual([0.25, 1, 1.75, 2.5]);
    const [heard] = await channelsOf(file);
    for (const second of flashes) {
      const start = (second - 0.2) * RATE;
      const part = heard!.subarray(start, start + 0.5 * RATE);
      const meant = new Float32Array(0.5 * RATE);
      meant.set(TONE, 0.2 * RATE);
      expect(Math.abs(lagOf(meant, part, RATE / 10))).toBeLessThanOrEqual(RATE / 1000);
    }
    expect(Math.abs((await loudnessOf(file)).loudness + 14)).toBeLessThan(0.5);
  });

  it.each([
    ['clip.mov', '-c:a', 'pcm_s16le'],
    ['clip.mp4', '-c:a', 'libmp3lame'],
    ['clip.mp4', '-c:a', 'aac'],
    ['clip.webm', '-c:a', 'libopus', '-c:v', 'libvpx'],
  ])('is cut where it begins, in %s %s %s', async (name, ...encoding) => {
    const file = flashingClip(path.join(temporaryFolder(), name), ...encoding);
    // In WebM, ffmpeg puts pictures 7 ms after the sound; a clip begins with its pictures.
    const { pictures } = await probe(file);
    const start = Number(pictures!.start_time);
    using clip = await ClipReader.open(file, { from: 0.4 });
    const sound = await clip.sound(0.3);
    const heard = Float32Array.from(sound!.left, (level) => level / 32_767);
    expect(heard.length).toBe(0.3 * RATE);
    const meant = new Float32Array(heard.length);
    meant.set(TONE, Math.round((0.1 - start) * RATE));
    expect(Math.abs(lagOf(meant, heard, RATE / 20))).toBeLessThanOrEqual(RATE / 1000);
  });

  it('is no longer decoded once the render is cancelled, also far before the part that is used', async () => {
    const file = flashingClip(path.join(temporaryFolder(), 'clip.mp4'), '-c:a', 'aac');
    let steps = 0;
    const cancel = () => {
      steps += 1;
      if (steps === 3) throw new RenderCancelledError();
    };
    using clip = await ClipReader.open(file, { from: 0.4 }, cancel);
    await expect(clip.sound(0.3)).rejects.toThrow(RenderCancelledError);
    expect(steps).toBe(3);
  });
});
