import { readFileSync } from 'node:fs';
import https from 'node:https';
import { DatabaseSync } from 'node:sqlite';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readImageHeader } from '../../../src/local-service/rendering/image-header.ts';
import {
  FramePreview,
  FramesBusyError,
  type FrameSource,
} from '../../../src/local-service/rendering/frame-preview.ts';
import {
  RenderCancelledError,
  RenderLimitError,
} from '../../../src/local-service/rendering/render-errors.ts';
import { startRenderThread } from '../../../src/local-service/rendering/render-thread.ts';
import { storyboardSchema } from '../../../src/local-service/rendering/storyboard.ts';
import type { Blobs } from '../../../src/local-service/storage/blobs.ts';
import { FolderBlobs } from '../../../src/local-service/storage/folder-blobs.ts';
import { type Answer, FakeFrames, startRig, storyboard, type Rig, testEmbedded } from './rig.ts';
import { EMAIL, signUp, uploadPicture } from './studio-forms.ts';
import { blankPng, dataUrl } from '../../rigs/pictures.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const FRAME = '/local/frame';

function videosIn({ dataDir }: Rig): number {
  const database = new DatabaseSync(path.join(dataDir, 'service.sqlite'), { readOnly: true });
  try {
    return database.prepare('SELECT id FROM video').all().length;
  } finally {
    database.close();
  }
}

test('draws the frame of a video in its proportions, at 480 lines', async () => {
  const frames = new FramePreview({ startWorker: startRenderThread });
  const rig = await startRig({ frames });
  const board = { ...storyboard('Plum tart'), aspect: '9:16', resolution: 1080 };
  const answer = await rig.client.post(FRAME, board, await rig.signUp());
  expect(answer.status).toBe(200);
  const { jpeg, ...facts } = answer.json;
  expect(facts).toEqual({ success: true, width: 1080, height: 1920, seconds: 3 });
  const picture = readImageHeader(Buffer.from(jpeg as string, 'base64'));
  expect(picture).toMatchObject({ width: 480, height: 854 });
});

// abuse.md 60
test('refuses unfinished requests of an account before they fill the memory', async () => {
  const rig = await startRig();
  const headers = await rig.signUp();
  const { hostname, port } = new URL(rig.service.url);
  const statuses: number[] = [];
  const begun = Array.from({ length: 17 }, () => {
    const request = https.request({
      hostname,
      port,
      path: FRAME,
      method: 'POST',
      ca: readFileSync(rig.service.caFile!),
      servername: 'localhost',
      agent: false,
      headers: { ...headers, 'content-type': 'application/json', 'content-length': 1024 * 1024 },
    });
    request.on('response', (response) => {
      statuses.push(response.statusCode!);
      response.resume();
    });
    request.on('error', () => undefined);
    request.flushHeaders();
    return request;
  });
  await expect.poll(() => statuses).toEqual([429]);
  expect((await rig.client.post(FRAME, storyboard(), await rig.signUp())).status).toBe(200);
  for (const request of begun) request.destroy();
  await expect
    .poll(async () => (await rig.client.post(FRAME, storyboard(), headers)).status)
    .toBe(200);
});

test('draws the same frame for the same storyboard in a separate process', async () => {
  const inThread = new FramePreview({ startWorker: startRenderThread });
  const inProcess = new FramePreview();
  onTestFinished(async () => {
    await Promise.all([inThread.close(), inProcess.close()]);
  });
  const task = { storyboard: storyboardSchema.parse(storyboard('Plum tart')) };
  const { signal } = new AbortController();
  const [one, other] = await Promise.all([
    inThread.draw(task, signal),
    inProcess.draw(task, signal),
  ]);
  expect(one.equals(other)).toBe(true);
});

testEmbedded('needs a key, costs no quota, and creates no video', async () => {
  const rig = await startRig();
  expect((await rig.client.post(FRAME, storyboard())).status).toBe(401);
  const headers = await rig.signUp('free');
  for (let time = 0; time < 12; time += 1) {
    expect((await rig.client.post(FRAME, storyboard(), headers)).status).toBe(200);
  }
  expect(videosIn(rig)).toBe(0);
  const generated = await rig.client.post('/api/v1/video/generate', storyboard(), headers);
  expect(generated.headers['x-ratelimit-remaining']).toBe('9');
});

