import { once } from 'node:events';
import fs, { mkdirSync, writeFileSync, type ReadStream } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { os } from '@orpc/server';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { Client } from '../../../src/contract/contract.ts';
import { MAX_MESSAGE_BYTES, serveWebSocket } from '../../../src/host/serve-contract.ts';
import type { Router } from '../../../src/host/router.ts';
import { serveApp } from '../../../src/host/web-host.ts';
import { openIdleEngine } from '../../rigs/idle-engine.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';
import { addBatch } from '../../rigs/add-batch.ts';
import { failToAccept, listeningServer } from '../../rigs/listening-server.ts';

/** A web host with a page of one file, over an engine that sends nothing. */
async function host() {
  const folder = temporaryFolder();
  const pageFolder = path.join(folder, 'page');
  mkdirSync(pageFolder);
  writeFileSync(path.join(pageFolder, 'index.html'), '<!doctype html><title>Spool</title>');
  writeFileSync(path.join(folder, 'secret.txt'), 'not part of the page');
  const { router, client } = await openIdleEngine(folder);
  const defects: unknown[] = [];
  const sockets: WebSocket[] = [];
  /** The bytes that waited for a page to read them, after each message to it. */
  const unread: number[] = [];
  const app = await serveApp({
    answer: (page) => {
      sockets.push(page);
      const send = page.send.bind(page);
      page.send = (message: Parameters<WebSocket['send']>[0]) => {
        send(message);
        unread.push(page.bufferedAmount);
      };
      serveWebSocket(router, page, (error) => defects.push(error));
    },
    client,
    pageFolder,
  });
  onTestFinished(() => app.close());
  const { origin, port, searchParams } = new URL(app.link);
  const cookie = `spool-${port}=${searchParams.get('token') ?? ''}`;
  return { ...app, origin, port: Number(port), cookie, client, router, defects, sockets, unread };
}

type ShowJob = (input: { id: string }) => Promise<unknown>;

/** A web host with a session, whose engine describes its jobs so. */
async function hostOfJobs(folder: string, show: ShowJob) {
  const { router, client } = await openIdleEngine(folder);
  const jobs = { ...client.jobs, show } as unknown as Client['jobs'];
  const app = await serveApp({
    answer: (page) => serveWebSocket(router, page, () => undefined),
    client: { ...client, jobs },
    pageFolder: folder,
  });
  onTestFinished(() => app.close());
  const { port, searchParams } = new URL(app.link);
  const cookie = `spool-${port}=${searchParams.get('token') ?? ''}`;
  return { port: Number(port), cookie };
}

/** A web host with one saved video, and the function by which it opens files. */
async function hostOfSavedVideo() {
  const folder = temporaryFolder();
  const file = { path: path.join(folder, 'video.mp4') };
  writeFileSync(file.path, '0123456789');
  const host = await hostOfJobs(folder, ({ id }) =>
    Promise.resolve({ job: { id, state: 'done', file } }),
  );
  const files = vi.spyOn(fs, 'createReadStream');
  onTestFinished(() => files.mockRestore());
  return { ...host, files };
}

/** A file on a disk that fails after these bytes. */
function failingStream(...chunks: readonly Buffer[]): ReadStream {
  const error = Object.assign(new Error('The disk failed.'), { code: 'EIO' });
  const stream = Readable.from(
    (async function* () {
      yield* chunks;
      await new Promise((resolve) => setImmediate(resolve));
      throw error;
    })(),
    { objectMode: false },
  );
  return stream as ReadStream;
}

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a request with its path, Host and Origin exactly as given. */
async function ask(port: number, target: string, headers: http.OutgoingHttpHeaders = {}) {
  const request = http.request({ host: '127.0.0.1', port, path: target, headers }).end();
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const chunks = await response.toArray();
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(chunks as Buffer[]).toString(),
  } satisfies Answer;
}

