import { once } from 'node:events';
import { createServer as createNetServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type {
  ServiceClient,
  ServiceClientOptions,
} from '../../../../src/engine/service/service-client.ts';
import { issueCertificate, type TestCertificate } from '../../../rigs/certificates.ts';
import { generate } from '../../../rigs/generate.ts';
import {
  jsonAnswer,
  ScriptedService,
  textAnswer,
  type ServiceScript,
} from '../../../rigs/scripted-service.ts';
import { TEST_KEY as KEY, testClient } from '../../../rigs/test-client.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const ACCEPTED = jsonAnswer(200, { success: true, id: 'vid_1', status: 'queued' });
const MIB = 1024 * 1024;

let certificate: TestCertificate;
let service: ScriptedService;
let client: ServiceClient;

function clientOf(options?: Partial<ServiceClientOptions>): ServiceClient {
  return testClient(service, options);
}

function containing(part: string): unknown {
  return expect.stringContaining(part);
}

beforeAll(async () => {
  certificate = await issueCertificate();
});

beforeEach(async () => {
  service = await ScriptedService.start((_request, wire) => wire.write(ACCEPTED), certificate);
  client = clientOf();
});

afterEach(async () => {
  await client.close();
  await service.stop();
});

describe('before the first byte: not sent', () => {
  test('the connection is refused', async () => {
    const gone = await plainServer(() => undefined);
    await gone[Symbol.asyncDispose]();
    const early = clientOf({ baseUrl: `https://127.0.0.1:${gone.port}` });

    expect(await generate(early, '{}')).toMatchObject({
      kind: 'not-sent',
      failure: { code: 'service-unreachable', message: containing('refused') },
    });
    expect(await early.status('vid_1')).toMatchObject({ kind: 'unreachable', response: null });
    await early.close();
  });

  test('a connection that opens although the request was stopped is closed', async () => {
    let closed = 0;
    service.onConnect = (socket) => socket.on('close', () => (closed += 1));
    const stop = new AbortController();
    const outcome = generate(client, '{}', stop.signal);
    stop.abort();

    expect(await outcome).toMatchObject({
      kind: 'not-sent',
      failure: { code: 'not-possible-now' },
    });
    await expect.poll(() => closed).toBe(1);
    expect(service.requests).toEqual([]);
  });

  test('the name has no address', async () => {
    const nowhere = clientOf({ baseUrl: 'https://missing.invalid' });

    expect(await generate(nowhere, '{}')).toMatchObject({ kind: 'not-sent' });
    await nowhere.close();
  });

  test('the connection is reset before the handshake', async () => {
    service.onConnect = (socket) => socket.resetAndDestroy();

    expect(await generate(client, '{}')).toMatchObject({ kind: 'not-sent' });
    expect(service.connections).toBe(1);
  });

  // abuse.md 26
  test.each([
    ['for another host', () => issueCertificate(['service.example'])],
    ['that has expired', () => issueCertificate(['127.0.0.1'], { expired: true })],
  ])('a certificate %s', async (_what, issue) => {
    const badCertificate = await issue();
    await using other = await disposable(badCertificate);
    const otherClient = clientOf({ baseUrl: other.service.url, ca: badCertificate.ca });

    expect(await generate(otherClient, '{}')).toMatchObject({
      kind: 'not-sent',
      failure: { message: containing('could not prove that it is the service') },
    });
    await otherClient.close();
    expect(other.service.requests).toEqual([]);
  });

  test('a certificate of an authority that is not the pinned one', async () => {
    const otherAuthority = await issueCertificate();
    const otherClient = clientOf({ ca: otherAuthority.ca });

    expect(await generate(otherClient, '{}')).toMatchObject({ kind: 'not-sent' });
    expect(await otherClient.checkKey()).toMatchObject({ kind: 'unreachable' });
    await otherClient.close();
    expect(service.requests).toEqual([]);
  });

  // abuse.md 26
  test('an untrusted certificate, even if the environment disables certificate checks', async () => {
    const otherClient = clientOf({ ca: undefined });
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      expect(await generate(otherClient, '{}')).toMatchObject({ kind: 'not-sent' });
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
    await otherClient.close();
    expect(service.requests).toEqual([]);
  });

  test('a server that uses plain HTTP', async () => {
    await using plain = await plainServer((socket) =>
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    );
    const otherClient = clientOf({ baseUrl: `https://127.0.0.1:${plain.port}` });

    expect(await generate(otherClient, '{}')).toMatchObject({
      kind: 'not-sent',
      failure: { message: containing('does not support HTTPS') },
    });
    await otherClient.close();
    expect(plain.received()).not.toContain(KEY);
  });

  test('a handshake that never ends', async () => {
    await using silent = await plainServer(() => undefined);
    const otherClient = clientOf({
      baseUrl: `https://127.0.0.1:${silent.port}`,
      timeouts: { connectMs: 50 },
    });

    expect(await generate(otherClient, '{}')).toMatchObject({
      kind: 'not-sent',
      failure: { message: containing('took too long') },
    });
    await otherClient.close();
  });

  test('a stop before anything was connected', async () => {
    expect(await generate(client, '{}', AbortSignal.abort())).toMatchObject({
      kind: 'not-sent',
      failure: { code: 'not-possible-now' },
    });
    expect(service.connections).toBe(0);
  });

  test('a stop during the handshake, after which nothing is sent either', async () => {
    const stop = new AbortController();
    service.onConnect = () => stop.abort();

    expect(await generate(client, '{}', stop.signal)).toMatchObject({ kind: 'not-sent' });
    await client.status('vid_1');
    expect(service.requests.map(({ method }) => method)).toEqual(['GET']);
  });
});

describe('a connection for one request', () => {
  test('sends no HTTP before its request, and can be closed unused', async () => {
    const closed = new Promise((resolve) => {
      service.onConnect = (socket) => socket.on('close', resolve);
    });
    const connected = await client.connect();
    if (connected.kind !== 'connected') throw new Error('Not connected.');

    connected.connection.close();

    await closed;
    expect(service.requests).toEqual([]);
  });

  test('carries one request: a second one is not sent', async () => {
    const connected = await client.connect();
    if (connected.kind !== 'connected') throw new Error('Not connected.');
    const { connection } = connected;

    expect(await connection.generate('{}')).toMatchObject({ kind: 'accepted' });
    expect(await connection.generate('{}')).toMatchObject({ kind: 'not-sent' });

    expect(service.requests).toHaveLength(1);
    expect(service.connections).toBe(1);
  });

  test('closed before its request, sends nothing', async () => {
    const connected = await client.connect();
    if (connected.kind !== 'connected') throw new Error('Not connected.');

    connected.connection.close();

    expect(await connected.connection.generate('{}')).toMatchObject({ kind: 'not-sent' });
    expect(service.requests).toEqual([]);
  });
});

describe('after the first byte: unknown, and never sent again', () => {
  const faults: [string, ServiceScript][] = [
    ['reset after the request', (_request, wire) => wire.destroy()],
    ['closed after the request', (_request, wire) => wire.end()],
    ['reset in the status line', (_request, wire) => writeThenReset(wire, 'HTTP/1.1 2')],
    ['reset in the headers', (_request, wire) => writeThenReset(wire, ACCEPTED.slice(0, 40))],
    ['reset in the body', (_request, wire) => writeThenReset(wire, ACCEPTED.slice(0, -12))],
    ['closed in the body', (_request, wire) => wire.end(ACCEPTED.slice(0, -12))],
    ['garbage', (_request, wire) => wire.write('\0\x01 what is HTTP?\r\n\r\n')],
    [
      'an endless header',
      (_request, wire) => wire.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(MIB)}`),
    ],
    ['an empty answer', (_request, wire) => wire.write(textAnswer(204, ''))],
    ['a page', (_request, wire) => wire.write(textAnswer(200, '<html>hello</html>'))],
    ['a 500', (_request, wire) => wire.write(jsonAnswer(500, { message: 'Oops' }))],
    ['a cut chunk', (_request, wire) => wire.end(`${CHUNKED}5\r\n{"id"`)],
  ];
  const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

  test.each(faults)('%s', async (what, script) => {
    const kind = what === 'a 500' ? 'server-error' : 'unknown';
    service.script = script;

    const outcome = await generate(client, '{"title":"once"}');

    expect(outcome).toMatchObject({ kind, failure: { code: 'outcome-unknown' } });
    // A retry by undici would arrive before this response.
    service.script = (_request, wire) => wire.write(ACCEPTED);
    await client.status('vid_1');
    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test('the connection is reset right after the handshake', async () => {
    service.onSecure = (wire) => wire.destroy();

    const outcome = await generate(client, '{}');

    expect(['not-sent', 'unknown']).toContain(outcome.kind);
    expect(service.connections).toBe(1);
  });

  test.each(faults)('a read is unusable: %s', async (what, script) => {
    const kind = what === 'a 500' ? 'server-error' : 'unusable';
    service.script = script;

    expect(await client.status('vid_1')).toMatchObject({ kind });
  });

  test('early hints without a response after them are no response', async () => {
    service.script = (_request, wire) => writeThenReset(wire, 'HTTP/1.1 103 Hints\r\n\r\n');

    expect(await generate(client, '{}')).toMatchObject({ kind: 'unknown', response: null });
  });

  test('a stop after the request has left', async () => {
    const stop = new AbortController();
    service.script = () => stop.abort();

    expect(await generate(client, '{}', stop.signal)).toMatchObject({
      kind: 'unknown',
      response: null,
    });
  });

  test('a refusal whose body is truncated is still a refusal', async () => {
    const refused = jsonAnswer(429, { success: false, message: 'x'.repeat(200) });
    service.script = (_request, wire) => wire.end(refused.slice(0, -100));

    expect(await generate(client, '{}')).toMatchObject({ kind: 'rate-limited' });
  });
});

// abuse.md 27
describe('oversized responses', () => {
  test('a body of more than 1 MiB is cut there and breaks the connection', async () => {
    const closed = new Promise((resolve) => {
      service.script = (_request, wire) => {
        wire.on('close', resolve);
        const piece = 'x'.repeat(64 * 1024);
        wire.write(
          `HTTP/1.1 200 OK\r\nContent-Length: ${10 * 1024 * MIB}\r\n\r\n{"id":"vid_1","pad":"`,
        );
        const pour = (): void => {
          while (!wire.destroyed && wire.write(piece));
          wire.once('drain', pour);
        };
        pour();
      };
    });

    const outcome = await generate(client, '{}');

    expect(outcome).toMatchObject({
      kind: 'unknown',
      failure: { message: containing('1 MiB') },
    });
    expect(outcome.kind === 'unknown' && outcome.response?.body.length).toBe(MIB);
    await closed;
  });

  test('JSON nested 100,000 deep is not read', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    service.script = (_request, wire) => wire.write(textAnswer(200, deep));

    expect(await generate(client, '{}')).toMatchObject({ kind: 'unknown' });
    expect(await client.status('vid_1')).toMatchObject({
      kind: 'unusable',
      failure: { code: 'answer-unreadable' },
    });
  });
});

