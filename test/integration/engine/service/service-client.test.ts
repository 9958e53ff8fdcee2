import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { userMessage } from '../../../../src/contract/user-message.ts';
import { BaseUrlError } from '../../../../src/engine/service/endpoints.ts';
import type {
  ServiceClient,
  ServiceClientOptions,
} from '../../../../src/engine/service/service-client.ts';
import { issueCertificate, type TestCertificate } from '../../../rigs/certificates.ts';
import { generate } from '../../../rigs/generate.ts';
import { jsonAnswer, ScriptedService, textAnswer } from '../../../rigs/scripted-service.ts';
import { TEST_KEY as KEY, testClient } from '../../../rigs/test-client.ts';

const LIMITS = { 'X-RateLimit-Remaining': '9', 'X-RateLimit-Reset': '2026-01-05T10:00:00.000Z' };

let certificate: TestCertificate;
let service: ScriptedService;
let client: ServiceClient;

function clientOf(options?: Partial<ServiceClientOptions>): ServiceClient {
  return testClient(service, options);
}

/** Makes the service answer every request with `text`. */
function answers(text: string): void {
  service.script = (_request, wire) => wire.write(text);
}

beforeAll(async () => {
  certificate = await issueCertificate();
});

beforeEach(async () => {
  service = await ScriptedService.start(() => undefined, certificate);
  client = clientOf();
});

afterEach(async () => {
  await client.close();
  await service.stop();
});

describe('requests', () => {
  test('a generate request is the body byte for byte, with the key in its header', async () => {
    answers(jsonAnswer(200, { success: true, id: 'vid_1', status: 'queued' }, LIMITS));
    const body = '{"title":"Für Élise — 🎬","z":1,"a":2}';

    const outcome = await generate(client, body);

    expect(outcome).toMatchObject({
      kind: 'accepted',
      remoteId: 'vid_1',
      response: { status: 200, headers: { 'x-ratelimit-remaining': '9' } },
    });
    const [request] = service.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/api/v1/video/generate', body });
    expect(request?.headers.get('x-api-key')).toBe(KEY);
    expect(request?.headers.get('content-type')).toBe('application/json');
    expect(request?.headers.get('accept-encoding')).toBe('identity');
  });

  test('a base address with a path and a trailing slash keeps its path', async () => {
    answers(jsonAnswer(200, { status: 'done' }));
    const behindAPath = clientOf({ baseUrl: `${service.url}/video-service/` });

    await behindAPath.status('vid_1');
    await behindAPath.close();

    expect(service.requests[0]?.path).toBe('/video-service/api/v1/video/status/vid_1');
  });

  test('an identifier stays a single path segment', async () => {
    answers(jsonAnswer(200, { status: 'done' }));

    await client.status('../../admin?x=1#y');

    await client.status('half \ud83d');

    expect(service.requests.map((request) => request.path)).toEqual([
      '/api/v1/video/status/..%2F..%2Fadmin%3Fx%3D1%23y',
      '/api/v1/video/status/half%20%EF%BF%BD',
    ]);
  });

  test('reads reuse their connections', async () => {
    answers(jsonAnswer(200, { status: 'queued' }));

    for (let asked = 0; asked < 12; asked++) await client.status('vid_1');

    expect(service.connections).toBeLessThanOrEqual(4);
    expect(service.requests.at(-1)?.headers.get('connection')).toBe('keep-alive');
  });

  test('every generate request has a separate connection, and is the last on it', async () => {
    answers(jsonAnswer(200, { id: 'vid_1' }));

    await generate(client, '{}');
    await generate(client, '{}');
    await generate(client, '{}');

    expect(service.connections).toBe(3);
    expect(service.requests.map(({ headers }) => headers.get('connection'))).toEqual([
      'close',
      'close',
      'close',
    ]);
  });

  test.each(['http://example.com', 'ftp://example.com', 'example.com', 'https://a:b@example.com'])(
    'the base address %s is rejected',
    (baseUrl) => {
      expect(() => clientOf({ baseUrl })).toThrow(BaseUrlError);
    },
  );

  test('without a key nothing is sent', async () => {
    const keyless = clientOf({ key: () => null });

    expect(await generate(keyless, '{}')).toMatchObject({
      kind: 'not-sent',
      failure: { code: 'key-missing' },
    });
    expect(await keyless.status('vid_1')).toMatchObject({
      kind: 'unreachable',
      failure: { code: 'key-missing' },
    });
    await keyless.close();
    expect(service.connections).toBe(0);
  });

  test('a key that would break out of its header is not sent', async () => {
    const broken = clientOf({ key: () => 'svc_live_x\r\nHost: evil' });

    expect(await generate(broken, '{}')).toMatchObject({
      kind: 'not-sent',
      failure: { code: 'key-missing' },
    });
    await broken.close();
    expect(service.connections).toBe(0);
  });

  test('the key is looked up by the origin that it is sent to', async () => {
    answers(jsonAnswer(200, { status: 'done' }));
    const asked: string[] = [];
    const asking = clientOf({
      key: (origin) => {
        asked.push(origin);
        return KEY;
      },
    });

    await asking.status('vid_1');
    await asking.close();

    expect(asked).toEqual([service.url]);
  });
});

