import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import send from 'send';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Client } from '../contract/contract.ts';
import { messageIn } from '../contract/message-in.ts';
import { userMessage, type UserMessage } from '../contract/user-message.ts';
import { EngineError } from '../engine/engine-error.ts';
import { codeOf } from '../engine/error-codes.ts';
import { BoundedConnections } from './bounded-connections.ts';
import { redirectPage, linkRequiredPage } from './link-page.ts';
import { PAGE_HEADERS } from './page-headers.ts';
import { refuseUpgrade } from './refuse-upgrade.ts';
import {
  challengeIn,
  guardRequest,
  sessionCookieName,
  type GuardDecision,
} from './request-guard.ts';
import type { RunNames } from './run-names.ts';
import { MAX_MESSAGE_BYTES } from './serve-contract.ts';

export interface WebHostOptions {
  /** Serves the contract to a page, until its socket closes. */
  readonly answer: (page: WebSocket) => void;
  readonly client: Client;
  /** The folder of the built page; `null` where another server has the page. */
  readonly pageFolder: string | null;
  readonly names: RunNames;
  /** 1 to 65535; when left out, the preferred port or, if that is taken, any free one. */
  readonly port?: number | undefined;
  readonly preferredPort?: number | undefined;
}

export interface WebHost {
  readonly port: number;
  /** `http://`, the name of this run and the port. */
  readonly origin: string;
  /** Makes a link that opens the page once and sets the browser's session cookie. */
  readonly createLink: () => OneTimeLink;
  close(): Promise<void>;
}

export interface OneTimeLink {
  readonly link: string;
  /** Resolves when the link is no longer valid: it was used, or the host has closed. */
  readonly ended: Promise<'used' | 'closed'>;
}

interface Ticket extends OneTimeLink {
  readonly secret: string;
  readonly end: (how: 'used' | 'closed') => void;
}

/** The port is taken, or this user may not listen on it. */
export class CannotListenError extends EngineError {
  constructor(port: number, cause: Error) {
    const message = userMessage('port-unusable', { port });
    super({ code: 'not-possible-now', ...message, detail: cause.message }, { cause });
  }
}

/**
 * Serves the page and the contract to browsers on this computer. Every request and every upgrade
 * passes `guardRequest` first; a saved file is requested by its job's id, never by a path.
 */
export async function serveApp(options: WebHostOptions): Promise<WebHost> {
  const { names } = options;
  const name = names.create();
  const session = randomBytes(32).toString('hex');
  const tickets = new Set<Ticket>();
  /** The links of pages of ended runs, by the names of those runs: one for each at a time. */
  const links = new Map<string, Ticket>();
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  const connections = new BoundedConnections();
  let port = 0;

  function guard(request: IncomingMessage, upgrade: boolean): GuardDecision {
    const { host, origin, cookie, 'service-worker': serviceWorker } = request.headers;
    const { method = '', url: target = '' } = request;
    const decision = guardRequest(
      { method, target, host, origin, cookie, serviceWorker: serviceWorker?.toString(), upgrade },
      {
        name,
        port,
        session,
        tickets: [...tickets].map(({ secret }) => secret),
        isOurs: (each) => names.isOurs(each),
      },
    );
    if (decision.kind === 'allowed') connections.authenticate(request.socket);
    return decision;
  }

  function createLink(): Ticket {
    const { promise: ended, resolve } = Promise.withResolvers<'used' | 'closed'>();
    const secret = randomBytes(32).toString('hex');
    const link = `http://${name}:${port}/?ticket=${secret}`;
    const ticket: Ticket = {
      secret,
      link,
      ended,
      end(how) {
        tickets.delete(ticket);
        resolve(how);
      },
    };
    tickets.add(ticket);
    return ticket;
  }

  /** A page that asks again, such as one that waits for its user, gets the same link. */
  function linkFor(endedRun: string): string {
    const known = links.get(endedRun);
    if (known !== undefined && tickets.has(known)) return known.link;
    const ticket = createLink();
    links.set(endedRun, ticket);
    return ticket.link;
  }

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    for (const [header, value] of Object.entries(PAGE_HEADERS)) response.setHeader(header, value);
    const decision = guard(request, false);
    switch (decision.kind) {
      case 'refused':
        refuse(request, response, decision.status, decision.reason);
        return;
      case 'admitted':
        for (const ticket of tickets) if (ticket.secret === decision.ticket) ticket.end('used');
        sendSessionCookie(
          request,
          response,
          `${sessionCookieName(port)}=${session}; Path=/; HttpOnly; SameSite=Strict`,
        );
        return;
      case 'challenged':
        // Only upgrades are.
        refuse(request, response, 401, userMessage('page-link-needed'));
        return;
      case 'allowed':
        void route(request, response, options, names.pageKey(name).toString('hex'));
    }
  }

  function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // A broken connection needs no handling, but without a listener the error would end this
    // process.
    socket.on('error', () => undefined);
    const decision = guard(request, true);
    const challenge = challengeIn(request.url ?? '');
    const status =
      decision.kind === 'refused'
        ? decision.status
        : challenge === undefined && request.url !== '/rpc'
          ? 404
          : undefined;
    if (status !== undefined) {
      refuseUpgrade(socket, status);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      // A connection that breaks the protocol or exceeds the message limit is closed.
      webSocket.on('error', () => undefined);
      if (decision.kind === 'challenged') {
        const answer = { kind: 'moved', link: linkFor(decision.name) } as const;
        webSocket.send(names.seal(decision.name, decision.challenge, answer));
        webSocket.close();
        return;
      }
      if (challenge !== undefined) webSocket.send(names.seal(name, challenge, { kind: 'here' }));
      options.answer(webSocket);
    });
  }

  const { servers, port: given } = await listenOnLoopback(
    () =>
      createServer(onRequest)
        .on('upgrade', onUpgrade)
        .on('connection', (socket) => connections.add(socket)),
    options,
  );
  port = given;

  return {
    port,
    origin: `http://${name}:${port}`,
    createLink,
    async close() {
      for (const ticket of tickets) ticket.end('closed');
      for (const webSocket of sockets.clients) webSocket.terminate();
      await Promise.all(servers.map((server) => closeServer(server)));
    },
  };
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