function connect(origin: string, cookie: string): Client {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/rpc`, {
    headers: { cookie, origin },
  });
  onTestFinished(() => socket.terminate());
  return createORPCClient(new RPCLink({ websocket: socket as unknown as globalThis.WebSocket }));
}

describe('the web host', () => {
  it('gives the first link a cookie, and removes the token from the address', async () => {
    const { link, port, cookie } = await host();
    const { pathname, search } = new URL(link);
    const first = await ask(port, pathname + search);
    expect(first.status).toBe(200);
    expect(first.body).toContain('content="0;url=/"');
    expect(first.headers['set-cookie']).toEqual([`${cookie}; Path=/; HttpOnly; SameSite=Strict`]);
    const page = await ask(port, '/', { cookie });
    expect(page.status).toBe(200);
    expect(page.body).toContain('<title>Spool</title>');
  });

  it('accepts a one-time link once', async () => {
    const { createOneTimeLink, port, cookie } = await host();
    const { link, ended } = createOneTimeLink();
    const { pathname, search } = new URL(link);
    const first = await ask(port, pathname + search);
    expect(first.headers['set-cookie']).toEqual([`${cookie}; Path=/; HttpOnly; SameSite=Strict`]);
    expect(await ask(port, pathname + search)).toMatchObject({ status: 401 });
    await ended;
  });

  it('ends a one-time link when another one is made, and when it is closed', async () => {
    const app = await host();
    const first = app.createOneTimeLink();
    const second = app.createOneTimeLink();
    await first.ended;
    expect(await ask(app.port, `/${new URL(first.link).search}`)).toMatchObject({ status: 401 });
    await app.close();
    await second.ended;
  });

  it('keeps a one-time link valid when another link is used', async () => {
    const { link, createOneTimeLink, port } = await host();
    const once = new URL(createOneTimeLink().link);
    const lasting = new URL(link);
    expect(await ask(port, `/${lasting.search}`)).toMatchObject({ status: 200 });
    expect(await ask(port, `/${once.search}`)).toMatchObject({ status: 200 });
  });

  // abuse.md 34
  it('finds its cookie among others of the same name, for a page and for a WebSocket', async () => {
    const { origin, port, cookie } = await host();
    const planted = `spool-${port}=${'0'.repeat(64)}; spool-${port}=; ${cookie}`;
    expect(await ask(port, '/', { cookie: planted })).toMatchObject({ status: 200 });
    expect(await connect(origin, planted).jobs.list({})).toMatchObject({ total: 0 });
  });

  // abuse.md 11
  it('allows the page its own scripts, styles and connection, and nothing else', async () => {
    const { port, cookie } = await host();
    const { headers } = await ask(port, '/', { cookie });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  });

  it('listens on 127.0.0.1 only', async () => {
    const { port } = await host();
    for (const address of ['127.0.0.2', '::1']) {
      const socket = net.connect({ host: address, port });
      onTestFinished(() => void socket.destroy());
      await expect(once(socket, 'connect')).rejects.toThrow();
    }
  });

  // abuse.md 23, 24
  it('refuses foreign hosts and origins before it looks at anything else', async () => {
    const { port, cookie } = await host();
    for (const target of ['/', '/saved/x', '/rpc', '/nothing']) {
      expect(await ask(port, target, { cookie, host: 'evil.example' })).toMatchObject({
        status: 403,
      });
      expect(await ask(port, target, { cookie, origin: 'https://evil.example' })).toMatchObject({
        status: 403,
      });
      expect(await ask(port, target)).toMatchObject({ status: 401 });
    }
  });

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/saved/..%2f..%2fsecret.txt',
  ])('serves nothing outside of the page: %s', async (target) => {
    const { port, cookie } = await host();
    const answer = await ask(port, target, { cookie });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body).not.toContain('not part of the page');
  });

  it('gives the reason for a refusal in the browser’s language', async () => {
    const { port } = await host();
    const german = await ask(port, '/', { 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' });
    expect(german).toMatchObject({ status: 401, headers: { 'content-language': 'de' } });
    expect(german.body).toContain('Öffnen Sie Spool mit dem Link');
    const english = await ask(port, '/', { 'accept-language': 'en-GB,de;q=0.5' });
    expect(english.body).toContain('Open Spool with the link');
  });

  it('shows a browser without a session a page that says how to get one', async () => {
    const { port } = await host();
    const { status, headers, body } = await ask(port, '/', { accept: 'text/html,*/*;q=0.8' });
    expect(status).toBe(401);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(body).toContain('<h1>Open Spool with the link it printed when it started.</h1>');
    const german = await ask(port, '/', { accept: 'text/html', 'accept-language': 'de' });
    expect(german.body).toContain('<html lang="de">');
    expect(german.body).toContain('Öffnen Sie den neuesten in diesem Browser');
  });

  it('uses its preferred port, or another one if that is in use', async () => {
    const first = await host();
    const second = await serveApp({
      answer: (): never => expect.unreachable(),
      client: first.client,
      pageFolder: '/',
      preferredPort: first.port,
    });
    expect(second.port).not.toBe(first.port);
    await second.close();
    const third = await serveApp({
      answer: (): never => expect.unreachable(),
      client: first.client,
      pageFolder: '/',
      preferredPort: second.port,
    });
    onTestFinished(() => third.close());
    expect(third.port).toBe(second.port);
  });

  // abuse.md 35
  it('disconnects a page that requests without reading before 8 MB wait for it', async () => {
    const { origin, port, cookie, client, sockets, unread } = await host();
    const rows = Array.from({ length: 1000 }, (_, n) => `Title ${n} ${'x'.repeat(180)}`);
    const content = ['title', ...rows].join('\n');
    await addBatch(client, { source: { name: 'week.csv', content } });
    const ask1000 = (id: number): string =>
      JSON.stringify({ i: String(id), p: { u: '/jobs/list', b: { json: { limit: 1000 } } } });
    const page = new WebSocket(`${origin.replace('http', 'ws')}/rpc`, {
      headers: { cookie, origin },
    });
    onTestFinished(() => page.terminate());
    await once(page, 'open');
    page.pause();
    // About 30 MB of responses, of which the kernel buffers some before they wait here.
    for (let id = 0; id < 60; id += 1) page.send(ask1000(id));
    await expect.poll(() => sockets[0]?.readyState).toBe(WebSocket.CLOSED);
    const most = Math.max(...unread);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(8_000_000);
    // Others are served as before.
    expect(await ask(port, '/', { cookie })).toMatchObject({ status: 200 });
    expect(await connect(origin, cookie).jobs.list({})).toMatchObject({ total: 1000 });
  });

  it('shows a poster by its job’s id, revalidated by the browser, and no other file', async () => {
    const folder = temporaryFolder();
    const poster = path.join(folder, 'aa bb.jpg');
    writeFileSync(poster, 'a picture');
    const { router, client } = await openIdleEngine(folder);
    const files = {
      ...client.files,
      poster: ({ id }: { id: string }) => Promise.resolve({ path: id === '7' ? poster : null }),
    };
    const app = await serveApp({
      answer: (page) => serveWebSocket(router, page, () => undefined),
      client: { ...client, files },
      pageFolder: folder,
    });
    onTestFinished(() => app.close());
    const { port, searchParams } = new URL(app.link);
    const cookie = `spool-${port}=${searchParams.get('token') ?? ''}`;

    const shown = await ask(Number(port), '/posters/7', { cookie });
    expect(shown).toMatchObject({ status: 200, body: 'a picture' });
    expect(shown.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'private, no-cache',
    });
    const again = { cookie, 'if-none-match': shown.headers.etag };
    expect(await ask(Number(port), '/posters/7', again)).toMatchObject({ status: 304 });
    expect(await ask(Number(port), '/posters/8', { cookie })).toMatchObject({ status: 404 });
    expect(await ask(Number(port), '/posters/7')).toMatchObject({ status: 401 });
  });

  it('plays a saved video by its job’s id, whatever its name, and no other state’s file', async () => {
    const folder = temporaryFolder();
    const names = ['100 % #1? a+b & “ü”.mp4', '.hidden.mp4'];
    for (const name of names) writeFileSync(path.join(folder, name), '0123456789');
    const { port, cookie } = await hostOfJobs(folder, ({ id }) => {
      const state = id === '2' ? 'verifying' : 'done';
      const file = { path: path.join(folder, names[Number(id)] ?? names[0] ?? '') };
      return Promise.resolve({ job: { id, state, file } });
    });

    for (const id of names.keys()) {
      const played = await ask(port, `/saved/${id}`, { cookie });
      expect(played).toMatchObject({ status: 200, body: '0123456789' });
      expect(played.headers).toMatchObject({
        'content-type': 'video/mp4',
        'cache-control': 'no-store',
      });
    }
    const part = await ask(port, '/saved/0', { cookie, range: 'bytes=2-4' });
    expect(part).toMatchObject({ status: 206, body: '234' });
    expect(await ask(port, '/saved/2', { cookie })).toMatchObject({ status: 404 });
    expect(await ask(port, '/saved/0')).toMatchObject({ status: 401 });
  });

  it('breaks off a video whose disk fails while it plays, and continues', async () => {
    const { port, cookie, files } = await hostOfSavedVideo();
    files.mockImplementationOnce(() => failingStream(Buffer.alloc(4)));
    const request = http.request({ port, path: '/saved/0', headers: { cookie } }).end();
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    expect(response.statusCode).toBe(200);
    await expect(response.toArray()).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await ask(port, '/saved/0', { cookie })).toMatchObject({ body: '0123456789' });
  });

  it('says that a video is not there if it cannot be opened', async () => {
    const { port, cookie, files } = await hostOfSavedVideo();
    files.mockImplementationOnce(() => failingStream());
    const answer = await ask(port, '/saved/0', { cookie, range: 'bytes=2-4' });
    expect(answer).toMatchObject({ status: 404, body: expect.stringContaining('video') as string });
    expect(answer.headers).not.toHaveProperty('content-range');
  });

  it('carries the contract over a WebSocket, failures as plain data', async () => {
    const { origin, cookie, defects } = await host();
    const client = connect(origin, cookie);
    expect(await client.jobs.list({})).toEqual({ total: 0, jobs: [] });
    await expect(client.jobs.show({ id: 'unknown' })).rejects.toMatchObject({
      code: 'FAILED',
      data: { code: 'job-unknown' },
    });
    for await (const update of await client.watch({})) {
      expect(update.summary.key.state).toBe('absent');
      break;
    }
    expect(defects).toEqual([]);
  });

  it('ends the streams of a page that disconnects', async () => {
    const { client, router } = await host();
    const ended = Promise.withResolvers<undefined>();
    async function* watch(signal: AbortSignal | undefined): AsyncGenerator {
      signal?.addEventListener('abort', () => ended.resolve(undefined), { once: true });
      yield 'first';
      await ended.promise;
    }
    const watching = os.handler(({ signal }) => watch(signal));
    const app = await serveApp({
      answer: (page) =>
        serveWebSocket({ ...router, watch: watching } as object as Router, page, () => undefined),
      client,
      pageFolder: null,
    });
    onTestFinished(() => app.close());
    const { origin, port, searchParams } = new URL(app.link);
    const cookie = `spool-${port}=${searchParams.get('token') ?? ''}`;
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/rpc`, {
      headers: { cookie, origin },
    });
    const page: Client = createORPCClient(
      new RPCLink({ websocket: socket as unknown as globalThis.WebSocket }),
    );
    const updates = await page.watch({});
    await updates.next();
    socket.terminate();
    await ended.promise;
  });

  it('survives clients that disconnect, send malformed requests or exceed limits', async () => {
    const { port, cookie, origin, client } = await host();
    const upgrade = (path: string, headers: string): string =>
      `GET ${path} HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\n\r\n`;
    // A page elsewhere that is refused, and has disconnected before the response.
    for (const headers of ['Host: evil.example', `Host: 127.0.0.1:${port}\r\nCookie: ${cookie}`]) {
      const socket = net.connect(port, '127.0.0.1');
      socket.write(upgrade('/rpc', headers));
      await once(socket, 'data');
      socket.resetAndDestroy();
    }
    for (const target of ['//', '/%', '/saved/%', '/%00', 'http://[']) {
      expect((await ask(port, target, { cookie })).status).toBeGreaterThanOrEqual(400);
    }
    const talkative = new WebSocket(`${origin.replace('http', 'ws')}/rpc`, {
      headers: { cookie, origin },
    });
    await once(talkative, 'open');
    talkative.send('x'.repeat(MAX_MESSAGE_BYTES + 1));
    expect((await once(talkative, 'close'))[0]).toBe(1009);
    expect(await ask(port, '/', { cookie })).toMatchObject({ status: 200 });
    expect(await client.jobs.list({})).toMatchObject({ total: 0 });
  });

  it('closes connections whose upgrade it refuses, whether or not the other side does', async () => {
    const app = await host();
    for (const cookie of ['', `Cookie: ${app.cookie}\r\nOrigin: ${app.origin}\r\n`]) {
      const socket = net.connect({ port: app.port, allowHalfOpen: true });
      onTestFinished(() => void socket.destroy());
      socket.write(
        `GET /nothing HTTP/1.1\r\nHost: 127.0.0.1:${app.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${cookie}\r\n`,
      );
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 40[14] Refused/);
    }
    // It waits for open connections.
    await app.close();
  }, 20_000);

  it('still answers after connections that the system could not accept', async () => {
    const { opened: app, server } = await listeningServer(host);
    for (const _ of [1, 2]) failToAccept(server);
    expect((await fetch(app.link)).status).toBe(200);
  });

  it('reports that its port is in use', async () => {
    const { port, client } = await host();
    const answer = (): never => expect.unreachable();
    const again = serveApp({ answer, client, pageFolder: '/', port });
    await expect(again).rejects.toThrow(`cannot be served on port ${port}`);
  });

  // abuse.md 15
  it('answers junk with a schema error and continues', async () => {
    const { origin, cookie, defects } = await host();
    const client = connect(origin, cookie);
    const junk = JSON.parse('{"id": {"__proto__": {"polluted": true}}}') as { id: string };
    await expect(client.jobs.show(junk)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(await client.jobs.list({})).toMatchObject({ total: 0 });
    expect(defects).toEqual([]);
  });

  // abuse.md 15
  it('reports junk messages once, in one line, and answers the other calls', async () => {
    const toConsole = vi.spyOn(console, 'error').mockReturnValue(undefined);
    onTestFinished(() => toConsole.mockRestore());
    const { origin, cookie, defects } = await host();
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/rpc`, {
      headers: { cookie, origin },
    });
    await once(socket, 'open');
    for (const junk of ['', 'junk', '{', 'null', '[]', '7', '{"i":1}', '{"p":{"u":7}}', '\u0000']) {
      socket.send(junk);
      socket.send(Buffer.from(junk), { binary: true });
    }
    const client: Client = createORPCClient(
      new RPCLink({ websocket: socket as unknown as globalThis.WebSocket }),
    );
    expect(await client.jobs.list({})).toMatchObject({ total: 0 });
    expect(toConsole).not.toHaveBeenCalled();
    expect(defects).toHaveLength(1);
    expect(String(defects[0])).toMatch(/^A client sent a message that cannot be read: .{1,200}$/);
  });

  // abuse.md 24
  it.each([
    ['another origin', { origin: 'https://evil.example' }, 403],
    ['no origin', {}, 401],
    ['no cookie', { cookie: '' }, 401],
    ['another path', {}, 404, '/saved/1'],
  ])('opens no WebSocket for %s', async (_, changes, status, target = '/rpc') => {
    const { origin, cookie, port } = await host();
    const headers = {
      cookie,
      ...(status === 401 && !('cookie' in changes) ? {} : { origin }),
      ...changes,
    };
    const socket = new WebSocket(`ws://127.0.0.1:${port}${target}`, { headers });
    const [, response] = (await once(socket, 'unexpected-response')) as [
      unknown,
      http.IncomingMessage,
    ];
    expect(response.statusCode).toBe(status);
  });
});
