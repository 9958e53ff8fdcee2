import { once } from 'node:events';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { hostLinkIn, startDevServer, type HostSession } from '../../../tools/dev/dev-server.ts';
import { isSource, RestartedProgram } from '../../../tools/dev/restarted-program.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

/** A web host that records its requests, and echoes the messages of its socket. */
async function startHost(): Promise<HostSession & { readonly asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    response.writeHead(200, { 'Content-Type': 'video/mp4' }).end('a video');
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, request) => {
    asked.push(request);
    socket.on('message', (data: Buffer) => socket.send(`heard ${data.toString()}`));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { host: `0a.localhost:${port}`, port, cookie: `spool-${port}=secret`, asked };
}

/** A page of two files, served in development. */
async function serve(host: () => HostSession | null) {
  const pageFolder = temporaryFolder();
  writeFileSync(
    path.join(pageFolder, 'index.html'),
    '<!doctype html><html><head><script type="module" src="./main.ts"></script></head></html>',
  );
  writeFileSync(path.join(pageFolder, 'main.ts'), "const greeting: string = 'one';\n");
  const server = await startDevServer({
    pageFolder,
    allowed: [pageFolder],
    plugins: [],
    port: 0,
    host,
  });
  onTestFinished(() => server.close());
  const { origin, port, searchParams } = new URL(server.link);
  const cookie = `spool-${port}=${searchParams.get('ticket') ?? ''}`;
  return { pageFolder, server, origin, cookie };
}

async function openSocket(url: string, protocol: string[], headers: Record<string, string>) {
  const socket = new WebSocket(url.replace('http:', 'ws:'), protocol, { headers });
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  return socket;
}

describe('the development server', () => {
  it('serves the page from its sources to browsers that opened its link, and to no others', async () => {
    const { server, origin, cookie } = await serve(() => null);
    expect((await fetch(`${origin}/main.ts`)).status).toBe(401);
    const admitted = await fetch(server.link);
    expect(admitted.headers.get('set-cookie')).toContain(cookie);
    const page = await fetch(origin, { headers: { cookie } });
    expect(await page.text()).toContain('/@vite/client');
    const script = await fetch(`${origin}/main.ts`, { headers: { cookie } });
    expect(await script.text()).toContain('const greeting = "one"');
    const elsewhere = { cookie, origin: 'https://elsewhere.example' };
    expect((await fetch(`${origin}/main.ts`, { headers: elsewhere })).status).toBe(403);
    const outside = await fetch(`${origin}/@fs/etc/hostname`, { headers: { cookie } });
    expect(outside.status).toBe(403);
  });

  it('sends an open page the changed file’s name', async () => {
    const { pageFolder, origin, cookie } = await serve(() => null);
    const client = await fetch(`${origin}/@vite/client`, { headers: { cookie } });
    const [, token = ''] = /wsToken = "([^"]+)"/.exec(await client.text()) ?? [];
    await fetch(`${origin}/main.ts`, { headers: { cookie } });
    const address = `${origin}/?token=${token}`;
    const socket = await openSocket(address, ['vite-hmr'], { cookie, origin });
    const said: string[] = [];
    socket.on('message', (data: Buffer) => said.push(data.toString()));
    writeFileSync(path.join(pageFolder, 'main.ts'), "const greeting: string = 'two';\n");
    await expect.poll(() => said.join('\n')).toContain('full-reload');
    const script = await fetch(`${origin}/main.ts`, { headers: { cookie } });
    expect(await script.text()).toContain('const greeting = "two"');
  });

  it('forwards calls, saved videos and posters to the current host, as that host’s page', async () => {
    const first = await startHost();
    const second = await startHost();
    let host: HostSession | null = first;
    const { origin, cookie } = await serve(() => host);
    const saved = await fetch(`${origin}/saved/7`, { headers: { cookie, range: 'bytes=0-1' } });
    expect(saved.headers.get('content-type')).toBe('video/mp4');
    expect(await saved.text()).toBe('a video');
    host = second;
    const socket = await openSocket(`${origin}/rpc`, [], { cookie, origin });
    socket.send('hello');
    const [answer] = (await once(socket, 'message')) as [Buffer];
    expect(answer.toString()).toBe('heard hello');
    for (const { host: name, cookie: session, asked } of [first, second]) {
      expect(asked).toHaveLength(1);
      expect(asked[0]?.headers).toMatchObject({
        host: name,
        origin: `http://${name}`,
        cookie: session,
      });
    }
    expect(first.asked[0]?.headers.range).toBe('bytes=0-1');
  });

  it('opens no socket for a foreign page, and none while the host is starting', async () => {
    const { origin, cookie } = await serve(() => null);
    const statusOf = async (headers: Record<string, string>): Promise<number | undefined> => {
      const socket = new WebSocket(`${origin.replace('http:', 'ws:')}/rpc`, { headers });
      onTestFinished(() => socket.terminate());
      socket.on('error', () => undefined);
      const [, response] = (await once(socket, 'unexpected-response')) as [
        unknown,
        IncomingMessage,
      ];
      return response.statusCode;
    };
    expect(await statusOf({ cookie, origin: 'https://elsewhere.example' })).toBe(401);
    expect(await statusOf({ origin })).toBe(401);
    expect(await statusOf({ cookie, origin })).toBe(503);
    expect((await fetch(`${origin}/saved/7`, { headers: { cookie } })).status).toBe(503);
  });
});

