import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { issueCertificate, type TestCertificate } from './certificates.ts';

/** One request, as it was received over TLS. */
export interface ServiceRequest {
  readonly method: string;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** The same, for what is no text. */
  readonly bytes: Buffer;
  /** 1 for the first connection that this server accepted. */
  readonly connection: number;
}

/** Writes any bytes at any time. */
export type ServiceScript = (request: ServiceRequest, wire: TLSSocket) => void;

/**
 * An HTTPS server without an HTTP implementation: a script writes every byte, to break a response
 * at an exact byte.
 */
export class ScriptedService {
  readonly requests: ServiceRequest[] = [];
  /** Connections accepted, whether or not a request followed. */
  connections = 0;
  script: ServiceScript;
  /** Called before the TLS handshake. */
  onConnect: (socket: Socket) => void = () => undefined;
  /** Called after the TLS handshake and before any request. */
  onSecure: (wire: TLSSocket) => void = () => undefined;
  /** PEM of the authority to trust. */
  readonly ca: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #waiting: (() => void)[] = [];
  #lastWire: TLSSocket | undefined;

  private constructor({ ca, cert, key }: TestCertificate, script: ServiceScript) {
    this.ca = ca;
    this.script = script;
    this.#server = createServer({ cert, key });
    this.#server.on('connection', (socket: Socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('error', () => socket.destroy());
      this.onConnect(socket);
    });
    this.#server.on('secureConnection', (wire) => this.#serve(wire));
    this.#server.on('tlsClientError', () => undefined);
  }

  static async start(
    script: ServiceScript,
    certificate?: TestCertificate,
  ): Promise<ScriptedService> {
    const service = new ScriptedService(certificate ?? (await issueCertificate()), script);
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    return service;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  /** Resolves when the next request has arrived. */
  async nextRequest(): Promise<void> {
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Responds to the latest request, for scripts that did not. */
  answerLast(text: string): void {
    this.#lastWire?.write(text);
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(wire: TLSSocket): void {
    const connection = this.connections;
    wire.on('error', () => wire.destroy());
    this.onSecure(wire);
    let received = '';
    wire.on('data', (data: Buffer) => {
      received += data.toString('latin1');
      const end = received.indexOf('\r\n\r\n');
      if (end === -1) return;
      const [first = '', ...lines] = received.slice(0, end).split('\r\n');
      const headers = new Map(
        lines.map((line) => {
          const colon = line.indexOf(':');
          return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
        }),
      );
      const length = Number(headers.get('content-length') ?? 0);
      if (received.length < end + 4 + length) return;
      const body = Buffer.from(received.slice(end + 4, end + 4 + length), 'latin1');
      received = received.slice(end + 4 + length);
      const [method = '', path = ''] = first.split(' ');
      const request = {
        method,
        path,
        headers,
        body: body.toString('utf8'),
        bytes: body,
        connection,
      };
      this.requests.push(request);
      this.#lastWire = wire;
      const waiting = this.#waiting;
      this.#waiting = [];
      this.script(request, wire);
      for (const resolve of waiting) resolve();
    });
  }
}

/** A response with a JSON body, byte for byte. */
export function jsonAnswer(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): string {
  return textAnswer(status, JSON.stringify(body), {
    'Content-Type': 'application/json',
    ...headers,
  });
}

/** A response with any body, byte for byte. */
export function textAnswer(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): string {
  const all = { 'Content-Length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Scripted\r\n${lines.join('')}\r\n${body}`;
}
