import 'reflect-metadata';
import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import path from 'node:path';
import tls from 'node:tls';
import { promisify } from 'node:util';
import * as x509 from '@peculiar/x509';
import { pino } from 'pino';
import { Agent, fetch } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { defaultLimits } from '../../../src/local-service/accounts/rate-limits.ts';
import { obtainCertificate, renewalDue } from '../../../src/local-service/certificate.ts';
import { createHttpServer } from '../../../src/local-service/http-server.ts';
import { HttpsListener } from '../../../src/local-service/https-listener.ts';
import { startService } from '../../../src/local-service/server.ts';
import { failToAccept, listeningServers } from '../../rigs/listening-server.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';
import { FakeFrames, FakeRenderer, ManualClock, type Rig, startRig, storyboard } from './rig.ts';

const DAY = 86_400_000;

/** Sends text over plain TCP. Returns everything received until the other side ends. */
function sendPlain(url: string, text: string): Promise<string> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = net.connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('end', () => resolve(received));
    socket.on('error', reject);
  });
}

describe('a plain-HTTP request to the same port', () => {
  test.each([
    ['GET', 'GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['POST', 'POST /api/v1/video/generate HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}'],
    ['garbage', '\0\0\0\0'],
  ])('(%s) gets a short 426, once, and nothing else', async (_, text) => {
    const rig = await startRig();
    const received = await sendPlain(rig.service.url, text);
    const [head = '', body = ''] = received.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\nUpgrade: TLS\/1\.2/);
    expect(JSON.parse(body)).toEqual({
      success: false,
      message: 'This service is used over HTTPS only.',
      code: 'HTTPS_REQUIRED',
    });
  });

  test('never reaches a route, not even with a good key', async () => {
    const rig = await startRig();
    const headers = await rig.signUp();
    await sendPlain(
      rig.service.url,
      `GET /api/v1/video/status/x HTTP/1.1\r\nHost: x\r\nX-API-Key: ${headers['x-api-key']}\r\n\r\n`,
    );
    const answer = await rig.client.ask('/api/v1/video/status/x', { headers });
    expect(answer.headers['x-ratelimit-remaining']).toBe('59');
  });
});

