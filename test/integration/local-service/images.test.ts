import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { s3Blobs } from '../../rigs/blob-stores.ts';
import { s3Error, useS3Server } from '../../rigs/s3-server.ts';
import { blankPng, dataUrl } from '../../rigs/pictures.ts';
import { type Answer, FakeFrames, FakeRenderer, settled, startRig, testEmbedded } from './rig.ts';
import { EMAIL, makeVideo, signUp, uploadPicture } from './studio-forms.ts';

/** The shortest possible image scene for each image. */
const scenesOf = (images: readonly string[]): object[] =>
  images.map((image) => ({ kind: 'image', image, seconds: 0.5 }));

/** Almost the maximum number of pixels, in 8 kB. */
const LARGE = blankPng(7900, 7900);

// abuse.md 39
test('a small request whose pictures decode to gigabytes is refused', async () => {
  const rig = await startRig();
  const headers = await rig.signUp();
  const bomb = { title: 'Bomb', scenes: scenesOf(Array(40).fill(dataUrl(LARGE)) as string[]) };
  expect(JSON.stringify(bomb).length).toBeLessThan(450_000);
  const refused = await rig.client.post('/api/v1/video/generate', bomb, headers);
  expect(refused.status).toBe(400);
  expect(refused.json.details).toEqual({
    issues: [
      {
        path: '/scenes',
        reason: 'have pictures of 2497 megapixels in all; a video may have at most 500',
      },
    ],
  });
});

test('a picture is checked by its bytes before the request is accepted', async () => {
  const rig = await startRig();
  const headers = await rig.signUp();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  const images = [blankPng(12_000, 12_000), svg, blankPng(3, 3).subarray(0, 20), blankPng(3, 3)];
  const board = { title: 'x', scenes: scenesOf(images.map(dataUrl)) };
  const refused = await rig.client.post('/api/v1/video/generate', board, headers);
  expect(refused.status).toBe(400);
  expect(refused.json.details).toEqual({
    issues: [
      {
        path: '/scenes/0/image',
        reason: 'has 144 megapixels; a picture may have at most 64',
      },
      { path: '/scenes/1/image', reason: 'is not a PNG, JPEG or WebP picture' },
      { path: '/scenes/2/image', reason: 'is not a PNG, JPEG or WebP picture' },
    ],
  });
});

// abuse.md 39
testEmbedded('an upload that decodes to gigabytes is refused and not kept', async () => {
  const rig = await startRig();
  const user = await signUp(rig);
  const page = await uploadPicture(rig, user, blankPng(12_000, 12_000));
  expect(page.text).toContain(
    'Scene 1: The file has 144 megapixels; a picture may have at most 64.',
  );
  expect(readdirSync(path.join(rig.dataDir, 'images'))).toEqual([]);
});

// abuse.md 39
test('uploads count towards the pixels of a video, once for every scene', async () => {
  const rig = await startRig();
  const user = await signUp(rig);
  const { image } = await uploadPicture(rig, user, LARGE);
  const { value } = await rig.keys.create(await rig.accounts.withEmail(EMAIL), 'test');
  const ask = (times: number) =>
    rig.client.post(
      '/api/v1/video/generate',
      { title: 'x', scenes: scenesOf(Array(times).fill(image) as string[]) },
      { 'x-api-key': value },
    );
  expect((await ask(8)).status).toBe(200);
  const refused = await ask(9);
  expect(refused.json.details).toMatchObject({ issues: [{ path: '/scenes' }] });
});

// abuse.md 39
test('the studio refuses a video of too many pixels, too, and costs nothing', async () => {
  const rig = await startRig();
  const user = await signUp(rig);
  const { image } = await uploadPicture(rig, user, LARGE);
  const make = (times: number): Promise<Answer> => {
    const scenes = Array.from({ length: times }, (_, index) => [
      [`scene-${index}-kind`, 'image'],
      [`scene-${index}-image`, image],
      [`scene-${index}-seconds`, '0.5'],
    ]);
    return makeVideo(rig, user, Object.fromEntries(scenes.flat()) as Record<string, string>);
  };
  const refused = await make(9);
  expect(refused.status).toBe(422);
  expect(refused.bytes.toString('utf8')).toContain('a video may have at most 500');
  expect((await make(8)).status).toBe(303);
});

