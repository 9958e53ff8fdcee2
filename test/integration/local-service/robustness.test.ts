import tls from 'node:tls';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { RateLimits } from '../../../src/local-service/accounts/rate-limits.ts';
import { type Ask, type Rig, startRig } from './rig.ts';

const roomy = { requests: 1_000_000, windowSeconds: 60 };
const limits = { generate: roomy, status: roomy, download: roomy, authentication: roomy };

const errorBody = z.strictObject({
  success: z.literal(false),
  message: z.string().min(1),
  code: z.string().regex(/^[A-Z_]+$/),
  details: z.record(z.string(), z.unknown()).optional(),
});

/** Text that Node’s client agrees to send in a header. */
const headerText = fc.string({
  unit: fc
    .oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff }))
    .map(fromCode),
});
const headerName = fc.oneof(
  fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/),
  fc.constantFrom(
    'range',
    'if-range',
    'if-match',
    'if-none-match',
    'accept',
    'accept-encoding',
    'cookie',
    'x-forwarded-for',
    'x-forwarded-proto',
    'forwarded',
    'origin',
    'authorization',
    'accept',
    'x-http-method-override',
    'content-encoding',
    'if-modified-since',
    'expect-ct',
    'via',
  ),
);
/** These decide how Node frames the request, so junk in them never leaves the client. */
const framing =
  /^(content-length|transfer-encoding|connection|upgrade|expect|trailer|te|keep-alive)$/;
const headers = fc
  .dictionary(headerName, headerText, { maxKeys: 6 })
  .map((all) => Object.fromEntries(Object.entries(all).filter(([name]) => !framing.test(name))));

