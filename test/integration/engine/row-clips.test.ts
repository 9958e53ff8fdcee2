import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ReadAt } from '../../../src/engine/downloads/mp4-boxes.ts';
import { checkFiles, RowFileChecks } from '../../../src/engine/intake/check-files.ts';
import type { RowValues } from '../../../src/engine/intake/row-values.ts';
import { ClipReader } from '../../../src/local-service/rendering/media/clip-reader.ts';
import { readMediaFile } from '../../../src/engine/pictures/row-file.ts';
import { readSoundHeader } from '../../../src/engine/pictures/sound-header.ts';
import { storyboardProfile } from '../../../src/engine/profiles/storyboard.ts';
import { makeClip } from '../../rigs/clips.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const HEVC_OF_HLG = [
  'log-level=none',
  'colorprim=bt2020',
  'transfer=arib-std-b67',
  'colormatrix=bt2020nc',
];
const HLG = ['-color_primaries', 'bt2020', '-color_trc', 'arib-std-b67', '-colorspace', 'bt2020nc'];

/** What is wrong with the files of a row. */
async function issuesOf(folder: string, row: Readonly<Record<string, string | number>>) {
  const values = Object.entries(row) as RowValues;
  const checks = { files: new RowFileChecks(), takes: () => true };
  const { errors } = await checkFiles(values, storyboardProfile.request, checks, () => ({
    folder,
  }));
  return errors.map(({ column, cell, what }) => [column, cell, what.message]);
}

