import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkPictures, RowFileChecks } from '../../../src/engine/intake/row-pictures.ts';
import type { RowValues } from '../../../src/engine/intake/row-values.ts';
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
  const checks = new RowFileChecks();
  const { errors } = await checkPictures(values, storyboardProfile.request, checks, () => ({
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
      const { errors, warned } = await checkPictures(values, request, new RowFileChecks(), () => ({
        folder,
      }));
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
    execFileSync('ffmpeg', [
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      'sine=d=0.1',
      inFolder('sound.mp4'),
    ]);
    writeFileSync(inFolder('text.mp4'), 'title\nOne\n');
    mkdirSync(inFolder('folder.mp4'));
    symlinkSync('/dev/zero', inFolder('device.mp4'));
    symlinkSync(import.meta.filename, inFolder('link.mp4'));
    const outside = 'leads out of the table’s folder. Put the file into this folder.';
    const incomplete = 'is a clip whose end is missing. Copy or export it again.';
    for (const [clip, message] of [
      ['cut.mp4', incomplete],
      ['cut-front.mp4', incomplete],
      ['cut.webm', incomplete],
      ['keyless.mp4', 'has no key frame and so cannot be shown. Export it again.'],
      ['sound.mp4', 'has sound only. Enter a file with pictures.'],
      ['text.mp4', 'is not a clip. MP4, MOV and WebM are possible.'],
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
