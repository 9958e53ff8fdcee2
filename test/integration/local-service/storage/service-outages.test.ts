import { expect, test } from 'vitest';
import { defaultLimits } from '../../../../src/local-service/accounts/rate-limits.ts';
import { s3Blobs } from '../../../rigs/blob-stores.ts';
import { type Intercept, s3Error, useS3Server } from '../../../rigs/s3-server.ts';
import { FakeRenderer, type Rig, seededBytes, settled, startRig, storyboard } from '../rig.ts';
import { cookieOf, EMAIL, enter, signUp } from '../studio-forms.ts';

const MINUTE = 60_000;
const roomy = { requests: 100_000, windowSeconds: 60 };
const limits = { ...defaultLimits, generate: roomy, status: roomy };
const server = useS3Server();

const failWith =
  (status: number, code: string): Intercept =>
  (request, response) => {
    request.resume();
    s3Error(response, status, code);
  };

async function generate(rig: Rig, headers: Record<string, string>, title: string) {
  const made = await rig.client.post('/api/v1/video/generate', storyboard(title), headers);
  expect(made.status).toBe(200);
  return String(made.json.id);
}

/** A finished video of 100,000 bytes. */
async function linkToVideo(): Promise<{ rig: Rig; url: string }> {
  const rig = await startRig({ limits, blobs: s3Blobs(server) });
  const headers = await rig.signUp();
  const id = await generate(rig, headers, 'Film');
  await settled(rig, headers, id);
  const link = await rig.client.ask(`/api/v1/video/download/${id}`, { headers });
  return { rig, url: String(link.json.downloadUrl) };
}

const breakAfter =
  (bytes: number): Intercept =>
  (_request, response) => {
    response.writeHead(200, { 'content-length': 100_000 });
    response.write(seededBytes('Film', bytes), () => response.socket!.destroy());
  };

test.each([
  ['full', 507, 'InsufficientStorage', 'is full'],
  ['refused', 403, 'AccessDenied', 'refuses access'],
  ['unreachable', 503, 'SlowDown', 'does not answer'],
])('a store that is %s delays every video and fails none', async (_what, status, code, words) => {
  const renderer = new FakeRenderer();
  const rig = await startRig({ renderer, limits, blobs: s3Blobs(server) });
  const headers = await rig.signUp();
  server.intercept = failWith(status, code);
  const ids = [await generate(rig, headers, 'One'), await generate(rig, headers, 'Two')];
  const statusOf = async (id: string) =>
    (await rig.client.ask(`/api/v1/video/status/${id}`, { headers })).json;
  for (let retry = 0; retry < 5; retry += 1) {
    await expect
      .poll(async () => (await statusOf(ids[1]!)).waitingFor)
      .toBe(`Rendering waits because the file storage of the service ${words}.`);
    // Its worker keeps what it has rendered.
    expect(await statusOf(ids[0]!)).toMatchObject({ status: 'rendering' });
    rig.clock.advance(MINUTE);
  }
  server.intercept = undefined;
  for (const id of ids) {
    await expect
      .poll(async () => {
        rig.clock.advance(MINUTE);
        return (await statusOf(id)).status;
      })
      .toBe('done');
  }
  // Rendered files were kept until they could be stored.
  expect(renderer.begun).toEqual(['One', 'Two']);
  const link = await rig.client.ask(`/api/v1/video/download/${ids[0]}`, { headers });
  const file = await rig.client.ask(String(link.json.downloadUrl));
  expect(file.bytes.equals(seededBytes('One', 100_000))).toBe(true);
});

test('a download is a 503 during an outage of the store, and works again afterwards', async () => {
  const rig = await startRig({ limits, blobs: s3Blobs(server) });
  const headers = await rig.signUp();
  const id = await generate(rig, headers, 'Film');
  const done = await settled(rig, headers, id);
  const link = await rig.client.ask(`/api/v1/video/download/${id}`, { headers });
  server.intercept = failWith(503, 'SlowDown');
  for (const url of [link.json.downloadUrl, done.json.posterUrl].map(String)) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await rig.client.ask(url, { method });
      expect(answer.status).toBe(503);
      expect(answer.headers['retry-after']).toBe('10');
      expect(answer.headers).not.toHaveProperty('etag');
      if (method === 'GET') {
        expect(answer.json).toEqual({
          success: false,
          code: 'UNAVAILABLE',
          message: 'The files of the service cannot be read for now. Try again later.',
        });
      }
    }
  }
  // The status needs only the database.
  const status = await rig.client.ask(`/api/v1/video/status/${id}`, { headers });
  expect(status.json.status).toBe('done');
  server.intercept = undefined;
  expect((await rig.client.ask(String(link.json.downloadUrl))).status).toBe(200);
});

test('a store that disconnects before any byte was passed on is a 503', async () => {
  const { rig, url } = await linkToVideo();
  server.intercept = breakAfter(10_000);
  const answer = await rig.client.ask(url);
  expect(answer.status).toBe(503);
  expect(answer.json.code).toBe('UNAVAILABLE');
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  });
  for (const name of ['etag', 'content-disposition', 'accept-ranges']) {
    expect(answer.headers).not.toHaveProperty(name);
  }
});

test('a store that disconnects later aborts the download', async () => {
  const { rig, url } = await linkToVideo();
  server.intercept = breakAfter(90_000);
  await expect(rig.client.ask(url)).rejects.toThrow();
});

test('a damaged file in the store is a 500 with the reason', async () => {
  const { rig, url } = await linkToVideo();
  server.intercept = (_request, response) => {
    response.writeHead(200, { 'content-length': 5 }).end('other');
  };
  const answer = await rig.client.ask(url);
  expect(answer.status).toBe(500);
  expect(answer.json).toMatchObject({ code: 'INTERNAL', message: 'The stored file is damaged.' });
});

test('an expired video is deleted once the store is back', async () => {
  const blobs = s3Blobs(server);
  const rig = await startRig({ limits, blobs });
  const headers = await rig.signUp();
  const id = await generate(rig, headers, 'Film');
  await settled(rig, headers, id);
  server.intercept = failWith(503, 'SlowDown');
  rig.clock.advance(31 * 24 * 60 * MINUTE);
  const answer = await rig.client.ask(`/api/v1/video/download/${id}`, { headers });
  expect(answer.json.code).toBe('VIDEO_EXPIRED');
  server.intercept = undefined;
  await expect
    .poll(async () => {
      rig.clock.advance(60 * MINUTE);
      return blobs.stat(`${id}/1.mp4`);
    })
    .toBeUndefined();
});

test('the studio reports that files cannot be read for now', async () => {
  const rig = await startRig({ limits, blobs: s3Blobs(server) });
  await signUp(rig);
  const headers = {
    'x-api-key': (await rig.keys.create(await rig.accounts.withEmail(EMAIL), 'k')).value,
  };
  const id = await generate(rig, headers, 'Film');
  await settled(rig, headers, id);
  const cookie = cookieOf(await enter(rig, '/sign-in'));
  server.intercept = failWith(503, 'SlowDown');
  const page = await rig.client.ask(`/studio/videos/${id}/file`, { headers: { cookie } });
  expect(page.status).toBe(503);
  expect(page.bytes.toString()).toContain('The files cannot be read for now');
});
