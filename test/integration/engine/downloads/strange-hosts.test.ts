import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Connections, type ResolveAll } from '../../../../src/engine/downloads/connections.ts';
import { download } from '../../../../src/engine/downloads/download.ts';
import { issueCertificate, type TestCertificate } from '../../../rigs/certificates.ts';
import { DownloadRig } from '../../../rigs/download-rig.ts';
import { honest } from '../../../rigs/fault-server.ts';
import { seededVideo } from '../../../rigs/seeded-video.ts';

const film = seededVideo(3, 100_000);

/** A rig whose downloads go by other connections than to its own server. */
async function fetching(url: string, connections: Connections) {
  const rig = await DownloadRig.start((request) => honest({ bytes: film.bytes }, request));
  const outcome = await download(
    {
      link: { url, expiresAt: null },
      target: rig.target,
      onCollision: 'number',
      signal: new AbortController().signal,
    },
    {
      clock: rig.clock,
      random: () => 0.5,
      connections,
      room: rig.room,
      locks: rig.locks,
    },
  );
  return outcome;
}

/** A server that has the film behind a certificate; what reached it through its handshake. */
async function secretive({ cert, key }: TestCertificate) {
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
    ['an address that wraps a private one', ['::ffff:127.0.0.1']],
  ])('that leads to %s is refused when the socket is opened', async (_, addresses) => {
    const { port, reached } = await secretive(await issueCertificate(['files.example']));
    const asked: string[] = [];
    const resolve: ResolveAll = (name, _options, answer) => {
      asked.push(name);
      const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      answer(null, all);
    };
    const url = `https://files.example:${port}/v.mp4?signature=s3cret`;
    const outcome = await fetching(url, new Connections({ exceptions: [] }, resolve));
    expect(outcome).toMatchObject({ kind: 'failed', code: 'address-refused' });
    expect(JSON.stringify(outcome)).not.toContain('s3cret');
    expect({ asked, reached }).toEqual({ asked: ['files.example'], reached: [] });
  });
});

// abuse.md 26
describe('a host that cannot prove what it is called', () => {
  it('is asked for nothing, whatever the environment says of certificates', async () => {
    const certificate = await issueCertificate();
    const { origin, reached } = await secretive(certificate);
    const strange = new Connections({ exceptions: [{ origin }] });
    const pinned = new Connections({ exceptions: [{ origin, ca: certificate.ca }] });
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      expect(await fetching(`${origin}/v.mp4`, strange)).toMatchObject({
        kind: 'failed',
        code: 'certificate',
      });
      expect(reached).toEqual([]);
      expect(await fetching(`${origin}/v.mp4`, pinned)).toMatchObject({ kind: 'saved' });
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
  });
});