describe('the certificate', () => {
  test.each(['127.0.0.1', 'localhost', '::1'])(
    'verifies for %s by the pinned file',
    async (name) => {
      const dataDir = temporaryFolder();
      const certificate = await obtainCertificate(dataDir, '127.0.0.1', Date.now());
      const leaf = new X509Certificate(certificate.cert);
      const authority = new X509Certificate(readFileSync(certificate.caFile));
      expect(leaf.verify(authority.publicKey)).toBe(true);
      expect(name === 'localhost' ? leaf.checkHost(name) : leaf.checkIP(name)).toBe(name);
      expect(leaf.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
    },
  );

  test('is refused by a client that has not pinned it', async () => {
    const rig = await startRig();
    const { port } = new URL(rig.service.url);
    const error = await new Promise<Error & { code?: string }>((resolve, reject) => {
      const socket = tls.connect({ host: '127.0.0.1', port: Number(port) });
      socket.on('secureConnect', () => reject(new Error('connected')));
      socket.on('error', resolve);
    });
    expect(error.code).toMatch(/SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/);
  });

  test('is stored, readable by this user only, and accepted by curl', async () => {
    const rig = await startRig();
    for (const name of ['authority.pem', 'authority-key.pem', 'server.pem', 'server-key.pem']) {
      const { mode } = statSync(path.join(rig.dataDir, 'tls', name));
      expect((mode & 0o777).toString(8)).toBe('600');
    }
    const url = `${rig.service.url}/api/v1/openapi.json`;
    const { stdout } = await promisify(execFile)('curl', [
      '-sS',
      '--cacert',
      rig.service.caFile!,
      url,
    ]);
    expect(JSON.parse(stdout)).toHaveProperty('openapi');
  });

  test('is kept until 30 days before it expires, then replaced by one of the same authority', async () => {
    const dataDir = temporaryFolder();
    const start = Date.now();
    const first = await obtainCertificate(dataDir, '127.0.0.1', start);
    const pinned = readFileSync(first.caFile, 'utf8');
    const due = renewalDue(first);
    expect(due).toBe(first.expiresAt - 30 * DAY);
    expect(first.expiresAt - start).toBeGreaterThan(300 * DAY);

    const kept = await obtainCertificate(dataDir, '127.0.0.1', due - 1000);
    expect(kept.cert).toBe(first.cert);
    const renewed = await obtainCertificate(dataDir, '127.0.0.1', due + 1000);
    expect(renewed.cert).not.toBe(first.cert);
    expect(readFileSync(renewed.caFile, 'utf8')).toBe(pinned);
    expect(new X509Certificate(renewed.cert).verify(new X509Certificate(pinned).publicKey)).toBe(
      true,
    );
  });

  // abuse.md 43
  test('is issued by an authority that TLS clients accept for this computer only', async () => {
    const dataDir = temporaryFolder();
    const { cert, key, caFile } = await obtainCertificate(dataDir, '127.0.0.1', Date.now());
    const stolen = readFileSync(path.join(dataDir, 'tls', 'authority-key.pem'), 'utf8');
    const forged = await Promise.all(
      ['example.com', '192.0.2.1', '2001:db8::1'].map((host) => forge(host, caFile, stolen)),
    );
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      const served = await serveTls(host === '[::1]' ? '::1' : '127.0.0.1', cert, key);
      expect(await whoAccepts(host, served, caFile), host).toEqual(['node', 'undici', 'curl']);
    }
    for (const { host, ...pair } of forged) {
      const served = await serveTls('127.0.0.1', pair.cert, pair.key);
      expect(await whoAccepts(host, served, caFile), host).toEqual([]);
      const file = path.join(dataDir, 'forged.pem');
      writeFileSync(file, pair.cert);
      const verified = promisify(execFile)('openssl', ['verify', '-CAfile', caFile, file]);
      await expect(verified).rejects.toThrow(/permitted subtree violation/);
    }
  });

  test('gets another authority if the previous one may sign for every host', async () => {
    const dataDir = temporaryFolder();
    const { caFile } = await obtainCertificate(dataDir, '127.0.0.1', Date.now());
    const named = await obtainCertificate(dataDir, 'videos.local', Date.now());
    expect(new X509Certificate(named.cert).checkHost('videos.local')).toBe('videos.local');
    const wide = readFileSync(caFile, 'utf8');
    const { cert } = await obtainCertificate(dataDir, '127.0.0.1', Date.now());
    const narrow = readFileSync(caFile, 'utf8');
    expect(narrow).not.toBe(wide);
    expect(new X509Certificate(cert).verify(new X509Certificate(narrow).publicKey)).toBe(true);
  });

  test('is replaced for another host, and when its files are damaged', async () => {
    const dataDir = temporaryFolder();
    const first = await obtainCertificate(dataDir, '127.0.0.1', Date.now());
    const named = await obtainCertificate(dataDir, 'videos.local', Date.now());
    expect(new X509Certificate(named.cert).checkHost('videos.local')).toBe('videos.local');
    expect(named.caFile).toBe(first.caFile);
    await promisify(execFile)('truncate', ['-s', '10', path.join(dataDir, 'tls', 'server.pem')]);
    const repaired = await obtainCertificate(dataDir, '127.0.0.1', Date.now());
    expect(new X509Certificate(repaired.cert).checkHost('localhost')).toBe('localhost');
  });
});

/** Signs a certificate for `host` with an authority's stolen key. */
async function forge(host: string, caFile: string, authorityKey: string) {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const [der] = x509.PemConverter.decode(authorityKey);
  const authority = new x509.X509Certificate(readFileSync(caFile, 'utf8'));
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `CN=${host}`,
    issuer: authority.subject,
    notBefore: new Date(Date.now() - DAY),
    notAfter: new Date(Date.now() + DAY),
    publicKey: keys.publicKey,
    signingKey: await crypto.subtle.importKey('pkcs8', der!, algorithm, false, ['sign']),
    signingAlgorithm: algorithm,
    extensions: [
      new x509.SubjectAlternativeNameExtension([
        { type: net.isIP(host) ? 'ip' : 'dns', value: host },
      ]),
    ],
  });
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    host,
    cert: certificate.toString('pem'),
    key: x509.PemConverter.encode(key, 'PRIVATE KEY'),
  };
}

