import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:tls';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import type { ServiceClient } from '../../../../src/engine/service/service-client.ts';
import { reachService } from '../../../../src/cli/doctor/reach-service.ts';
import { systemClock } from '../../../../src/engine/system-clock.ts';
import { issueCertificate, type TestCertificate } from '../../../rigs/certificates.ts';
import { TEST_KEY as KEY, testClient } from '../../../rigs/test-client.ts';
import { generate } from '../../../rigs/generate.ts';

/*
 * The requests of the documented API, byte for byte. They were recorded before services could be
 * described by profiles, and stay as they are.
 */

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{"id":"v1"}';

let certificate: TestCertificate;
let recorder: Recorder;
let client: ServiceClient;

/** A TLS server that records the bytes of each connection. */
class Recorder {
  readonly received: string[] = [];
  readonly #server;
  readonly #sockets = new Set<Socket>();

  constructor({ cert, key }: TestCertificate) {
    this.#server = createServer({ cert, key }, (socket) => {
      const index = this.received.push('') - 1;
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('data', (data: Buffer) => {
        const received = `${this.received[index] ?? ''}${data.toString('utf8')}`;
        this.received[index] = received;
        const [, length = '0'] = /content-length: (\d+)/.exec(received) ?? [];
        const [, body] = received.split('\r\n\r\n');
        if (body !== undefined && Buffer.byteLength(body) >= Number(length)) socket.write(ANSWER);
      });
    });
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

let host: string;

function clientAt(path = ''): ServiceClient {
  const url = `https://${host}${path}`;
  return testClient({ url, ca: certificate.ca }, { rules: storyboardProfile.answers });
}

beforeAll(async () => {
  certificate = await issueCertificate();
});

beforeEach(async () => {
  recorder = new Recorder(certificate);
  host = await recorder.start();
  client = clientAt();
});

afterEach(async () => {
  await client.close();
  await recorder.stop();
});

/** Lines as they are on the wire, an empty one before the body included. */
function lines(...all: readonly string[]): string {
  return all.join('\r\n');
}

function getOf(path: string): string {
  return lines(
    `GET ${path} HTTP/1.1`,
    `host: ${host}`,
    'connection: keep-alive',
    'accept: application/json',
    'accept-encoding: identity',
    'user-agent: Spool',
    `x-api-key: ${KEY}`,
    '',
    '',
  );
}

test('generate', async () => {
  await generate(client, '{"title":"Für Élise — 🎬","z":1,"a":[2.50]}');

  expect(recorder.received).toEqual([
    lines(
      'POST /api/v1/video/generate HTTP/1.1',
      `host: ${host}`,
      'connection: close',
      'content-type: application/json',
      'accept: application/json',
      'accept-encoding: identity',
      'user-agent: Spool',
      `x-api-key: ${KEY}`,
      'content-length: 49',
      '',
      '{"title":"Für Élise — 🎬","z":1,"a":[2.50]}',
    ),
  ]);
});

test('status', async () => {
  await client.status('vid 1/ü');

  expect(recorder.received).toEqual([getOf('/api/v1/video/status/vid%201%2F%C3%BC')]);
});

test('download link', async () => {
  await client.link('vid_1');

  expect(recorder.received).toEqual([getOf('/api/v1/video/download/vid_1')]);
});

test('key check', async () => {
  await client.checkKey();

  expect(recorder.received).toEqual([getOf('/api/v1/video/status/key-check')]);
});

test('a base address with a path', async () => {
  await using nested = {
    client: clientAt('/nested/'),
    [Symbol.asyncDispose]: () => nested.client.close(),
  };
  await nested.client.link('vid_1');

  expect(recorder.received).toEqual([getOf('/nested/api/v1/video/download/vid_1')]);
});

test('reachability check', async () => {
  await reachService({ baseUrl: `https://${host}`, ca: certificate.ca, clock: systemClock });

  expect(recorder.received).toEqual([
    lines(
      'GET /api/v1/video/status/reach HTTP/1.1',
      `host: ${host}`,
      'connection: close',
      'accept: application/json',
      'accept-encoding: identity',
      'user-agent: Spool',
      '',
      '',
    ),
  ]);
});
