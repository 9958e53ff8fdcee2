import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Answer, FakeRenderer, seededBytes, settled, startRig, storyboard } from './rig.ts';

test('a storyboard becomes a video that can be downloaded without a key', async () => {
  const rig = await startRig();
  const headers = await rig.signUp();

  const accepted = await rig.client.post('/api/v1/video/generate', storyboard('Hello'), headers);
  expect(accepted.status).toBe(200);
  const id = String(accepted.json.id);
  expect(accepted.json).toEqual({ success: true, id, status: 'queued' });

  const status = await settled(rig, headers, id);
  expect(status.json).toMatchObject({ success: true, id, status: 'done', progress: 1 });

  const link = await rig.client.ask(`/api/v1/video/download/${id}`, { headers });
  const expected = seededBytes('Hello', 100_000);
  expect(link.json).toMatchObject({
    success: true,
    id,
    bytes: expected.length,
    sha256: createHash('sha256').update(expected).digest('hex'),
    expiresAt: new Date(rig.clock.now() + 3_600_000).toISOString(),
  });
  const file = await rig.client.ask(String(link.json.downloadUrl));
  expect(file.status).toBe(200);
  expect(file.bytes.equals(expected)).toBe(true);

  const poster = await rig.client.ask(String(status.json.posterUrl));
  expect(poster.headers['content-type']).toBe('image/jpeg');
  expect(poster.bytes.equals(seededBytes('Hello poster', 2000))).toBe(true);
});

describe('status', () => {
  test('reports the place in the queue, real progress and the end', async () => {
    const renderer = new FakeRenderer('by-hand');
    const rig = await startRig({ renderer });
    const headers = await rig.signUp();
    const ids: string[] = [];
    for (const title of ['one', 'two', 'three']) {
      const made = await rig.client.post('/api/v1/video/generate', storyboard(title), headers);
      ids.push(String(made.json.id));
    }
    const status = async (index: number): Promise<Answer['json']> =>
      (await rig.client.ask(`/api/v1/video/status/${ids[index]!}`, { headers })).json;

    const first = await renderer.next();
    expect(await status(0)).toMatchObject({ status: 'rendering', progress: 0 });
    expect(await status(1)).toMatchObject({ status: 'queued', progress: 0, position: 1 });
    expect(await status(2)).toMatchObject({ status: 'queued', progress: 0, position: 2 });
    first.progress(30, 120);
    // A worker of another process reports every 2 s.
    rig.clock.advance(2000);
    await expect.poll(() => status(0)).toMatchObject({ status: 'rendering', progress: 0.25 });
    expect(await status(0)).not.toHaveProperty('position');
    first.finish();
    await renderer.next();
    expect(await status(0)).toMatchObject({ status: 'done', progress: 1 });
    expect(await status(2)).toMatchObject({ position: 1 });
    expect(renderer.begun).toEqual(['one', 'two']);
  });

  test('as many videos render at the same time as there are workers', async () => {
    const renderer = new FakeRenderer('by-hand');
    const rig = await startRig({ renderer, workers: 2 });
    const headers = await rig.signUp();
    for (const title of ['one', 'two', 'three']) {
      await rig.client.post('/api/v1/video/generate', storyboard(title), headers);
    }
    // Workers of other processes learn of a video after it was accepted, and two claimed videos may
    // begin in any order.
    await expect.poll(() => renderer.begun.toSorted()).toEqual(['one', 'two']);
  });

  test('a failed render is retried', async () => {
    const renderer = new FakeRenderer('by-hand');
    const rig = await startRig({ renderer });
    const headers = await rig.signUp();
    const made = await rig.client.post('/api/v1/video/generate', storyboard('one'), headers);
    (await renderer.next()).fail(new Error('worker died'));
    (await renderer.next()).finish();
    expect((await settled(rig, headers, String(made.json.id))).json.status).toBe('done');
    expect(renderer.begun).toEqual(['one', 'one']);
  });
});

