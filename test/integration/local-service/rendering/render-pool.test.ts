import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { constants, getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import {
  ImageUnreadableError,
  RenderCancelledError,
  RenderWorkerLostError,
} from '../../../../src/local-service/rendering/render-errors.ts';
import type {
  RenderPoolOptions,
  RenderTask,
} from '../../../../src/local-service/rendering/render-pool.ts';
import { RenderPool } from '../../../../src/local-service/rendering/render-pool.ts';
import {
  type RenderProcess,
  startRenderProcess,
} from '../../../../src/local-service/rendering/render-process.ts';
import { startRenderThread } from '../../../../src/local-service/rendering/render-thread.ts';
import { soundtrackOf } from '../../../../src/local-service/rendering/soundtrack.ts';
import type { Storyboard } from '../../../../src/local-service/rendering/storyboard.ts';
import type { RenderResult } from '../../../../src/local-service/rendering/worker-messages.ts';
import type { StartWorker, WorkerEvents } from '../../../../src/local-service/rendering/worker.ts';
import { EVERY_KIND, RED_PIXEL, storyboard } from '../../../rigs/storyboards.ts';
import { blankPng, dataUrl, noisePng } from '../../../rigs/pictures.ts';
import { smallDisk } from '../../../rigs/small-disk.ts';
import { removeFolder, temporaryFolder } from '../../../rigs/temporary-folder.ts';

const run = promisify(execFile);
const ignore = () => undefined;
const { PRIORITY_BELOW_NORMAL } = constants.priority;
/** Without music, whose composition would take most of the time until it is cancelled. */
const long = storyboard({
  scenes: [{ kind: 'text', text: 'Long', seconds: 100 }],
  soundtrack: 'none',
});
/** For tests in which any video is rendered. */
const short = storyboard({
  scenes: [{ kind: 'title', text: 'Hello', seconds: 0.5 }],
  soundtrack: 'none',
});

const HOUR_MS = 3_600_000;

/** For renders that leave its process as it was; each start takes a third of a second. */
let shared: RenderPool;

beforeAll(async () => {
  // Without an end for idleness, which a busy machine reaches between two tests.
  shared = new RenderPool({ workers: 1, idleMs: HOUR_MS });
  // Starts its process, which would otherwise count as left open by the first test.
  const missing = path.join(import.meta.dirname, 'missing');
  await expect(shared.render(taskIn(missing, short), ignore)).rejects.toThrow();
});
afterAll(() => shared.close());

function poolOf(options: Partial<RenderPoolOptions> = {}): RenderPool {
  const pool = new RenderPool({ workers: 1, ...options });
  onTestFinished(() => pool.close());
  return pool;
}

/** A pool whose workers the test can count and kill. */
function watchedPool(options: Partial<RenderPoolOptions> = {}) {
  const started: RenderProcess[] = [];
  const startWorker: StartWorker = (events) => {
    const worker = startRenderProcess(events);
    started.push(worker);
    return worker;
  };
  return { pool: poolOf({ startWorker, ...options }), started };
}

function taskIn(folder: string, storyboard: Storyboard, name = 'film'): RenderTask {
  return {
    storyboard,
    videoPath: path.join(folder, `${name}.mp4`),
    posterPath: path.join(folder, `${name}.jpg`),
  };
}

function niceOfThreads(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => getPriority(Number(thread)));
}

/** A worker that never sends a message. */
const silentWorker = { post: ignore, setBusy: ignore, kill: () => Promise.resolve() };

/** The left channel as players decode it: 48,000 samples a second. */
async function leftChannel(file: string): Promise<Float32Array> {
  const raw = ['-f', 'f32le', '-af', 'pan=mono|c0=c0', '-'];
  const options = { encoding: 'buffer', maxBuffer: 1e8 } as const;
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-i', file, ...raw], options);
  return new Float32Array(
    stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length),
  );
}

