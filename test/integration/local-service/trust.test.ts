import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import tls from 'node:tls';
import { describe, expect, test } from 'vitest';
import { type Answer, FakeRenderer, type Rig, settled, startRig, storyboard } from './rig.ts';

const generate = '/api/v1/video/generate';
const json = { 'content-type': 'application/json' };

function post(rig: Rig, headers: Record<string, string>, body: string): Promise<Answer> {
  return rig.client.ask(generate, { method: 'POST', headers: { ...json, ...headers }, body });
}

/** Sends raw bytes over TLS, and returns the response until the service disconnects. */
function sendOverTls(rig: Rig, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = tls.connect(
      {
        host: '127.0.0.1',
        port: Number(new URL(rig.service.url).port),
        ca: readFileSync(rig.service.caFile!),
      },
      () => socket.write(text),
    );
    socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
    socket.on('end', () => resolve(received));
    socket.on('error', reject);
  });
}

describe('a body', () => {
  test('of at most 1 MiB is read, and not a byte more', async () => {
    const rig = await startRig();
    const headers = await rig.signUp();
    const ofLength = (length: number): string => `{"title":"${'x'.repeat(length - 12)}"}`;
    const largest = await post(rig, headers, ofLength(1024 * 1024));
    expect(largest.status).toBe(400);
    const larger = await post(rig, headers, ofLength(1024 * 1024 + 1));
    expect(larger.status).toBe(413);
    expect(larger.json).toMatchObject({ success: false, code: 'PAYLOAD_TOO_LARGE' });
  });

  test('with a huge Content-Length is refused before it is sent', async () => {
    const rig = await startRig();
    const key = (await rig.signUp())['x-api-key'];
    const received = await sendOverTls(
      rig,
      `POST ${generate} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nConnection: close\r\n` +
        'Content-Type: application/json\r\nContent-Length: 10000000000\r\n\r\n{',
    );
    expect(received).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('nested 100,000 deep is refused, and the service continues', async () => {
    const rig = await startRig();
    const headers = await rig.signUp();
    for (const body of [
      '['.repeat(100_000),
      '{"a":'.repeat(100_000),
      '['.repeat(33) + ']'.repeat(33),
    ]) {
      const answer = await post(rig, headers, body);
      expect(answer.status).toBe(400);
      expect(answer.json).toMatchObject({
        code: 'INVALID_REQUEST',
        message: 'JSON may be nested at most 32 levels deep.',
      });
    }
    expect((await post(rig, headers, JSON.stringify(storyboard()))).status).toBe(200);
  });

  test.each([
    '',
    '{',
    'null',
    '[]',
    '"text"',
    '1e999',
    '{"__proto__":{"title":"x"}}',
    '\0',
    '{"a":1}x',
  ])('such as %j is a 400', async (body) => {
    const rig = await startRig();
    const answer = await post(rig, await rig.signUp(), body);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ success: false, code: 'INVALID_REQUEST' });
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'nonsense'])(
    'of type %s is a 415',
    async (type) => {
      const rig = await startRig();
      const answer = await post(rig, { ...(await rig.signUp()), 'content-type': type }, '{}');
      expect(answer.status).toBe(415);
      expect(answer.json.code).toBe('UNSUPPORTED_MEDIA_TYPE');
    },
  );

  test.each(['gzip', 'br', 'identity, gzip'])(
    'encoded as %s is a 415 with the reason',
    async (coding) => {
      const rig = await startRig();
      const answer = await post(rig, { ...(await rig.signUp()), 'content-encoding': coding }, '{}');
      expect(answer.status).toBe(415);
      expect(answer.headers['accept-encoding']).toBe('identity');
      expect(answer.json).toMatchObject({
        code: 'UNSUPPORTED_MEDIA_TYPE',
        message: 'Send the body as it is, without a Content-Encoding.',
      });
    },
  );

  test('may declare JSON in any of the usual ways', async () => {
    const rig = await startRig();
    const body = JSON.stringify(storyboard());
    for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
      expect(
        (await post(rig, { ...(await rig.signUp()), 'content-type': type }, body)).status,
      ).toBe(200);
    }
    for (const coding of ['identity', '']) {
      const plain = { ...(await rig.signUp()), 'content-encoding': coding };
      expect((await post(rig, plain, body)).status).toBe(200);
    }
  });

  test('is checked only where a body is read', async () => {
    const rig = await startRig();
    const { status } = await rig.client.ask('/sign-in', {
      headers: { 'content-encoding': 'gzip' },
    });
    expect(status).toBe(200);
  });
});

