import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { basename, dirname } from 'node:path';
import type { Duplex } from 'node:stream';
import send from 'send';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Client } from '../contract/contract.ts';
import { GERMAN_MESSAGES } from '../contract/german-messages.ts';
import { translated } from '../contract/translated.ts';
import { inEnglish, userMessage, type UserMessage } from '../contract/user-message.ts';
import { EngineError } from '../engine/engine-error.ts';
import { redirectPage, linkRequiredPage } from './link-page.ts';
import { PAGE_HEADERS } from './page-headers.ts';
import { refuseUpgrade } from './refuse-upgrade.ts';
import { guardRequest, sessionCookieName, type GuardDecision } from './request-guard.ts';
import { MAX_MESSAGE_BYTES } from './serve-contract.ts';

export interface WebHostOptions {
  /** Serves the contract to a page, until its socket closes. */
  readonly answer: (page: WebSocket) => void;
  readonly client: Client;
  /** The folder of the built page; `null` where another server has the page. */
  readonly pageFolder: string | null;
  /** 1 to 65535; when left out, the preferred port or, if that is taken, any free one. */
  readonly port?: number | undefined;
  readonly preferredPort?: number | undefined;
}

export interface WebHost {
  readonly port: number;
  /** The first link: opens the page and sets the browser's session cookie. */
  readonly link: string;
  /** Makes a link that works once. Making another one invalidates it. */
  readonly createOneTimeLink: () => OneTimeLink;
  close(): Promise<void>;
}

export interface OneTimeLink {
  readonly link: string;
  /** Resolves when the link is no longer valid: it was used, or the host has closed. */
  readonly ended: Promise<unknown>;
}

/** The port is taken, or this user may not listen on it. */
export class CannotListenError extends EngineError {
  constructor(port: number, cause: Error) {
    const message = `Spool cannot be served on port ${port}; choose another one with --port.`;
    super({ code: 'not-possible-now', ...inEnglish(message), detail: cause.message }, { cause });
  }
}

/**
 * Serves the page and the contract to browsers on this computer. Every request and every upgrade
 * passes `guardRequest` first; a saved file is requested by its job's id, never by a path.
 */
export async function serveApp(options: WebHostOptions): Promise<WebHost> {
  const token = randomBytes(32).toString('hex');
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  let port = 0;
  let ticket: { readonly secret: string; readonly end: () => void } | null = null;

  function guard(request: IncomingMessage, upgrade: boolean): GuardDecision {
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
    const decision = guard(request, false);
    switch (decision.kind) {
      case 'refused':
        refuse(request, response, decision.status, decision.reason);
        return;
      case 'admitted':
        if (decision.by === 'ticket') endTicket();
        sendSessionCookie(
          response,
          `${sessionCookieName(port)}=${token}; Path=/; HttpOnly; SameSite=Strict`,
        );
        return;
      case 'allowed':
        void route(request, response, options);
    }
  });

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A broken connection needs no handling, but without a listener the error would end this
    // process.
    socket.on('error', () => undefined);
    const decision = guard(request, true);
    const status =
      decision.kind === 'refused' ? decision.status : request.url === '/rpc' ? undefined : 404;
    if (status !== undefined) {
      refuseUpgrade(socket, status);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      // A connection that breaks the protocol or exceeds the message limit is closed.
      webSocket.on('error', () => undefined);
      options.answer(webSocket);
    });
  });

  port = await listenOn(server, options);

  return {
    port,
    link: `http://127.0.0.1:${port}/?token=${token}`,
    createOneTimeLink() {
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

/** @returns the port that the server listens on */
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
      // The system could not accept a connection. Without a listener, this would end the process.
      server.on('error', () => undefined);
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
      sendSavedFile(request, response, {
        path: await savedFilePath(client, jobId),
        headers: { 'Content-Type': 'video/mp4', 'Cache-Control': 'no-store' },
        notFound: userMessage('page-video-moved'),
      });
      return;
    case 'posters':
      sendSavedFile(request, response, {
        path: await posterPath(client, jobId),
        // Requested often while a list is scrolled, and seldom changed.
        headers: { 'Content-Type': 'image/jpeg', 'Cache-Control': 'private, no-cache' },
        notFound: userMessage('page-no-poster'),
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

interface SavedFile {
  /** The path that the engine reports; `null` when there is none. */
  readonly path: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly notFound: UserMessage;
}

/** Sends a file from outside the page's folder. */
function sendSavedFile(
  request: IncomingMessage,
  response: ServerResponse,
  { path, headers, notFound }: SavedFile,
): void {
  if (path === null) {
    refuse(request, response, 404, notFound);
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
  stream.on('error', () => refuse(request, response, 404, notFound));
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

function sendSessionCookie(response: ServerResponse, cookie: string): void {
  const { headers, body } = redirectPage();
  response.writeHead(200, { ...headers, 'Set-Cookie': cookie });
  response.end(body);
}

/** Set for a file before it is opened. */
const FILE_HEADERS = ['Accept-Ranges', 'Content-Length', 'Content-Range', 'ETag', 'Last-Modified'];

/**
 * Answers in the language that the browser prefers: the app's own setting is not available here.
 */
function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  reason: UserMessage,
): void {
  // The file could not be read to its end.
  if (response.headersSent) {
    response.destroy();
    return;
  }
  for (const name of FILE_HEADERS) response.removeHeader(name);
  const isGerman = /^\s*de\b/i.test(request.headers['accept-language'] ?? '');
  const language = isGerman ? 'de' : 'en';
  const localize = (message: UserMessage): string =>
    isGerman
      ? translated(message, GERMAN_MESSAGES, { bytes: String, count: String })
      : message.message;
  // Shown to a user who opens or reloads the page. The page's own requests read only the status.
  if (status === 401 && request.headers.accept?.includes('text/html')) {
    const { headers, body } = linkRequiredPage(
      language,
      localize(userMessage('page-link-needed')),
      localize(userMessage('page-link-needed-why')),
    );
    response.writeHead(status, headers);
    response.end(body);
    return;
  }
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Language': language,
  });
  response.end(`${localize(reason)}\n`);
}
