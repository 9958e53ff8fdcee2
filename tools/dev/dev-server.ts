import { randomBytes } from 'node:crypto';
import {
  createServer as createHttpServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createViteServer, type PluginOption } from 'vite';
import { redirectPage } from '../../src/host/link-page.ts';
import { PAGE_HEADERS } from '../../src/host/page-headers.ts';
import { guardRequest, sessionCookieName, type Verdict } from '../../src/host/request-guard.ts';

/** What the web host answers; all other addresses are the page's, which Vite answers. */
const OF_THE_HOST = /^\/(?:rpc$|saved\/|posters\/)/;

/** A running web host (`src/host/web-host.ts`), by the link that it printed. */
export interface HostAddress {
  readonly port: number;
  readonly token: string;
}

export interface DevServerOptions {
  /** Absolute path of the page's folder. */
  readonly pageFolder: string;
  /** Folders whose files the page may load. */
  readonly allowed: readonly string[];
  readonly plugins: readonly PluginOption[];
  /** The port to listen on, or any free one where that is taken. */
  readonly port: number;
  /** The web host of the moment; `null` while it is starting. */
  readonly host: () => HostAddress | null;
}

export interface DevServer {
  /** Opens the page and hands the browser its cookie; valid until the server closes. */
  readonly link: string;
  close(): Promise<void>;
}

/**
 * Serves the page from its sources, with hot reload, and passes all other requests to the web host.
 * Its link stays the same while hosts come and go. It admits requests as the web host does, since
 * it knows that host's token.
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const token = randomBytes(32).toString('hex');
  let port = 0;
  // Vite listens for upgrades here, and gets those that were admitted.
  const hotReload = createHttpServer();
  const vite = await createViteServer({
    configFile: false,
    root: options.pageFolder,
    logLevel: 'warn',
    plugins: [...options.plugins],
    server: {
      middlewareMode: true,
      hmr: { server: hotReload },
      fs: { allow: [...options.allowed] },
    },
  });

  function judge({ method = '', url = '', headers }: IncomingMessage, upgrade: boolean): Verdict {
    const { host, origin, cookie } = headers;
    const request = { method, target: url, host, origin, cookie, upgrade };
    return guardRequest(request, { port, token, ticket: null });
  }

  const server = createHttpServer((request, response) => {
    for (const [name, value] of Object.entries(DEV_HEADERS)) response.setHeader(name, value);
    const verdict = judge(request, false);
    switch (verdict.kind) {
      case 'refused':
        end(response, verdict.status, verdict.reason.message);
        return;
      case 'admitted': {
        const { headers, body } = redirectPage();
        const cookie = `${sessionCookieName(port)}=${token}; Path=/; HttpOnly; SameSite=Strict`;
        response.writeHead(200, { ...headers, 'Set-Cookie': cookie });
        response.end(body);
        return;
      }
      case 'allowed':
        if (OF_THE_HOST.test(request.url ?? '')) passOn(request, response, options.host());
        else vite.middlewares(request, response);
    }
  });

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const verdict = judge(request, true);
    if (verdict.kind !== 'allowed') closeUpgrade(socket, 401);
    else if (request.url === '/rpc') passUpgradeOn(request, socket, head, options.host());
    else hotReload.emit('upgrade', request, socket, head);
  });

  port = await listen(server, options.port);
  return {
    link: `http://127.0.0.1:${port}/?token=${token}`,
    async close() {
      await vite.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** As the built page has them, but for the styles that Vite puts into the page while it runs. */
const DEV_HEADERS: Readonly<Record<string, string>> = {
  ...PAGE_HEADERS,
  'Content-Security-Policy': (PAGE_HEADERS['Content-Security-Policy'] ?? '').replace(
    "style-src 'self'",
    "style-src 'self' 'unsafe-inline'",
  ),
};

/** The link that the web host prints; `null` for any other line. */
export function hostAddressIn(line: string): HostAddress | null {
  const [, port, token] = /http:\/\/127\.0\.0\.1:(\d+)\/\?token=([0-9a-f]+)/.exec(line) ?? [];
  return port === undefined || token === undefined ? null : { port: Number(port), token };
}

/** What the web host wants to see: its own name, origin and cookie. */
function headersFor({ port, token }: HostAddress): Record<'host' | 'origin' | 'cookie', string> {
  return {
    host: `127.0.0.1:${port}`,
    origin: `http://127.0.0.1:${port}`,
    cookie: `${sessionCookieName(port)}=${token}`,
  };
}

const STARTING = 'The engine is starting. Try again in a moment.';

function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  host: HostAddress | null,
): void {
  if (host === null) {
    end(response, 503, STARTING);
    return;
  }
  const passed = httpRequest({
    host: '127.0.0.1',
    port: host.port,
    path: request.url,
    method: request.method,
    headers: { ...request.headers, ...headersFor(host) },
  });
  passed.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  passed.once('error', () => end(response, 503, STARTING));
  response.once('close', () => passed.destroy());
  passed.end();
}

function passUpgradeOn(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  host: HostAddress | null,
): void {
  if (host === null) {
    closeUpgrade(socket, 503);
    return;
  }
  const passed = connect(host.port, '127.0.0.1', () => {
    const headers = Object.entries({ ...request.headers, ...headersFor(host) });
    const lines = headers.map(([name, value]) => `${name}: ${String(value)}`);
    passed.write(`GET ${request.url ?? '/'} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    passed.write(head);
    socket.pipe(passed).pipe(socket);
  });
  passed.once('error', () => closeUpgrade(socket, 503));
  passed.once('close', () => socket.destroy());
  socket.once('close', () => passed.destroy());
}

function closeUpgrade(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function end(response: ServerResponse, status: number, reason: string): void {
  if (!response.headersSent) {
    response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
  }
  response.end(`${reason}\n`);
}

async function listen(server: Server, preferred: number): Promise<number> {
  const tryPort = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  await tryPort(preferred).catch(() => tryPort(0));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port was given.');
  return address.port;
}