describe('generate', () => {
  test('reports every error at once, with its path', async () => {
    const rig = await startRig();
    const answer = await rig.client.post(
      '/api/v1/video/generate',
      {
        title: '',
        durtion: 3,
        fps: 1000,
        theme: { accent: 'red' },
        scenes: [{ kind: 'title' }, { kind: 'nonsense' }, { kind: 'countdown', from: 99 }],
      },
      await rig.signUp(),
    );
    expect(answer.status).toBe(400);
    expect(answer.json.code).toBe('INVALID_REQUEST');
    const issues = answer.json.details!.issues as { path: string; reason: string }[];
    expect(issues.map((issue) => issue.path).sort()).toEqual([
      '',
      '/fps',
      '/scenes/0/text',
      '/scenes/1/kind',
      '/scenes/2/from',
      '/theme/accent',
      '/title',
    ]);
    for (const issue of issues) expect(issue.reason).not.toBe('');
  });

  test('refuses an image that the account does not have', async () => {
    const rig = await startRig();
    const answer = await rig.client.post(
      '/api/v1/video/generate',
      { title: 'x', scenes: [{ kind: 'image', image: 'img_1' }] },
      await rig.signUp(),
    );
    expect(answer.json.details).toEqual({
      issues: [{ path: '/scenes/0/image', reason: 'is not a file of this account' }],
    });
  });

  test('refuses more pixels × seconds than one video may have', async () => {
    const rig = await startRig();
    const answer = await rig.client.post(
      '/api/v1/video/generate',
      { ...storyboard(), resolution: 2160, duration: 600 },
      await rig.signUp(),
    );
    expect(answer.status).toBe(400);
    expect(answer.json.details).toMatchObject({ issues: [{ path: '/duration' }] });
  });
});

test('unknown videos and those of other accounts get the same 404', async () => {
  const rig = await startRig();
  const owner = await rig.signUp();
  const stranger = await rig.signUp();
  const made = await rig.client.post('/api/v1/video/generate', storyboard(), owner);
  const id = String(made.json.id);
  await settled(rig, owner, id);
  for (const kind of ['status', 'download']) {
    const theirs = await rig.client.ask(`/api/v1/video/${kind}/${id}`, { headers: stranger });
    const unknown = await rig.client.ask(`/api/v1/video/${kind}/vid_${'A'.repeat(22)}`, {
      headers: stranger,
    });
    const odd = await rig.client.ask(`/api/v1/video/${kind}/..%2f..%2fetc`, { headers: stranger });
    expect(theirs.status).toBe(404);
    expect(theirs.json).toEqual({
      success: false,
      message: 'There is no video with this identifier.',
      code: 'VIDEO_NOT_FOUND',
    });
    expect(unknown.json).toEqual(theirs.json);
    expect(odd.json).toEqual(theirs.json);
  }
});

test('the link of an unfinished or failed video is a 409 with its status', async () => {
  const renderer = new FakeRenderer('by-hand');
  const rig = await startRig({ renderer });
  const headers = await rig.signUp();
  const made = await rig.client.post('/api/v1/video/generate', storyboard(), headers);
  const download = (): Promise<Answer> =>
    rig.client.ask(`/api/v1/video/download/${String(made.json.id)}`, { headers });

  let attempt = await renderer.next();
  const rendering = await download();
  expect(rendering.status).toBe(409);
  expect(rendering.json).toMatchObject({
    success: false,
    code: 'VIDEO_NOT_READY',
    details: { status: 'rendering' },
  });
  for (let failures = 1; failures < 3; failures += 1) {
    attempt.fail(new Error('broken'));
    attempt = await renderer.next();
  }
  attempt.fail(new Error('broken'));
  await settled(rig, headers, String(made.json.id));
  const failed = await download();
  expect(failed.status).toBe(409);
  expect(failed.json).toMatchObject({ code: 'VIDEO_NOT_READY', details: { status: 'failed' } });
});

test('the queue of videos keeps its order after a restart', async () => {
  const before = new FakeRenderer('by-hand');
  const first = await startRig({ renderer: before });
  const headers = await first.signUp();
  const ids: string[] = [];
  for (const title of ['one', 'two', 'three']) {
    const made = await first.client.post('/api/v1/video/generate', storyboard(title), headers);
    ids.push(String(made.json.id));
  }
  await before.next();
  await first.stop();

  const after = new FakeRenderer();
  const second = await startRig({ dataDir: first.dataDir, clock: first.clock, renderer: after });
  for (const id of ids) expect((await settled(second, headers, id)).json.status).toBe('done');
  expect(after.begun).toEqual(['one', 'two', 'three']);
});
