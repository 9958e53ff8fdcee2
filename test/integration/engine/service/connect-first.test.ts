import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { JobDetails } from '../../../../src/contract/job.ts';
import { PUBLIC_ONLY } from '../../../../src/engine/downloads/address-policy.ts';
import { Connections } from '../../../../src/engine/downloads/connections.ts';
import { openEngine, type TestEngine } from '../../../rigs/open-engine.ts';
import { MemoryKeyStore } from '../../../../src/engine/keys/key-store.ts';
import { ServiceClient } from '../../../../src/engine/service/service-client.ts';
import { systemClock } from '../../../../src/engine/system-clock.ts';
import { jsonAnswer, ScriptedService, type ServiceScript } from '../../../rigs/scripted-service.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const KEY = 'svc_live_0123456789abcdefghijKLMNOP';

interface Running {
  readonly engine: TestEngine;
  readonly folder: string;
  /** How often the engine has tried to connect. */
  readonly connects: () => number;
  readonly details: () => Promise<JobDetails>;
}

/** An engine that connects to `baseUrl` over real sockets, with one queued video. */
async function engineFor(baseUrl: string, ca: string): Promise<Running> {
  const folder = temporaryFolder();
  const keys = new MemoryKeyStore();
  await keys.set(new URL(baseUrl).origin, KEY);
  let connects = 0;
  const engine = await openEngine(
    {
      dataDir: folder,
      service: { name: 'the service', baseUrl, ca },
      plan: { name: 'custom', limit: 50, anchor: Date.UTC(2026, 0, 1) },
      defaultFolder: path.join(folder, 'renders'),
      keys,
      clock: systemClock,
      random: () => 0,
    },
    (_service, key, rules) => {
      const client = new ServiceClient({
        baseUrl,
        ca,
        rules,
        key: key.forOrigin,
        clock: systemClock,
        timeouts: { connectMs: 100 },
      });
      const connect = client.connect.bind(client);
      vi.spyOn(client, 'connect').mockImplementation((signal) => {
        connects += 1;
        return connect(signal);
      });
      return {
        service: client,
        download: () => Promise.reject(new Error('Nothing is downloaded here.')),
        disks: { free: () => Promise.resolve(1e12), canWrite: () => Promise.resolve(true) },
        connections: new Connections(PUBLIC_ONLY),
        close: () => client.close(),
      };
    },
  );
  onTestFinished(() => engine.close());
  const batch = { name: 'Batch.csv', content: 'title\nOne' };
  const { jobIds } = await engine.commands.batches.add({
    origin: new URL(baseUrl).origin,
    source: batch,
    options: {},
  });
  const details = (): Promise<JobDetails> => engine.commands.jobs.show({ id: jobIds[0] ?? '' });
  return { engine, folder, connects: () => connects, details };
}

async function scripted(script: ServiceScript): Promise<ScriptedService> {
  const service = await ScriptedService.start(script);
  onTestFinished(() => service.stop());
  return service;
}

/** Starts a TCP server that calls `onConnect`. Returns its HTTPS address. */
async function tcpServer(onConnect: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    onConnect(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('without a connection nothing is recorded', () => {
  test.each<[string, () => Promise<string>]>([
    ['refused', () => Promise.resolve('https://127.0.0.1:1')],
    ['black-holed: the handshake is never answered', () => tcpServer(() => undefined)],
    ['reset before the handshake', () => tcpServer((socket) => socket.resetAndDestroy())],
  ])('%s', async (_what, start) => {
    const { engine, connects, details } = await engineFor(await start(), '');

    await expect.poll(connects).toBeGreaterThanOrEqual(3);

    const { job, history } = await details();
    expect(job).toMatchObject({ state: 'queued', attempts: 0 });
    expect(history).toHaveLength(1);
    expect(engine.summary()).toMatchObject({
      flow: { state: 'blocked', failure: { code: 'service-unreachable' } },
      quota: { used: 0, held: 0 },
    });
  });
});

describe('with a connection', () => {
  test('the attempt is in the database before the service has the request', async () => {
    const found: unknown[] = [];
    let folder = '';
    const service = await scripted(({ method }, wire) => {
      // Near the start of a month, the engine asks for the service's time first.
      if (method === 'POST') {
        const database = new DatabaseSync(path.join(folder, 'spool.db'), { readOnly: true });
        found.push(database.prepare('SELECT state FROM job').get()?.state);
        found.push(database.prepare('SELECT count(*) AS attempts FROM attempt').get()?.attempts);
        database.close();
      }
      wire.write(jsonAnswer(200, { id: 'vid_1', status: 'queued' }));
    });
    // The folder is known long before the first request arrives.
    const running = await engineFor(service.url, service.ca);
    folder = running.folder;

    await expect.poll(async () => (await running.details()).job.remoteId).toBe('vid_1');

    expect(found.slice(0, 2)).toEqual(['sending', 1]);
  });

  test('reset right after the handshake: at most one attempt, and never a second request', async () => {
    const service = await scripted(() => undefined);
    service.onSecure = (wire) => wire.destroy();
    const { connects, details } = await engineFor(service.url, service.ca);

    await expect
      .poll(async () => (await details()).job.state === 'uncertain' || connects() >= 3)
      .toBe(true);

    const { job } = await details();
    expect(job.attempts).toBe(job.state === 'uncertain' ? 1 : 0);
    expect(service.requests).toEqual([]);
  });

  test('reset after the first byte: one attempt of unknown outcome, which is not repeated', async () => {
    const service = await scripted((_request, wire) => wire.destroy());
    const { engine, details } = await engineFor(service.url, service.ca);

    await expect.poll(async () => (await details()).job.state).toBe('uncertain');
    await engine.commands.service.tryNow();

    expect((await details()).job.attempts).toBe(1);
    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect(engine.summary().quota).toMatchObject({ used: 0, held: 1 });
  });
});
