import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './api/guard.ts';

/** Maximum numbers of open connections. */
export interface ConnectionLimits {
  readonly total: number;
  /** From one address (`networkOf`). */
  readonly perAddress: number;
}

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** The request that is being received or answered. */
  exchange: { readonly request: IncomingMessage; readonly response: ServerResponse } | undefined;
}

/**
 * Limits the number of open connections. A new one above the limit closes the one that has been
 * idle longest, so a client that opens connections without using them cannot block others.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  /** By the client's address and port, least recently used first. */
  readonly #open = new Map<string, Connection>();

  /** @param server reads the requests that arrive on the connections */
  constructor(server: HttpServer, limits: ConnectionLimits) {
    this.#limits = limits;
    server.on('request', (request, response) => this.#trackRequest(request, response));
  }

  /** Adds a connection. @returns false if it is refused because all others are in use */
  add(socket: Socket): boolean {
    const address = networkOf(socket.remoteAddress ?? '');
    const all = [...this.#open.values()];
    const sameAddress = all.filter((connection) => connection.address === address);
    const isFull = all.length >= this.#limits.total;
    if (sameAddress.length >= this.#limits.perAddress) {
      if (!closeOldest(sameAddress)) return false;
    } else if (isFull && !closeOldest(all)) return false;
    const key = keyOf(socket);
    this.#open.set(key, { socket, address, exchange: undefined });
    socket.once('close', () => this.#open.delete(key));
    return true;
  }

  closeAll(): void {
    for (const { socket } of this.#open.values()) socket.destroy();
  }

  #trackRequest(request: IncomingMessage, response: ServerResponse): void {
    // Over TLS, the request's socket is not the connection's socket: only the key is the same.
    const key = keyOf(request.socket);
    const exchange = { request, response };
    this.#markUsed(key, exchange);
    // The client has read part of the response.
    response.on('drain', () => this.#markUsed(key, exchange));
    response.once('close', () => this.#markUsed(key, undefined));
  }

  #markUsed(key: string, exchange: Connection['exchange']): void {
    const connection = this.#open.get(key);
    if (!connection) return;
    connection.exchange = exchange;
    this.#open.delete(key);
    this.#open.set(key, connection);
  }
}

/** Closes the first connection without a request, otherwise the first that waits for its client. */
function closeOldest(connections: readonly Connection[]): boolean {
  const oldest = connections.find(({ exchange }) => !exchange) ?? connections.find(waitsForClient);
  oldest?.socket.destroy();
  return oldest !== undefined;
}

/** Whether the client still has to send its request or to read the response. */
function waitsForClient({ exchange }: Connection): boolean {
  return exchange !== undefined && (!exchange.request.complete || exchange.response.headersSent);
}

function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
