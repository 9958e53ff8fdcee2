import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './api/guard.ts';

/** Limits of open connections. */
export interface ConnectionLimits {
  readonly total: number;
  /** From one address (`networkOf`). */
  readonly perAddress: number;
}

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** The request being received or answered. */
  exchange: { readonly request: IncomingMessage; readonly response: ServerResponse } | undefined;
}

/**
 * The open connections, limited in number. A new one above the limit closes the oldest idle one, so
 * that a client that opens connections without using them cannot block others.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  /** By the client's address and port, in the order of their last use. */
  readonly #open = new Map<string, Connection>();

  /** @param server reads the requests that arrive on the connections */
  constructor(server: HttpServer, limits: ConnectionLimits) {
    this.#limits = limits;
    server.on('request', (request, response) => this.#follow(request, response));
  }

  /** Adds a connection; false when it was refused because all others are in use. */
  add(socket: Socket): boolean {
    const address = networkOf(socket.remoteAddress ?? '');
    const all = [...this.#open.values()];
    const same = all.filter((connection) => connection.address === address);
    const isFull = all.length >= this.#limits.total;
    if (same.length >= this.#limits.perAddress) {
      if (!closeOldest(same)) return false;
    } else if (isFull && !closeOldest(all)) return false;
    const key = keyOf(socket);
    this.#open.set(key, { socket, address, exchange: undefined });
    socket.once('close', () => this.#open.delete(key));
    return true;
  }

  closeAll(): void {
    for (const { socket } of this.#open.values()) socket.destroy();
  }

  #follow(request: IncomingMessage, response: ServerResponse): void {
    // Over TLS the request's socket is another object than the connection's.
    const key = keyOf(request.socket);
    const exchange = { request, response };
    this.#use(key, exchange);
    // The client has read some of the waiting response.
    response.on('drain', () => this.#use(key, exchange));
    response.once('close', () => this.#use(key, undefined));
  }

  #use(key: string, exchange: Connection['exchange']): void {
    const connection = this.#open.get(key);
    if (!connection) return;
    connection.exchange = exchange;
    this.#open.delete(key);
    this.#open.set(key, connection);
  }
}

/** Closes the first that has no request, otherwise the first that waits for its client. */
function closeOldest(inOrder: readonly Connection[]): boolean {
  const oldest = inOrder.find(({ exchange }) => !exchange) ?? inOrder.find(waitsForClient);
  oldest?.socket.destroy();
  return oldest !== undefined;
}

/** Whether the client has still to send its request, or to read the response. */
function waitsForClient({ exchange }: Connection): boolean {
  return exchange !== undefined && (!exchange.request.complete || exchange.response.headersSent);
}

function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
