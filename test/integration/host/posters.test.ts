import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import path from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { expect, onTestFinished, test } from 'vitest';
import type { PosterOutcome } from '../../../src/engine/downloads/poster-cache.ts';
import { verifyFile } from '../../../src/engine/downloads/verify.ts';
import { DECODER_FILE, decoderInNode } from '../../../src/host/posters/decoder-process.ts';
import { PosterDecoder } from '../../../src/host/posters/poster-decoder.ts';
import {
  endlessFragment,
  film,
  HOSTILE_VIDEOS,
  paintedFilm,
  pictureBomb,
} from '../../rigs/hostile-videos.ts';
import { seededVideo } from '../../rigs/seeded-video.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const never = new AbortController().signal;

/** @param program replaces the app's decoder program */
function posterDecoder(program = DECODER_FILE): PosterDecoder {
  const decoder = new PosterDecoder(decoderInNode(program));
  onTestFinished(() => decoder.close());
  return decoder;
}

/** The app's decoder program with a worker thread that runs `work` for each request. */
function programThat(work: string): string {
  const folder = temporaryFolder();
  const program = path.join(folder, 'decoder-program.ts');
  const source = readFileSync(DECODER_FILE, 'utf8');
  // A shorter CPU limit saves nine seconds of the test.
  const shortened = source.replace('MAX_CPU_MS = 10_000;', 'MAX_CPU_MS = 1_000;');
  expect(shortened).not.toBe(source);
  writeFileSync(program, shortened);
  const worker = `import { parentPort } from 'node:worker_threads';
parentPort.on('message', (message) => {
  if (message !== 'begin') return parentPort.postMessage('loaded');
  ${work}
});`;
  writeFileSync(path.join(folder, 'decoder-worker.ts'), worker);
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  return program;
}

function fileOf(bytes: Buffer): string {
  const file = path.join(temporaryFolder(), 'film.mp4');
  writeFileSync(file, bytes);
  return file;
}

async function colourOf(outcome: PosterOutcome) {
  if (outcome.kind !== 'made') throw new Error(`The poster is ${outcome.kind}.`);
  const image = await loadImage(outcome.jpeg);
  const canvas = createCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const [red = 0, green = 0, blue = 0] = context.getImageData(9, 9, 1, 1).data;
  return { width: image.width, height: image.height, red, green, blue };
}

test('a poster shows a frame after the beginning, in the video’s proportions', async () => {
  const video = await film(temporaryFolder(), 1280, 720);
  const outcome = await posterDecoder().make(video, never);
  const { width, height, red, green, blue } = await colourOf(outcome);
  expect({ width, height }).toEqual({ width: 640, height: 360 });
  expect(blue).toBeGreaterThan(200);
  expect(Math.max(red, green)).toBeLessThan(60);
});

test.each([
  ['empty', 0],
  ['half-faded', 0.4],
])('a poster is not the %s frame where another shows more', async (_, opacity) => {
  const file = path.join(temporaryFolder(), 'faded.mp4');
  const video = await paintedFilm(file, 640, 360, (context, second) => {
    context.globalAlpha = 1;
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, 640, 360);
    // A third of the video is over after one second, where the bars are faded or missing.
    context.globalAlpha = second === 2 ? 1 : opacity;
    context.fillStyle = '#000000';
    for (let bar = 0; bar < 8; bar += 1) context.fillRect(bar * 80, 0, 40, 360);
  });
  const { red } = await colourOf(await posterDecoder().make(video, never));
  expect(red).toBeLessThan(60);
});

test('a small portrait video is not enlarged', async () => {
  const video = await film(temporaryFolder(), 144, 256);
  const { width, height } = await colourOf(await posterDecoder().make(video, never));
  expect({ width, height }).toEqual({ width: 144, height: 256 });
});

test.each([
  ['whose pictures are noise', seededVideo(1, 4096).bytes],
  ['that is no video', Buffer.from('<html>')],
  ['that is empty', Buffer.alloc(0)],
])('a file %s has no poster, and does not end the decoder', async (_, bytes) => {
  const outcome = await posterDecoder().make(fileOf(bytes), never);
  expect(outcome).toEqual({ kind: 'impossible' });
});

