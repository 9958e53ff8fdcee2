import { createDecipheriv, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs, { mkdirSync, writeFileSync, type ReadStream } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Readable } from 'node:stream';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { os } from '@orpc/server';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { Client } from '../../../src/contract/contract.ts';
import { MAX_MESSAGE_BYTES, serveWebSocket } from '../../../src/host/serve-contract.ts';
import type { Router } from '../../../src/host/router.ts';
import { RunNames } from '../../../src/host/run-names.ts';
import { serveApp } from '../../../src/host/web-host.ts';
import { openIdleEngine } from '../../rigs/idle-engine.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';
import { unassignedPort } from '../../rigs/unassigned-port.ts';
import { addBatch } from '../../rigs/add-batch.ts';
import { failToAccept, listeningServers } from '../../rigs/listening-server.ts';
import {
  askWeb,
  openLink,
  openRpc,
  type WebAnswer,
  type WebSession,
} from '../../rigs/web-session.ts';

/** Of one data folder. */
const names = new RunNames(Buffer.alloc(32, 7));

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

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
    names,
  });
  onTestFinished(() => app.close());
  const session = await openLink(app.createLink().link);
  return { ...app, ...session, session, client, router, defects, sockets, unread };
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
    names,
  });
  onTestFinished(() => app.close());
  const session = await openLink(app.createLink().link);
  return { ...session, session };
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

/** Sends a request as given, under the name of the run when no other is. */
const ask = (
  { host, port }: Pick<WebSession, 'host' | 'port'>,
  target: string,
  headers: http.OutgoingHttpHeaders = {},
): Promise<WebAnswer> => askWeb(port, target, { host, ...headers });

function connect(session: WebSession): Client {
  const socket = openRpc(session);
  onTestFinished(() => socket.terminate());
  return createORPCClient(new RPCLink({ websocket: socket as unknown as globalThis.WebSocket }));
}

/** Decrypts an answer as a page of this name does. */
function unseal(name: string, challenge: string, answer: string): unknown {
  const bytes = Buffer.from(answer, 'hex');
  const decipher = createDecipheriv('aes-256-gcm', names.pageKey(name), bytes.subarray(0, 12));
  decipher.setAAD(Buffer.from(challenge)).setAuthTag(bytes.subarray(-16));
  const text = [decipher.update(bytes.subarray(12, -16)), decipher.final()];
  return JSON.parse(Buffer.concat(text).toString());
}