describe('the clip of a row', () => {
  it('may be MP4, MOV or WebM, and a part of it', async () => {
    const folder = temporaryFolder();
    makeClip(path.join(folder, 'a.mp4'), { seconds: 2 });
    makeClip(path.join(folder, 'b.mov'), { seconds: 0.2 });
    makeClip(path.join(folder, 'c.webm'), { seconds: 2, encoding: ['-c:v', 'libvpx'] });
    for (const clip of ['a.mp4', 'b.mov', 'c.webm']) {
      expect(await issuesOf(folder, { clip })).toEqual([]);
    }
    for (const clip of ['a.mp4', 'c.webm']) {
      expect(await issuesOf(folder, { clip, 'clip from': 1.5, 'clip to': 1.8 })).toEqual([]);
      expect(await issuesOf(folder, { clip, 'clip from': 2.5 })).toEqual([
        ['clip from', '2.5', 'is after the end of the clip, which lasts 2 seconds.'],
      ]);
    }
    expect(await issuesOf(folder, { clip: 'a.mp4', 'clip from': 1, 'clip to': 1 })).toEqual([
      ['clip to', '1', 'must be later than 1 seconds, where the clip begins.'],
    ]);
    expect(await issuesOf(folder, { clip: 'a.mp4', 'clip to': 121 })).toEqual([
      ['clip to', '121', 'is too late: at most 120 seconds of a clip can be shown.'],
    ]);
  });

  it('may be a Matroska file, as screen recorders write it', async () => {
    const folder = temporaryFolder();
    const clip = makeClip(path.join(folder, 'a.mkv'), { seconds: 2 });
    expect(await issuesOf(folder, { clip: 'a.mkv' })).toEqual([]);
    expect(await issuesOf(folder, { clip: 'a.mkv', 'clip from': 2.5 })).toEqual([
      ['clip from', '2.5', 'is after the end of the clip, which lasts 2 seconds.'],
    ]);
    using reader = await ClipReader.open(clip, { from: 1 });
    expect(await reader.seek(0)).toBe(true);
    expect(reader.seconds).toBeCloseTo(1);
  });

  it('may have hundreds of megabytes, as phones write them', async () => {
    const folder = temporaryFolder();
    const clip = makeClip(path.join(folder, 'a.mp4'), { seconds: 0.2 });
    const made = readFileSync(clip);
    const megabytes = (count: number) => {
      const free = Buffer.alloc(8);
      free.writeUInt32BE(count * 1_000_000 - made.length);
      free.write('free', 4, 'latin1');
      writeFileSync(clip, Buffer.concat([made, free]));
      truncateSync(clip, count * 1_000_000);
    };
    megabytes(200);
    expect(await issuesOf(folder, { clip: 'a.mp4' })).toEqual([]);
    megabytes(1001);
    const message = 'has 1001.0 MB, and at most 1000.0 MB are possible here. Export it smaller.';
    expect(await issuesOf(folder, { clip: 'a.mp4' })).toEqual([['clip', 'a.mp4', message]]);
  });

  it('that is written while it is checked is an error of its cell', async () => {
    const folder = temporaryFolder();
    const clip = makeClip(path.join(folder, 'a.mp4'), { seconds: 0.2 });
    const before = hash('sha256', readFileSync(clip));
    const reading = readMediaFile('a.mp4', folder, async ({ onDisk }) => {
      appendFileSync(clip, 'more');
      // Not of what follows, which may grow as fast as it is read.
      expect((await onDisk()).sha256).toBe(before);
    });
    expect(await reading).toMatchObject({
      kind: 'invalid',
      what: { message: expect.stringContaining('is being changed') as string },
    });
  });

  it('with sound that cannot be played is an error where its sound is wanted', async () => {
    const folder = temporaryFolder();
    const pictures = ['-f', 'lavfi', '-i', 'color=s=64x64:d=0.1'];
    const sound = ['-f', 'lavfi', '-i', 'sine=d=0.1'];
    const codecs = [
      ['alac.mov', 'alac', 'Apple Lossless'],
      ['surround.mp4', 'eac3', 'Dolby Digital Plus'],
      ['flac.mkv', 'flac', 'FLAC'],
      ['aac.mp4', 'aac', null],
      ['pcm.mov', 'pcm_s24le', null],
      ['aac.mkv', 'aac', null],
    ] as const;
    const outputs = codecs.flatMap(([name, codec]) => ['-c:a', codec, path.join(folder, name)]);
    execFileSync('ffmpeg', ['-v', 'error', ...pictures, ...sound, ...outputs]);
    for (const [clip, , codec] of codecs) {
      const message = `has sound in the format ${codec}, which cannot be played. Turn its sound off, or export it with AAC sound.`;
      const expected = codec === null ? [] : [['clip', clip, message]];
      for (const wanted of ['on', -12]) {
        expect(await issuesOf(folder, { clip, 'clip sound': wanted })).toEqual(expected);
      }
      expect(await issuesOf(folder, { clip, 'clip sound': 'off' })).toEqual([]);
    }
  });

  it('without sound, which its row asks for, is a warning', async () => {
    const folder = temporaryFolder();
    const sound = ['-f', 'lavfi', '-i', 'sine=d=0.2', '-shortest'];
    makeClip(path.join(folder, 'mute.mp4'), { seconds: 0.2 });
    makeClip(path.join(folder, 'mute.webm'), { seconds: 0.2, encoding: ['-c:v', 'libvpx'] });
    for (const [name, ...codecs] of [
      ['heard.mp4', '-c:v', 'copy'],
      ['heard.webm', '-c:v', 'libvpx', '-c:a', 'libopus'],
    ] as const) {
      const mute = path.join(folder, 'mute.mp4');
      const heard = path.join(folder, name);
      execFileSync('ffmpeg', ['-v', 'error', '-i', mute, ...sound, ...codecs, heard]);
    }
    const warningsOf = async (row: Readonly<Record<string, string | number>>) => {
      const values = Object.entries(row) as RowValues;
      const { request } = storyboardProfile;
      const { errors, warned } = await checkFiles(
        values,
        request,
        { files: new RowFileChecks(), takes: () => true },
        () => ({
          folder,
        }),
      );
      expect(errors).toEqual([]);
      return warned.map(({ cell, what }) => [cell, what.message]);
    };
    for (const clip of ['mute.mp4', 'mute.webm']) {
      for (const wanted of ['on', -12]) {
        expect(await warningsOf({ clip, 'clip sound': wanted })).toEqual([
          [clip, 'has no sound. Turn its sound off, or enter a clip that has sound.'],
        ]);
      }
      expect(await warningsOf({ clip, 'clip sound': 'off' })).toEqual([]);
      expect(await warningsOf({ clip })).toEqual([]);
    }
    for (const clip of ['heard.mp4', 'heard.webm']) {
      expect(await warningsOf({ clip, 'clip sound': 'on' })).toEqual([]);
    }
  });

  it.each<[name: string, options: Parameters<typeof makeClip>[1], message: string]>([
    [
      'hdr.mov',
      {
        encoding: [
          '-c:v',
          'libx265',
          '-pix_fmt',
          'yuv420p10le',
          ...HLG,
          '-x265-params',
          HEVC_OF_HLG.join(':'),
        ],
      },
      'has HDR colours, which would look pale. Export it in SDR.',
    ],
    [
      'prores.mov',
      { encoding: ['-c:v', 'prores_ks', '-pix_fmt', 'yuv422p10le'] },
      'is a clip in the format ProRes. Export it as H.264.',
    ],
    [
      'clear.webm',
      { filter: 'format=yuva420p', encoding: ['-c:v', 'libvpx-vp9', '-pix_fmt', 'yuva420p'] },
      'has transparent parts. Export it without transparency.',
    ],
    [
      'wide.mp4',
      { filter: 'scale=4098:64', encoding: ['-c:v', 'libx264', '-preset', 'ultrafast'] },
      'has 4098 × 64 pixels, and at most 4096 × 2304 are possible. Export it smaller.',
    ],
  ])('is an error of its cell if it is %s', async (name, options, message) => {
    const folder = temporaryFolder();
    makeClip(path.join(folder, name), { seconds: 0.1, ...options });
    expect(await issuesOf(folder, { clip: name })).toEqual([['clip', name, message]]);
  });

  it('may begin later than the first part of its index ends', async () => {
    const folder = temporaryFolder();
    const inParts = ['-c:v', 'libx264', '-movflags', 'frag_every_frame'];
    makeClip(path.join(folder, 'a.mp4'), { seconds: 1, encoding: inParts });
    expect(await issuesOf(folder, { clip: 'a.mp4', 'clip from': 0.5 })).toEqual([]);
  });

  // abuse.md 70
  it('is an error of its cell if it is cut off, damaged or something else', async () => {
    const folder = temporaryFolder();
    const inFolder = (name: string) => path.join(folder, name);
    const mp4 = readFileSync(makeClip(inFolder('a.mp4'), { seconds: 0.2 }));
    const webm = readFileSync(
      makeClip(inFolder('a.webm'), { seconds: 0.2, encoding: ['-c:v', 'libvpx'] }),
    );
    const cut = (bytes: Buffer) => bytes.subarray(0, bytes.length - 200);
    writeFileSync(inFolder('cut.mp4'), cut(mp4));
    const front = inFolder('front.mp4');
    const toFront = ['-c', 'copy', '-movflags', '+faststart', front];
    execFileSync('ffmpeg', ['-v', 'error', '-i', inFolder('a.mp4'), ...toFront]);
    writeFileSync(inFolder('cut-front.mp4'), cut(readFileSync(front)));
    writeFileSync(inFolder('cut.webm'), cut(webm));
    const keyless = Buffer.from(mp4);
    keyless.writeUInt32BE(0, keyless.indexOf('stss') + 8);
    writeFileSync(inFolder('keyless.mp4'), keyless);
    for (const [table, at, value] of [
      ['stco', 12, mp4.length],
      ['stts', 12, 1],
      ['ctts', 8, 90_000],
      ['stsz', 12, 90_000],
    ] as const) {
      const wrong = Buffer.from(mp4);
      wrong.writeUInt32BE(value, wrong.indexOf(table) + at);
      writeFileSync(inFolder(`${table}.mp4`), wrong);
    }
    const toSound = ['-f', 'lavfi', '-i', 'sine=d=0.1', inFolder('sound.mp4')];
    execFileSync('ffmpeg', ['-v', 'error', ...toSound]);
    writeFileSync(inFolder('text.mp4'), 'title\nOne\n');
    mkdirSync(inFolder('folder.mp4'));
    symlinkSync('/dev/zero', inFolder('device.mp4'));
    symlinkSync(import.meta.filename, inFolder('link.mp4'));
    const outside = 'leads out of the table’s folder. Put the file into this folder.';
    const incomplete = 'is a clip whose end is missing. Copy or export it again.';
    const damaged = 'is a clip whose index is damaged. Export it again.';
    for (const [clip, message] of [
      ['cut.mp4', incomplete],
      ['cut-front.mp4', incomplete],
      ['cut.webm', incomplete],
      ['keyless.mp4', 'has no key frame and so cannot be shown. Export it again.'],
      ...['stco', 'stts', 'ctts', 'stsz'].map((table) => [`${table}.mp4`, damaged] as const),
      ['sound.mp4', 'has sound only. Enter a file with pictures.'],
      ['text.mp4', 'is not a clip. MP4, MOV, WebM and MKV are possible.'],
      ['folder.mp4', 'is not a file. Enter the name of a file.'],
      ['device.mp4', outside],
      ['link.mp4', outside],
      ['../../a.mp4', outside],
    ] as const) {
      expect(await issuesOf(folder, { clip })).toEqual([['clip', clip, message]]);
    }
  });

  // abuse.md 70
  it('is read to its end, whatever its headers claim', async () => {
    const folder = temporaryFolder();
    const whole = readFileSync(makeClip(path.join(folder, 'a.mp4'), { seconds: 0.1 }));
    const webm = readFileSync(
      makeClip(path.join(folder, 'a.webm'), { seconds: 0.1, encoding: ['-c:v', 'libvpx'] }),
    );
    for (const [name, bytes] of [
      ['b.mp4', whole],
      ['b.webm', webm],
    ] as const) {
      for (let at = 0; at < Math.min(bytes.length, 1500); at += 7) {
        const damaged = Buffer.from(bytes);
        damaged.fill(0xff, at, at + 5);
        writeFileSync(path.join(folder, name), damaged);
        expect(await issuesOf(folder, { clip: name })).toBeInstanceOf(Array);
      }
    }
  });
});