const segment = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map(fromCode), maxLength: 60 }),
  fc.string().map(encodeURIComponentSafely),
  fc.constantFrom('..', '.', '%2e%2e', '%00', '%ff', '%', '%zz', '', 'x'.repeat(1500)),
);
const path = fc.oneof(
  fc.constant('/api/v1/video/generate'),
  fc.constant('/api/v1/openapi.json'),
  segment.map((id) => `/api/v1/video/status/${id}`),
  segment.map((id) => `/api/v1/video/download/${id}`),
  fc
    .tuple(fc.constantFrom('video', 'poster', 'x'), segment, segment, segment)
    .map(([kind, id, expires, signature]) => {
      return `/files/${kind}/${id}?expires=${expires}&signature=${signature}`;
    }),
  fc.array(segment, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`),
);
const method = fc.constantFrom(
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
);

const words = fc.string({ minLength: 1, maxLength: 20 }).map((text) => `a${text}`);
const ofEveryScene = {
  seconds: fc.integer({ min: 1, max: 120 }),
  transition: fc.constantFrom('fade', 'slide', 'wipe', 'none'),
  caption: words,
};
type Fields = Readonly<Record<string, fc.Arbitrary<unknown>>>;
const ofKind: readonly Fields[] = [
  { kind: fc.constant('title'), text: words },
  { kind: fc.constant('quote'), text: words, by: words },
  { kind: fc.constant('list'), items: fc.array(words, { minLength: 1, maxLength: 3 }) },
  { kind: fc.constant('image'), image: fc.constantFrom('img_1', 'data:image/png;base64,AAAA') },
  { kind: fc.constant('countdown'), from: fc.integer({ min: 1, max: 10 }) },
];
const scene = fc.oneof(
  ...ofKind.map((fields) => {
    const all: Fields = { ...fields, ...ofEveryScene };
    return fc.record(all, { requiredKeys: Object.keys(fields) });
  }),
);
const wholeStoryboard = fc.record(
  {
    title: words,
    scenes: fc.array(scene, { minLength: 1, maxLength: 4 }),
    aspect: fc.constantFrom('16:9', '9:16', '1:1', '4:5'),
    resolution: fc.constantFrom(480, 720, 2160),
    fps: fc.integer({ min: 24, max: 60 }),
    duration: fc.integer({ min: 1, max: 600 }),
    theme: fc.constantFrom({}, { accent: '#ffb020' }),
  },
  { requiredKeys: ['title', 'scenes'] },
);

/**
 * A storyboard with up to two of its parts replaced by arbitrary values. A completely arbitrary
 * value fails the first check of its fields, and never reaches the code behind it.
 */
const nearlyStoryboard = fc
  .tuple(
    wholeStoryboard,
    fc.array(fc.tuple(fc.nat(), fc.oneof(fc.jsonValue(), fc.double())), { maxLength: 2 }),
  )
  .map(([whole, spoilt]) => {
    const storyboard: unknown = structuredClone(whole);
    for (const [choice, junk] of spoilt) {
      const places = placesIn(storyboard);
      const place = places[choice % places.length];
      if (place) place.of[place.key] = junk;
    }
    return storyboard;
  });
const body = fc.oneof(
  nearlyStoryboard.map((value) => JSON.stringify(value)),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.string(),
  fc.nat(100).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  fc.uint8Array().map((bytes) => Buffer.from(bytes)),
);
const contentType = fc.oneof(
  { weight: 5, arbitrary: fc.constant('application/json') },
  { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/json; charset=utf-16', '') },
  { weight: 1, arbitrary: headerText },
);

type Container = Record<string, unknown>;

/** Every field and element inside of a value, however deep. */
function placesIn(value: unknown): { of: Container; key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const of = value as Container;
  return Object.keys(of).flatMap((key) => [{ of, key }, ...placesIn(of[key])]);
}

function fromCode(code: number): string {
  return String.fromCharCode(code);
}

function encodeURIComponentSafely(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

async function expectValidAnswer(rig: Rig, target: string, ask: Ask): Promise<void> {
  const answer = await rig.client.ask(target, ask);
  expect(answer.status).toBeLessThan(500);
  expect(answer.headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
  expect(Number.isNaN(Date.parse(String(answer.headers['x-ratelimit-reset'])))).toBe(false);
  // The studio begins at `/`, and its errors are pages; `#` ends a path.
  if (target.startsWith('/#')) return;
  if (answer.status >= 400 && ask.method !== 'HEAD') errorBody.parse(answer.json);
}

test('property: no request causes a server error or a malformed response', async () => {
  const rig = await startRig({ limits });
  const key = await rig.signUp('business');
  await fc.assert(
    fc.asyncProperty(method, path, headers, fc.boolean(), contentType, body, async (...request) => {
      const [verb, target, extra, signedIn, type, content] = request;
      await expectValidAnswer(rig, target, {
        method: verb,
        headers: { ...extra, 'content-type': type, ...(signedIn && key) },
        body: content,
      });
    }),
    { numRuns: 600 },
  );
});

test('property: no body causes a server error or a malformed response of generate', async () => {
  const rig = await startRig({ limits });
  const key = await rig.signUp('business');
  await fc.assert(
    fc.asyncProperty(body, (content) =>
      expectValidAnswer(rig, '/api/v1/video/generate', {
        method: 'POST',
        headers: { ...key, 'content-type': 'application/json' },
        body: content,
      }),
    ),
    { numRuns: 400 },
  );
});

test('a length that is no number is refused like any invalid body', async () => {
  const rig = await startRig({ limits });
  const key = await rig.signUp('business');
  const hostile = { length: { toString: 0 } };
  for (const content of [hostile, { title: hostile }, { title: 'A', scenes: hostile }]) {
    const answer = await rig.client.ask('/api/v1/video/generate', {
      method: 'POST',
      headers: { ...key, 'content-type': 'application/json' },
      body: JSON.stringify(content),
    });
    expect(answer).toMatchObject({ status: 400, json: { code: 'INVALID_REQUEST' } });
  }
});

/**
 * Sends bytes over a separate connection and returns the complete response.
 *
 * @param isLast ends the connection after them. Node then drops an answer that is not ready yet.
 */
function exchange(rig: Rig, bytes: Buffer | string, isLast = false): Promise<string> {
  const ca = readFileSync(rig.service.caFile!);
  const port = Number(new URL(rig.service.url).port);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = tls.connect({ host: '127.0.0.1', port, ca }, () => {
      if (isLast) socket.end(bytes);
      else socket.write(bytes);
    });
    socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
}

/** Splits a response into head and body. Expects the limit headers. */
function splitResponse(received: string): { head: string; body: string } {
  const end = received.indexOf('\r\n\r\n');
  const head = received.slice(0, end).toLowerCase();
  expect(head).toMatch(/^http\/1\.1 \d{3}/);
  expect(head).toMatch(/\r\nx-ratelimit-remaining: \d+\r\n/);
  expect(head).toMatch(/\r\nx-ratelimit-reset: \d{4}-/);
  expect(head).toContain('\r\nx-content-type-options: nosniff');
  return { head, body: received.slice(end + 4) };
}

test('HEAD has the headers of GET, and no body', async () => {
  const rig = await startRig({ limits });
  const { 'x-api-key': key } = await rig.signUp();
  const { host } = new URL(rig.service.studioUrl);
  for (const [target, status] of [
    ['/api/v1/openapi.json', 200],
    ['/api/v1/video/status/vid_x', 404],
    ['/api/v1/video/download/vid_x', 404],
    ['/files/video/vid_x?expires=1&signature=x', 403],
    ['/nothing', 404],
    ['/sign-in', 200],
  ] as const) {
    const ask = (method: string): string =>
      `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${key}\r\nConnection: close\r\n\r\n`;
    const { head, body } = splitResponse(await exchange(rig, ask('HEAD')));
    expect(head, target).toContain(`http/1.1 ${status}`);
    expect(body, target).toBe('');
    const got = splitResponse(await exchange(rig, ask('GET')));
    expect(head, target).toContain(`content-length: ${got.body.length}`);
  }
});

test.each([
  ['is no HTTP', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['has two lengths', 'POST / HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
  [
    'has a length and chunks',
    'POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n',
  ],
  ['ends its lines with LF only', 'GET / HTTP/1.1\nHost: x\n\n'],
  ['has a header with a zero byte', 'GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n'],
])('a request that %s gets one refusal in the usual format', async (_, bytes) => {
  const rig = await startRig({ limits });
  const received = await exchange(rig, bytes);
  const { head, body } = splitResponse(received);
  expect(head).toContain('http/1.1 400');
  expect(head).toContain('connection: close');
  expect(JSON.parse(body)).toEqual({
    success: false,
    code: 'INVALID_REQUEST',
    message: 'The request could not be read.',
  });
});

test('a client that uses the service as a proxy gets an error', async () => {
  const rig = await startRig({ limits });
  const bytes = 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n';
  const { head, body } = splitResponse(await exchange(rig, bytes));
  expect(head).toContain('http/1.1 404');
  expect(head).toContain('connection: close');
  expect(errorBody.parse(JSON.parse(body))).toMatchObject({ code: 'NOT_FOUND' });
});

test('an error while a refusal is written ends only its connection', async () => {
  const rig = await startRig({ limits });
  const broken = vi.spyOn(RateLimits.prototype, 'addressStatus');
  onTestFinished(() => broken.mockRestore());
  broken.mockRejectedValue(new Error('The counters are broken.'));
  const unfit = 'GET /api/v1/%zz HTTP/1.1\r\nHost: x\r\n\r\n';
  for (const bytes of ['CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n', 'garbage\r\n\r\n', unfit]) {
    expect(await exchange(rig, bytes)).toBe('');
  }
  broken.mockRestore();
  expect((await rig.client.ask('/api/v1/openapi.json')).status).toBe(200);
});

test('property: no bytes on a connection cause a server error', async () => {
  const rig = await startRig({ limits });
  const wire = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc
      .tuple(fc.constantFrom('GET', 'POST', 'BREW'), fc.string(), fc.string(), fc.string())
      .map(([verb, target, name, value]) =>
        Buffer.from(`${verb} /${target} HTTP/1.1\r\nHost: x\r\n${name}: ${value}\r\n\r\n`),
      ),
  );
  await fc.assert(
    fc.asyncProperty(wire, async (bytes) => {
      const received = await exchange(rig, bytes, true);
      expect(received).not.toMatch(/^HTTP\/1\.1 5/);
    }),
    { numRuns: 100 },
  );
  expect((await rig.client.ask('/api/v1/openapi.json')).status).toBe(200);
});