test.each([
  ['a broken request line', 'NONSENSE\r\n\r\n', '400', 'INVALID_REQUEST'],
  [
    'headers that are too long',
    `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    '431',
    'HEADERS_TOO_LARGE',
  ],
  [
    'two lengths',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    '400',
    'INVALID_REQUEST',
  ],
  [
    'a length and chunks',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    '400',
    'INVALID_REQUEST',
  ],
  ['no host', 'GET /nothing HTTP/1.1\r\nConnection: close\r\n\r\n', '404', 'NOT_FOUND'],
])('%s gets an error in the usual format', async (_, text, status, code) => {
  const rig = await startRig();
  const received = await sendOverTls(rig, text);
  expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(received).toMatch(/x-ratelimit-remaining: 30\r\n/i);
  const body = received.slice(received.indexOf('\r\n\r\n') + 4);
  expect(JSON.parse(body)).toMatchObject({ success: false, code });
});

test('every response has restrictive security headers', async () => {
  const rig = await startRig();
  for (const target of ['/api/v1/openapi.json', '/api/v1/video/status/x', '/nothing', '/%zz']) {
    const { headers } = await rig.client.ask(target);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
    });
    expect(headers).not.toHaveProperty('server');
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  }
});

test('neither keys nor signatures reach the log', async () => {
  const logLines: string[] = [];
  const rig = await startRig({ logLines });
  const headers = await rig.signUp();
  const made = await post(rig, headers, JSON.stringify(storyboard()));
  const id = String(made.json.id);
  await settled(rig, headers, id);
  const link = await rig.client.ask(`/api/v1/video/download/${id}`, { headers });
  await rig.client.ask(String(link.json.downloadUrl));
  await rig.client.ask(`/api/v1/video/status/${headers['x-api-key']}`, { headers });
  await rig.client.ask(`/api/v1/nothing?key=${headers['x-api-key']}`, { headers });
  await rig.stop();

  const log = logLines.join('');
  expect(log).toContain(`/files/video/${id}`);
  expect(log).toContain('svc_live_…');
  expect(log).not.toContain(headers['x-api-key'].slice(9));
  expect(log).not.toContain('signature');
  for (const line of logLines) expect(() => JSON.parse(line) as unknown).not.toThrow();
});

test('shutting down answers the request that is arriving, and accepts no other', async () => {
  const rig = await startRig();
  const headers = await rig.signUp();
  const { port } = new URL(rig.service.url);
  const socket = tls.connect({
    host: '127.0.0.1',
    port: Number(port),
    ca: readFileSync(rig.service.caFile!),
  });
  await once(socket, 'secureConnect');
  const body = JSON.stringify(storyboard('in flight'));
  socket.write(
    `POST ${generate} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${headers['x-api-key']}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
  );
  // Once another connection has its response, the service has read the first half.
  await rig.client.ask('/nothing');
  const stopped = rig.stop();
  await expect(rig.client.ask('/nothing')).rejects.toThrow(/ECONNREFUSED/);
  socket.write(body.slice(9));
  const answered = (await once(socket, 'data')) as [Buffer];
  expect(answered.join('')).toMatch(/^HTTP\/1\.1 200 /);
  await once(socket, 'close');
  await stopped;

  const next = await startRig({ dataDir: rig.dataDir, clock: rig.clock });
  const [, id = ''] = /"id":"([^"]+)"/.exec(answered.join('')) ?? [];
  expect((await settled(next, headers, id)).json.status).toBe('done');
});

test('shutting down requeues the running render', async () => {
  const renderer = new FakeRenderer('by-hand');
  const rig = await startRig({ renderer });
  const headers = await rig.signUp();
  const made = await post(rig, headers, JSON.stringify(storyboard('one')));
  await renderer.next();
  await rig.stop();
  // Not left to the next start, which counts an interruption: after ten, the video would fail.
  const database = new DatabaseSync(path.join(rig.dataDir, 'service.sqlite'), { readOnly: true });
  const row = database.prepare('SELECT state, failures, interruptions FROM video').get();
  database.close();
  expect({ ...row }).toEqual({ state: 'queued', failures: 0, interruptions: 0 });

  const next = await startRig({ dataDir: rig.dataDir, clock: rig.clock });
  expect((await settled(next, headers, String(made.json.id))).json.status).toBe('done');
});

test('a data folder has one service at a time', async () => {
  const rig = await startRig();
  await expect(startRig({ dataDir: rig.dataDir })).rejects.toThrow('A service is running already');
  await rig.stop();
  await startRig({ dataDir: rig.dataDir });
});