describe('a program that is restarted', () => {
  function start(text: string) {
    const folder = temporaryFolder();
    const program = path.join(folder, 'program.js');
    writeFileSync(program, text);
    const lines: string[] = [];
    const ends: string[] = [];
    const running = new RestartedProgram({
      args: [program],
      watched: [folder],
      onLine: (line) => lines.push(line),
      onEnd: (why, code) => ends.push(`${why} ${String(code)}`),
    });
    onTestFinished(() => running.stop());
    return { folder, program, lines, ends, running };
  }
  const staying = (line: string): string =>
    `console.log('${line}'); setInterval(() => {}, 1000);\n`;

  /** Writes a file in one step, so that no restart reads half of it. */
  function replace(file: string, text: string): void {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  }

  it('is restarted when a source changes, also in a subfolder', async () => {
    const { folder, program, lines, ends } = start(staying('one'));
    await expect.poll(() => lines).toEqual(['one']);
    replace(program, staying('two'));
    await expect.poll(() => lines.at(-1)).toBe('two');
    const starts = lines.length;
    mkdirSync(path.join(folder, 'below'));
    replace(path.join(folder, 'below', 'other.ts'), '');
    await expect.poll(() => lines.length).toBeGreaterThan(starts);
    expect(new Set(ends)).toEqual(new Set(['restart null']));
  });

  it('that ended unexpectedly is started at the next change', async () => {
    const { program, lines, ends } = start('process.exit(3);\n');
    await expect.poll(() => ends).toEqual(['exit 3']);
    replace(program, staying('fixed'));
    await expect.poll(() => lines.at(-1)).toBe('fixed');
  });

  it('ends when it is stopped', async () => {
    const { lines, ends, running } = start(staying('one'));
    await expect.poll(() => lines).toEqual(['one']);
    await running.stop();
    expect(ends).toEqual(['stop null']);
  });
});

it.each([
  ['engine.ts', true],
  ['below/view.json', true],
  ['below/.engine.ts', false],
  ['.engine.ts.swp', false],
  ['engine.ts~', false],
  ['notes.txt', false],
])('watches %s as a source: %s', (file, is) => {
  expect(isSource(file)).toBe(is);
});

it('recognises the web host by the link that it prints', () => {
  const link = 'http://0af.localhost:4711/?ticket=0af';
  expect(hostLinkIn(`Spool is at ${link}`)).toBe(link);
  expect(hostLinkIn(`The link was used. For another browser: ${link}`)).toBeNull();
});
