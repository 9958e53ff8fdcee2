import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import {
  ImageUnreadableError,
  RenderCancelledError,
  RenderFailedError,
  RenderWorkerLostError,
} from '../../../../src/local-service/rendering/render-errors.ts';
import type { RenderTask } from '../../../../src/local-service/rendering/render-pool.ts';
import {
  RenderPool,
  startRenderWorker,
} from '../../../../src/local-service/rendering/render-pool.ts';
import type { Storyboard } from '../../../../src/local-service/rendering/storyboard.ts';
import { EVERY_KIND, RED_PIXEL, storyboard } from '../../../rigs/storyboards.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const run = promisify(execFile);
const nobody = () => undefined;
const long = storyboard({ scenes: [{ kind: 'text', text: 'Long', seconds: 100 }] });

function poolOf(workers: number): { pool: RenderPool; started: Worker[] } {
  const started: Worker[] = [];
  const startWorker = () => {
    const worker = startRenderWorker();
    started.push(worker);
    return worker;
  };
  const pool = new RenderPool({ workers, startWorker });
  onTestFinished(() => pool.close());
  return { pool, started };
}

function taskIn(folder: string, board: Storyboard, name = 'film'): RenderTask {
  return {
    storyboard: board,
    videoPath: path.join(folder, `${name}.mp4`),
    posterPath: path.join(folder, `${name}.jpg`),
  };
}

const probed = z.object({
  streams: z.array(
    z.looseObject({
      codec_type: z.string(),
      codec_name: z.string(),
      duration: z.coerce.number(),
    }),
  ),
});

async function probe(file: string) {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-show_streams', '-of', 'json', file]);
  const { streams } = probed.parse(JSON.parse(stdout));
  return {
    video: streams.find(({ codec_type }) => codec_type === 'video'),
    audio: streams.find(({ codec_type }) => codec_type === 'audio'),
  };
}

describe('a rendered video', () => {
  it('is H.264 and AAC that decode without a fault, in its size, rate and length', async () => {
    const folder = temporaryFolder();
    const { pool } = poolOf(1);
    const board = storyboard({
      aspect: '9:16',
      fps: 25,
      scenes: EVERY_KIND.map((scene) => ({ ...scene, seconds: 1 })),
      soundtrack: 'pulse',
    });
    const task = taskIn(folder, board);
    const reports: number[] = [];
    const result = await pool.render(task, (done, total) => {
      reports.push(done);
      expect(total).toBe(150);
    });

    const { size } = statSync(task.videoPath);
    expect(result).toEqual({ durationSeconds: 6, bytes: size, width: 480, height: 854 });
    expect(readdirSync(folder).toSorted()).toEqual(['film.jpg', 'film.mp4']);
    expect(reports.at(0)).toBe(0);
    expect(reports.at(-1)).toBe(150);
    expect(reports).toEqual(reports.toSorted((a, b) => a - b));

    const { video, audio } = await probe(task.videoPath);
    expect(video).toMatchObject({
      codec_name: 'h264',
      profile: 'High',
      width: 480,
      height: 854,
      pix_fmt: 'yuv420p',
      color_space: 'bt709',
      color_range: 'tv',
      r_frame_rate: '25/1',
      nb_frames: '150',
      duration: 6,
    });
    expect(audio).toMatchObject({ codec_name: 'aac', channels: 2, sample_rate: '48000' });
    expect(audio?.duration).toBeCloseTo(6, 0);
    const decoded = await run('ffmpeg', ['-v', 'error', '-i', task.videoPath, '-f', 'null', '-']);
    expect(decoded.stderr).toBe('');
    const bytes = await readFile(task.videoPath);
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
    expect((await readFile(task.posterPath)).subarray(0, 3).toString('hex')).toBe('ffd8ff');
  });

  it('has no sound when none is wanted', async () => {
    const { pool } = poolOf(1);
    const task = taskIn(temporaryFolder(), storyboard({ soundtrack: 'none' }));
    await pool.render(task, nobody);
    expect((await probe(task.videoPath)).audio).toBeUndefined();
  });

  it('shows uploaded images', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'upload.png');
    await writeFile(file, Buffer.from(RED_PIXEL.slice(RED_PIXEL.indexOf(',') + 1), 'base64'));
    const { pool } = poolOf(1);
    const board = storyboard({ scenes: [{ kind: 'image', image: 'img_1', seconds: 1 }] });
    const imagePath = (id: string) => (id === 'img_1' ? file : undefined);
    const result = await pool.render({ ...taskIn(folder, board), imagePath }, nobody);
    expect(result.durationSeconds).toBe(1);
  });
});

