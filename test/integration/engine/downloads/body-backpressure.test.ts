import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createPlainServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BATCH_BYTES } from '../../../../src/engine/downloads/body.ts';
import { Connections } from '../../../../src/engine/downloads/connections.ts';
import { open } from '../../../../src/engine/downloads/response.ts';
import { systemClock } from '../../../../src/engine/system-clock.ts';
import { issueCertificate } from '../../../rigs/certificates.ts';
import { FaultServer, honest } from '../../../rigs/fault-server.ts';
import { seededBytes, sha256 } from '../../../rigs/seeded-video.ts';

const FILE_BYTES = 12 * BATCH_BYTES;
/** The next batch, and what the socket has already read when it is paused. */
const MAX_AHEAD_BYTES = BATCH_BYTES + 512 * 1024;
/** Event loop turns after which the socket has delivered everything it had read. */
const TURNS = 30;

describe.each([
  { scheme: 'http', framing: 'of a stated length' },
  { scheme: 'https', framing: 'of a stated length' },
  { scheme: 'https', framing: 'in chunks' },
])('a body $framing that comes over $scheme faster than it is written', ({ scheme, framing }) => {
  it.each([
    { name: 'full batches', sizes: [BATCH_BYTES] },
    { name: 'the small batches of a bandwidth limit', sizes: [20_000] },
    { name: 'batches of a limit that changes', sizes: [20_000, BATCH_BYTES, 999_999, 4096] },
  ])('does not overwrite $name until the next one is requested', async ({ sizes }) => {
    const bytes = seededBytes(7, FILE_BYTES);
    const { ca, cert, key } = await issueCertificate();
    const send = (_: unknown, answer: ServerResponse): void => {
      if (framing === 'in chunks') answer.write(bytes.subarray(0, 3 * BATCH_BYTES));
      answer.end(framing === 'in chunks' ? bytes.subarray(3 * BATCH_BYTES) : bytes);
    };
    const server =
      scheme === 'https' ? createTlsServer({ cert, key }, send) : createPlainServer(send);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const origin = `${scheme}://127.0.0.1:${port}`;
    const connections = new Connections({ exceptions: [{ origin, ca }] });
    try {
      const { body } = await open(
        { url: origin },
        {},
        { connections, clock: systemClock },
        new AbortController().signal,
      );
      const whole = createHash('sha256');
      let taken = 0;
      for (let asked = 0; ; asked += 1) {
        const maxBytes = sizes[asked % sizes.length] ?? 0;
        const batch = await body.take(maxBytes);
        if (!batch) break;
        expect(batch.length).toBeLessThanOrEqual(maxBytes);
        const atFirst = sha256(batch);
        taken += batch.length;
        // The next buffer is full, or the file has come, while this one is still being written.
        const next = Math.min(FILE_BYTES, taken + Math.min(...sizes));
        while (body.received < next) await turn();
        for (let turns = 0; turns < TURNS; turns += 1) await turn();
        expect(sha256(batch)).toBe(atFirst);
        expect(body.received).toBeLessThanOrEqual(taken + MAX_AHEAD_BYTES);
        whole.update(batch);
      }
      expect(taken).toBe(FILE_BYTES);
      expect(whole.digest('hex')).toBe(sha256(bytes));
    } finally {
      server.close();
    }
  });
});

describe('a body that ends just after a full batch', () => {
  it.each([1, 100, 5_000, 50_000, 200_000])(
    'is delivered whole, with %i bytes more',
    async (more) => {
      const bytes = seededBytes(8, BATCH_BYTES + more);
      const server = await FaultServer.start((request) => honest({ bytes }, request));
      onTestFinished(() => server.stop());
      const { body } = await open(
        { url: server.url() },
        {},
        {
          connections: new Connections({ exceptions: [{ origin: server.origin }] }),
          clock: systemClock,
        },
        new AbortController().signal,
      );
      const batches: Buffer[] = [];
      for (let batch = await body.take(); batch; batch = await body.take()) {
        batches.push(Buffer.from(batch));
      }
      expect(Buffer.concat(batches).equals(bytes)).toBe(true);
    },
  );
});