/** Root mean square of every `count` samples; a shorter rest is omitted. */
function loudnessOf(samples: Float32Array, count: number): number[] {
  return Array.from({ length: Math.floor(samples.length / count) }, (_, index) => {
    const window = samples.subarray(index * count, (index + 1) * count);
    return Math.sqrt(window.reduce((sum, sample) => sum + sample * sample, 0) / count);
  });
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
  const board = storyboard({
    aspect: '9:16',
    fps: 25,
    scenes: EVERY_KIND.map((scene) => ({ ...scene, seconds: 1.2 })),
    soundtrack: 'bright',
  });
  const folder = mkdtempSync(path.join(tmpdir(), 'spool-rendered-'));
  const task = taskIn(folder, board);
  const reports: (readonly [done: number, total: number])[] = [];
  let result: RenderResult;

  beforeAll(async () => {
    result = await shared.render(task, (...report) => reports.push(report));
  });
  afterAll(() => removeFolder(folder));

  it('is H.264 and AAC that decode without an error, in its size, rate and length', async () => {
    const { size } = statSync(task.videoPath);
    expect(result).toEqual({ durationSeconds: 7.2, bytes: size, width: 480, height: 854 });
    expect(readdirSync(folder).toSorted()).toEqual(['film.jpg', 'film.mp4']);
    const done = reports.map(([frames]) => frames);
    expect(new Set(reports.map(([, total]) => total))).toEqual(new Set([180]));
    expect(done.at(0)).toBe(0);
    expect(done.at(-1)).toBe(180);
    expect(done).toEqual(done.toSorted((a, b) => a - b));

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
      nb_frames: '180',
      duration: 7.2,
    });
    expect(audio).toMatchObject({ codec_name: 'aac', channels: 2, sample_rate: '48000' });
    expect(audio?.duration).toBeCloseTo(7.2, 0);
    const decoded = await run('ffmpeg', ['-v', 'error', '-i', task.videoPath, '-f', 'null', '-']);
    expect(decoded.stderr).toBe('');
    const bytes = await readFile(task.videoPath);
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
    expect((await readFile(task.posterPath)).subarray(0, 3).toString('hex')).toBe('ffd8ff');
  });

  it('has all of its soundtrack, from the first note to the last, and none of it clipped', async () => {
    const sound = soundtrackOf(board, result.durationSeconds)!;
    const composed = sound.block(0, sound.length).subarray(0, sound.length);
    const heard = await leftChannel(task.videoPath);
    expect(heard.some((sample) => Math.abs(sample) >= 1)).toBe(false);
    // A tenth of a second each: lossy coding changes samples, but not their loudness together.
    const [wanted, got] = [loudnessOf(composed, 4800), loudnessOf(heard, 4800)];
    expect(wanted).toHaveLength(72);
    for (const [index, loudness] of wanted.entries()) {
      expect(Math.abs((got[index] ?? 0) - loudness)).toBeLessThan(0.02 + loudness * 0.2);
    }
    // It begins with the first frame; only its end fades.
    expect(wanted[36]).toBeGreaterThan(0.1);
    expect(got.at(0)).toBeGreaterThan(0.1);
    expect(got[71]).toBeLessThan(0.02);
    // A second before the end it is still audible.
    expect(got[62]).toBeGreaterThan(0.02);
  });

  it('has no sound when none is wanted', async () => {
    const task = taskIn(temporaryFolder(), storyboard({ soundtrack: 'none' }));
    await shared.render(task, ignore);
    expect((await probe(task.videoPath)).audio).toBeUndefined();
  });

  it('shows uploaded images', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'upload.png');
    await writeFile(file, Buffer.from(RED_PIXEL.slice(RED_PIXEL.indexOf(',') + 1), 'base64'));
    const board = storyboard({ scenes: [{ kind: 'image', image: 'img_1', seconds: 1 }] });
    const imagePath = (id: string) => (id === 'img_1' ? file : undefined);
    const result = await shared.render({ ...taskIn(folder, board), imagePath }, ignore);
    expect(result.durationSeconds).toBe(1);
  });
});

