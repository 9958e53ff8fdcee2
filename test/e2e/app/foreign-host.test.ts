/** Another user of this computer, who holds the port of `spool web` before or after a run. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import path from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { serveWebSocket } from '../../../src/host/serve-contract.ts';
import { RunNames } from '../../../src/host/run-names.ts';
import { serveApp } from '../../../src/host/web-host.ts';
import { addBatch } from '../../rigs/add-batch.ts';
import { launchBrowser } from '../../rigs/browser.ts';
import { openIdleEngine } from '../../rigs/idle-engine.ts';
import { REPOSITORY } from '../../rigs/spool-process.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';
import { unassignedPort } from '../../rigs/unassigned-port.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function newContext(): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  onTestFinished(() => context.close());
  return context;
}

/** Of one data folder. */
const names = new RunNames(randomBytes(32));

async function run(preferredPort?: number) {
  const { router, client } = await openIdleEngine(temporaryFolder());
  await addBatch(client, { source: { name: 'week.csv', content: 'title\nOne' } });
  const app = await serveApp({
    answer: (page) => serveWebSocket(router, page, () => undefined),
    client,
    pageFolder: path.join(REPOSITORY, 'out', 'renderer'),
    names,
    preferredPort,
  });
  onTestFinished(() => app.close());
  return app;
}

async function listen(server: Server, port: number, address = '127.0.0.1'): Promise<void> {
  server.listen(port, address);
  await once(server, 'listening');
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  if (!server.listening) return;
  server.close();
  await once(server, 'close');
}

/** A server at the port of a run that has ended, on both addresses, which accepts every WebSocket. */
async function impostor(
  port: number,
  onSocket: (socket: WebSocket, request: IncomingMessage) => void,
) {
  const received: string[] = [];
  const requested: string[] = [];
  const servers = await Promise.all(
    ['127.0.0.1', '::1'].map(async (address) => {
      const server = createServer((request, response) => {
        requested.push(request.url ?? '');
        response.end('<!doctype html><input>');
      });
      const sockets = new WebSocketServer({ server });
      sockets.on('connection', (socket, request) => {
        requested.push(request.url ?? '');
        socket.on('message', (data: Buffer) => received.push(data.toString()));
        onSocket(socket, request);
      });
      await listen(server, port, address).catch(() => undefined);
      return { server, sockets };
    }),
  );
  const stop = async (): Promise<void> => {
    for (const { server, sockets } of servers) {
      for (const socket of sockets.clients) socket.terminate();
      await close(server);
    }
  };
  onTestFinished(stop);
  return { received, requested, stop };
}

const WORKER = `
  self.addEventListener('install', () => self.skipWaiting());
  self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
  self.addEventListener('fetch', (event) => event.respondWith(
    new Response('<!doctype html><p>Seen ' + event.request.url + '</p>', { headers: { 'content-type': 'text/html' } })));
`;

const REGISTERS = `<!doctype html><script>
  navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready)
    .then(() => { document.title = 'Registered'; });
</script>`;

describe('another user who holds the port between two runs', () => {
  // abuse.md 61
  it.each(['127.0.0.1', 'the name of an ended run'])(
    'does not see the link of the next run with a service worker of %s',
    async (place) => {
      const ended = names.create();
      const name = place === '127.0.0.1' ? place : ended;
      const attacker = createServer((request, response) => {
        const isScript = request.url === '/worker.js';
        response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
        response.end(isScript ? WORKER : REGISTERS);
      });
      onTestFinished(() => close(attacker));
      const port = await unassignedPort();
      await listen(attacker, port);
      const context = await newContext();
      const page = await context.newPage();
      await page.goto(`http://${name}:${port}/`);
      await expect.poll(() => page.title()).toBe('Registered');
      await close(attacker);

      const app = await run(port);
      expect(app.port).toBe(port);
      const next = await context.newPage();
      await next.goto(app.createLink().link);
      await next.getByRole('searchbox').waitFor();
      // The worker is still there.
      await page.reload();
      await page.getByText('Seen http').waitFor();
    },
  );

  // abuse.md 62
  it('receives nothing from a page of the run that has ended, which then shows no field', async () => {
    const app = await run(await unassignedPort());
    const page = await (await newContext()).newPage();
    await page.goto(app.createLink().link);
    await page.getByRole('searchbox').waitFor();
    await page.getByRole('navigation').getByText('Settings').click();
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await app.close();

    const { router } = await openIdleEngine(temporaryFolder());
    const { received, requested, stop } = await impostor(app.port, (socket) => {
      serveWebSocket(router, socket, () => undefined);
    });
    await page.getByText('Another program answers').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await page.keyboard.type('svc_live_x');
    const fields = await page.locator('input, textarea').evaluateAll((elements) =>
      elements.map((element) => {
        const { x, y } = element.getBoundingClientRect();
        const isCovered = document.elementFromPoint(x, y)?.closest('dialog') !== null;
        return { isCovered, value: (element as HTMLInputElement).value };
      }),
    );
    expect(fields.length).toBeGreaterThan(0);
    expect(fields.filter(({ isCovered, value }) => !isCovered || value.includes('svc'))).toEqual(
      [],
    );
    await page.getByText('Another program answers').waitFor();
    expect(received).toEqual([]);
    expect(requested.filter((target) => !/^\/(?:rpc\?challenge=\w+)?$/.test(target))).toEqual([]);
    await stop();

    // The page recognises the next run at that port.
    const next = await run(app.port);
    expect(next.port).toBe(app.port);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${next.origin}/`);
  });

  // abuse.md 62
  it('cannot stand between that page and the next run', async () => {
    const app = await run(await unassignedPort());
    const page = await (await newContext()).newPage();
    await page.goto(app.createLink().link);
    await page.getByRole('searchbox').waitFor();
    await app.close();
    const next = await run();
    // The relay names itself as the next run requires.
    const nextHost = `${new URL(app.origin).hostname}:${next.port}`;
    const relayed: string[] = [];
    // Passes everything on, in both directions.
    await impostor(app.port, (socket, request) => {
      const onward = new WebSocket(`ws://127.0.0.1:${next.port}${request.url ?? ''}`, {
        headers: { host: nextHost, origin: `http://${nextHost}` },
      });
      onward.on('error', () => undefined);
      onward.on('message', (data: Buffer) => {
        relayed.push(data.toString());
        socket.send(data.toString());
      });
      onward.on('close', () => socket.close());
      socket.on('message', (data: Buffer) => onward.send(data.toString()));
    });
    await page.waitForURL(`${next.origin}/`);
    await page.getByRole('searchbox').waitFor();
    expect(relayed.length).toBeGreaterThan(0);
    expect(relayed.join()).not.toContain('ticket');
  });
});