describe('the music and the voice of a row', () => {
  it('are read as far as their headers, also of hours', async () => {
    const folder = temporaryFolder();
    const made = [
      ['a.mp3', 'libmp3lame'],
      ['plain.mp3', 'libmp3lame', '-write_xing', '0'],
      ['a.m4a', 'aac'],
      ['a.wav', 'pcm_s24le'],
      ['a.ogg', 'libopus'],
      ['a.webm', 'libopus'],
      ['vorbis.ogg', 'libvorbis'],
      ['alac.m4a', 'alac'],
      ['adpcm.wav', 'adpcm_ms'],
      ['flac.ogg', 'flac'],
    ] as const;
    const outputs = made.flatMap(([name, codec, ...more]) => [
      ...['-c:a', codec, ...more],
      path.join(folder, name),
    ]);
    const silence = ['-f', 'lavfi', '-i', 'anullsrc=r=48000:cl=mono:d=3'];
    execFileSync('ffmpeg', ['-v', 'error', ...silence, ...outputs]);
    const unplayed = (codec: string) =>
      `is a sound in the format ${codec}, which cannot be played. Export it as MP3 or WAV.`;
    const wrong: Readonly<Record<string, string>> = {
      'vorbis.ogg': unplayed('Vorbis'),
      'alac.m4a': unplayed('Apple Lossless'),
      'adpcm.wav': unplayed('ADPCM'),
      'flac.ogg': unplayed('FLAC'),
    };
    for (const [voice] of made) {
      const expected = wrong[voice] === undefined ? [] : [['voice', voice, wrong[voice]]];
      expect(await issuesOf(folder, { voice })).toEqual(expected);
      const bytes = readFileSync(path.join(folder, voice));
      const read: ReadAt = (at, length) => Promise.resolve(bytes.subarray(at, at + length));
      const seconds = (await readSoundHeader(read, bytes.length))?.seconds ?? null;
      if (seconds !== null) expect([voice, Math.abs(seconds - 3) < 0.2]).toEqual([voice, true]);
      else expect(['vorbis.ogg', 'flac.ogg', 'adpcm.wav']).toContain(voice);
    }
    const minute = path.join(folder, 'plain.mp3');
    const [song, hours] = [readFileSync(minute), path.join(folder, 'hours.mp3')];
    writeFileSync(hours, Buffer.concat(Array.from({ length: 800 }, () => song)));
    expect(await issuesOf(folder, { 'music file': 'hours.mp3' })).toEqual([
      [
        'music file',
        'hours.mp3',
        'lasts 40 minutes, and at most 20 are possible. Export a shorter part.',
      ],
    ]);
  });

  it('last about as long as they are, if their bit rate varies and nothing says how long', async () => {
    const file = path.join(temporaryFolder(), 'a.mp3');
    const quietThenLoud = 'aevalsrc=if(lt(t\\,4)\\,0\\,random(0)-0.5):d=12';
    const encoding = ['-c:a', 'libmp3lame', '-q:a', '2', '-write_xing', '0'];
    execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', quietThenLoud, ...encoding, file]);
    const bytes = readFileSync(file);
    const read: ReadAt = (at, length) => Promise.resolve(bytes.subarray(at, at + length));
    const seconds = (await readSoundHeader(read, bytes.length))?.seconds ?? 0;
    expect(Math.abs(seconds - 12)).toBeLessThan(1.5);
  });

  it('are errors of their cells, or not, whatever their headers claim', async () => {
    for (const start of [
      'RIFF\0\0\0\0WAVE',
      'OggS',
      'ID3',
      '\u00ff\u00fb\u0090\0',
      '\0\0\0\u0010ftypM4A ',
    ]) {
      for (let seed = 0; seed < 200; seed++) {
        const noise = Array.from({ length: seed }, (_, at) => (seed * 97 + at * at * 31) & 0xff);
        const bytes = Buffer.concat([Buffer.from(start, 'latin1'), Buffer.from(noise)]);
        const read: ReadAt = (at, length) => Promise.resolve(bytes.subarray(at, at + length));
        expect(await readSoundHeader(read, bytes.length)).toHaveProperty('format');
      }
    }
  });
});
