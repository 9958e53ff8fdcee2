import { once } from 'node:events';
import { createServer } from 'node:https';
import {
  connect as connectTcp,
  createServer as createTcpServer,
  isIP,
  type AddressInfo,
} from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Connections, type ResolveAll } from '../../../../src/engine/downloads/connections.ts';
import { issueCertificate, type TestCertificate } from '../../../rigs/certificates.ts';
import { DownloadRig } from '../../../rigs/download-rig.ts';
import { honest } from '../../../rigs/fault-server.ts';
import { seededVideo } from '../../../rigs/seeded-video.ts';

const film = seededVideo(3, 100_000);

/** Downloads `url` through `connections` instead of from the rig's own server. */
async function downloadThrough(url: string, connections: Connections) {
  const rig = await DownloadRig.start((request) => honest({ bytes: film.bytes }, request));
  return rig.download({ link: { url, expiresAt: null } }, connections);
}

/** An HTTPS server with the video; `reached` lists the requests after a successful handshake. */
async function startHttpsServer({ cert, key }: TestCertificate) {
  const reached: string[] = [];
  const server = createServer({ cert, key }, (request, response) => {
    reached.push(request.url ?? '');
    response.end(film.bytes);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { reached, port, origin: `https://127.0.0.1:${port}` };
}

// abuse.md 5
describe('a name', () => {
  it.each([
    ['a private address', ['127.0.0.1']],
    ['a private address beside a public one', ['203.0.114.1', '127.0.0.1']],
    ['a private address mapped to IPv6', ['::ffff:127.0.0.1']],
  ])('that resolves to %s is refused when the socket is opened', async (_, addresses) => {
    const { port, reached } = await startHttpsServer(await issueCertificate(['files.example']));
    const asked: string[] = [];
    const resolveAll: ResolveAll = (name, _options, answer) => {
      asked.push(name);
      const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      answer(null, all);
    };
    const url = `https://files.example:${port}/v.mp4?signature=s3cret`;
    const outcome = await downloadThrough(url, new Connections({ exceptions: [] }, { resolveAll }));
    expect(outcome).toMatchObject({ kind: 'failed', code: 'address-refused' });
    expect(JSON.stringify(outcome)).not.toContain('s3cret');
    expect({ asked, reached }).toEqual({ asked: ['files.example'], reached: [] });
  });
});

/** A resolver that gives every name the addresses that `answer` holds at that moment. */
function resolverOf(answer: { addresses: readonly string[] }): ResolveAll {
  return (_name, _options, callback) => {
    const all = answer.addresses.map((address) => ({ address, family: isIP(address) }));
    callback(null, all);
  };
}

// abuse.md 46
describe('a name that resolves to an address of a VPN or of NAT64', () => {
  it.each([
    ['a VPN', ['198.18.0.7']],
    ['NAT64', ['64:ff9b::808:808']],
    ['NAT64, beside a public one', ['203.0.114.1', '64:ff9b::808:808']],
  ])('makes the download wait and names the host: %s', async (_, addresses) => {
    const url = 'https://files.example/v.mp4?signature=s3cret';
    const connections = new Connections(
      { exceptions: [] },
      { resolveAll: resolverOf({ addresses }) },
    );

    const outcome = await downloadThrough(url, connections);

    expect(outcome).toMatchObject({
      kind: 'waiting',
      reason: 'address-blocked',
      host: 'files.example',
      until: null,
    });
    expect(await connections.isBlocked('files.example')).toBe(true);
  });

  it.each([
    ['this computer', ['198.18.0.7', '127.0.0.1']],
    ['a private network behind NAT64', ['64:ff9b::10.0.0.1']],
    ['a cloud’s metadata behind NAT64', ['64:ff9b::a9fe:a9fe']],
  ])('and to %s is refused permanently, allowed or not', async (_, addresses) => {
    for (const allowVpnAddresses of [false, true]) {
      const policy = { exceptions: [], allowVpnAddresses };
      const connections = new Connections(policy, { resolveAll: resolverOf({ addresses }) });
      expect(await downloadThrough('https://files.example/v.mp4', connections)).toMatchObject({
        kind: 'failed',
        code: 'address-refused',
      });
    }
  });
});

/** Proxies TLS, and damages one byte that the server sends on the first connection. */
async function damagingProxy(to: number, atByte: number): Promise<number> {
  let connections = 0;
  const proxy = createTcpServer((client) => {
    connections += 1;
    let toDamage = connections === 1;
    let passed = 0;
    const server = connectTcp(to, '127.0.0.1');
    client.pipe(server);
    server.on('data', (data: Buffer) => {
      passed += data.length;
      const damaged = Buffer.from(data);
      if (toDamage && passed > atByte) {
        const last = damaged.length - 1;
        damaged.writeUInt8(damaged.readUInt8(last) ^ 0xff, last);
        toDamage = false;
      }
      client.write(damaged);
    });
    server.on('end', () => client.end());
    for (const socket of [client, server]) {
      socket.on('error', () => {
        client.destroy();
        server.destroy();
      });
    }
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void proxy.close());
  return (proxy.address() as AddressInfo).port;
}

describe('a connection whose bytes are damaged on the way', () => {
  it('counts as broken, not untrusted: the download continues over another one', async () => {
    const certificate = await issueCertificate();
    const { port, reached } = await startHttpsServer(certificate);
    const origin = `https://127.0.0.1:${await damagingProxy(port, 20_000)}`;
    const connections = new Connections({ exceptions: [{ origin, ca: certificate.ca }] });

    expect(await downloadThrough(`${origin}/v.mp4`, connections)).toMatchObject({ kind: 'saved' });
    expect(reached.length).toBeGreaterThan(1);
  });
});

// abuse.md 26
describe('a host whose certificate is not trusted', () => {
  it('gets no request, even if the environment disables certificate checks', async () => {
    const certificate = await issueCertificate();
    const { origin, reached } = await startHttpsServer(certificate);
    const unpinned = new Connections({ exceptions: [{ origin }] });
    const pinned = new Connections({ exceptions: [{ origin, ca: certificate.ca }] });
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      expect(await downloadThrough(`${origin}/v.mp4`, unpinned)).toMatchObject({
        kind: 'failed',
        code: 'certificate',
        // With the server's name and the reason, the user can distinguish a hotel's network from a
        // bad host.
        message: expect.stringMatching(
          /^127\.0\.0\.1:\d+ could not prove .* \(\w*SIGN\w*\)/,
        ) as string,
      });
      expect(reached).toEqual([]);
      expect(await downloadThrough(`${origin}/v.mp4`, pinned)).toMatchObject({ kind: 'saved' });
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
  });
});
