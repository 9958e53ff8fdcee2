import { createServer as createHttpsServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Connections } from '../../../src/engine/downloads/connections.ts';
import { environmentProxy, proxySettings, type FindProxy } from '../../../src/engine/proxy.ts';
import { ServiceClient } from '../../../src/engine/service/service-client.ts';
import { usualRules } from '../../../src/engine/service/vocabularies.ts';
import { systemClock } from '../../../src/engine/system-clock.ts';
import { issueCertificate, type TestCertificate } from '../../rigs/certificates.ts';
import { ConnectProxy } from '../../rigs/connect-proxy.ts';
import { DownloadRig } from '../../rigs/download-rig.ts';
import { honest } from '../../rigs/fault-server.ts';
import { generate } from '../../rigs/generate.ts';
import { jsonAnswer, ScriptedService } from '../../rigs/scripted-service.ts';
import { seededVideo, sha256 } from '../../rigs/seeded-video.ts';

const KEY = 'svc_live_0123456789abcdefghijKLMNOP';
const ACCEPTED = jsonAnswer(200, { success: true, id: 'vid_1', status: 'queued' });

let certificate: TestCertificate;
beforeAll(async () => {
  certificate = await issueCertificate(['service.example', 'files.example', '127.0.0.1']);
});

/** A service that only a proxy can find: no other resolver knows its name. */
async function serviceBehindProxy() {
  const service = await ScriptedService.start(
    (_request, wire) => wire.write(ACCEPTED),
    certificate,
  );
  onTestFinished(() => service.stop());
  return { service, proxy: await ConnectProxy.start(service.port) };
}

function containing(part: string): unknown {
  return expect.stringContaining(part);
}

function using(env: NodeJS.ProcessEnv): FindProxy {
  return environmentProxy(proxySettings(env));
}

function clientOf(findProxy: FindProxy, baseUrl = 'https://service.example'): ServiceClient {
  const client = new ServiceClient({
    baseUrl,
    findProxy,
    ca: certificate.ca,
    key: () => KEY,
    rules: usualRules,
    clock: systemClock,
    timeouts: { connectMs: 100 },
  });
  onTestFinished(() => client.close());
  return client;
}