// abuse.md 1
describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])('a %i is not followed', async (status) => {
    await using other = await disposable(certificate);
    service.script = (_request, wire) =>
      wire.write(
        textAnswer(status, '', { Location: `${other.service.url}/api/v1/video/generate` }),
      );

    expect(await generate(client, '{}')).toMatchObject({
      kind: 'unknown',
      failure: { message: containing('another address') },
    });
    expect(await client.status('vid_1')).toMatchObject({
      kind: 'unusable',
      failure: { code: 'service-unreachable', message: containing('another address') },
    });
    expect(await client.link('vid_1')).toMatchObject({ kind: 'unusable' });
    expect(other.service.connections).toBe(0);
  });
});

describe('slow responses', () => {
  const LIMITS = { connectMs: 10_000, readMs: 30_000, generateMs: 120_000, bodyMs: 30_000 };
  let clock: VirtualClock;
  let timedClient: ServiceClient;

  beforeEach(() => {
    clock = new VirtualClock();
    timedClient = clientOf({ clock, timeouts: LIMITS });
  });

  afterEach(() => timedClient.close());

  test('a generate request times out after two minutes without headers', async () => {
    service.script = () => undefined;
    const outcome = generate(timedClient, '{}');
    await service.nextRequest();

    await clock.advance(LIMITS.generateMs - 1);
    expect(clock.sleeping).toBe(1);
    await clock.advance(1);

    expect(await outcome).toMatchObject({
      kind: 'unknown',
      failure: { message: containing('took too long') },
    });
    expect(clock.sleeping).toBe(0);
  });

  test('a read times out after half a minute', async () => {
    service.script = () => undefined;
    const outcome = timedClient.status('vid_1');
    await service.nextRequest();

    await clock.advance(LIMITS.readMs);

    expect(await outcome).toMatchObject({ kind: 'unusable', response: null });
  });

  test('a body times out half a minute after its headers', async () => {
    service.script = (_request, wire) => wire.write(ACCEPTED.slice(0, -12));
    const outcome = generate(timedClient, '{}');
    await service.nextRequest();
    await untilHeadersArrive(clock, LIMITS.bodyMs);

    await clock.advance(LIMITS.bodyMs);

    expect(await outcome).toMatchObject({ kind: 'unknown', response: { status: 200 } });
  });

  test('a response records when its request was sent and when it arrived, by the engine’s clock', async () => {
    const start = clock.now();
    service.script = () => undefined;
    const outcome = generate(timedClient, '{}');
    await service.nextRequest();
    await clock.advance(5_000);
    service.answerLast(ACCEPTED);

    expect(await outcome).toMatchObject({
      response: { sentAt: start, receivedAt: start + 5_000 },
    });
  });
});