type FoundAddresses = (error: null, addresses: { address: string; family: number }[]) => void;

async function serveTls(address: string, cert: string, key: string): Promise<net.AddressInfo> {
  const server = https.createServer({ cert, key }, (_, response) => response.end('ok'));
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  onTestFinished(() => void server.close());
  return server.address() as net.AddressInfo;
}

/** The TLS clients that accept the server as `host` when they trust the authority. */
async function whoAccepts(
  host: string,
  { address, port }: net.AddressInfo,
  caFile: string,
): Promise<string[]> {
  const ca = readFileSync(caFile);
  const bare = host.replace(/[[\]]/g, '');
  const clients: Record<string, () => Promise<unknown>> = {
    node: () =>
      new Promise<void>((resolve, reject) => {
        const name = net.isIP(bare) ? {} : { servername: bare };
        const socket = tls.connect({
          host: address,
          port,
          ca,
          ...name,
          checkServerIdentity: (_, certificate) => tls.checkServerIdentity(bare, certificate),
        });
        socket.once('secureConnect', () => {
          socket.destroy();
          resolve();
        });
        socket.once('error', reject);
      }),
    undici: async () => {
      const dispatcher = new Agent({
        connect: {
          ca,
          lookup: (_: string, __: object, found: FoundAddresses) =>
            found(null, [{ address, family: net.isIP(address) }]),
          ...(net.isIP(bare) > 0 && {
            checkServerIdentity: (_: string, certificate: tls.PeerCertificate) =>
              tls.checkServerIdentity(bare, certificate),
          }),
        },
      });
      try {
        // An address is never looked up, so a foreign one is requested by a name.
        const named = net.isIP(bare) && bare !== address ? 'elsewhere.example' : host;
        return await (await fetch(`https://${named}:${port}/`, { dispatcher })).text();
      } finally {
        await dispatcher.destroy();
      }
    },
    curl: () =>
      promisify(execFile)('curl', [
        '-sS',
        '--noproxy',
        '*',
        '--max-time',
        '10',
        '--cacert',
        caFile,
        '--connect-to',
        `::${address.includes(':') ? `[${address}]` : address}:${port}`,
        `https://${bare.includes(':') ? `[${bare}]` : bare}:${port}/`,
      ]),
  };
  const accepted = await Promise.all(
    Object.entries(clients).map(([name, ask]) =>
      ask().then(
        () => [name],
        () => [],
      ),
    ),
  );
  return accepted.flat();
}

describe('behind a proxy that terminates TLS', () => {
  async function startBehind(proxy: string): Promise<string> {
    const service = await startService({
      dataDir: temporaryFolder(),
      host: '127.0.0.1',
      port: 0,
      behindProxy: proxy,
      window: 'fixed',
      limits: defaultLimits,
      clock: new ManualClock(),
      log: pino({ level: 'silent' }),
      renderer: new FakeRenderer(),
      frames: new FakeFrames(),
      workers: 1,
    });
    onTestFinished(() => service.close());
    expect(service.caFile).toBeUndefined();
    return service.url;
  }

  function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      http
        .get(`${url}/api/v1/openapi.json`, { headers, agent: false }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
        .on('error', reject);
    });
  }

  test('headers of the proxy are trusted', async () => {
    const url = await startBehind('127.0.0.1');
    expect(await statusOf(url, { 'x-forwarded-proto': 'https' })).toBe(200);
    expect(await statusOf(url, { 'x-forwarded-proto': 'http' })).toBe(426);
    expect(await statusOf(url, {})).toBe(426);
  });

  test('headers of others are not trusted', async () => {
    const url = await startBehind('192.0.2.7');
    expect(await statusOf(url, { 'x-forwarded-proto': 'https' })).toBe(426);
  });

  test('without the option, forwarded headers are ignored', async () => {
    const rig = await startRig();
    for (let i = 0; i < 30; i += 1) {
      const headers = { 'x-forwarded-for': `192.0.2.${i}` };
      await rig.client.ask('/api/v1/video/status/x', { headers });
    }
    const headers = { 'x-forwarded-for': '192.0.2.99' };
    expect((await rig.client.ask('/api/v1/video/status/x', { headers })).status).toBe(429);
  });
});

