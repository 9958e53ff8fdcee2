import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { isBuildCurrent } from '../../../src/cli/build-sources.ts';
import { REPOSITORY } from '../../../src/cli/built-app.ts';
import { serveInBrowser } from '../../../src/cli/commands/serve.ts';
import type { Client } from '../../../src/contract/contract.ts';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import { openHost } from '../../../src/host/open-host.ts';
import ensureBuilt from '../../rigs/built-app.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';
import { addBatch } from '../../rigs/add-batch.ts';
import { openLink, openRpc } from '../../rigs/web-session.ts';

beforeAll(ensureBuilt);

it('has a page and an app that were built from the current sources', () => {
  expect(isBuildCurrent(REPOSITORY, 'page')).toBe(true);
  expect(isBuildCurrent(REPOSITORY, 'app')).toBe(true);
});

function noService(): never {
  throw new Error('There is no local service here.');
}

/** A data folder whose settings name an unreachable service. */
function dataFolder(): string {
  const dataDir = path.join(temporaryFolder(), 'data');
  mkdirSync(dataDir);
  const service = { kind: 'remote', baseUrl: 'https://service.invalid' };
  writeFileSync(path.join(dataDir, 'settings.json'), JSON.stringify({ version: 1, service }));
  return dataDir;
}

/** Runs `spool web` in this process. */
async function serve(dataDir: string) {
  const interruption = new AbortController();
  const stream = (): NodeJS.WriteStream =>
    Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: false }) as object as never;
  const stderr = stream();
  const ready = Promise.withResolvers<string>();
  const context = {
    stdout: stream(),
    stderr,
    stdin: new PassThrough() as object as NodeJS.ReadStream,
    cwd: dataDir,
    now: () => Date.now(),
    proxySettings: null,
    keyFromEnvironment: null,
    interrupted: interruption.signal,
    serviceProgram: noService,
  };
  const ended = serveInBrowser({ dataDir }, context, (_, link) => {
    ready.resolve(link);
    return link;
  });
  onTestFinished(async () => {
    interruption.abort();
    await ended;
  });
  const printed: string[] = [];
  (context.stdout as object as PassThrough).on('data', (text: string) => printed.push(text));
  const said: string[] = [];
  (stderr as object as PassThrough).on('data', (text: string) => said.push(text));
  return { link: await ready.promise, printed, said, ended, interrupt: () => interruption.abort() };
}

/** A client of the engine, as the page at `link` has it. */
async function pageAt(
  link: string,
): Promise<{ readonly client: Client; readonly socket: WebSocket }> {
  const socket = openRpc(await openLink(link));
  onTestFinished(() => socket.terminate());
  const websocket = socket as object as globalThis.WebSocket;
  return { client: createORPCClient(new RPCLink({ websocket })), socket };
}

it('prints another link when one was used', async () => {
  const { link, printed } = await serve(dataFolder());
  await openLink(link);
  await expect.poll(() => printed.join('')).toContain('For another browser: http://');
  const [, next = ''] = /another browser: (\S+)/.exec(printed.join('')) ?? [];
  expect(next).not.toBe(link);
  expect(await openLink(next)).toMatchObject({ origin: new URL(link).origin });
  expect(await openLink(link)).toMatchObject({ cookie: '' });
});

describe.skipIf(process.platform === 'win32')('a page that is served beside another Spool', () => {
  it('stays connected when that process ends, and reports the one that takes over', async () => {
    const dataDir = dataFolder();
    const primary = await openHost({
      dataDir,
      defaultFolder: path.join(dataDir, 'videos'),
      keys: new MemoryKeyStore(),
      serviceProgram: noService,
    });
    onTestFinished(() => primary.close());
    const { link, said, ended, interrupt } = await serve(dataDir);
    const { client, socket } = await pageAt(link);
    const workers = await client.queue.worker();
    expect((await workers.next()).value).toEqual({
      kind: 'elsewhere',
      pid: process.pid,
      answers: true,
    });
    await addBatch(client, { source: { name: 'week.csv', content: 'title\nOne' } });
    expect(await primary.client.jobs.list({})).toMatchObject({ total: 1 });

    await primary.close();
    await expect.poll(async () => (await workers.next()).value).toEqual({ kind: 'here' });
    expect(await client.jobs.list({})).toMatchObject({ total: 1, jobs: [{ title: 'One' }] });
    await expect(client.jobs.show({ id: '4711' })).rejects.toMatchObject({
      code: 'FAILED',
      data: { code: 'job-unknown' },
    });
    expect(socket.readyState).toBe(WebSocket.OPEN);
    expect(said[0]).toBe('The Spool running this queue has ended; this one takes over.\n');
    interrupt();
    expect(await ended).toBe(130);
  });
});