// abuse.md 59
describe('requests to a service through a proxy', () => {
  test('are sent in a tunnel, which shows neither the key nor the request', async () => {
    const { service, proxy } = await serviceBehindProxy();
    proxy.login = 'ann:p@ss word';
    const url = `http://ann:p%40ss%20word@127.0.0.1:${proxy.port}`;
    const client = clientOf(using({ HTTPS_PROXY: url }));

    expect(await generate(client, '{"title":"secret title"}')).toMatchObject({ kind: 'accepted' });
    expect(await client.status('vid_1')).toMatchObject({ kind: 'status' });
    expect(await client.status('vid_1')).toMatchObject({ kind: 'status' });

    expect(service.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
    expect(service.requests.every(({ headers }) => headers.get('x-api-key') === KEY)).toBe(true);
    expect(service.requests.some(({ headers }) => headers.has('proxy-authorization'))).toBe(false);
    expect(new Set(proxy.asked)).toEqual(new Set(['service.example:443']));
    expect(proxy.tunnels).toBe(service.connections);
    expect(proxy.seen).not.toContain(KEY);
    expect(proxy.seen).not.toContain('secret title');
  });

  test('reach a proxy that speaks TLS itself only if its certificate is trusted', async () => {
    const service = await ScriptedService.start(
      (_request, wire) => wire.write(ACCEPTED),
      certificate,
    );
    onTestFinished(() => service.stop());
    const proxy = await ConnectProxy.start(service.port, certificate);
    const client = clientOf(using({ HTTPS_PROXY: proxy.url }));

    expect(await generate(client, '{}')).toMatchObject({
      kind: 'not-sent',
      failure: { message: containing(`The proxy ${proxy.url} could not be reached`) },
    });
    expect(proxy.heads).toEqual([]);
  });

  test('of another certificate than the service’s are not sent', async () => {
    const { service, proxy } = await serviceBehindProxy();
    const client = clientOf(using({ HTTPS_PROXY: proxy.url }), 'https://other.example');

    expect(await generate(client, '{}')).toMatchObject({
      kind: 'not-sent',
      failure: { message: containing('could not prove that it is the service') },
    });
    expect(service.requests).toEqual([]);
  });

  test.each(['https://127.0.0.1', 'https://localhost'])('never go through it to %s', async (at) => {
    const { service, proxy } = await serviceBehindProxy();
    const client = clientOf(using({ HTTPS_PROXY: proxy.url }), `${at}:${service.port}`);

    await generate(client, '{}');

    expect(service.connections).toBe(1);
    expect(proxy.heads).toEqual([]);
  });

  test('go directly where NO_PROXY says so', async () => {
    const { proxy } = await serviceBehindProxy();
    const env = { HTTPS_PROXY: proxy.url, NO_PROXY: '.example' };

    expect(await generate(clientOf(using(env)), '{}')).toMatchObject({
      kind: 'not-sent',
      failure: { message: containing('service.example') },
    });
    expect(proxy.heads).toEqual([]);
  });
});

describe('a proxy that does not connect', () => {
  const page = 'HTTP/1.1 403 Forbidden\r\nContent-Length: 5\r\n\r\nblock';
  test.each<[string, Partial<Pick<ConnectProxy, 'manner' | 'login'>>, string]>([
    ['asks for a login', { login: 'ann:s3cret' }, 'asks for a user name and password'],
    ['refuses', { manner: { answers: page } }, 'refused a connection to service.example'],
    ['closes', { manner: 'closes' }, 'could not be reached'],
    ['is silent', { manner: 'silent' }, 'could not be reached'],
    ['is no proxy', { manner: { answers: 'SSH-2.0-OpenSSH_9.6\r\n' } }, 'could not be reached'],
  ])('%s: an outage that names it, and nothing was sent', async (_what, changes, words) => {
    const { service, proxy } = await serviceBehindProxy();
    Object.assign(proxy, changes);
    const client = clientOf(using({ HTTPS_PROXY: `http://ann:wrong@127.0.0.1:${proxy.port}` }));
    const failure = {
      code: 'service-unreachable',
      message: containing(`The proxy ${proxy.url} ${words}`),
    };

    const sent = await generate(client, '{}');
    const read = await client.status('vid_1');

    expect(sent).toMatchObject({ kind: 'not-sent', failure });
    expect(read).toMatchObject({ kind: 'unreachable', failure });
    expect(JSON.stringify([sent, read])).not.toContain('wrong');
    expect(service.connections).toBe(0);
  });

  test('is gone, cannot be found or cannot be used: named, too', async () => {
    const { proxy } = await serviceBehindProxy();
    const { url } = proxy;
    await proxy.stop();
    expect(await generate(clientOf(using({ HTTPS_PROXY: url })), '{}')).toMatchObject({
      failure: { message: containing(`${url} could not be reached (ECONNREFUSED)`) },
    });
    const missing = using({ HTTPS_PROXY: 'http://ann:s3cret@proxy.invalid:3128' });
    const notFound = await clientOf(missing).status('vid_1');
    expect(notFound).toMatchObject({
      failure: {
        code: 'service-unreachable',
        message: containing('The proxy http://proxy.invalid:3128 could not'),
      },
    });
    expect(JSON.stringify(notFound)).not.toContain('s3cret');
    const socks = using({ HTTPS_PROXY: 'socks5://127.0.0.1:1080' });
    expect(await generate(clientOf(socks), '{}')).toMatchObject({
      kind: 'not-sent',
      failure: { message: containing('cannot use the proxy socks5://127.0.0.1:1080') },
    });
  });

  test('a stop does not wait for it', async () => {
    const { proxy } = await serviceBehindProxy();
    proxy.manner = 'silent';
    const stop = new AbortController();
    const outcome = generate(clientOf(using({ HTTPS_PROXY: proxy.url })), '{}', stop.signal);
    await expect.poll(() => proxy.heads).toHaveLength(1);
    stop.abort();
    expect(await outcome).toMatchObject({
      kind: 'not-sent',
      failure: { code: 'not-possible-now' },
    });
  });
});

describe('downloads through a proxy', () => {
  const film = seededVideo(7, 6_000_000);

  async function fileBehindProxy() {
    const server = createHttpsServer({ cert: certificate.cert, key: certificate.key });
    server.on('request', (_request, response) => response.end(film.bytes));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    return ConnectProxy.start((server.address() as AddressInfo).port);
  }

  async function downloadBy(findProxy: FindProxy, url: string) {
    const rig = await DownloadRig.start((request) => honest({ bytes: film.bytes }, request));
    // Pins the certificate of the test; the origin itself is reached by its name only.
    const exceptions = [{ origin: 'https://files.example', ca: certificate.ca }];
    const connections = new Connections({ exceptions }, { findProxy });
    const outcome = await rig.download({ link: { url, expiresAt: null } }, connections);
    return { outcome, rig };
  }

  // abuse.md 59
  test('are saved completely; the proxy sees the host alone', async () => {
    const proxy = await fileBehindProxy();
    const url = 'https://files.example/v.mp4?signature=s3cret';
    const { outcome, rig } = await downloadBy(using({ HTTPS_PROXY: proxy.url }), url);

    expect(outcome).toMatchObject({ kind: 'saved', bytes: film.bytes.length });
    expect(await rig.savedSha256()).toBe(sha256(film.bytes));
    expect(proxy.asked).toEqual(['files.example:443']);
    expect(proxy.seen).not.toContain('s3cret');
  });

  // abuse.md 59
  test.each([
    'https://10.0.0.1/v.mp4',
    'https://169.254.169.254/v.mp4',
    'https://localhost/v.mp4',
    'http://files.example/v.mp4',
  ])('a link to %s is refused before the proxy is asked', async (url) => {
    const proxy = await fileBehindProxy();
    const { outcome } = await downloadBy(using({ HTTPS_PROXY: proxy.url }), url);

    expect(outcome).toMatchObject({ kind: 'failed' });
    expect(proxy.heads).toEqual([]);
  });

  test('wait when the proxy refuses, and name it', async () => {
    const proxy = await fileBehindProxy();
    proxy.login = 'ann:s3cret';
    const url = 'https://files.example/v.mp4';
    const { outcome } = await downloadBy(using({ HTTPS_PROXY: proxy.url }), url);

    expect(outcome).toMatchObject({
      kind: 'waiting',
      reason: 'proxy-failed',
      proxy: proxy.url,
      why: { message: containing('asks for a user name and password') },
    });
    expect(proxy.tunnels).toBe(0);
  });

  test('of this computer’s own service go past it', async () => {
    const proxy = await fileBehindProxy();
    const rig = await DownloadRig.start((request) => honest({ bytes: film.bytes }, request));
    const connections = new Connections(
      { exceptions: [{ origin: rig.server.origin }] },
      { findProxy: using({ HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url }) },
    );
    const outcome = await rig.download({}, connections);
    expect(outcome).toMatchObject({ kind: 'saved' });
    expect(proxy.heads).toEqual([]);
  });
});