describe('a render that fails', () => {
  it('names the scene of an image that is unknown or broken', async () => {
    const folder = temporaryFolder();
    const { pool } = poolOf(1);
    const image = (value: string) =>
      storyboard({
        scenes: [
          { kind: 'title', text: 'x' },
          { kind: 'image', image: value },
        ],
      });
    for (const value of ['nothing_here', 'data:image/png;base64,AAAA']) {
      const rendering = pool.render(taskIn(folder, image(value)), nobody);
      await expect(rendering).rejects.toThrow(ImageUnreadableError);
      await expect(rendering).rejects.toMatchObject({ where: 'scene 2' });
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it('says why when the file cannot be written', async () => {
    const { pool } = poolOf(1);
    const task = taskIn(path.join(temporaryFolder(), 'missing'), storyboard());
    await expect(pool.render(task, nobody)).rejects.toThrow(RenderFailedError);
  });

  it('is cancelled by its signal and leaves nothing behind; the worker goes on', async () => {
    const folder = temporaryFolder();
    const { pool, started } = poolOf(1);
    const controller = new AbortController();
    const running = pool.render(
      taskIn(folder, long),
      (done) => {
        if (done > 0) controller.abort();
      },
      controller.signal,
    );
    await expect(running).rejects.toThrow(RenderCancelledError);
    expect(readdirSync(folder)).toEqual([]);
    await pool.render(taskIn(folder, storyboard()), nobody);
    expect(started).toHaveLength(1);
  });

  it('is cancelled while it waits in line', async () => {
    const folder = temporaryFolder();
    const { pool } = poolOf(1);
    const first = pool.render(taskIn(folder, storyboard(), 'first'), nobody);
    const controller = new AbortController();
    const second = pool.render(taskIn(folder, long, 'second'), nobody, controller.signal);
    controller.abort();
    await expect(second).rejects.toThrow(RenderCancelledError);
    await first;
    expect(existsSync(path.join(folder, 'first.mp4'))).toBe(true);
  });

  it('loses its worker, is told so, and another worker takes the next one', async () => {
    const folder = temporaryFolder();
    const { pool, started } = poolOf(1);
    const killed = pool.render(taskIn(folder, long), (done) => {
      if (done > 0) void started[0]?.terminate();
    });
    await expect(killed).rejects.toThrow(RenderWorkerLostError);
    expect(readdirSync(folder)).toEqual([]);
    const result = await pool.render(taskIn(folder, storyboard()), nobody);
    expect(result.bytes).toBeGreaterThan(1000);
    expect(started).toHaveLength(2);
  });

  it('ends with the pool, without unfinished files', async () => {
    const folder = temporaryFolder();
    const { pool } = poolOf(1);
    const closed = Promise.withResolvers<undefined>();
    const running = pool.render(taskIn(folder, long, 'running'), (done) => {
      if (done > 0) void pool.close().then(() => closed.resolve(undefined));
    });
    const waiting = pool.render(taskIn(folder, long, 'waiting'), nobody);
    const outcomes = await Promise.allSettled([running, waiting]);
    await closed.promise;
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'RENDER_CANCELLED' } });
    }
    expect(readdirSync(folder)).toEqual([]);
    await expect(pool.render(taskIn(folder, long), nobody)).rejects.toThrow(RenderCancelledError);
  });
});

describe('several renders', () => {
  it('run side by side, as many as there are workers', async () => {
    const folder = temporaryFolder();
    const { pool, started } = poolOf(2);
    const names = ['a', 'b', 'c'];
    await Promise.all(names.map((name) => pool.render(taskIn(folder, storyboard(), name), nobody)));
    expect(started).toHaveLength(2);
    expect(readdirSync(folder)).toHaveLength(6);
  });
});
