import { createCanvas } from '@napi-rs/canvas';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ClipReader } from '../../../../src/local-service/rendering/media/clip-reader.ts';
import { MediaUnreadableError } from '../../../../src/local-service/rendering/media/media-error.ts';
import { RenderCancelledError } from '../../../../src/local-service/rendering/render-errors.ts';
import { CLIP, type ClipFrame, differenceOf, framesOf, makeClip } from '../../../rigs/clips.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const H264 = ['-c:v', 'libx264'];
const HEVC = ['-c:v', 'libx265', '-tag:v', 'hvc1', '-x265-params', 'log-level=none'];
const OPEN_HEVC = [
  ...HEVC.slice(0, -1),
  'log-level=none:open-gop=1:keyint=5:min-keyint=5:bframes=3',
];
/** Every second and third frame is left out, now and then. */
const UNEVEN = {
  filter: "select='not(mod(n,2))+lt(mod(n,10),4)'",
  encoding: [...H264, '-vsync', 'vfr', '-output_ts_offset', '0.7'],
};

const CLIPS: Record<string, [name: string, options: Parameters<typeof makeClip>[1]]> = {
  'H.264 with B-frames': ['clip.mp4', { encoding: [...H264, '-bf', '3', '-g', '12'] }],
  'H.264 whose key frames follow frames that come before them': [
    'clip.mov',
    { encoding: [...H264, '-bf', '3', '-x264-params', 'open-gop=1:keyint=9:min-keyint=9'] },
  ],
  'a variable frame rate and a beginning after 0': ['clip.mp4', UNEVEN],
  '4:4:4 at 120 frames a second': [
    'clip.mp4',
    { fps: 120, seconds: 0.25, encoding: [...H264, '-pix_fmt', 'yuv444p'] },
  ],
  'HEVC with 10 bits, whose key frames follow frames that come before them': [
    'clip.mp4',
    { seconds: 0.5, encoding: [...OPEN_HEVC, '-pix_fmt', 'yuv420p10le'] },
  ],
  'VP9 in an odd size': [
    'clip.webm',
    { seconds: 0.5, filter: 'crop=95:63:0:0', encoding: ['-c:v', 'libvpx-vp9'] },
  ],
  VP8: ['clip.webm', { seconds: 0.5, encoding: ['-c:v', 'libvpx', '-b:v', '800k'] }],
  AV1: ['clip.mp4', { seconds: 0.5, encoding: ['-c:v', 'libsvtav1', '-b:v', '800k'] }],
};

/** What is seen, in the size of {@link CLIP}. */
function seen(clip: ClipReader, { width, height }: { width: number; height: number } = CLIP) {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  clip.draw(context, { x: 0, y: 0, width, height });
  return context.getImageData(0, 0, width, height).data;
}

/** Of a frame and its neighbours, the one that looks most like what is seen. */
function nearest(pixels: ArrayLike<number>, frames: readonly ClipFrame[], expected: number) {
  const candidates = [expected, expected - 1, expected + 1, 0].filter((at) => at in frames);
  const differences = candidates.map((at) => differenceOf(pixels, frames[at]!.pixels));
  return candidates[differences.indexOf(Math.min(...differences))];
}

function shownAt(seconds: number, frames: readonly ClipFrame[]): number {
  const first = frames[0]!.seconds;
  return frames.findLastIndex((frame) => frame.seconds - first <= seconds + 0.0005);
}