describe('answers to a generate request', () => {
  test.each([
    [400, { success: false, message: 'scenes: too many', code: 'INVALID' }, 'rejected'],
    [401, { success: false, message: 'A valid key, please', code: 'UNAUTHORIZED' }, 'key-refused'],
    [402, {}, 'quota-used-up'],
    [403, { success: false, message: 'No', code: 'QUOTA_EXCEEDED' }, 'quota-used-up'],
    [403, { success: false, message: '4K is not part of your plan.' }, 'rejected'],
    [403, { success: false, message: 'Not in your country' }, 'rejected'],
    [422, { success: false, message: 'bad' }, 'rejected'],
    [429, { success: false, message: 'No', code: 'QUOTA_EXCEEDED' }, 'quota-used-up'],
    [429, { success: false, message: 'Your plan allows 10 an hour' }, 'rate-limited'],
    [429, { success: false, message: 'Slow down', code: 'RATE_LIMITED' }, 'rate-limited'],
    [429, { message: 'Upgrade your plan for more', code: 'RATE_LIMITED' }, 'rate-limited'],
    [408, {}, 'unknown'],
    [500, { success: false, message: 'Oops' }, 'server-error'],
    [503, {}, 'server-error'],
    [200, { success: true }, 'unknown'],
    [200, { success: false, id: 'vid_1', message: 'No' }, 'unknown'],
  ])('%i %j is %s', async (status, body, kind) => {
    answers(jsonAnswer(status, body, LIMITS));

    const outcome = await generate(client, '{}');

    expect(outcome).toMatchObject({ kind, response: { status } });
    expect(service.requests).toHaveLength(1);
  });

  test('early hints are not the response', async () => {
    answers(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${jsonAnswer(200, { id: 'vid_1' })}`);

    expect(await generate(client, '{}')).toMatchObject({
      kind: 'accepted',
      remoteId: 'vid_1',
      response: { status: 200 },
    });
  });

  test('an identifier is read after a byte order mark as well', async () => {
    answers(textAnswer(200, '\ufeff{"id":"vid_1"}'));

    expect(await generate(client, '{}')).toMatchObject({ kind: 'accepted', remoteId: 'vid_1' });
  });

  test('the failure contains the service’s message', async () => {
    answers(jsonAnswer(400, { success: false, message: 'theme.accent\u0007: no', code: 'BAD' }));

    expect(await generate(client, '{}')).toMatchObject({
      failure: { code: 'service-refused', detail: 'theme.accent: no (BAD)' },
    });
  });
});

describe('what a refusal is about', () => {
  test.each([
    [400, { success: false, code: 'INVALID_BODY' }],
    [409, { code: 'DUPLICATE' }],
    [413, {}],
    [422, { detail: 'headline: too long' }],
  ])('%i %j is about the requested video', async (status, body) => {
    answers(jsonAnswer(status, body));

    expect(await generate(client, '{}')).toMatchObject({ kind: 'rejected', about: 'video' });
  });

  test.each([
    [403, '{"message":"Missing Authentication Token"}'],
    [404, '{"message":"Route POST:/video/generate not found"}'],
    [404, '<h1>Not here</h1>'],
    [405, ''],
    [400, '<h1>Bad Request</h1>'],
    [451, '{"success":false}'],
  ])('%i %s is about the service', async (status, body) => {
    answers(textAnswer(status, body));

    expect(await generate(client, '{}')).toMatchObject({ kind: 'rejected', about: 'service' });
  });
});

describe('reads', () => {
  test.each([404, 410])(
    'a %i page of another web server is unusable, and not about a video',
    async (status) => {
      answers(textAnswer(status, '<h1>Not here</h1>'));
      expect(await client.status('vid_1')).toMatchObject({
        kind: 'unusable',
        failure: { code: 'service-refuses-all' },
      });
      expect(await client.link('vid_1')).toMatchObject({ kind: 'unusable' });
    },
  );

  test('a status is read with its progress', async () => {
    answers(jsonAnswer(200, { success: true, id: 'vid_1', status: 'rendering', progress: 0.42 }));

    expect(await client.status('vid_1')).toMatchObject({
      kind: 'status',
      status: { state: 'working', word: 'rendering', progress: 0.42, error: null },
    });
  });

  test('an unknown status word is kept and is no error', async () => {
    answers(jsonAnswer(200, { status: 'marinating' }));

    expect(await client.status('vid_1')).toMatchObject({
      kind: 'status',
      status: { state: null, word: 'marinating' },
    });
  });

  test('a link has its expiry, and its query is not in the recorded response', async () => {
    const downloadUrl = 'https://cdn.example.com/v/1.mp4?signature=s3cret&expires=9';
    answers(jsonAnswer(200, { success: true, downloadUrl, expiresAt: '2026-01-05T10:00:00Z' }));

    const outcome = await client.link('vid_1');

    expect(outcome).toMatchObject({
      kind: 'link',
      link: { url: downloadUrl, expiresAt: Date.UTC(2026, 0, 5, 10) },
    });
    expect(JSON.stringify(outcome.response)).not.toContain('s3cret');
    expect(JSON.stringify(outcome.response)).toContain('cdn.example.com/v/1.mp4');
  });

  test.each([
    [409, { success: false, code: 'VIDEO_NOT_READY' }, 'not-ready'],
    [200, { downloadUrl: null }, 'not-ready'],
    [200, { status: 'rendering' }, 'not-ready'],
    [200, {}, 'no-link'],
    [200, { downloadUrl: 'http://cdn.example.com/v.mp4' }, 'no-link'],
    [200, { downloadUrl: 'file:///etc/passwd' }, 'no-link'],
    [404, { code: 'NOT_FOUND' }, 'not-found'],
    [410, {}, 'expired'],
    [404, { success: false, code: 'VIDEO_EXPIRED' }, 'expired'],
    [409, { success: false, code: 'VIDEO_EXPIRED' }, 'expired'],
    [200, { success: false, code: 'VIDEO_EXPIRED' }, 'expired'],
    [200, { code: 'VIDEO_EXPIRED', downloadUrl: 'https://cdn.example.com/v.mp4' }, 'link'],
    [503, { success: false, code: 'VIDEO_EXPIRED' }, 'server-error'],
    [401, { code: 'UNAUTHORIZED' }, 'key-refused'],
    [429, { code: 'RATE_LIMITED' }, 'rate-limited'],
    [500, {}, 'server-error'],
  ])('a link request: %i %j is %s', async (status, body, kind) => {
    answers(jsonAnswer(status, body));

    expect(await client.link('vid_1')).toMatchObject({ kind, response: { status } });
  });

  test.each([
    [404, { code: 'NOT_FOUND' }, 'not-found'],
    [410, { success: false, code: 'VIDEO_EXPIRED' }, 'expired'],
    [401, {}, 'key-refused'],
    [429, {}, 'rate-limited'],
    [502, {}, 'server-error'],
    [409, {}, 'unusable'],
  ])('a status request: %i %j is %s', async (status, body, kind) => {
    answers(jsonAnswer(status, body));

    expect(await client.status('vid_1')).toMatchObject({ kind, response: { status } });
  });

  test.each([404, 410])('a %i page of another web server is unusable', async (status) => {
    answers(textAnswer(status, '<h1>Not here</h1>'));

    expect(await client.status('vid_1')).toMatchObject({ kind: 'unusable' });
    expect(await client.link('vid_1')).toMatchObject({ kind: 'unusable' });
  });

  test('a response that is not JSON is unreadable, and kept as the detail', async () => {
    answers(textAnswer(200, '<html>Welcome to the hotel Wi-Fi</html>'));

    expect(await client.status('vid_1')).toMatchObject({
      kind: 'unusable',
      failure: { code: 'answer-unreadable', detail: '<html>Welcome to the hotel Wi-Fi</html>' },
    });
  });
});

test('an unavailable service gets no connection, and its key is not read', async () => {
  const failure = {
    code: 'service-unreachable',
    ...userMessage('verbatim', { text: 'It did not start.' }),
  } as const;
  const key = vi.fn(() => KEY);
  const unavailable = clientOf({ key, unavailable: failure });
  expect(await unavailable.connect()).toEqual({ kind: 'not-connected', failure });
  expect(await unavailable.checkKey()).toMatchObject({ kind: 'unreachable', failure });
  expect(await unavailable.status('v-1')).toMatchObject({ kind: 'unreachable', failure });
  expect(unavailable.keyFor(new URL(service.url))).toBeNull();
  expect(key).not.toHaveBeenCalled();
  expect(service.connections).toBe(0);
  await unavailable.close();
});

describe('closing', () => {
  test('aborts a read and lets a generate request finish', async () => {
    service.script = () => undefined;
    const read = client.status('vid_1');
    await service.nextRequest();
    const generated = generate(client, '{}');
    await service.nextRequest();

    await client.close();
    service.answerLast(jsonAnswer(200, { id: 'vid_1' }));

    expect(await read).toMatchObject({ kind: 'unusable' });
    expect(await generated).toMatchObject({ kind: 'accepted' });
  });
});

describe('a key check', () => {
  test.each([
    [200, { status: 'done' }, 'accepted'],
    [400, {}, 'accepted'],
    [404, { success: false, code: 'NOT_FOUND' }, 'accepted'],
    [410, { success: false, code: 'VIDEO_EXPIRED' }, 'accepted'],
    [429, {}, 'accepted'],
    [401, { code: 'UNAUTHORIZED' }, 'key-refused'],
    [500, {}, 'unusable'],
    [302, {}, 'unusable'],
  ])('%i %j: %s', async (status, body, kind) => {
    answers(jsonAnswer(status, body));

    expect(await client.checkKey()).toMatchObject({ kind, response: { status } });
  });

  test('asks the cheapest endpoint', async () => {
    answers(jsonAnswer(404, {}));

    await client.checkKey();

    expect(service.requests[0]).toMatchObject({
      method: 'GET',
      path: '/api/v1/video/status/key-check',
    });
  });

  test.each([404, 410])('a %i page of another server proves nothing', async (status) => {
    answers(textAnswer(status, '<h1>Not here</h1>'));

    expect(await client.checkKey()).toMatchObject({ kind: 'unusable' });
  });
});