describe('the key', () => {
  test('is in no outcome, even if the service repeats it', async () => {
    const seen: unknown[] = [];
    for (const status of [200, 400, 401, 402, 403, 404, 409, 429, 500]) {
      const body = { success: status < 300, message: `Your key is ${KEY}.`, error: KEY, code: KEY };
      service.script = (_request, wire) =>
        wire.write(jsonAnswer(status, { ...body, status: KEY }, { 'X-Echo': KEY }));
      seen.push(await generate(client, '{}'), await client.status('vid_1'));
      seen.push(await client.link('vid_1'), await client.checkKey());
    }
    service.script = (_request, wire) => wire.end(jsonAnswer(200, { message: KEY }).slice(0, -1));
    seen.push(await generate(client, '{}'), await client.status('vid_1'));

    expect(service.requests.every(({ headers }) => headers.get('x-api-key') === KEY)).toBe(true);
    expect(JSON.stringify(seen)).not.toContain(KEY);
    expect(JSON.stringify(seen)).toContain('[API key]');
  });
});

async function disposable(
  certificate: TestCertificate,
): Promise<AsyncDisposable & { service: ScriptedService }> {
  const service = await ScriptedService.start(() => undefined, certificate);
  return { service, [Symbol.asyncDispose]: () => service.stop() };
}

/** A server without TLS that runs a callback at the first bytes. */
async function plainServer(
  onData: (socket: Socket) => void,
): Promise<AsyncDisposable & { readonly port: number; received(): string }> {
  let received = '';
  const sockets = new Set<Socket>();
  const server = createNetServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', (data) => {
      received += data.toString('latin1');
      onData(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received: () => received,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function writeThenReset(wire: Parameters<ServiceScript>[1], text: string): void {
  wire.write(text, () => wire.destroy());
}

/** Waits for the timeout of `bodyMs` that the client starts when it has the headers. */
async function untilHeadersArrive(clock: VirtualClock, bodyMs: number): Promise<void> {
  while (clock.nextDueIn !== bodyMs) await new Promise((resolve) => setImmediate(resolve));
}
