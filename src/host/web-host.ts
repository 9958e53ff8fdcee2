import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { basename, dirname } from 'node:path';
import type { Duplex } from 'node:stream';
import send from 'send';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Client } from '../contract/contract.ts';
import { GERMAN_MESSAGES } from '../contract/german-messages.ts';
import { inEnglish, userMessage, translated, type UserMessage } from '../contract/user-message.ts';
import { EngineError } from '../engine/engine-error.ts';
import { admittedPage, linkNeededPage } from './link-page.ts';
import { PAGE_HEADERS } from './page-headers.ts';
import { guardRequest, sessionCookieName, type Verdict } from './request-guard.ts';
import { MAX_MESSAGE_BYTES } from './serve-contract.ts';

export interface WebHostOptions {
  /** Answers the contract to a page, until its socket closes. */
  readonly answer: (page: WebSocket) => void;
  readonly client: Client;
  /** The folder of the built page; `null` where another server has the page. */
  readonly pageFolder: string | null;
  /** 1 to 65535; when left out, the preferred port or, where that is taken, any free one. */
  readonly port?: number | undefined;
  readonly preferredPort?: number | undefined;
}

export interface WebHost {
  readonly port: number;
  /** The first link: opens the page and hands the browser its cookie. */
  readonly link: string;
  /** Makes a link that does so once. Making another one ends it. */
  readonly linkForOnce: () => LinkForOnce;
  close(): Promise<void>;
}

export interface LinkForOnce {
  readonly link: string;
  /** Resolves when the link is no longer valid: it was used, or the host has closed. */
  readonly ended: Promise<unknown>;
}

/** The port is taken, or not one that this user may listen on. */
export class CannotListenError extends EngineError {
  constructor(port: number, cause: Error) {
    const message = `Spool cannot be served on port ${port}; choose another one with --port.`;
    super({ code: 'not-possible-now', ...inEnglish(message), detail: cause.message }, { cause });
  }
}

/**
 * Serves the page and the contract to browsers on this computer. Every request and every upgrade
 * passes `guardRequest` first; a saved file is asked for by its job's id, never by a path.
 */