describe('idle connections', () => {
  async function openTls(rig: Rig): Promise<tls.TLSSocket> {
    const { port } = new URL(rig.service.url);
    const ca = readFileSync(rig.service.caFile!);
    const socket = tls.connect({ host: '127.0.0.1', port: Number(port), ca });
    onTestFinished(() => void socket.destroy());
    await once(socket, 'secureConnect');
    return socket;
  }

  /** Opens `count` silent connections from one address. */
  async function openIdle(url: string, count: number, localAddress: string): Promise<net.Socket[]> {
    const { port } = new URL(url);
    return Promise.all(
      Array.from({ length: count }, async () => {
        const socket = net.connect({ host: '127.0.0.1', port: Number(port), localAddress });
        socket.on('error', () => undefined);
        onTestFinished(() => void socket.destroy());
        await once(socket, 'connect');
        return socket;
      }),
    );
  }

  // abuse.md 40
  test('block no other client, however many they are', async () => {
    const rig = await startRig();
    const sockets: net.Socket[] = [];
    for (let batch = 0; batch < 11; batch += 1) {
      sockets.push(...(await openIdle(rig.service.url, 100, `127.0.0.${1 + (batch % 3)}`)));
    }
    const answer = await rig.client.post(
      '/api/v1/video/generate',
      storyboard(),
      await rig.signUp(),
    );
    expect(answer.status).toBe(200);
    // The oldest were closed for the newest.
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
    expect(sockets.at(-1)?.destroyed).toBe(false);
  });

  // abuse.md 40
  test('do not displace a request that is being answered or sent', async () => {
    const rig = await startRig();
    const slow = await openTls(rig);
    const { host } = new URL(rig.service.studioUrl);
    slow.write(
      `POST /sign-in HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\na=`,
    );
    // Once another connection has its response, the service has read this one's first half.
    await rig.client.ask('/nothing');
    await openIdle(rig.service.url, 600, '127.0.0.1');
    slow.write('1');
    const [answer] = (await once(slow, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 403/);
  });

  test('are answered after some that the system could not accept', async () => {
    const { opened: rig, servers } = await listeningServers(() => startRig());
    for (const server of [...servers, ...servers]) failToAccept(server);
    expect(await rig.client.ask('/nothing')).toMatchObject({ status: 404 });
  });

  test('do not delay the shutdown', async () => {
    const rig = await startRig();
    const waiting = await openTls(rig);
    waiting.write('GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(waiting, 'data');
    const begin = performance.now();
    await rig.stop();
    // Active requests would have 5 s.
    expect(performance.now() - begin).toBeLessThan(4_000);
  });
});

describe('a slow client', () => {
  async function startWithShortTimeouts(
    silence: number,
    protocol: 'tls' | 'plain-http' = 'plain-http',
  ): Promise<net.AddressInfo> {
    const server = createHttpServer((_, response) => response.end('ok'), undefined, {
      timeouts: { headers: 100, body: 200, silence },
    });
    const listener = new HttpsListener(server, protocol, 100);
    onTestFinished(async () => {
      await listener.close(0);
      server.close();
    });
    return listener.listen('127.0.0.1', 0);
  }

  /**
   * Sends text, and resolves when the server has disconnected: it resets the connection if the text
   * comes after its timeout, as it may on a busy machine.
   */
  async function sendUntilDisconnected({ port }: net.AddressInfo, text: string): Promise<void> {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(text));
    onTestFinished(() => void socket.destroy());
    const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
      socket.resume().on('error', resolve);
      socket.on('close', () => resolve(null));
    });
    expect([undefined, 'ECONNRESET', 'EPIPE']).toContain(error?.code);
  }

  const LONG_MS = 600_000;

  test.each([
    ['sends half its headers', 'GET / HTTP/1.1\r\nHost: x\r\n', LONG_MS],
    ['sends half its body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf', LONG_MS],
    ['sends nothing', '', 300],
  ])('that %s is disconnected', async (_, text, silence) => {
    await sendUntilDisconnected(await startWithShortTimeouts(silence), text);
  });

  test('that does not begin TLS is disconnected', async () => {
    const { port } = await startWithShortTimeouts(LONG_MS, 'tls');
    expect(await sendPlain(`http://127.0.0.1:${port}`, '')).toBe('');
  });
});
