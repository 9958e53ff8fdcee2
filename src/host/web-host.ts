/** The server of `spool web`: the page and the contract, for browsers on this computer. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Client } from '../contract/contract.ts';
import { userMessage } from '../contract/user-message.ts';
import { BoundedConnections } from './bounded-connections.ts';
import { redirectPage } from './link-page.ts';
import { closeServer, listenOnLoopback } from './loopback-servers.ts';
import { OneTimeLinks, type OneTimeLink } from './one-time-links.ts';
import { servePage } from './page-files.ts';
import { PAGE_HEADERS } from './page-headers.ts';
import { refuseRequest } from './refuse-request.ts';
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

/** Rejects when no port can be had. */
export async function serveApp(options: WebHostOptions): Promise<WebHost> {
  const server = new PageServer(options);
  await server.listen();
  return {
    port: server.port,
    origin: server.origin,
    createLink: () => server.links.create(),
    close: () => server.close(),
  };
}

/** Every request and every upgrade passes `guardRequest` first. */
class PageServer {
  readonly #options: WebHostOptions;
  readonly #name: string;
  readonly #session = randomBytes(32).toString('hex');
  readonly links = new OneTimeLinks((secret) => `${this.origin}/?ticket=${secret}`);
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  readonly #connections = new BoundedConnections();
  #servers: readonly Server[] = [];
  #port = 0;

  constructor(options: WebHostOptions) {
    this.#options = options;
    this.#name = options.names.create();
  }

  get port(): number {
    return this.#port;
  }

  get origin(): string {
    return `http://${this.#name}:${this.#port}`;
  }

  async listen(): Promise<void> {
    const create = (): Server =>
      createServer((request, response) => this.#onRequest(request, response))
        .on('upgrade', (request, socket, head) => this.#onUpgrade(request, socket, head))
        .on('connection', (socket) => this.#connections.add(socket));
    const { port, preferredPort } = this.#options;
    const listening = await listenOnLoopback(create, port, preferredPort);
    this.#servers = listening.servers;
    this.#port = listening.port;
  }

  async close(): Promise<void> {
    this.links.close();
    for (const webSocket of this.#sockets.clients) webSocket.terminate();
    await Promise.all(this.#servers.map((server) => closeServer(server)));
  }

  #guard(request: IncomingMessage, upgrade: boolean): GuardDecision {
    const { host, origin, cookie, 'service-worker': serviceWorker } = request.headers;
    const { method = '', url: target = '' } = request;
    const decision = guardRequest(
      { method, target, host, origin, cookie, serviceWorker: serviceWorker?.toString(), upgrade },
      {
        name: this.#name,
        port: this.#port,
        session: this.#session,
        tickets: this.links.secrets,
        isOurs: (each) => this.#options.names.isOurs(each),
      },
    );
    if (decision.kind === 'allowed') this.#connections.authenticate(request.socket);
    return decision;
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    for (const [header, value] of Object.entries(PAGE_HEADERS)) response.setHeader(header, value);
    const decision = this.#guard(request, false);
    switch (decision.kind) {
      case 'refused':
        refuseRequest(request, response, decision.status, decision.reason);
        return;
      case 'admitted':
        this.links.use(decision.ticket);
        this.#sendSessionCookie(request, response);
        return;
      case 'challenged':
        // Only upgrades are.
        refuseRequest(request, response, 401, userMessage('page-link-needed'));
        return;
      case 'allowed': {
        const { client, pageFolder: folder, names } = this.#options;
        const key = names.pageKey(this.#name).toString('hex');
        void servePage(request, response, { client, folder, key });
      }
    }
  }

  #sendSessionCookie(request: IncomingMessage, response: ServerResponse): void {
    const { headers, body } = redirectPage(request.url ?? '');
    const cookie = `${sessionCookieName(this.#port)}=${this.#session}; Path=/; HttpOnly; SameSite=Strict`;
    response.writeHead(200, { ...headers, 'Set-Cookie': cookie });
    response.end(body);
  }

  #onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // A broken connection needs no handling, but without a listener the error would end this
    // process.
    socket.on('error', () => undefined);
    const decision = this.#guard(request, true);
    const challenge = challengeIn(request.url ?? '');
    if (decision.kind === 'refused') {
      refuseUpgrade(socket, decision.status);
      return;
    }
    if (challenge === undefined && request.url !== '/rpc') {
      refuseUpgrade(socket, 404);
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      // A connection that breaks the protocol or exceeds the message limit is closed.
      webSocket.on('error', () => undefined);
      this.#answer(webSocket, decision, challenge);
    });
  }

  #answer(webSocket: WebSocket, decision: GuardDecision, challenge: string | undefined): void {
    const { names, answer } = this.#options;
    if (decision.kind === 'challenged') {
      const moved = { kind: 'moved', link: this.links.forEndedRun(decision.name) } as const;
      webSocket.send(names.seal(decision.name, decision.challenge, moved));
      webSocket.close();
      return;
    }
    if (challenge !== undefined) {
      webSocket.send(names.seal(this.#name, challenge, { kind: 'here' }));
    }
    answer(webSocket);
  }
}
