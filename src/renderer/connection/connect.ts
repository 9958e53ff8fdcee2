import { createORPCClient, DynamicLink, type ClientContext } from '@orpc/client';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as SocketLink } from '@orpc/client/websocket';
import type { Client } from '../../contract/contract.ts';
import type { ConnectionLoss } from './live-feed.svelte.ts';
import { MovedError, openVerified, UnverifiedHostError } from './verified-socket.ts';

/** The page's only connection to the engine. */
export interface Connection {
  readonly client: Client;
  /** Finds out why there is no connection. Never rejects. */
  connectionLoss(): Promise<ConnectionLoss>;
  /** Opens the page of the current run, with these parameters, after the loss `moved`. */
  continueWith(parameters: Readonly<Record<string, string>>): void;
}

/**
 * Opens the page's connection: in Electron, the port of the preload script; else the WebSocket of
 * the web host that served this page.
 */
export function connect(page: Window): Connection {
  // The web host serves only loopback, without TLS; Electron's window has a separate scheme.
  return page.location.protocol === 'http:'
    ? new SocketConnection(page)
    : {
        client: overPort(page),
        // A port reports no cause.
        connectionLoss: () => Promise.resolve('unknown'),
        continueWith: () => undefined,
      };
}

/** How long the host may take to report why a connection was lost, in milliseconds. */
const MAX_REASON_MS = 5000;

interface OpenSocket {
  readonly socket: WebSocket;
  readonly link: SocketLink<ClientContext>;
}

/**
 * Its calls share one socket. A call without an open socket opens one: the live feed decides when to
 * try again, and no other part needs to reconnect.
 */
class SocketConnection implements Connection {
  readonly client: Client;
  readonly #page: Window;
  readonly #address: URL;
  /** Of the document that the host served; the development server, which is for one user, has none. */
  readonly #key: string | undefined;
  #open: Promise<OpenSocket> | null = null;
  /** Why the last attempt failed. */
  #error: unknown = null;

  constructor(page: Window) {
    this.#page = page;
    this.#address = new URL('/rpc', page.location.href);
    this.#address.protocol = 'ws:';
    this.#key = page.document.querySelector<HTMLMetaElement>('[name=spool-page-key]')?.content;
    this.client = createORPCClient(new DynamicLink(async () => (await this.#opened()).link));
  }

  async connectionLoss(): Promise<ConnectionLoss> {
    const known = this.#knownLoss();
    if (known !== null) return known;
    // A WebSocket reports no reason for its failure.
    const { signal, stop } = timeLimit(MAX_REASON_MS);
    try {
      await this.#page.fetch('/', { method: 'HEAD', cache: 'no-store', signal });
      // Spool may have started meanwhile, and accepts the WebSockets of its pages.
      const isOpen = await this.#opened().then(
        () => true,
        () => false,
      );
      return this.#knownLoss() ?? (isOpen || this.#key === undefined ? 'unknown' : 'unverified');
    } catch {
      return signal.aborted ? 'unknown' : 'not-running';
    } finally {
      stop();
    }
  }

  continueWith(parameters: Readonly<Record<string, string>>): void {
    if (!(this.#error instanceof MovedError)) return;
    const link = new URL(this.#error.link);
    for (const [name, value] of Object.entries(parameters)) link.searchParams.set(name, value);
    this.#page.location.replace(link);
  }

  #knownLoss(): ConnectionLoss | null {
    if (this.#error instanceof MovedError) return 'moved';
    return this.#error instanceof UnverifiedHostError ? 'unverified' : null;
  }

  async #opened(): Promise<OpenSocket> {
    const known = this.#open;
    const open = await known?.catch(() => null);
    if (open && open.socket.readyState <= WebSocket.OPEN) return open;
    // Of several calls that find no open socket, the first one opens it.
    if (this.#open === known || this.#open === null) this.#open = this.#openSocket();
    return this.#open;
  }

  async #openSocket(): Promise<OpenSocket> {
    try {
      const socket =
        this.#key === undefined
          ? new WebSocket(this.#address)
          : await openVerified(this.#address, this.#key);
      this.#error = null;
      return { socket, link: new SocketLink({ websocket: socket }) };
    } catch (error) {
      this.#error = error;
      throw error;
    }
  }
}

function timeLimit(milliseconds: number) {
  const limit = new AbortController();
  const timer = setTimeout(() => {
    limit.abort();
  }, milliseconds);
  return {
    signal: limit.signal,
    stop: () => {
      clearTimeout(timer);
    },
  };
}

/** In Electron, the preload script answers the page's request with a port, and only once. */
function overPort(page: Window): Client {
  const portLink = new Promise<PortLink<ClientContext>>((resolve) => {
    const receive = (event: MessageEvent<unknown>): void => {
      const [port] = event.ports;
      if (event.source !== page || event.data !== 'spool:port' || port === undefined) return;
      page.removeEventListener('message', receive);
      port.start();
      resolve(new PortLink({ port }));
    };
    page.addEventListener('message', receive);
  });
  page.postMessage('spool:port-please', page.location.origin);
  return createORPCClient(new DynamicLink(() => portLink));
}