describe('a clip', () => {
  it.each(Object.entries(CLIPS))('of %s shows the right frame at any time', async (_, made) => {
    const [name, options] = made;
    const file = makeClip(path.join(temporaryFolder(), name), options);
    const frames = framesOf(file);
    using clip = await ClipReader.open(file, { from: 0 });
    const forwards = Array.from({ length: 16 }, (__, index) => (index / 16) * clip.seconds);
    for (const seconds of [...forwards, 0.2, 0.19, 0]) {
      await clip.seek(seconds);
      const pixels = seen(clip);
      const expected = shownAt(seconds, frames);
      expect({ seconds, frame: nearest(pixels, frames, expected) }).toEqual({
        seconds,
        frame: expected,
      });
      expect(differenceOf(pixels, frames[expected]!.pixels)).toBeLessThan(8);
    }
  });

  it('is decoded no further than it is wanted', async () => {
    const file = makeClip(path.join(temporaryFolder(), 'clip.mp4'), { fps: 60 });
    let decoded = 0;
    using clip = await ClipReader.open(file, { from: 0.9 }, () => {
      decoded += 1;
      if (decoded > 20) throw new RenderCancelledError();
    });
    await expect(clip.seek(0)).rejects.toThrow(RenderCancelledError);
    expect(decoded).toBe(21);
  });

  it('is upright where its file is turned', async () => {
    const folder = temporaryFolder();
    const lying = makeClip(path.join(folder, 'lying.mp4'), { seconds: 0.1 });
    const file = path.join(folder, 'clip.mp4');
    copyClip(lying, file, '-metadata:s:v', 'rotate=90');
    using clip = await ClipReader.open(file, { from: 0 });
    const upright = { width: CLIP.height, height: CLIP.width };
    expect(clip).toMatchObject(upright);
    await clip.seek(0);
    expect(differenceOf(seen(clip, upright), framesOf(file, upright)[0]!.pixels)).toBeLessThan(8);
  });

  it.each([
    ['mirrored', [-1, 0, 0, 1]],
    ['mirrored from top to bottom', [1, 0, 0, -1]],
    ['turned and mirrored', [0, 1, 1, 0]],
    ['turned the other way and mirrored', [0, -1, -1, 0]],
  ])('is as players show it where its file is %s', async (_what, matrix) => {
    const file = makeClip(path.join(temporaryFolder(), 'clip.mp4'), { seconds: 0.1 });
    const bytes = readFileSync(file);
    const at = bytes.indexOf('tkhd') + 44;
    const places = [0, 4, 12, 16];
    for (const [index, each] of matrix.entries())
      bytes.writeInt32BE(each << 16, at + places[index]!);
    writeFileSync(file, bytes);
    using clip = await ClipReader.open(file, { from: 0 });
    const isTurned = matrix[0] === 0;
    const size = isTurned ? { width: CLIP.height, height: CLIP.width } : CLIP;
    await clip.seek(0);
    expect(differenceOf(seen(clip, size), framesOf(file, size)[0]!.pixels)).toBeLessThan(8);
  });

  it.each(['bt709', 'smpte170m'])('has the colours that it was made with in %s', async (matrix) => {
    const file = makeClip(path.join(temporaryFolder(), 'clip.mp4'), {
      seconds: 0.1,
      filter: `drawbox=c=0xd02040:t=fill,format=rgb24,scale=out_color_matrix=${matrix},format=yuv420p`,
      encoding: [...H264, '-crf', '1', '-colorspace', matrix],
    });
    using clip = await ClipReader.open(file, { from: 0 });
    await clip.seek(0);
    const [red = 0, green = 0, blue = 0] = seen(clip);
    const off = [red - 0xd0, green - 0x20, blue - 0x40].map(Math.abs);
    expect(Math.max(...off)).toBeLessThan(4);
  });
});

function copyClip(from: string, to: string, ...how: string[]): void {
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', from, '-c', 'copy', ...how, to]);
}

const HLG = 'colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc';

describe('a clip that cannot be shown', () => {
  const MADE: Record<
    string,
    [options: Parameters<typeof makeClip>[1], name: string, reason: string]
  > = {
    HDR: [
      { encoding: [...HEVC.slice(0, -1), `log-level=none:${HLG}`, '-pix_fmt', 'yuv420p10le'] },
      'clip.mov',
      'has HDR colours; only SDR can be shown',
    ],
    'transparent parts': [
      { filter: 'format=yuva420p', encoding: ['-c:v', 'libvpx-vp9', '-pix_fmt', 'yuva420p'] },
      'clip.webm',
      'has transparent parts; a clip must be opaque',
    ],
    ProRes: [
      { encoding: ['-c:v', 'prores_ks', '-pix_fmt', 'yuv422p10le'] },
      'clip.mov',
      'has pictures in apch, which cannot be decoded',
    ],
    'too many pixels': [
      { filter: 'scale=4098:64', encoding: [...H264, '-preset', 'ultrafast'] },
      'clip.mp4',
      'has 4098×64 pixels; a clip may have 4096×2304 at most',
    ],
  };

  it.each(Object.entries(MADE))('says so of one with %s', async (_, [options, name, reason]) => {
    const file = makeClip(path.join(temporaryFolder(), name), { seconds: 0.1, ...options });
    await expect(ClipReader.open(file, { from: 0 })).rejects.toMatchObject({ reason });
  });

  it('says so of one that is cut off, damaged, without pictures, or over before its part', async () => {
    const folder = temporaryFolder();
    const whole = makeClip(path.join(folder, 'whole.mp4'), { seconds: 0.5 });
    const open = (file: string, from = 0) => ClipReader.open(file, { from });
    await expect(open(whole, 0.6)).rejects.toMatchObject({
      reason: 'lasts 0.5 s, and is to be shown from 0.6 s on',
    });
    const bytes = readFileSync(whole);
    const cut = path.join(folder, 'cut.mp4');
    writeFileSync(cut, bytes.subarray(0, bytes.length / 2));
    await expect(open(cut)).rejects.toBeInstanceOf(MediaUnreadableError);
    const damaged = path.join(folder, 'damaged.mp4');
    writeFileSync(damaged, Buffer.from(bytes).fill(0xff, bytes.indexOf('mdat') + 4, 2000));
    using clip = await open(damaged);
    await expect(clip.seek(0)).rejects.toBeInstanceOf(MediaUnreadableError);
    const sound = path.join(folder, 'sound.mp4');
    execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'sine=d=0.1', sound]);
    await expect(open(sound)).rejects.toMatchObject({ reason: 'has no pictures' });
  });
});
