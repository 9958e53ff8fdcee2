import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
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
import {
  guardRequest,
  sessionCookieName,
  type GuardDecision,
} from '../../src/host/request-guard.ts';

/** Targets that the web host answers; Vite answers all others. */
const HOST_TARGETS = /^\/(?:rpc$|saved\/|posters\/)/;

/** A session of a running web host (`src/host/web-host.ts`). */
export interface HostSession {
  /** The name of its run, and its port. */
  readonly host: string;
  readonly port: number;
  readonly cookie: string;
}

export interface DevServerOptions {
  /** Absolute path of the page's folder. */
  readonly pageFolder: string;
  /** Folders whose files the page may load. */
  readonly allowed: readonly string[];
  readonly plugins: readonly PluginOption[];
  /** The port to listen on; if it is in use, the server listens on a free one. */
  readonly port: number;
  /** The current web host; `null` while it is starting. */
  readonly host: () => HostSession | null;
}

export interface DevServer {
  /** Opens the page and sets its session cookie; valid until the server closes. */
  readonly link: string;
  close(): Promise<void>;
}

/**
 * Serves the page from its sources, with hot reload, and forwards all other requests to the web
 * host. Its link stays the same when the host restarts. It checks requests as the web host does,
 * because it adds the host's session to those that it forwards.
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const token = randomBytes(32).toString('hex');
  let port = 0;
  // Vite listens for upgrades on this server, which receives only those that were allowed.
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

  function guard(
    { method = '', url = '', headers }: IncomingMessage,
    upgrade: boolean,
  ): GuardDecision {
    const { host, origin, cookie } = headers;
    const request = { method, target: url, host, origin, cookie, upgrade };
    return guardRequest(
      { ...request, serviceWorker: undefined },
      { name: '127.0.0.1', port, session: token, tickets: [token], isOurs: () => false },
    );
  }

  const server = createHttpServer((request, response) => {
    for (const [name, value] of Object.entries(DEV_HEADERS)) response.setHeader(name, value);
    const decision = guard(request, false);
    switch (decision.kind) {
      case 'refused':
        end(response, decision.status, decision.reason.message);
        return;
      case 'admitted': {
        const { headers, body } = redirectPage('');
        const cookie = `${sessionCookieName(port)}=${token}; Path=/; HttpOnly; SameSite=Strict`;
        response.writeHead(200, { ...headers, 'Set-Cookie': cookie });
        response.end(body);
        return;
      }
      case 'challenged':
        end(response, 401, STARTING);
        return;
      case 'allowed':
        if (HOST_TARGETS.test(request.url ?? '')) forwardRequest(request, response, options.host());
        else vite.middlewares(request, response);
    }
  });

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const decision = guard(request, true);
    if (decision.kind !== 'allowed') closeUpgrade(socket, 401);
    else if (request.url === '/rpc') forwardUpgrade(request, socket, head, options.host());
    else hotReload.emit('upgrade', request, socket, head);
  });

  port = await listen(server, options.port);
  return {
    link: `http://127.0.0.1:${port}/?ticket=${token}`,
    async close() {
      await vite.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The headers of the built page, except that Vite may insert styles. */
const DEV_HEADERS: Readonly<Record<string, string>> = {
  ...PAGE_HEADERS,
  'Content-Security-Policy': (PAGE_HEADERS['Content-Security-Policy'] ?? '').replace(
    "style-src 'self'",
    "style-src 'self' 'unsafe-inline'",
  ),
};

/** The link that the web host prints first; `null` for any other line. */
export function hostLinkIn(line: string): string | null {
  return /^Spool is at (http:\S+)$/.exec(line)?.[1] ?? null;
}

/** Opens the link, which works once, as a browser does. */
export async function openHostLink(link: string): Promise<HostSession> {
  const { host, port, pathname, search } = new URL(link);
  // Not by `fetch`, which would look up the host's name.
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    path: pathname + search,
    headers: { host },
  }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  const cookie = response.headers['set-cookie']?.[0]?.split(';')[0];
  if (cookie === undefined) throw new Error('The link of the web host is not valid.');
  return { host, port: Number(port), cookie };
}

/** The headers that the web host checks: its own host, origin and cookie. */
function headersFor({ host, cookie }: HostSession): Record<'host' | 'origin' | 'cookie', string> {
  return { host, origin: `http://${host}`, cookie };
}

const STARTING = 'The engine is starting. Try again in a moment.';

function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  host: HostSession | null,
): void {
  if (host === null) {
    end(response, 503, STARTING);
    return;
  }
  const forwarded = httpRequest({
    host: '127.0.0.1',
    port: host.port,
    path: request.url,
    method: request.method,
    headers: { ...request.headers, ...headersFor(host) },
  });
  forwarded.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  forwarded.once('error', () => end(response, 503, STARTING));
  response.once('close', () => forwarded.destroy());
  forwarded.end();
}

function forwardUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  host: HostSession | null,
): void {
  if (host === null) {
    closeUpgrade(socket, 503);
    return;
  }
  const forwarded = connect(host.port, '127.0.0.1', () => {
    const headers = Object.entries({ ...request.headers, ...headersFor(host) });
    const lines = headers.map(([name, value]) => `${name}: ${String(value)}`);
    forwarded.write(`GET ${request.url ?? '/'} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    forwarded.write(head);
    socket.pipe(forwarded).pipe(socket);
  });
  forwarded.once('error', () => closeUpgrade(socket, 503));
  forwarded.once('close', () => socket.destroy());
  socket.once('close', () => forwarded.destroy());
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
