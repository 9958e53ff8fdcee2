import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createPlainServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { BATCH_BYTES } from '../../../../src/engine/downloads/body.ts';
import { Connections } from '../../../../src/engine/downloads/connections.ts';
import { open } from '../../../../src/engine/downloads/response.ts';
import { systemClock } from '../../../../src/engine/system-clock.ts';
import { issueCertificate } from '../../../rigs/certificates.ts';
import { seededBytes, sha256 } from '../../../rigs/seeded-video.ts';

const FILE_BYTES = 12 * BATCH_BYTES;
/** Turns of the loop in which whatever the socket still had to say has been said. */
const TURNS = 30;

describe.each(['http', 'https'])(
  'a body that comes over %s faster than it is written',
  (scheme) => {
    it.each([
      { name: 'full batches', sizes: [BATCH_BYTES] },
      { name: 'the small batches of a bandwidth limit', sizes: [20_000] },
      { name: 'batches of a limit that changes', sizes: [20_000, BATCH_BYTES, 20_000] },
    ])('leaves $name alone until the next is asked for', async ({ sizes }) => {
      const bytes = seededBytes(7, FILE_BYTES);
      const { ca, cert, key } = await issueCertificate();
      const server =
        scheme === 'https'
          ? createTlsServer({ cert, key }, (_, answer) => answer.end(bytes))
          : createPlainServer((_, answer) => answer.end(bytes));
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port } = server.address() as AddressInfo;
      const origin = `${scheme}://127.0.0.1:${port}`;
      const connections = new Connections({ exceptions: [{ origin, ca }] });
      try {
        const { body } = await open(
          origin,
          {},
          { connections, clock: systemClock },
          new AbortController().signal,
        );
        const whole = createHash('sha256');
        let taken = 0;
        for (let asked = 0; ; asked += 1) {
          const batch = await body.take(sizes[asked % sizes.length]);
          if (!batch) break;
          const atFirst = sha256(batch);
          taken += batch.length;
          // The next buffer is full, or the file has come, while this one is still being written.
          const next = Math.min(FILE_BYTES, taken + Math.min(...sizes));
          while (body.received < next) await turn();
          for (let turns = 0; turns < TURNS; turns += 1) await turn();
          expect(sha256(batch)).toBe(atFirst);
          whole.update(batch);
        }
        expect(taken).toBe(FILE_BYTES);
        expect(whole.digest('hex')).toBe(sha256(bytes));
      } finally {
        server.close();
      }
    });
  },
);