interface Listening {
  readonly servers: readonly Server[];
  readonly port: number;
}

/** How often a port is tried that is free on 127.0.0.1 and taken on ::1. */
const MAX_ATTEMPTS = 20;

async function listenOnLoopback(
  create: () => Server,
  { port, preferredPort }: Pick<WebHostOptions, 'port' | 'preferredPort'>,
): Promise<Listening> {
  if (port !== undefined) {
    return listenOnBoth(create, port).catch((cause: unknown) => {
      throw new CannotListenError(port, cause as Error);
    });
  }
  let attempt = listenOnBoth(create, preferredPort ?? 0);
  for (let count = 1; count < MAX_ATTEMPTS; count += 1) {
    attempt = attempt.catch(() => listenOnBoth(create, 0));
  }
  return attempt;
}

/**
 * Listens on 127.0.0.1 and ::1: browsers try both for a name below `localhost`, so another user
 * must have neither.
 */
async function listenOnBoth(create: () => Server, port: number): Promise<Listening> {
  const first = create();
  const given = await listen(first, '127.0.0.1', port);
  const second = create();
  try {
    await listen(second, '::1', given);
    return { servers: [first, second], port: given };
  } catch (error) {
    // A computer without IPv6: browsers cannot connect to it either.
    if (NO_IPV6.has(codeOf(error) ?? '')) return { servers: [first], port: given };
    await closeServer(first);
    throw error;
  }
}

const NO_IPV6 = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EPROTONOSUPPORT']);

async function listen(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
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
  pageKey: string,
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
      if (pathname === '/' || pathname === '/index.html') {
        await sendPage(response, pageFolder, pageKey);
        return;
      }
      const stream = send(request, pathname, { root: pageFolder, dotfiles: 'deny', maxAge: 0 });
      stream.on('error', () => refuse(request, response, 404, userMessage('page-nothing-here')));
      stream.pipe(response);
    }
  }
}

/** The document of the page, with its key. */
async function sendPage(response: ServerResponse, folder: string, key: string): Promise<void> {
  const page = await readFile(join(folder, 'index.html'), 'utf8').catch(() => null);
  response.writeHead(page === null ? 404 : 200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  response.end(page?.replace('</title>', `</title><meta name="spool-page-key" content="${key}">`));
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

function sendSessionCookie(
  request: IncomingMessage,
  response: ServerResponse,
  cookie: string,
): void {
  const { headers, body } = redirectPage(request.url ?? '');
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
  const localize = (message: UserMessage): string => messageIn(language, message);
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