testEmbedded('finds the characters that no font draws, with a key only', async () => {
  const rig = await startRig({ frames: new FramePreview() });
  const body = { texts: ['Sommer 2026', '\u{378}ж', '\u{378}'] };
  expect((await rig.client.post('/local/glyphs', body)).status).toBe(401);
  const found = await rig.client.post('/local/glyphs', body, await rig.signUp());
  expect(found.json).toEqual({ success: true, undrawable: ['\u{378}'] });
  expect(videosIn(rig)).toBe(0);
});

test('is no part of the documented API', async () => {
  const rig = await startRig();
  const { json } = await rig.client.ask('/api/v1/openapi.json', { headers: await rig.signUp() });
  expect(JSON.stringify(json)).not.toContain('local/frame');
});

// abuse.md 53
test('refuses what generate refuses, with the same message', async () => {
  const frames = new FakeFrames();
  const rig = await startRig({ frames });
  const headers = await rig.signUp();
  const large = dataUrl(blankPng(7900, 7900));
  const wrong: readonly object[] = [
    {},
    { title: 'A', scenes: [{ kind: 'dance' }] },
    { title: 'A', scenes: Array(41).fill({ kind: 'title', text: 'A' }) },
    { title: 'A', scenes: [{ kind: 'image', image: 'unknown' }] },
    { title: 'A', scenes: Array(40).fill({ kind: 'image', image: large, seconds: 0.5 }) },
  ];
  for (const body of wrong) {
    const refused = await rig.client.post(FRAME, body, headers);
    const generated = await rig.client.post('/api/v1/video/generate', body, headers);
    expect(refused.status).toBe(400);
    expect(refused.json).toEqual(generated.json);
  }
  const huge = { title: 'A'.repeat(1024 * 1024), scenes: [] };
  expect((await rig.client.post(FRAME, huge, headers)).status).toBe(413);
  expect(frames.asked).toEqual([]);
});

// abuse.md 53
test('draws no picture that another account uploaded', async () => {
  const frames = new FakeFrames();
  const rig = await startRig({ frames });
  const { image } = await uploadPicture(rig, await signUp(rig), blankPng(3, 3));
  expect(image).not.toBe('');
  const board = { title: 'A', scenes: [{ kind: 'image', image }] };
  const refused = await rig.client.post(FRAME, board, await rig.signUp());
  expect(refused.status).toBe(400);
  expect(frames.asked).toEqual([]);
});

// abuse.md 53
test('allows 600 frames a minute', async () => {
  const rig = await startRig();
  const headers = await rig.signUp();
  for (let time = 0; time < 600; time += 1) await rig.client.post(FRAME, storyboard(), headers);
  const refused = await rig.client.post(FRAME, storyboard(), headers);
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '61']);
  rig.clock.advance(62_000);
  expect((await rig.client.post(FRAME, storyboard(), headers)).status).toBe(200);
});

test('reports that it is busy, and why a storyboard cannot be drawn', async () => {
  const errors = [new FramesBusyError(), new RenderLimitError('memory'), new Error('a secret')];
  const frames = new FakeFrames();
  frames.draw = () => Promise.reject(errors.shift()!);
  const rig = await startRig({ frames });
  const headers = await rig.signUp();
  const ask = () => rig.client.post(FRAME, storyboard(), headers);
  expect(await ask()).toMatchObject({ status: 429, json: { code: 'RATE_LIMITED' } });
  expect(await ask()).toMatchObject({
    status: 400,
    json: { message: 'This video needs more memory than one render may use.' },
  });
  const defect = await ask();
  expect([defect.status, defect.bytes.toString().includes('secret')]).toEqual([500, false]);
});

test('serves other accounts while one requests many frames at once', async () => {
  const frames = new FakeFrames();
  const waiting: PromiseWithResolvers<Buffer>[] = [];
  frames.draw = () => {
    const frame = Promise.withResolvers<Buffer>();
    waiting.push(frame);
    return frame.promise;
  };
  const rig = await startRig({ frames });
  const [greedy, other] = [await rig.signUp(), await rig.signUp()];
  const refused: Answer[] = [];
  const asked = Array.from({ length: 20 }, async () => {
    const answer = await rig.client.post(FRAME, storyboard(), greedy);
    if (answer.status !== 200) refused.push(answer);
  });
  await expect.poll(() => refused.length).toBe(18);
  for (const { status, json } of refused)
    expect([status, json.code]).toEqual([429, 'RATE_LIMITED']);
  const others = rig.client.post(FRAME, storyboard(), other);
  await expect.poll(() => waiting.length).toBe(3);
  for (const { resolve } of waiting) resolve(Buffer.from('frame'));
  expect((await others).status).toBe(200);
  await Promise.all(asked);
  expect(refused).toHaveLength(18);
  frames.draw = () => Promise.resolve(Buffer.from('frame'));
  expect((await rig.client.post(FRAME, storyboard(), greedy)).status).toBe(200);
});

