import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freeBytes, smallDisk } from '../../rigs/small-disk.ts';
import { spoolHere } from '../../rigs/spool-here.ts';

const MIB = 1024 * 1024;

/** A host of endless files that begin like a video and have no content length. */
async function endlessHost(): Promise<string> {
  const piece = Buffer.alloc(MIB, 7);
  const server = createServer((_request, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', more);
    response.write(Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42\x7f\xff\xff\xffmdat', 'latin1'));
    more();
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

// abuse.md 50
test.for(['ext4', 'tmpfs'] as const)(
  'endless files leave space on an %s disk, even several at once',
  async (type, context) => {
    const disk = await smallDisk(context, 160, type);
    const host = await endlessHost();
    const fetch = (name: string) =>
      spoolHere(
        [
          'download',
          `http://${host}/film.mp4`,
          '--out',
          path.join(disk, name),
          '--allow-host',
          host,
        ],
        { cwd: disk },
      );

    const ended = await Promise.all([fetch('one.mp4'), fetch('two.mp4')]);

    for (const { code, stderr } of ended) {
      expect(code).toBe(1);
      expect(stderr).toContain('The disk is full. The downloaded part is kept');
    }
    expect(freeBytes(disk)).toBeGreaterThan(60 * MIB);
    expect(freeBytes(disk)).toBeLessThan(100 * MIB);
  },
);