export async function serveApp(options: WebHostOptions): Promise<WebHost> {
  const token = randomBytes(32).toString('hex');
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  let port = 0;
  let ticket: { readonly secret: string; readonly end: () => void } | null = null;

  function judge(request: IncomingMessage, upgrade: boolean): Verdict {
    const { host, origin, cookie } = request.headers;
    const { method = '', url: target = '' } = request;
    return guardRequest(
      { method, target, host, origin, cookie, upgrade },
      { port, token, ticket: ticket?.secret ?? null },
    );
  }

  function endTicket(): void {
    ticket?.end();
    ticket = null;
  }

  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
    const verdict = judge(request, false);
    switch (verdict.kind) {
      case 'refused':
        refuse(request, response, verdict.status, verdict.reason);
        return;
      case 'admitted':
        if (verdict.by === 'ticket') endTicket();
        admit(response, `${sessionCookieName(port)}=${token}; Path=/; HttpOnly; SameSite=Strict`);
        return;
      case 'allowed':
        void route(request, response, options);
    }
  });

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A broken connection needs no handling, but without a listener the error would end this
    // process.
    socket.on('error', () => undefined);
    const verdict = judge(request, true);
    const status =
      verdict.kind === 'refused' ? verdict.status : request.url === '/rpc' ? undefined : 404;
    if (status !== undefined) {
      socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      // One that breaks the protocol, or says more than may be said at once, is closed.
      webSocket.on('error', () => undefined);
      options.answer(webSocket);
    });
  });

  port = await listenOn(server, options);

  return {
    port,
    link: `http://127.0.0.1:${port}/?token=${token}`,
    linkForOnce() {
      endTicket();
      const { promise: ended, resolve: end } = Promise.withResolvers<undefined>();
      ticket = { secret: randomBytes(32).toString('hex'), end: () => end(undefined) };
      return { link: `http://127.0.0.1:${port}/?ticket=${ticket.secret}`, ended };
    },
    async close() {
      endTicket();
      for (const webSocket of sockets.clients) webSocket.terminate();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** @returns the port that it listens on */
async function listenOn(
  server: Server,
  { port, preferredPort }: Pick<WebHostOptions, 'port' | 'preferredPort'>,
): Promise<number> {
  if (port !== undefined) {
    return listen(server, port).catch((cause: unknown) => {
      throw new CannotListenError(port, cause as Error);
    });
  }
  return listen(server, preferredPort ?? 0).catch(() => listen(server, 0));
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port was given.');
  return address.port;
}

async function route(
  request: IncomingMessage,
  response: ServerResponse,
  { client, pageFolder }: WebHostOptions,
): Promise<void> {
  const pathname = URL.parse(request.url ?? '/', 'http://127.0.0.1')?.pathname;
  if (pathname === undefined) {
    refuse(request, response, 404, userMessage('page-nothing-here'));
    return;
  }
  const [, kind, jobId = ''] = /^\/(saved|posters)\/([^/]+)$/.exec(pathname) ?? [];
  switch (kind) {
    case 'saved':
      sendOutside(request, response, {
        path: await savedFilePath(client, jobId),
        headers: { 'Content-Type': 'video/mp4', 'Cache-Control': 'no-store' },
        otherwise: userMessage('page-video-moved'),
      });
      return;
    case 'posters':
      sendOutside(request, response, {
        path: await posterPath(client, jobId),
        // Asked for again and again while a list is scrolled, and seldom another.
        headers: { 'Content-Type': 'image/jpeg', 'Cache-Control': 'private, no-cache' },
        otherwise: userMessage('page-no-poster'),
      });
      return;
    default: {
      if (pageFolder === null) {
        refuse(request, response, 404, userMessage('page-nothing-here'));
        return;
      }
      const stream = send(request, pathname, { root: pageFolder, dotfiles: 'deny', maxAge: 0 });
      stream.on('error', () => refuse(request, response, 404, userMessage('page-nothing-here')));
      stream.pipe(response);
    }
  }
}

interface OutsideFile {
  /** Where the engine says that it is; `null`: nowhere. */
  readonly path: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly otherwise: UserMessage;
}

/** Sends a file that is no part of the page. */
function sendOutside(
  request: IncomingMessage,
  response: ServerResponse,
  { path, headers, otherwise }: OutsideFile,
): void {
  if (path === null) {
    refuse(request, response, 404, otherwise);
    return;
  }
  const stream = send(request, encodeURIComponent(basename(path)), {
    root: dirname(path),
    dotfiles: 'allow',
    cacheControl: false,
    index: false,
  });
  stream.on('headers', () => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  });
  stream.on('error', () => refuse(request, response, 404, otherwise));
  stream.pipe(response);
}

async function posterPath(client: Client, jobId: string): Promise<string | null> {
  try {
    return (await client.files.poster({ id: decodeURIComponent(jobId) })).path;
  } catch {
    return null;
  }
}

async function savedFilePath(client: Client, jobId: string): Promise<string | null> {
  try {
    const { job } = await client.jobs.show({ id: decodeURIComponent(jobId) });
    return job.state === 'done' ? (job.file?.path ?? null) : null;
  } catch {
    return null;
  }
}

function admit(response: ServerResponse, cookie: string): void {
  const { headers, body } = admittedPage();
  response.writeHead(200, { ...headers, 'Set-Cookie': cookie });
  response.end(body);
}

/** In the language that the browser asks for first; nothing of the app is there to choose another. */
function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  reason: UserMessage,
): void {
  const isGerman = /^\s*de\b/i.test(request.headers['accept-language'] ?? '');
  const language = isGerman ? 'de' : 'en';
  const inLanguage = (told: UserMessage): string =>
    isGerman ? translated(told, GERMAN_MESSAGES, { bytes: String, count: String }) : told.message;
  // Shown to a person who opens or reloads the page. The page's own requests read only the status.
  if (status === 401 && request.headers.accept?.includes('text/html')) {
    const { headers, body } = linkNeededPage(
      language,
      inLanguage(userMessage('page-link-needed')),
      inLanguage(userMessage('page-link-needed-why')),
    );
    response.writeHead(status, headers);
    response.end(body);
    return;
  }
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Language': language,
  });
  response.end(`${inLanguage(reason)}\n`);
}
