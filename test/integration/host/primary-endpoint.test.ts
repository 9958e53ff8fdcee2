import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { systemClock } from '../../../src/engine/system-clock.ts';
import { joinPrimary, PrimaryUnreadableError } from '../../../src/host/join-primary.ts';
import { publishedAddress } from '../../../src/host/primary-address.ts';
import type { PrimaryProcess } from '../../../src/host/primary-contract.ts';
import { openPrimaryEndpoint } from '../../../src/host/primary-endpoint.ts';
import { failToAccept, listeningServer } from '../../rigs/listening-server.ts';
import { openIdleEngine } from '../../rigs/idle-engine.ts';
import { oneService } from '../../rigs/router-for.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const primary: PrimaryProcess = { protocol: 1, pid: process.pid, service: 'local', profile: '0' };

async function endpoint(dataDir: string) {
  mkdirSync(dataDir, { recursive: true });
  const { router, client } = await openIdleEngine(dataDir);
  const defects: unknown[] = [];
  const options = {
    dataDir,
    ...oneService(router, primary),
    onDefect: (error: unknown) => defects.push(error),
  };
  const opened = await openPrimaryEndpoint(options);
  onTestFinished(() => opened.close());
  return { opened, options, client, defects };
}

const addressOf = async (dataDir: string): Promise<string> =>
  (await publishedAddress(dataDir))?.address ?? '';

async function join(dataDir: string) {
  const joined = await joinPrimary(dataDir, systemClock);
  if (joined === null) throw new Error('There is no primary process.');
  onTestFinished(() => joined.close());
  return joined;
}