describe('a render that fails', () => {
  it('names the scene of an image that is unknown or broken', async () => {
    const folder = temporaryFolder();
    const image = (value: string) =>
      storyboard({
        scenes: [
          { kind: 'title', text: 'x' },
          { kind: 'image', image: value },
        ],
      });
    const header = blankPng(3, 3).subarray(0, 33);
    for (const value of ['nothing_here', dataUrl(header)]) {
      const rendering = shared.render(taskIn(folder, image(value)), ignore);
      await expect(rendering).rejects.toThrow(ImageUnreadableError);
      await expect(rendering).rejects.toMatchObject({ of: 'scene 2' });
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  // abuse.md 58
  it('draws no frame of a video whose last picture cannot be decoded', async () => {
    const folder = temporaryFolder();
    const broken = dataUrl(blankPng(3, 3).subarray(0, 33));
    const scenes = [
      { kind: 'title', text: 'x', seconds: 3 },
      { kind: 'image', image: dataUrl(blankPng(3, 3)) },
      { kind: 'image', image: broken },
    ];
    const drawn: number[] = [];
    const rendering = shared.render(taskIn(folder, storyboard({ scenes })), (done) => {
      drawn.push(done);
    });
    await expect(rendering).rejects.toMatchObject({ of: 'scene 3' });
    expect(drawn.filter((frames) => frames > 0)).toEqual([]);
  });

  it('reports that its folder cannot be written to', async () => {
    const task = taskIn(path.join(temporaryFolder(), 'missing'), short);
    await expect(shared.render(task, ignore)).rejects.toMatchObject({ outage: 'files-unusable' });
  });

  it('reports that the disk is full, and leaves no files', async (test) => {
    const folder = await smallDisk(test, 1);
    await writeFile(path.join(folder, 'other'), Buffer.alloc(1_020_000));
    const rendering = shared.render(taskIn(folder, short), ignore);
    await expect(rendering).rejects.toMatchObject({ outage: 'disk-full' });
    expect(readdirSync(folder)).toEqual(['other']);
    await shared.render(taskIn(temporaryFolder(), short), ignore);
  });

  it('is cancelled by its signal and leaves no files; the worker continues', async () => {
    const folder = temporaryFolder();
    const { pool, started } = watchedPool();
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
    await pool.render(taskIn(folder, short), ignore);
    expect(started).toHaveLength(1);
  });

  it('is cancelled while it is queued', async () => {
    const folder = temporaryFolder();
    const first = shared.render(taskIn(folder, short, 'first'), ignore);
    const controller = new AbortController();
    const second = shared.render(taskIn(folder, long, 'second'), ignore, controller.signal);
    controller.abort();
    await expect(second).rejects.toThrow(RenderCancelledError);
    await first;
    expect(existsSync(path.join(folder, 'first.mp4'))).toBe(true);
  });

  it('fails when its worker is lost, and another worker takes the next one', async () => {
    const folder = temporaryFolder();
    const { pool, started } = watchedPool();
    const killed = pool.render(taskIn(folder, long), (done) => {
      if (done > 0) void started[0]?.kill();
    });
    await expect(killed).rejects.toThrow(RenderWorkerLostError);
    expect(readdirSync(folder)).toEqual([]);
    const result = await pool.render(taskIn(folder, short), ignore);
    expect(result.bytes).toBeGreaterThan(1000);
    expect(started).toHaveLength(2);
  });

  it('is not ended by signals to the whole process group, such as Ctrl+C', async () => {
    const folder = temporaryFolder();
    const { pool, started } = watchedPool();
    await pool.render(taskIn(folder, short), (done) => {
      if (done === 0) return;
      for (const signal of ['SIGINT', 'SIGTERM']) process.kill(started[0]!.pid!, signal);
    });
    expect(readdirSync(folder).toSorted()).toEqual(['film.jpg', 'film.mp4']);
    expect(started).toHaveLength(1);
  });

  // abuse.md 39
  it('is the fault of the video when native code crashes', async () => {
    const folder = temporaryFolder();
    const { pool, started } = watchedPool();
    const crashed = pool.render(taskIn(folder, long), (done) => {
      if (done > 0) process.kill(started[0]!.pid!, 'SIGSEGV');
    });
    await expect(crashed).rejects.toMatchObject({ code: 'RENDER_LIMIT', limit: 'crash' });
    expect(readdirSync(folder)).toEqual([]);
  });

  // abuse.md 39
  it('is killed when it exceeds its memory limit; the next one is rendered', async () => {
    const folder = temporaryFolder();
    const scenes = [{ kind: 'image', image: dataUrl(blankPng(7900, 7900)), seconds: 1 }];
    const memoryFor = (board: Storyboard) =>
      board.scenes[0]?.kind === 'image' ? 250_000_000 : 4_000_000_000;
    const { pool, started } = watchedPool({ memoryFor });
    const killed = pool.render(taskIn(folder, storyboard({ scenes })), ignore);
    await expect(killed).rejects.toMatchObject({ code: 'RENDER_LIMIT', limit: 'memory' });
    expect(readdirSync(folder)).toEqual([]);
    await pool.render(taskIn(folder, short), ignore);
    expect(started).toHaveLength(2);
  });

  it('is killed when it sends what no frame is, as when an image has taken it over', async () => {
    const { pool, started } = watchedPool();
    // Larger than any frame that a page shows, which has 480 lines.
    const board = storyboard({
      aspect: '16:9',
      resolution: 1080,
      scenes: [{ kind: 'image', image: dataUrl(noisePng(1280, 720)) }],
    });
    await expect(pool.draw({ storyboard: board })).rejects.toThrow(RenderWorkerLostError);
    expect((await pool.draw({ storyboard: short })).length).toBeGreaterThan(1000);
    expect(started).toHaveLength(2);
  });

  it('is killed when it stalls', async () => {
    const folder = temporaryFolder();
    const { pool, started } = watchedPool({ stallMs: 10_000 });
    const stopped = pool.render(taskIn(folder, long), (done) => {
      if (done > 0) process.kill(started[0]!.pid!, 'SIGSTOP');
    });
    await expect(stopped).rejects.toMatchObject({ code: 'RENDER_LIMIT', limit: 'time' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is an outage when no worker can be started', async () => {
    const failingStarts: StartWorker[] = [
      () => {
        throw new Error('EAGAIN');
      },
      ({ onExit }) => {
        setImmediate(() => onExit({ crashed: false, cause: new Error('no canvas here') }));
        return silentWorker;
      },
      () => silentWorker,
    ];
    for (const startWorker of failingStarts) {
      const pool = poolOf({ startWorker, stallMs: 50 });
      const rendering = pool.render(taskIn(temporaryFolder(), short), ignore);
      await expect(rendering).rejects.toMatchObject({ outage: 'no-workers' });
    }
  });

  it('ends with the pool, without unfinished files', async () => {
    const folder = temporaryFolder();
    const pool = poolOf();
    const closed = Promise.withResolvers<undefined>();
    const running = pool.render(taskIn(folder, long, 'running'), (done) => {
      if (done > 0) void pool.close().then(() => closed.resolve(undefined));
    });
    const waiting = pool.render(taskIn(folder, long, 'waiting'), ignore);
    const outcomes = await Promise.allSettled([running, waiting]);
    await closed.promise;
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'RENDER_CANCELLED' } });
    }
    expect(readdirSync(folder)).toEqual([]);
    await expect(pool.render(taskIn(folder, long), ignore)).rejects.toThrow(RenderCancelledError);
  });
});

describe('memory', () => {
  // abuse.md 39
  it('holds one picture at a time, however many scenes show one', async () => {
    // Three of 250 MB each when decoded.
    const image = dataUrl(blankPng(7900, 7900));
    const scenes = Array.from({ length: 3 }, () => ({ kind: 'image', image, seconds: 0.5 }));
    const pool = poolOf({ memoryFor: () => 750_000_000 });
    const task = taskIn(temporaryFolder(), storyboard({ scenes }));
    expect((await pool.render(task, ignore)).durationSeconds).toBe(1.5);
  });

  it('is released when there was nothing to render for a while', async () => {
    const { pool, started } = watchedPool({ idleMs: 50 });
    await pool.render(taskIn(temporaryFolder(), short), ignore);
    const isRunning = () => existsSync(`/proc/${started[0]!.pid!}`);
    await expect.poll(isRunning).toBe(false);
    await pool.render(taskIn(temporaryFolder(), short), ignore);
    expect(started).toHaveLength(2);
  });
});

describe('a thread', () => {
  it('renders instead of a process, and ends like one', async () => {
    const ends: WorkerEvents['onExit'][] = [];
    const startWorker: StartWorker = (events) => {
      ends.push(events.onExit);
      return startRenderThread(events);
    };
    const pool = poolOf({ startWorker, idleMs: 50 });
    const folder = temporaryFolder();
    await pool.render(taskIn(folder, short), ignore);
    expect(readdirSync(folder).toSorted()).toEqual(['film.jpg', 'film.mp4']);
    expect(ends).toHaveLength(1);
  });
});

describe('several renders', () => {
  it('run concurrently, one for each worker', async () => {
    const folder = temporaryFolder();
    const { pool, started } = watchedPool({ workers: 2 });
    const names = ['a', 'b', 'c'];
    await Promise.all(names.map((name) => pool.render(taskIn(folder, short, name), ignore)));
    expect(started).toHaveLength(2);
    expect(readdirSync(folder)).toHaveLength(6);
  });
});

// Without it, each start of a render process takes twice the processor time.
it('a render process stores its compiled code for the next one, although it is killed', async () => {
  const compiled = temporaryFolder();
  vi.stubEnv('NODE_COMPILE_CACHE', compiled);
  onTestFinished(() => void vi.unstubAllEnvs());
  await poolOf().render(taskIn(temporaryFolder(), short), ignore);
  const storesCode = (): boolean =>
    readdirSync(compiled, { recursive: true, withFileTypes: true }).some((entry) => entry.isFile());
  await expect.poll(storesCode).toBe(true);
});

it.runIf(process.platform === 'linux')('renders with a lower priority', async () => {
  const { pool, started } = watchedPool();
  const { promise: drawing, resolve } = Promise.withResolvers<number[]>();
  const folder = temporaryFolder();
  const rendering = pool.render(taskIn(folder, short), (done) => {
    if (done > 0) resolve(niceOfThreads(started[0]!.pid!));
  });
  expect(Math.max(...(await drawing))).toBeGreaterThanOrEqual(PRIORITY_BELOW_NORMAL);
  await rendering;
});

it.runIf(process.platform === 'linux')('keeps secrets out of render processes', async () => {
  vi.stubEnv('SPOOL_SERVICE_DATABASE', 'postgres://spool:secret@db/spool');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { promise: ready, resolve } = Promise.withResolvers<undefined>();
  const worker = startRenderProcess({ onMessage: () => resolve(undefined), onExit: ignore });
  onTestFinished(() => worker.kill());
  await ready;
  const environment = await readFile(`/proc/${worker.pid!}/environ`, 'utf8');
  const names = environment.split('\0').map((line) => line.split('=')[0]);
  expect(names).not.toContain('PATH');
  expect(environment).not.toContain('secret');
});
