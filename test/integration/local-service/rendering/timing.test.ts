import { createCanvas } from '@napi-rs/canvas';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Mp4Writer } from '../../../../src/local-service/rendering/mp4-writer.ts';
import { FrameRenderer } from '../../../../src/local-service/rendering/frame-renderer.ts';
import { imageDecoder } from '../../../../src/local-service/rendering/image-source.ts';
import { soundtrackOf } from '../../../../src/local-service/rendering/soundtrack.ts';
import type { Storyboard } from '../../../../src/local-service/rendering/storyboard.ts';
import { brightness, brightnessOf, channelsOf, lagOf, probe } from '../../../rigs/decoded-media.ts';
import { renderVideo } from '../../../rigs/golden/pictures.ts';
import { storyboard } from '../../../rigs/storyboards.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const RATE = 48_000;
/** Long enough for three key frames. */
const SECONDS = 4.5;
const SIZE = 64;
const ALL_RATES = Array.from({ length: 60 - 24 + 1 }, (_, index) => 24 + index);
/** Rates that storyboards may have: all of them in the long form. */
const RATES = process.env.SPOOL_SOAK === '1' ? ALL_RATES : [24, 25, 29, 30, 48, 50, 60];
/** A twentieth of a second, both ways: much more than any known defect. */
const REACH = 4800;

/** Frames that are white; all others are dark. */
const flashesAt = (fps: number) => [0, 1, Math.round(fps * 1.3), Math.round(fps * 3.1)];

function pictureOf(colour: string): string {
  const canvas = createCanvas(SIZE, SIZE);
  const context = canvas.getContext('2d');
  context.fillStyle = colour;
  context.fillRect(0, 0, SIZE, SIZE);
  return canvas.toDataURL('image/png');
}

/** The mean brightness of every frame before it is encoded, 0–255. */
async function brightnessDrawn(board: Storyboard): Promise<number[]> {
  const renderer = new FrameRenderer(board, imageDecoder({}));
  const means: number[] = [];
  for (let frame = 0; frame < renderer.frames; frame++) {
    const { canvas } = await renderer.draw(frame);
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let sum = 0;
    for (let at = 0; at < data.length; at += 4) {
      sum += brightness(data.subarray(at));
    }
    means.push(sum / (data.length / 4));
  }
  return means;
}

/** Between what was drawn and what was decoded `late` frames later. */
function meanDifference(drawn: number[], decoded: number[], late: number): number {
  const differences = drawn.slice(1, -1).map((level, index) => {
    return Math.abs(level - decoded[index + 1 + late]!);
  });
  return differences.reduce((sum, each) => sum + each, 0) / differences.length;
}

/** A short chirp at each flash, in silence. */
function clicks(fps: number): Float32Array {
  const samples = new Float32Array(Math.round(SECONDS * RATE));
  for (const frame of flashesAt(fps)) {
    const start = Math.round((frame / fps) * RATE);
    for (let i = 0; i < 480; i++) {
      samples[start + i] = 0.7 * Math.sin(i * (0.1 + i / 2000)) * Math.exp(-i / 120);
    }
  }
  return samples;
}

async function writeFlashes(file: string, fps: number): Promise<number> {
  const heard = clicks(fps);
  const frames = Math.round(SECONDS * fps);
  const writer = await Mp4Writer.open({
    path: file,
    width: SIZE,
    height: SIZE,
    fps,
    frames,
    sound: {
      sampleRate: RATE,
      length: heard.length,
      block(start, count) {
        const block = new Float32Array(count * 2);
        block.set(heard.subarray(start, start + count));
        block.set(heard.subarray(start, start + count), count);
        return block;
      },
    },
  });
  const canvas = createCanvas(SIZE, SIZE);
  const context = canvas.getContext('2d');
  for (let frame = 0; frame < frames; frame++) {
    context.fillStyle = flashesAt(fps).includes(frame) ? 'white' : 'black';
    context.fillRect(0, 0, SIZE, SIZE);
    await writer.addPicture({ canvas, changed: { x: 0, y: 0, width: SIZE, height: SIZE } });
  }
  await writer.finish();
  await writer.close();
  return frames;
}

describe('the times in a file', () => {
  it.each(RATES)('are exact at %d frames a second', async (fps) => {
    const file = path.join(temporaryFolder(), 'flashes.mp4');
    const frames = await writeFlashes(file, fps);

    const [{ pictures, sound, packets }, levels, heard] = await Promise.all([
      probe(file),
      brightnessOf(file),
      channelsOf(file),
    ]);
    expect(pictures).toMatchObject({
      avg_frame_rate: `${fps}/1`,
      r_frame_rate: `${fps}/1`,
      nb_frames: String(frames),
    });
    expect(Number(pictures?.start_time)).toBe(0);
    expect(Number(pictures?.duration)).toBeCloseTo(frames / fps, 5);
    expect(packets.map(({ time }) => Math.round(time * fps * 1000) / 1000)).toEqual(
      packets.map((_, index) => index),
    );
    // Others may follow where the picture changes entirely.
    for (let frame = 0; frame < frames; frame += 2 * fps) expect(packets[frame]?.isKey).toBe(true);

    expect(levels).toHaveLength(frames);
    const white = levels.flatMap((level, frame) => (level > 128 ? [frame] : []));
    expect(white).toEqual(flashesAt(fps));

    const meant = clicks(fps);
    expect(Number(sound?.start_time)).toBe(0);
    expect(Number(sound?.duration)).toBe(meant.length / RATE);
    for (const channel of heard) {
      // ffmpeg ignores that the last packet ends early.
      expect(channel.length - meant.length).toBeLessThan(1024);
      // Each click by itself: that of the first picture is as punctual as the last one.
      for (const frame of flashesAt(fps).filter((each) => each !== 1)) {
        const start = Math.max(0, Math.round((frame / fps) * RATE) - REACH);
        const around = (samples: Float32Array) => samples.subarray(start, start + 2 * REACH);
        expect(lagOf(around(meant), around(channel), REACH)).toBe(0);
      }
    }
  });
});

describe('a rendered video', () => {
  it('shows each frame when it is drawn, with the music as it was composed', async () => {
    const file = path.join(temporaryFolder(), 'video.mp4');
    const fps = 25;
    const board = storyboard({
      fps,
      theme: { background: '#000000' },
      soundtrack: 'bright',
      scenes: [1.2, 0.8, 1.6].map((seconds) => ({
        kind: 'image',
        image: pictureOf(seconds === 0.8 ? 'black' : 'white'),
        seconds,
        transition: 'none',
      })),
    });
    await renderVideo({ name: 'timing', storyboard: board, frames: {} }, file);

    const decoded = await brightnessOf(file);
    const drawn = await brightnessDrawn(board);
    expect(decoded).toHaveLength(drawn.length);
    const differences = [-1, 0, 1].map((late) => meanDifference(drawn, decoded, late));
    expect(differences[1]).toBeLessThan(2);
    expect(Math.min(differences[0]!, differences[2]!)).toBeGreaterThan(2 * differences[1]!);

    const [left] = await channelsOf(file);
    const sound = soundtrackOf(board, decoded.length / fps)!;
    const meant = sound.block(0, sound.length).subarray(0, sound.length);
    const part = (samples: Float32Array) => samples.subarray(RATE, RATE + REACH);
    expect(lagOf(part(meant), part(left!), REACH)).toBe(0);
  });
});
