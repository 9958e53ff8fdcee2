import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** One request, as it was received. */
export interface WireRequest {
  /** 0 for the first request that this server received. */
  readonly index: number;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** First byte of a Range, 0 without one. */
  readonly from: number;
  /** Last byte of a Range; `null` when it is open, or there is none. */
  readonly to: number | null;
  readonly hasRange: boolean;
}

/** A response, byte for byte. */
export interface WireReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: Buffer;
  /**
   * The connection after the body: `keep` it for another request, `close` it properly, `reset` it,
   * or leave it `silent`.
   */
  readonly then?: 'keep' | 'close' | 'reset' | 'silent';
  /** Awaited between the body and `then`, if present. */
  readonly hold?: () => Promise<void>;
  /** More of the body, written after `hold`. */
  readonly rest?: Buffer;
}

/** Returns the response to each request. */
export type Script = (request: WireRequest) => WireReply;

/**
 * A server without an HTTP implementation: a script writes every byte, to send what a real server
 * never would.
 */
export class FaultServer {
  readonly requests: WireRequest[] = [];
  script: Script;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(script: Script) {
    this.script = script;
    this.#server = createServer((socket) => this.#serve(socket));
  }

  static async start(script: Script): Promise<FaultServer> {
    const server = new FaultServer(script);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  url(path = '/film.mp4'): string {
    return this.origin + path;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    let head = '';
    socket.on('data', (data) => {
      head += data.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      const request = parseHead(head.slice(0, end), this.requests.length);
      head = head.slice(end + 4);
      this.requests.push(request);
      send(socket, this.script(request));
    });
  }
}

function parseHead(head: string, index: number): WireRequest {
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const range = /^bytes=(\d+)-(\d*)$/.exec(headers.get('range') ?? '');
  return {
    index,
    path: first.split(' ')[1] ?? '',
    headers,
    from: Number(range?.[1] ?? 0),
    to: range?.[2] ? Number(range[2]) : null,
    hasRange: range !== null,
  };
}

function send(socket: Socket, reply: WireReply): void {
  const { status, headers = {}, body = Buffer.alloc(0), then = 'keep' } = reply;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} Scripted\r\n${lines.join('')}\r\n`;
  socket.write(Buffer.concat([Buffer.from(head, 'latin1'), body]));
  void (reply.hold?.() ?? Promise.resolve()).then(() => {
    if (reply.rest) socket.write(reply.rest);
    switch (then) {
      case 'close':
        socket.end();
        break;
      case 'reset':
        socket.resetAndDestroy();
        break;
      case 'keep':
      case 'silent':
    }
  });
}

/** The properties of one version of a file that a correct server reports. */
export interface Version {
  readonly bytes: Buffer;
  readonly etag?: string;
  readonly lastModified?: string;
  /** The server's clock. */
  readonly date?: string;
}

/** Answers as a correct server would: ranges, If-Range, validators (RFC 9110 §13, §14). */
export function honest(version: Version, request: WireRequest): WireReply {
  const { bytes, etag, lastModified } = version;
  const described = {
    Date: version.date ?? 'Mon, 05 Jan 2026 09:00:00 GMT',
    'Content-Type': 'video/mp4',
    'Accept-Ranges': 'bytes',
    ...(etag === undefined ? {} : { ETag: etag }),
    ...(lastModified === undefined ? {} : { 'Last-Modified': lastModified }),
  };
  const condition = request.headers.get('if-range');
  const holds = condition === undefined || condition === etag || condition === lastModified;
  if (!request.hasRange || !holds) {
    return {
      status: 200,
      headers: { ...described, 'Content-Length': bytes.length },
      body: bytes,
    };
  }
  if (request.from >= bytes.length) {
    return {
      status: 416,
      headers: { ...described, 'Content-Range': `bytes */${bytes.length}`, 'Content-Length': 0 },
    };
  }
  const body = bytes.subarray(request.from, (request.to ?? Infinity) + 1);
  return {
    status: 206,
    headers: {
      ...described,
      'Content-Range': `bytes ${request.from}-${request.from + body.length - 1}/${bytes.length}`,
      'Content-Length': body.length,
    },
    body,
  };
}

/** The response with its body cut after `bytes` bytes; the headers still state all of it. */
export function cut(
  reply: WireReply,
  bytes: number,
  then: NonNullable<WireReply['then']>,
): WireReply {
  return { ...reply, body: (reply.body ?? Buffer.alloc(0)).subarray(0, bytes), then };
}

/** The response with some headers changed, or removed if the value is `null`. */
export function withHeaders(
  reply: WireReply,
  changes: Readonly<Record<string, string | number | null>>,
): WireReply {
  const headers: Record<string, string | number> = { ...reply.headers };
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) Reflect.deleteProperty(headers, name);
    else headers[name] = value;
  }
  return { ...reply, headers };
}

/** The body in HTTP chunks; `whole`: whether the last chunk is sent. */
export function chunked(body: Buffer, whole: boolean): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += 65_536) {
    const piece = body.subarray(at, at + 65_536);
    parts.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  if (whole) parts.push(Buffer.from('0\r\n\r\n'));
  return Buffer.concat(parts);
}