test('copies no picture from the store for a frame that is refused', async () => {
  const folder = FolderBlobs.openOwn(path.join(temporaryFolder(), 'blobs'));
  const copied: string[] = [];
  // Without paths of local files, as a store that several computers share.
  const blobs: Blobs = {
    put: (files, signal) => folder.put(files, signal),
    open: (key, options) => {
      copied.push(key);
      return folder.open(key, options);
    },
    stat: (key) => folder.stat(key),
    delete: (keys) => folder.delete(keys),
    list: (prefix) => folder.list(prefix),
  };
  const frames = new FakeFrames();
  const frame = Promise.withResolvers<Buffer>();
  frames.draw = () => frame.promise;
  const rig = await startRig({ frames, blobs });
  const { image } = await uploadPicture(rig, await signUp(rig), blankPng(3, 3));
  const headers = {
    'x-api-key': (await rig.keys.create(await rig.accounts.withEmail(EMAIL), 'k')).value,
  };
  const board = { title: 'A', scenes: [{ kind: 'image', image }] };
  const statuses: number[] = [];
  const asked = Array.from({ length: 6 }, async () => {
    statuses.push((await rig.client.post(FRAME, board, headers)).status);
  });
  await expect.poll(() => statuses).toEqual([429, 429, 429, 429]);
  expect(copied).toEqual([image, image]);
  frame.resolve(Buffer.from('frame'));
  await Promise.all(asked);
});

test('stops drawing a frame when its client disconnects, and frees its slot', async () => {
  const begun: AbortSignal[] = [];
  const frames: FrameSource = {
    draw: (_task, signal) => {
      begun.push(signal);
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new RenderCancelledError()));
      });
    },
    findUndrawable: () => Promise.resolve([]),
    checkLayouts: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
  const logLines: string[] = [];
  const rig = await startRig({ frames, logLines });
  const headers = await rig.signUp();
  const body = JSON.stringify(storyboard());
  const requests = Array.from({ length: 2 }, () =>
    https
      .request(`${rig.service.url}${FRAME}`, {
        method: 'POST',
        agent: false,
        ca: readFileSync(rig.service.caFile!),
        headers: {
          ...headers,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      })
      .on('error', () => undefined)
      .end(body),
  );
  await expect.poll(() => begun.length).toBe(2);
  expect(begun.some(({ aborted }) => aborted)).toBe(false);
  expect((await rig.client.post(FRAME, storyboard(), headers)).status).toBe(429);
  for (const request of requests) request.destroy();
  await expect.poll(() => begun.every(({ aborted }) => aborted)).toBe(true);
  frames.draw = () => Promise.resolve(Buffer.from('frame'));
  expect((await rig.client.post(FRAME, storyboard(), headers)).status).toBe(200);
  // A page cancels frames while its user types, which is no failure.
  expect(logLines.filter((line) => line.includes('"level":50'))).toEqual([]);
});

// abuse.md 53
test('refuses a fifth frame while four wait, and drops one whose client is gone', async () => {
  const frames = new FramePreview({ startWorker: () => SILENT });
  onTestFinished(() => frames.close());
  const task = { storyboard: storyboardSchema.parse(storyboard()) };
  const gone = new AbortController();
  const { signal } = new AbortController();
  const first = frames.draw(task, signal);
  const second = frames.draw(task, gone.signal);
  const others = [frames.draw(task, signal), frames.draw(task, signal)];
  for (const each of [first, ...others]) each.catch(() => undefined);
  await expect(frames.draw(task, signal)).rejects.toThrow(FramesBusyError);
  gone.abort();
  await expect(second).rejects.toThrow('cancelled');
  const next = frames.draw(task, signal);
  await frames.close();
  await expect(next).rejects.toThrow('cancelled');
});

/** A worker that never answers. */
const SILENT = {
  post: () => undefined,
  setBusy: () => undefined,
  kill: () => Promise.resolve(),
};
