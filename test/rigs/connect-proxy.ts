import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { onTestFinished } from 'vitest';
import type { TestCertificate } from './certificates.ts';

/** How a proxy answers a request for a tunnel. */
export type ProxyManner =
  /** Connects. */
  | 'open'
  /** Accepts connections and never answers. */
  | 'silent'
  /** Closes the connection instead of an answer. */
  | 'closes'
  /** Answers with this text, and keeps the connection open. */
  | { readonly answers: string };

/**
 * An HTTP proxy that connects by CONNECT only, and resolves names itself: every name leads to
 * `port` of this computer. It records the requests for tunnels and every byte in them.
 */
export class ConnectProxy {
  manner: ProxyManner = 'open';
  /** `user:password` that it asks for. */
  login: string | null = null;
  /** The head of each request, as received. */
  readonly heads: string[] = [];
  /** Tunnels that were opened. */
  tunnels = 0;
  #passed = '';
  readonly #server: Server;
  readonly #isTls: boolean;
  readonly #sockets = new Set<Socket>();
  readonly #port: number;

  private constructor(port: number, certificate: TestCertificate | undefined) {
    this.#port = port;
    this.#isTls = certificate !== undefined;
    const onClient = (client: Socket): void => void this.#serve(client);
    this.#server =
      certificate === undefined
        ? createServer(onClient)
        : createTlsServer({ cert: certificate.cert, key: certificate.key }, onClient);
    this.#server.on('tlsClientError', () => undefined);
  }

  /**
   * Stops after the test.
   * @param port where all tunnels lead
   * @param certificate of a proxy that is itself reached by TLS
   */
  static async start(port: number, certificate?: TestCertificate): Promise<ConnectProxy> {
    const proxy = new ConnectProxy(port, certificate);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    onTestFinished(() => proxy.stop());
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Its address, as in `HTTPS_PROXY`. */
  get url(): string {
    return `${this.#isTls ? 'https' : 'http'}://127.0.0.1:${this.port}`;
  }

  /** The destinations that were asked for. */
  get asked(): string[] {
    return this.heads.map((head) => /^CONNECT (\S+) HTTP\/1\.1\r\n/.exec(head)?.[1] ?? head);
  }

  /** Everything that clients sent, as the proxy sees it. */
  get seen(): string {
    return this.heads.join('') + this.#passed;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(client: Socket): Promise<void> {
    this.#track(client);
    const head = await headFrom(client);
    this.heads.push(head);
    if (this.manner === 'silent') return;
    if (this.manner === 'closes') return void client.end();
    if (typeof this.manner === 'object') return void client.write(this.manner.answers);
    if (this.login !== null && !head.includes(`Basic ${btoa(this.login)}\r\n`)) {
      client.write(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n',
      );
      return;
    }
    const server = connect(this.#port, '127.0.0.1');
    this.#track(server);
    await once(server, 'connect');
    this.tunnels += 1;
    client.on('data', (bytes: Buffer) => (this.#passed += bytes.toString('latin1')));
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    client.pipe(server).pipe(client);
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  }
}

async function headFrom(client: Socket): Promise<string> {
  let head = '';
  while (!head.includes('\r\n\r\n')) {
    const [bytes] = (await once(client, 'data')) as [Buffer];
    head += bytes.toString('latin1');
  }
  return head;
}
