import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { bodyOf, httpsRequired } from './api/errors.ts';
import { type ConnectionLimits, Connections } from './connections.ts';

/** The first byte of a TLS record that opens a handshake. No HTTP method begins with it. */
const TLS_HANDSHAKE = 0x16;
/** How often a port is tried that is free at one address and taken at another. */
const MAX_ATTEMPTS = 20;
const NO_PROTOCOL = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EPROTONOSUPPORT']);
const FIRST_BYTE_TIMEOUT_MS = 10_000;
/** One address may use half of all connections, far more than one Spool app opens. */
const LIMITS: ConnectionLimits = { total: 1024, perAddress: 512 };

/**
 * Accepts the service's connections. A TLS connection goes to the HTTPS server; a plain one gets
 * a response that requires HTTPS and is closed (service-api.md §5 rule 8), so a plain request never
 * reaches a route.
 */
export class HttpsListener {
  readonly #listeners: Server[] = [];
  readonly #connections: Connections;
  readonly #server: HttpServer;
  readonly #protocol: 'tls' | 'plain-http';
  readonly #firstByteMs: number;

  /**
   * @param protocol what clients must use: `plain-http` only behind a proxy that terminates TLS
   * @param firstByteMs how long a client may take to begin TLS, in milliseconds
   */
  constructor(
    server: HttpServer,
    protocol: 'tls' | 'plain-http',
    firstByteMs = FIRST_BYTE_TIMEOUT_MS,
  ) {
    this.#server = server;
    this.#firstByteMs = firstByteMs;
    // Behind a proxy all connections come from its address.
    const perAddress = protocol === 'tls' ? LIMITS.perAddress : LIMITS.total;
    this.#connections = new Connections(server, { ...LIMITS, perAddress });
    this.#protocol = protocol;
  }

  /**
   * Listens at one port of an address, and of a second one if this computer has its protocol.
   *
   * @param port 0 for any that is free at both
   * @throws the system's error, such as `EADDRINUSE`
   */
  async listen(host: string, port: number, secondHost?: string): Promise<AddressInfo> {
    const listening = await this.#listenAtBoth(host, port, secondHost, MAX_ATTEMPTS);
    // Node tracks connections only after `listening`, which this server never emits itself; its
    // timeouts and `closeIdleConnections` need that.
    this.#server.emit('listening');
    return listening;
  }

  async #listenAtBoth(
    host: string,
    port: number,
    secondHost: string | undefined,
    attempts: number,
  ): Promise<AddressInfo> {
    const address = await this.#listenAt(host, port);
    if (secondHost === undefined) return address;
    try {
      await this.#listenAt(secondHost, address.port);
    } catch (error) {
      // Browsers of a computer without IPv6 cannot connect to its addresses either.
      if (NO_PROTOCOL.has((error as NodeJS.ErrnoException).code ?? '')) return address;
      const stopped = this.#stopListening();
      this.#connections.closeAll();
      await stopped;
      if (port !== 0 || attempts === 1) throw error;
      return this.#listenAtBoth(host, port, secondHost, attempts - 1);
    }
    return address;
  }

  async #listenAt(host: string, port: number): Promise<AddressInfo> {
    const listener = createServer({ noDelay: true }, (socket) => this.#accept(socket));
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject);
      listener.listen(port, host, () => {
        listener.off('error', reject);
        // The system could not accept a connection. Without a listener, this would end the process.
        listener.on('error', () => undefined);
        resolve();
      });
    });
    this.#listeners.push(listener);
    return listener.address() as AddressInfo;
  }

  /** Stops accepting connections, and waits at most `graceMs` for the open ones to finish. */
  async close(graceMs: number): Promise<void> {
    const closed = this.#stopListening();
    const idle = setInterval(() => this.#server.closeIdleConnections(), 50);
    const deadline = setTimeout(() => this.#connections.closeAll(), graceMs);
    await closed;
    clearInterval(idle);
    clearTimeout(deadline);
  }

  /** Resolves when no connection is open. */
  async #stopListening(): Promise<void> {
    const closing = this.#listeners.splice(0);
    await Promise.all(
      closing.map((listener) => new Promise<void>((resolve) => listener.close(() => resolve()))),
    );
  }

  #accept(socket: Socket): void {
    // An error without a listener ends the process. The HTTPS server detects errors itself.
    socket.on('error', () => socket.destroy());
    if (!this.#connections.add(socket)) socket.destroy();
    else if (this.#protocol === 'tls') this.#peek(socket);
    else this.#server.emit('connection', socket);
  }

  #peek(socket: Socket): void {
    const onTimeout = (): void => {
      socket.destroy();
    };
    socket.setTimeout(this.#firstByteMs, onTimeout);
    socket.once('data', (chunk) => {
      socket.setTimeout(0).off('timeout', onTimeout);
      if (chunk[0] !== TLS_HANDSHAKE) {
        refusePlain(socket);
        return;
      }
      socket.pause();
      socket.unshift(chunk);
      this.#server.emit('connection', socket);
    });
  }
}

function refusePlain(socket: Socket): void {
  const body = JSON.stringify(bodyOf(httpsRequired()));
  socket.setTimeout(1000, () => socket.destroy());
  // Discards the rest of the request: closing a connection with unread data would reset it before
  // the client reads the response.
  socket.resume();
  socket.end(
    [
      'HTTP/1.1 426 Upgrade Required',
      'Upgrade: TLS/1.2, HTTP/1.1',
      'Connection: Upgrade, close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
}