describe('the web host', () => {
  it('gives a link a cookie, removes the secret from the address, and works once', async () => {
    const { createLink, origin, session, cookie } = await host();
    const { link, ended } = createLink();
    expect(new URL(link).origin).toBe(origin);
    const target = `/${new URL(link).search}&view=saved&search=%3Cb%3E%22`;
    const first = await ask(session, target);
    expect(first.status).toBe(200);
    expect(first.body).toContain('content="0;url=/?view=saved&#38;search=%3Cb%3E%22"');
    expect(first.headers['set-cookie']).toEqual([`${cookie}; Path=/; HttpOnly; SameSite=Strict`]);
    expect(first.headers['cache-control']).toBe('no-store');
    expect(await ended).toBe('used');
    expect(await ask(session, target)).toMatchObject({ status: 401 });
    const page = await ask(session, '/', { cookie });
    expect(page.status).toBe(200);
    expect(page.body).toContain('<title>Spool</title>');
    expect(page.headers['cache-control']).toBe('no-store');
  });

  it('accepts every link that is open, until it is closed', async () => {
    const app = await host();
    const [first, second, third] = [app.createLink(), app.createLink(), app.createLink()];
    for (const { link } of [second, first])
      expect(await ask(app.session, `/${new URL(link).search}`)).toMatchObject({ status: 200 });
    await app.close();
    expect(await third.ended).toBe('closed');
  });

  // abuse.md 61
  it('has a name for each run, which it derives from the secret of its data folder', async () => {
    const [first, second] = [await host(), await host()];
    const name = new URL(first.origin).hostname;
    expect(name).toMatch(/^[0-9a-f]{48}\.localhost$/);
    expect(new URL(second.origin).hostname).not.toBe(name);
    expect(names.isOurs(name)).toBe(true);
    expect(names.isOurs(`${'0'.repeat(24)}${name.slice(24)}`)).toBe(false);
    expect(new RunNames(randomBytes(32)).isOurs(name)).toBe(false);
  });

  // abuse.md 61
  it('serves a page only under the name of its run, and no script of a service worker', async () => {
    const { session, port, cookie, createLink } = await host();
    const earlier = `${names.create()}:${port}`;
    const ticket = `/${new URL(createLink().link).search}`;
    for (const other of [earlier, `127.0.0.1:${port}`, `localhost:${port}`]) {
      for (const target of ['/', ticket])
        expect(await ask(session, target, { host: other, cookie })).toMatchObject({ status: 401 });
    }
    expect(await ask(session, ticket, { host: `evil.localhost:${port}` })).toMatchObject({
      status: 403,
    });
    const script = { cookie, 'service-worker': 'script' };
    expect(await ask(session, '/', script)).toMatchObject({ status: 403 });
    expect(await ask(session, ticket)).toMatchObject({ status: 200 });
  });

  // abuse.md 62
  it('proves itself to the pages of its data folder, and to those of its own run serves them', async () => {
    const { session, port, origin } = await host();
    const challenge = 'c'.repeat(32);
    const target = `/rpc?challenge=${challenge}`;
    const own = openRpc(session, target);
    onTestFinished(() => own.terminate());
    const [proof] = (await once(own, 'message')) as [Buffer];
    const name = new URL(origin).hostname;
    expect(unseal(name, challenge, proof.toString())).toEqual({ kind: 'here' });
    expect(() => unseal(name, 'd'.repeat(32), proof.toString())).toThrow();

    const earlier = names.create();
    const place = `${earlier}:${port}`;
    const moved = { ...session, host: place, origin: `http://${place}`, cookie: '' };
    const links: string[] = [];
    for (const _ of [1, 2]) {
      const page = openRpc(moved, target);
      const [sealed] = (await once(page, 'message')) as [Buffer];
      await once(page, 'close');
      const answer = unseal(earlier, challenge, sealed.toString());
      expect(answer).toEqual({ kind: 'moved', link: expect.stringContaining(origin) as string });
      links.push((answer as { link: string }).link);
      expect(() => unseal(name, challenge, sealed.toString())).toThrow();
    }
    expect(links[1]).toBe(links[0]);
    expect(await openLink(links[0] ?? '')).toMatchObject({ cookie: session.cookie });
  });

  // abuse.md 34
  it('finds its cookie among others of the same name, for a page and for a WebSocket', async () => {
    const { session, port, cookie } = await host();
    const planted = `spool-${port}=${'0'.repeat(64)}; spool-${port}=; ${cookie}`;
    expect(await ask(session, '/', { cookie: planted })).toMatchObject({ status: 200 });
    expect(await connect({ ...session, cookie: planted }).jobs.list({})).toMatchObject({
      total: 0,
    });
  });

  // abuse.md 11
  it('allows the page its own scripts, styles and connection, and nothing else', async () => {
    const { session, cookie } = await host();
    const { headers } = await ask(session, '/', { cookie });
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

  it('listens on loopback only', async () => {
    const { port } = await host();
    const socket = net.connect({ host: '127.0.0.2', port });
    onTestFinished(() => void socket.destroy());
    await expect(once(socket, 'connect')).rejects.toThrow();
  });

  // abuse.md 61
  it.skipIf(!hasIpv6)('uses no port that another program has on ::1', async () => {
    const other = net.createServer();
    other.listen(0, '::1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as net.AddressInfo;
    const { client } = await host();
    const options = { answer: (): never => expect.unreachable(), client, pageFolder: '/', names };
    await expect(serveApp({ ...options, port })).rejects.toThrow('cannot be served on port');
    const app = await serveApp({ ...options, preferredPort: port });
    onTestFinished(() => app.close());
    expect(app.port).not.toBe(port);
    const socket = net.connect({ host: '::1', port: app.port });
    await once(socket, 'connect');
    socket.destroy();
  });

  // abuse.md 23, 24
  it('refuses foreign hosts and origins before it looks at anything else', async () => {
    const { session, cookie } = await host();
    for (const target of ['/', '/saved/x', '/rpc', '/nothing']) {
      expect(await ask(session, target, { cookie, host: 'evil.example' })).toMatchObject({
        status: 403,
      });
      expect(await ask(session, target, { cookie, origin: 'https://evil.example' })).toMatchObject({
        status: 403,
      });
      expect(await ask(session, target)).toMatchObject({ status: 401 });
    }
  });

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/saved/..%2f..%2fsecret.txt',
  ])('serves nothing outside of the page: %s', async (target) => {
    const { session, cookie } = await host();
    const answer = await ask(session, target, { cookie });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body).not.toContain('not part of the page');
  });

  it('gives the reason for a refusal in the browser’s language', async () => {
    const { session } = await host();
    const german = await ask(session, '/', { 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' });
    expect(german).toMatchObject({ status: 401, headers: { 'content-language': 'de' } });
    expect(german.body).toContain('Öffnen Sie Spool mit dem Link');
    const english = await ask(session, '/', { 'accept-language': 'en-GB,de;q=0.5' });
    expect(english.body).toContain('Open Spool with the link');
  });

  it('shows a browser without a session a page that says how to get one', async () => {
    const { session } = await host();
    const { status, headers, body } = await ask(session, '/', { accept: 'text/html,*/*;q=0.8' });
    expect(status).toBe(401);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(body).toContain('<h1>Open Spool with the link it printed when it started.</h1>');
    const german = await ask(session, '/', { accept: 'text/html', 'accept-language': 'de' });
    expect(german.body).toContain('<html lang="de">');
    expect(german.body).toContain('jeder Link gilt nur einmal');
    expect(body).not.toContain('refresh');
  });

  it('uses its preferred port, or another one if that is in use', async () => {
    const { client } = await host();
    const preferredPort = await unassignedPort();
    const serve = async (): Promise<number> => {
      const answer = (): never => expect.unreachable();
      const app = await serveApp({ answer, client, pageFolder: '/', names, preferredPort });
      onTestFinished(() => app.close());
      return app.port;
    };
    expect(await serve()).toBe(preferredPort);
    expect(await serve()).not.toBe(preferredPort);
  });

  // abuse.md 35
  it('disconnects a page that requests without reading before 8 MB wait for it', async () => {
    const { session, cookie, client, sockets, unread } = await host();
    const rows = Array.from({ length: 1000 }, (_, n) => `Title ${n} ${'x'.repeat(180)}`);
    const content = ['title', ...rows].join('\n');
    await addBatch(client, { source: { name: 'week.csv', content } });
    const ask1000 = (id: number): string =>
      JSON.stringify({ i: String(id), p: { u: '/jobs/list', b: { json: { limit: 1000 } } } });
    const page = openRpc(session);
    onTestFinished(() => page.terminate());
    // The host disconnects it while answers are on their way.
    page.on('error', () => undefined);
    await once(page, 'open');
    page.pause();
    // About 30 MB of responses, of which the kernel buffers some before they wait here.
    for (let id = 0; id < 60; id += 1) page.send(ask1000(id));
    await expect.poll(() => sockets[0]?.readyState).toBe(WebSocket.CLOSED);
    const most = Math.max(...unread);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(8_000_000);
    // Others are served as before.
    expect(await ask(session, '/', { cookie })).toMatchObject({ status: 200 });
    expect(await connect(session).jobs.list({})).toMatchObject({ total: 1000 });
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
      names,
    });
    onTestFinished(() => app.close());
    const session = await openLink(app.createLink().link);
    const { cookie } = session;

    const shown = await ask(session, '/posters/7', { cookie });
    expect(shown).toMatchObject({ status: 200, body: 'a picture' });
    expect(shown.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'private, no-cache',
    });
    const again = { cookie, 'if-none-match': shown.headers.etag };
    expect(await ask(session, '/posters/7', again)).toMatchObject({ status: 304 });
    expect(await ask(session, '/posters/8', { cookie })).toMatchObject({ status: 404 });
    expect(await ask(session, '/posters/7')).toMatchObject({ status: 401 });
  });

  it('plays a saved video by its job’s id, whatever its name, and no other state’s file', async () => {
    const folder = temporaryFolder();
    const names = ['100 % #1? a+b & “ü”.mp4', '.hidden.mp4'];
    for (const name of names) writeFileSync(path.join(folder, name), '0123456789');
    const { session, cookie } = await hostOfJobs(folder, ({ id }) => {
      const state = id === '2' ? 'verifying' : 'done';
      const file = { path: path.join(folder, names[Number(id)] ?? names[0] ?? '') };
      return Promise.resolve({ job: { id, state, file } });
    });

    for (const id of names.keys()) {
      const played = await ask(session, `/saved/${id}`, { cookie });
      expect(played).toMatchObject({ status: 200, body: '0123456789' });
      expect(played.headers).toMatchObject({
        'content-type': 'video/mp4',
        'cache-control': 'no-store',
      });
    }
    const part = await ask(session, '/saved/0', { cookie, range: 'bytes=2-4' });
    expect(part).toMatchObject({ status: 206, body: '234' });
    expect(await ask(session, '/saved/2', { cookie })).toMatchObject({ status: 404 });
    expect(await ask(session, '/saved/0')).toMatchObject({ status: 401 });
  });

  it('breaks off a video whose disk fails while it plays, and continues', async () => {
    const { session, port, cookie, files } = await hostOfSavedVideo();
    files.mockImplementationOnce(() => failingStream(Buffer.alloc(4)));
    const request = http
      .request({ port, path: '/saved/0', headers: { cookie, host: session.host } })
      .end();
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    expect(response.statusCode).toBe(200);
    await expect(response.toArray()).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await ask(session, '/saved/0', { cookie })).toMatchObject({ body: '0123456789' });
  });

  it('says that a video is not there if it cannot be opened', async () => {
    const { session, cookie, files } = await hostOfSavedVideo();
    files.mockImplementationOnce(() => failingStream());
    const answer = await ask(session, '/saved/0', { cookie, range: 'bytes=2-4' });
    expect(answer).toMatchObject({ status: 404, body: expect.stringContaining('video') as string });
    expect(answer.headers).not.toHaveProperty('content-range');
  });

  it('carries the contract over a WebSocket, failures as plain data', async () => {
    const { session, defects } = await host();
    const client = connect(session);
    expect(await client.jobs.list({})).toEqual({ total: 0, jobs: [], groups: [] });
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
      names,
    });
    onTestFinished(() => app.close());
    const socket = openRpc(await openLink(app.createLink().link));
    const page: Client = createORPCClient(
      new RPCLink({ websocket: socket as unknown as globalThis.WebSocket }),
    );
    const updates = await page.watch({});
    await updates.next();
    socket.terminate();
    await ended.promise;
  });

  it('survives clients that disconnect, send malformed requests or exceed limits', async () => {
    const { session, cookie, client } = await host();
    const upgrade = (path: string, headers: string): string =>
      `GET ${path} HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\n\r\n`;
    // A page elsewhere that is refused, and has disconnected before the response.
    for (const headers of ['Host: evil.example', `Host: ${session.host}\r\nCookie: ${cookie}`]) {
      const socket = net.connect(session.port, '127.0.0.1');
      socket.write(upgrade('/rpc', headers));
      await once(socket, 'data');
      socket.resetAndDestroy();
    }
    for (const target of ['//', '/%', '/saved/%', '/%00', 'http://[']) {
      expect((await ask(session, target, { cookie })).status).toBeGreaterThanOrEqual(400);
    }
    const talkative = openRpc(session);
    await once(talkative, 'open');
    talkative.send('x'.repeat(MAX_MESSAGE_BYTES + 1));
    expect((await once(talkative, 'close'))[0]).toBe(1009);
    expect(await ask(session, '/', { cookie })).toMatchObject({ status: 200 });
    expect(await client.jobs.list({})).toMatchObject({ total: 0 });
  });

  it('closes connections whose upgrade it refuses, whether or not the other side does', async () => {
    const app = await host();
    for (const cookie of ['', `Cookie: ${app.cookie}\r\nOrigin: ${app.origin}\r\n`]) {
      const socket = net.connect({ port: app.port, allowHalfOpen: true });
      onTestFinished(() => void socket.destroy());
      socket.write(
        `GET /nothing HTTP/1.1\r\nHost: ${app.session.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${cookie}\r\n`,
      );
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 40[14] Refused/);
    }
    // It waits for open connections.
    await app.close();
  }, 20_000);

  it('still answers after connections that the system could not accept', async () => {
    const { opened: app, servers } = await listeningServers(host);
    for (const server of [...servers, ...servers]) failToAccept(server);
    expect(await ask(app.session, '/', { cookie: app.cookie })).toMatchObject({ status: 200 });
  });

  // abuse.md 63
  it('keeps its descriptors when others open connections, and serves its pages', async () => {
    const { opened: app, servers } = await listeningServers(host);
    const page = openRpc(app.session);
    onTestFinished(() => page.terminate());
    await once(page, 'open');
    const idle = Array.from({ length: 400 }, () => net.connect(app.port, '127.0.0.1'));
    onTestFinished(() => idle.forEach((socket) => socket.destroy()));
    for (const socket of idle) socket.on('error', () => undefined);
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    const open = async (): Promise<number> => {
      const counts = servers.map((server) => promisify(server.getConnections.bind(server))());
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    };
    await expect.poll(open).toBeLessThan(60);
    expect(page.readyState).toBe(WebSocket.OPEN);
    expect(await ask(app.session, '/', { cookie: app.cookie })).toMatchObject({ status: 200 });
    const [oldest, newest] = [idle[0], idle.at(-1)];
    await expect.poll(() => oldest?.destroyed).toBe(true);
    expect(newest?.destroyed).toBe(false);
  });

  it('reports that its port is in use', async () => {
    const { port, client } = await host();
    const answer = (): never => expect.unreachable();
    const again = serveApp({ answer, client, pageFolder: '/', names, port });
    await expect(again).rejects.toThrow(`cannot be served on port ${port}`);
  });

  // abuse.md 15
  it('answers junk with a schema error and continues', async () => {
    const { session, defects } = await host();
    const client = connect(session);
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
    const { session, defects } = await host();
    const socket = openRpc(session);
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
    ['no origin', { origin: undefined }, 401],
    ['no cookie', { cookie: '' }, 401],
    ['another path', {}, 404, '/saved/1'],
  ])('opens no WebSocket for %s', async (_, changes, status, target = '/rpc') => {
    const { session } = await host();
    const socket = openRpc(session, target, changes);
    const [, response] = (await once(socket, 'unexpected-response')) as [
      unknown,
      http.IncomingMessage,
    ];
    expect(response.statusCode).toBe(status);
  });
});