// abuse.md 31
test.each(Object.entries(HOSTILE_VIDEOS))(
  'a video %s is saved as intact, and has no poster',
  async (_, make) => {
    const folder = temporaryFolder();
    const honest = await film(folder, 320, 240);
    const video = fileOf(make(readFileSync(honest)));
    const saved = await verifyFile(video, {}, never);
    expect(saved).toMatchObject({ kind: 'intact' });
    expect(await posterDecoder().make(video, never)).toEqual({ kind: 'impossible' });
  },
);

// abuse.md 31
test('a video that eats memory or hides the size of its pictures never stalls the app', async () => {
  const folder = temporaryFolder();
  const decoder = posterDecoder();
  const endless = endlessFragment(folder);
  const bomb = pictureBomb(folder);
  const honest = await film(folder, 320, 240);
  const before = process.memoryUsage.rss();
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  expect(await decoder.make(endless, never)).toEqual({ kind: 'killed' });
  expect(await decoder.make(bomb, never)).toEqual({ kind: 'impossible' });
  expect(await decoder.make(honest, never)).toMatchObject({ kind: 'made' });
  delay.disable();
  expect(delay.max / 1e6).toBeLessThan(5_000);
  expect(process.memoryUsage.rss() - before).toBeLessThan(100e6);
});

// abuse.md 31
test.each([
  ['takes native memory', 'globalThis.kept = []; for (;;) kept.push(Buffer.alloc(1e7, 1));'],
  [
    'takes JavaScript memory',
    'globalThis.kept = []; for (;;) kept.push(new Array(1e5).fill(0.5));',
  ],
  ['computes forever', 'for (;;);'],
  ['crashes', 'process.kill(process.pid, "SIGSEGV");'],
  ['throws', 'throw new Error("unexpected");'],
  ['sends an invalid answer', 'parentPort.postMessage({ kind: "made", image: "PGh0bWw+" });'],
])('a decoder that %s is killed, and the file rejected', async (_, work) => {
  expect(await posterDecoder(programThat(work)).make('/film.mp4', never)).toEqual({
    kind: 'killed',
  });
});

test('a decoder that cannot start rejects no file', async () => {
  const missing = path.join(temporaryFolder(), 'missing.ts');
  expect(await posterDecoder(missing).make('/film.mp4', never)).toEqual({ kind: 'impossible' });
});

test('a decoder that waits forever ends when it is stopped', async () => {
  const stop = new AbortController();
  const poster = posterDecoder(programThat('')).make('/film.mp4', stop.signal);
  stop.abort(new Error('too late'));
  await expect(poster).rejects.toThrow('too late');
});

// abuse.md 19, 31
test('the decoder has no secret of the environment and no open file of the app', async () => {
  process.env.SPOOL_API_KEY = 'svc_live_0123456789';
  onTestFinished(() => {
    delete process.env.SPOOL_API_KEY;
  });
  const folder = temporaryFolder();
  const secret = path.join(folder, 'queue.db');
  writeFileSync(secret, 'a title');
  const opened = openSync(secret, 'r');
  onTestFinished(() => closeSync(opened));
  const report = `const fs = process.getBuiltinModule('node:fs');
  const { env, argv, execArgv } = process;
  const fds = process.platform === 'linux'
    ? fs.readdirSync('/proc/self/fd').map((fd) => {
        try { return fs.readlinkSync('/proc/self/fd/' + fd); } catch { return ''; }
      })
    : [];
  const found = Buffer.from(JSON.stringify({ env, argv, execArgv, fds }));
  const image = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), found]);
  parentPort.postMessage({ kind: 'made', image });`;
  const outcome = await posterDecoder(programThat(report)).make('/film.mp4', never);
  if (outcome.kind !== 'made') throw new Error(`The report is ${outcome.kind}.`);
  const text = outcome.jpeg.subarray(3).toString();
  const { env } = JSON.parse(text) as { env: Record<string, string> };
  expect(text).not.toContain('svc_live_');
  expect(text).not.toContain(secret);
  expect(Object.keys(env).filter((name) => /KEY|TOKEN|SECRET|HOME|PATH$/.test(name))).toEqual([]);
});
