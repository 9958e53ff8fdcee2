import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * When a connection is cut: before the server gets the statement, or before its response is
 * forwarded.
 */
export type Cut = 'before' | 'after';

const TYPE_BYTES = 1;
const LENGTH_BYTES = 4;

/**
 * Statements that no operation waits for: notifications of workers, and pg-boss's own work, every
 * five seconds (jobs that depend on others) and every minute (its queues).
 */
const BACKGROUND =
  /^(?:NOTIFY |UPDATE spool_jobs\.(?:version|queue) |WITH locked_parents |SELECT q\.name)/;

/** An ErrorResponse (PostgreSQL, 55.7). */
const SHUTDOWN = errorResponse({
  S: 'FATAL',
  C: '57P01',
  M: 'terminating connection due to administrator command',
});

/**
 * Forwards connections to a PostgreSQL server, and can simulate its failure in the middle of a
 * statement: all connections end, and new ones are refused until `resume`. A statement is a simple
 * query, or the messages of an extended one up to its Sync message (PostgreSQL, 55.2).
 */
export class PostgresProxy implements AsyncDisposable {
  readonly #upstream: string;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #armed: { readonly statement: string; readonly cut: Cut; left: number } | undefined;
  #recorded: string[] | undefined;
  #hasFailed = false;
  #isSilent = false;
  #isShuttingDown = false;
  /** What clients sent while the server did not respond, in parts of statements. */
  readonly unanswered: string[] = [];
  /** Whether the connections were cut at the requested statement. */
  isCut = false;

  private constructor(upstream: string) {
    this.#upstream = upstream;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** @param upstream the Unix socket of the server */
  static async start(upstream: string): Promise<PostgresProxy> {
    const proxy = new PostgresProxy(upstream);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  url(database: string): string {
    const { port } = this.#server.address() as AddressInfo;
    return `postgres://spool@127.0.0.1:${port}/${database}`;
  }

  /** The statements that arrive while `work` runs; other work of the client could add some. */
  async record(work: () => Promise<unknown>): Promise<readonly string[]> {
    const recorded: string[] = [];
    this.#recorded = recorded;
    await work();
    this.#recorded = undefined;
    return recorded;
  }

  /**
   * Cuts the connections the n-th time that a statement arrives, counted from 1. By its text,
   * because statements of pg-boss would shift a count of all statements.
   */
  cutAtStatement(statement: string, n: number, cut: Cut): void {
    this.isCut = false;
    this.#armed = { statement, cut, left: n };
  }

  /** Connections stay open, and can be made, but nothing is forwarded any more. */
  silence(): void {
    this.#isSilent = true;
  }

  /**
   * Sends each client that ends its connection the message that the server shuts down, as a server
   * does that shuts down at the same moment.
   */
  shutDown(): void {
    this.#isShuttingDown = true;
  }

  /** How many sockets are open. */
  get sockets(): number {
    return this.#open.size;
  }

  /** The server is available again. */
  resume(): void {
    this.#armed = undefined;
    this.#hasFailed = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#endAll();
    await closed;
  }

  #accept(client: Socket): void {
    if (this.#hasFailed) {
      client.destroy();
      return;
    }
    const server = connect(this.#upstream);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.#open.delete(socket);
        other.destroy();
      });
    }
    let isStarted = false;
    const prepared = new Map<string, string>();
    let statement: Buffer[] = [];
    let isAnswerLost = false;
    eachMessage(
      client,
      () => (isStarted ? TYPE_BYTES : 0),
      (message) => {
        if (this.#isSilent) {
          this.unanswered.push(textOf(message, prepared));
          return;
        }
        if (!isStarted) {
          isStarted = true;
          server.write(message);
          return;
        }
        statement.push(message);
        const type = typeOf(message);
        if (type !== 'Q' && type !== 'S' && type !== 'X') return;
        if (type === 'X' && this.#isShuttingDown) client.write(SHUTDOWN);
        const whole = Buffer.concat(statement);
        statement = [];
        const cut = type === 'X' ? undefined : this.#count(textOf(whole, prepared));
        if (cut === 'before') this.#fail();
        else {
          isAnswerLost ||= cut === 'after';
          server.write(whole);
        }
      },
    );
    eachMessage(
      server,
      () => TYPE_BYTES,
      (message) => {
        if (this.#isSilent) return;
        if (!isAnswerLost) client.write(message);
        // Ready for the next statement: this one has had its effect.
        else if (typeOf(message) === 'Z') this.#fail();
      },
    );
  }

  #count(text: string): Cut | undefined {
    if (!BACKGROUND.test(text)) this.#recorded?.push(text);
    if (this.#armed?.statement !== text) return undefined;
    this.#armed.left -= 1;
    if (this.#armed.left > 0) return undefined;
    const { cut } = this.#armed;
    this.#armed = undefined;
    this.isCut = true;
    return cut;
  }

  #fail(): void {
    this.#hasFailed = true;
    this.#endAll();
  }

  #endAll(): void {
    for (const socket of this.#open) socket.destroy();
  }
}

function errorResponse(fields: Readonly<Record<string, string>>): Buffer {
  const body = Object.entries(fields)
    .map(([name, value]) => `${name}${value}\0`)
    .join('');
  const message = Buffer.from(`E....${body}\0`);
  message.writeUInt32BE(message.length - TYPE_BYTES, TYPE_BYTES);
  return message;
}

/**
 * The text of a statement, from its first message: a Query, a Parse, or a Bind of an earlier Parse.
 */
function textOf(message: Buffer, prepared: Map<string, string>): string {
  const body = message.subarray(TYPE_BYTES + LENGTH_BYTES).toString('latin1');
  const [first = '', second = ''] = body.split('\0', 2);
  switch (typeOf(message)) {
    case 'P':
      prepared.set(first, second);
      return onOneLine(second);
    case 'B':
      return onOneLine(prepared.get(second) ?? '');
    default:
      return onOneLine(first);
  }
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function typeOf(message: Buffer): string {
  return message.toString('latin1', 0, TYPE_BYTES);
}

/**
 * Calls `onMessage` with each whole message: a type (except in the first one), a length, and the
 * rest.
 */
function eachMessage(
  socket: Socket,
  typeBytes: () => number,
  onMessage: (message: Buffer) => void,
): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const before = typeBytes();
      if (rest.length < before + LENGTH_BYTES) return;
      const length = before + rest.readUInt32BE(before);
      if (rest.length < length) return;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      onMessage(message);
    }
  });
}
