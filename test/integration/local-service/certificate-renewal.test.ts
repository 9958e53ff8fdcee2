import { once } from 'node:events';
import { copyFileSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import tls from 'node:tls';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { obtainCertificate, renewalDue } from '../../../src/local-service/certificate.ts';
import { createHttpServer, keepCertificateFresh } from '../../../src/local-service/http-server.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const HALF_DAY = 12 * 60 * 60 * 1000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a server that runs for a year renews its certificate, which pinned clients accept', async () => {
  const dataDir = temporaryFolder();
  // Starts in the past, so that both certificates are valid by the client's real clock.
  let now = Date.now() - 370 * 2 * HALF_DAY;
  const first = await obtainCertificate(dataDir, '127.0.0.1', now);
  const server = createHttpServer(() => undefined, first);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const failures: unknown[] = [];
  const keeper = keepCertificateFresh(server, first, {
    dataDir,
    host: '127.0.0.1',
    clock: { now: () => now },
    onFailure: (error) => failures.push(error),
  });
  onTestFinished(() => keeper[Symbol.dispose]());
  const ca = readFileSync(first.caFile);
  const { port } = server.address() as AddressInfo;
  const presented = async (): Promise<string> => {
    const socket = tls.connect({ host: '127.0.0.1', port, ca });
    await once(socket, 'secureConnect');
    const { serialNumber } = socket.getPeerCertificate();
    socket.destroy();
    return serialNumber;
  };

  const before = await presented();
  vi.advanceTimersByTime(HALF_DAY);
  expect(await presented()).toBe(before);
  now = Date.now();
  expect(now).toBeGreaterThan(renewalDue(first));
  vi.advanceTimersByTime(HALF_DAY);
  await expect.poll(presented).not.toBe(before);
  expect(failures).toEqual([]);
});

test('a renewal that was interrupted between its key and its certificate is repeated', async () => {
  const dataDir = temporaryFolder();
  const other = temporaryFolder();
  const now = Date.now();
  const before = await obtainCertificate(dataDir, '127.0.0.1', now);
  const ca = readFileSync(before.caFile, 'utf8');
  await obtainCertificate(other, '127.0.0.1', now);
  copyFileSync(path.join(other, 'tls/server-key.pem'), path.join(dataDir, 'tls/server-key.pem'));

  const after = await obtainCertificate(dataDir, '127.0.0.1', now);

  expect(() => tls.createSecureContext(after)).not.toThrow();
  expect(readFileSync(after.caFile, 'utf8')).toBe(ca);
});

test('a certificate of a time when the clock was ahead is replaced once the clock is right', async () => {
  const dataDir = temporaryFolder();
  const now = Date.now();
  const ahead = await obtainCertificate(dataDir, '127.0.0.1', now + 60 * 2 * HALF_DAY);

  const certificate = await obtainCertificate(dataDir, '127.0.0.1', now);

  expect(certificate.cert).not.toBe(ahead.cert);
  const server = createHttpServer(() => undefined, certificate);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const socket = tls.connect({ host: '127.0.0.1', port, ca: readFileSync(certificate.caFile) });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'secureConnect');
  expect(socket.authorized).toBe(true);
  expect(await obtainCertificate(dataDir, '127.0.0.1', now)).toEqual(certificate);
});