describe.skipIf(process.platform === 'win32')('the primary process of a data folder', () => {
  it('closes a connection that it refuses, whether or not the other side does', async () => {
    const dataDir = temporaryFolder();
    const { opened } = await endpoint(dataDir);
    const socket = connect({ path: await addressOf(dataDir), allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await once(socket, 'data');
    // It waits for open connections.
    await opened.close();
  }, 20_000);

  it('still answers after connections that the system could not accept', async () => {
    const dataDir = temporaryFolder();
    const { server } = await listeningServer(() => endpoint(dataDir));
    for (const _ of [1, 2]) failToAccept(server);
    expect((await join(dataDir)).primary).toEqual(primary);
  });

  it('serves the whole contract, and only to processes of the same user', async () => {
    const dataDir = temporaryFolder();
    const { client, defects } = await endpoint(dataDir);
    const joined = await join(dataDir);
    expect(joined.primary).toEqual(primary);
    expect(await joined.client.jobs.list({})).toEqual(await client.jobs.list({}));
    for await (const update of await joined.client.watch({})) {
      expect(update.summary.service).toMatchObject({ origin: expect.any(String) as string });
      break;
    }
    const address = await addressOf(dataDir);
    expect(statSync(address).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(address)).mode & 0o777).toBe(0o700);
    expect(defects).toEqual([]);
  });

  it('passes failures on with their code, and refuses what the contract does not allow', async () => {
    const dataDir = temporaryFolder();
    await endpoint(dataDir);
    const { client } = await join(dataDir);
    await expect(client.jobs.show({ id: '4711' })).rejects.toMatchObject({
      code: 'FAILED',
      data: { code: 'job-unknown' },
    });
    await expect(client.jobs.hold({ ids: 7 as never })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it('is found below a path that is too long for a socket', async () => {
    const dataDir = path.join(temporaryFolder(), 'long'.repeat(20), 'long'.repeat(20));
    const { opened } = await endpoint(dataDir);
    expect((await join(dataDir)).primary).toEqual(primary);
    const address = await addressOf(dataDir);
    expect(statSync(path.dirname(address)).mode & 0o777).toBe(0o700);
    await opened.close();
    expect(() => statSync(path.dirname(address))).toThrow(/ENOENT/);
  });

  it('ends its connections although its address cannot be removed', async () => {
    const dataDir = temporaryFolder();
    mkdirSync(dataDir, { recursive: true });
    const { router } = await openIdleEngine(dataDir);
    const options = { dataDir, ...oneService(router, primary), onDefect: () => undefined };
    const opened = await openPrimaryEndpoint(options);
    const { client } = await join(dataDir);
    const address = await addressOf(dataDir);
    const file = path.join(path.dirname(address), 'address');
    rmSync(file);
    mkdirSync(file);

    await opened.close();

    await expect(client.jobs.list({})).rejects.toThrow();
    const socket = connect(address);
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toMatch(/ENOENT|ECONNREFUSED/);
  });

  it('replaces one that was killed', async () => {
    const dataDir = temporaryFolder();
    const { opened, options } = await endpoint(dataDir);
    const address = await addressOf(dataDir);
    const file = path.join(path.dirname(address), 'address');
    const text = readFileSync(file, 'utf8');
    const { ended } = await join(dataDir);
    await opened.close();
    await ended;
    expect(await joinPrimary(dataDir, systemClock)).toBeNull();

    writeFileSync(address, '');
    writeFileSync(file, text);
    expect(await joinPrimary(dataDir, systemClock)).toBeNull();
    const again = await openPrimaryEndpoint(options);
    onTestFinished(() => again.close());
    expect((await join(dataDir)).primary).toEqual(primary);
  });

  it('is distinguished from another program at its address', async () => {
    const dataDir = temporaryFolder();
    const { opened, options } = await endpoint(dataDir);
    await opened.close();
    const other = await openPrimaryEndpoint({
      ...options,
      primary: () => ({ ...primary, protocol: 2 as never }),
    });
    onTestFinished(() => other.close());
    await expect(joinPrimary(dataDir, systemClock)).rejects.toThrow(PrimaryUnreadableError);
    const file = path.join(dataDir, 'endpoint', 'address');
    const [address = '', ...rest] = readFileSync(file, 'utf8').split('\n');
    await other.close();

    const otherProgram = createServer((_, response) => response.end('Hello'));
    await new Promise<void>((resolve) => otherProgram.listen(address, resolve));
    onTestFinished(() => void otherProgram.close());
    writeFileSync(file, [address, ...rest].join('\n'));
    expect(await joinPrimary(dataDir, systemClock)).toBeNull();
  });

  it('refuses pages that reach it through a forwarded port, and processes of other folders', async () => {
    const dataDir = temporaryFolder();
    await endpoint(dataDir);
    const { address, folder } = (await publishedAddress(dataDir)) ?? { address: '', folder: '' };
    const upgrade = (headers: Readonly<Record<string, string>>) =>
      new Promise<number>((resolve, reject) => {
        const socket = new WebSocket('ws://owner/', {
          createConnection: () => connect(address),
          headers: { 'Spool-Folder': folder, ...headers },
        });
        socket.once('open', () => {
          socket.terminate();
          resolve(101);
        });
        socket.once('unexpected-response', (_, { statusCode = 0 }) => resolve(statusCode));
        socket.once('error', reject);
      });
    expect(await upgrade({})).toBe(101);
    expect(await upgrade({ Origin: 'https://evil.example' })).toBe(403);
    expect(await upgrade({ Origin: 'null' })).toBe(403);
    expect(await upgrade({ Host: '127.0.0.1:8080' })).toBe(403);
    // A process that means a copy of the folder.
    expect(await upgrade({ 'Spool-Folder': '1 2 3 4' })).toBe(421);
  });

  it('survives invalid messages', async () => {
    const dataDir = temporaryFolder();
    await endpoint(dataDir);
    const socket = connect(await addressOf(dataDir));
    socket.write('GET /rpc HTTP/1.1\r\nUpgrade: websocket\r\n\u0000junk\r\n\r\n');
    await new Promise((resolve) => socket.once('close', resolve).resume());
    const refused = connect(await addressOf(dataDir));
    refused.write(
      'GET / HTTP/1.1\r\nHost: evil\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    await new Promise((resolve) => refused.once('data', resolve));
    refused.destroy();
    expect((await join(dataDir)).primary).toEqual(primary);
  });
});