test('an uploaded image may be named in a storyboard by its account only', async () => {
  const rig = await startRig();
  const user = await signUp(rig);
  const picture = blankPng(4, 3);
  const { image } = await uploadPicture(rig, user, picture);
  const ask = (key: string): Promise<Answer> =>
    rig.client.post(
      '/api/v1/video/generate',
      { title: 'x', scenes: [{ kind: 'image', image }] },
      { 'x-api-key': key },
    );
  const own = (await rig.keys.create(await rig.accounts.withEmail(EMAIL), 'test')).value;
  expect((await ask(own)).status).toBe(200);
  const foreign = await ask((await rig.signUp())['x-api-key']);
  expect(foreign.status).toBe(400);
  expect(foreign.json.details).toEqual({
    issues: [{ path: '/scenes/0/image', reason: 'is not a file of this account' }],
  });
  const headers = { cookie: user.cookie };
  const shown = await rig.client.ask(`/studio/images/${image}`, { headers });
  expect(shown.headers['content-type']).toBe('image/png');
  expect(shown.bytes).toEqual(picture);
});

describe('uploads in a store that several computers share', () => {
  const server = useS3Server();

  test('are drawn and rendered from temporary copies', async () => {
    const frames = new FakeFrames();
    const renderer = new FakeRenderer('by-hand');
    const rig = await startRig({ frames, renderer, blobs: s3Blobs(server) });
    const user = await signUp(rig);
    const picture = blankPng(4, 3);
    const { image } = await uploadPicture(rig, user, picture);
    expect(existsSync(path.join(rig.dataDir, 'images'))).toBe(false);
    const key = (await rig.keys.create(await rig.accounts.withEmail(EMAIL), 'test')).value;
    const ask = (target: string): Promise<Answer> =>
      rig.client.post(
        target,
        { title: 'x', scenes: scenesOf([image, image]) },
        { 'x-api-key': key },
      );

    let drawn = '';
    frames.onDraw = (task) => {
      drawn = task.imagePath!(image)!;
      expect(readFileSync(drawn)).toEqual(picture);
    };
    expect((await ask('/local/frame')).status).toBe(200);
    expect(existsSync(drawn)).toBe(false);

    expect((await ask('/api/v1/video/generate')).status).toBe(200);
    const pending = await renderer.next();
    const copy = pending.task.imagePath!(image)!;
    expect(copy.startsWith(rig.dataDir)).toBe(true);
    expect(readFileSync(copy)).toEqual(picture);
    pending.finish();
    await expect.poll(() => existsSync(copy)).toBe(false);
  });

  testEmbedded('that cannot be read delay their video, and fail none', async () => {
    const renderer = new FakeRenderer();
    const rig = await startRig({ renderer, blobs: s3Blobs(server) });
    const user = await signUp(rig);
    const { image } = await uploadPicture(rig, user, blankPng(4, 3));
    const headers = {
      'x-api-key': (await rig.keys.create(await rig.accounts.withEmail(EMAIL), 'k')).value,
    };
    server.intercept = (_request, response) => s3Error(response, 503, 'SlowDown');
    const board = { title: 'Shown', scenes: scenesOf([image]) };
    const made = await rig.client.post('/api/v1/video/generate', board, headers);
    const target = `/api/v1/video/status/${String(made.json.id)}`;
    await expect
      .poll(async () => (await rig.client.ask(target, { headers })).json.waitingFor)
      .toBe('Rendering waits because the file storage of the service does not answer.');
    expect(renderer.begun).toEqual([]);
    server.intercept = undefined;
    rig.clock.advance(60_000);
    expect((await settled(rig, headers, String(made.json.id))).json.status).toBe('done');
  });
});
