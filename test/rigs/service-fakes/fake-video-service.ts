import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '../../../src/engine/clock.ts';
import type { TestCertificate } from '../certificates.ts';
import { seededVideo } from '../seeded-video.ts';
import type { FakeVideo, FormFile, Reply, ServiceFacts } from './service-facts.ts';

/** The outcome of the next request for a video. `lost`: it is accepted, but gets no response. */
export type NextGenerate = 'limited' | 'refused' | 'lost' | Reply;

/** A request as it was received, and its response. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number;
  readonly answerHeaders: Readonly<Record<string, string>>;
  readonly answer: string;
}

interface Video {
  readonly number: number;
  readonly id: string;
  readonly request: Readonly<Record<string, unknown>>;
  /** Monotonic milliseconds. */
  readonly madeAt: number;
  readonly createdAt: string;
  readonly isToFail: boolean;
  isCancelled: boolean;
  /** Incremented when its links expire. */
  signature: number;
}

const FILE_BYTES = 2048;

/** Upper limit, because engines request the status of a long render again and again. */
const MAX_QUEUED_MS = 6000;

/** After this many turns of the event loop without traffic, nothing more will arrive. */
const TURNS_OF_REST = 40;

/**
 * One of the built-in services, over real HTTPS on this computer, written from its documentation.
 * Uses the engine's clock; it answers at once.
 */
export class FakeVideoService {
  readonly facts: ServiceFacts;
  readonly key = 'key-0123456789abcdef';
  readonly videos: Video[] = [];
  readonly exchanges: Exchange[] = [];
  /** Files in the order of their arrival. */
  readonly uploads: FormFile[] = [];
  /** One entry for each of the next requests for a video. */
  readonly next: NextGenerate[] = [];
  /** Numbers of videos that fail, in the order of acceptance. */
  readonly failing = new Set<number>();
  /** Makes links expire when the first one is used. */
  expiresLinksOnce = false;
  /** Answers every request for a video while it is set. */
  generateReply: Reply | null = null;
  /** Answers accepted requests in the place of the usual response. */
  acceptedReply: ((video: FakeVideo) => Reply) | null = null;
  /** Answers requests for a status in the place of the usual response. */
  statusReply: ((video: FakeVideo) => Reply | null) | null = null;
  /** Whether the account's balance is used up. */
  isUsedUp = false;
  /** Whether the key is refused. */
  isKeyBad = false;
  /** Statuses of the responses to the next requests to cancel a video. */
  readonly nextCancels: number[] = [];
  /** Executes the next request to cancel a video, but responds with 502. */
  losesCancel = false;
  /** The account's balance, in the unit of the response. */
  left = 1807;
  /** The next responses to requests for the balance; `silent`: none ever comes. */
  readonly nextBalances: (Reply | 'silent')[] = [];
  renderMs = 60_000;
  /** Requests that were too early for the documented limits, and other client errors. */
  readonly wrong: string[] = [];
  readonly #clock: Clock;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #times: { readonly isGenerate: boolean; readonly at: number }[] = [];
  #open = 0;
  #turnsAtRest = 0;

  private constructor(facts: ServiceFacts, clock: Clock, { cert, key }: TestCertificate) {
    this.facts = facts;
    this.#clock = clock;
    this.#server = createServer({ cert, key }, (request, response) => {
      void this.#serve(request, response);
    });
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      this.#turnsAtRest = 0;
      socket.on('data', () => (this.#turnsAtRest = 0));
      socket.on('close', () => {
        this.#sockets.delete(socket);
        this.#turnsAtRest = 0;
      });
      socket.on('error', () => socket.destroy());
    });
    this.#server.on('secureConnection', () => (this.#turnsAtRest = 0));
  }

  static async start(
    facts: ServiceFacts,
    clock: Clock,
    certificate: TestCertificate,
  ): Promise<FakeVideoService> {
    const service = new FakeVideoService(facts, clock, certificate);
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    return service;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get origin(): string {
    return `https://${this.host}`;
  }

  /** Whether there may still be network traffic, which takes no virtual time. */
  isNetworkBusy(): boolean {
    if (this.#open > 0 || process.getActiveResourcesInfo().includes('TCPConnectWrap')) {
      this.#turnsAtRest = 0;
    }
    this.#turnsAtRest += 1;
    return this.#turnsAtRest <= TURNS_OF_REST;
  }

  file(number: number): Buffer {
    return seededVideo(number, FILE_BYTES).bytes;
  }

  /** Requests for videos, refused ones included. */
  get generates(): readonly Exchange[] {
    return this.exchanges.filter(({ path }) => this.#isGenerate(path));
  }

  /** Requests for the status of any video. */
  get statusReads(): readonly Exchange[] {
    const paths = this.videos.map(({ id }) => this.facts.statusPath(id));
    return this.exchanges.filter(({ method, path }) => method === 'GET' && paths.includes(path));
  }

  /** Requests for the account's balance. */
  get balanceReads(): readonly Exchange[] {
    return this.exchanges.filter(({ path }) => path === this.facts.balance?.path);
  }

  /** Requests to cancel videos. */
  get cancels(): readonly Exchange[] {
    const { cancel } = this.facts;
    const paths = this.videos.map(({ id }) => cancel?.path(id));
    return this.exchanges.filter(
      ({ method, path }) => method === cancel?.method && paths.includes(path),
    );
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#open += 1;
    const ended = (): void => {
      this.#open -= 1;
      this.#turnsAtRest = 0;
    };
    response.on('close', ended);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url: path = '' } = request;
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const bytes = Buffer.concat(chunks);
    const body = bytes.toString('utf8');
    const form = await formIn(headers['content-type'] ?? '', bytes);
    const isLost = this.#isGenerate(path) && this.next[0] === 'lost';
    const isSilent = path === this.facts.balance?.path && this.nextBalances[0] === 'silent';
    const reply = this.#answer(method, path, headers, form ?? body);
    const isFile = Buffer.isBuffer(reply.body);
    const content = isFile
      ? reply.body
      : Buffer.from(
          typeof reply.body === 'string' || reply.body === undefined
            ? (reply.body ?? '')
            : JSON.stringify(reply.body),
        );
    const answerHeaders = {
      'content-type': isFile ? 'video/mp4' : 'application/json',
      ...reply.headers,
    };
    const answer = isFile ? `(${content.length} bytes)` : content.toString();
    const { status } = reply;
    this.exchanges.push({ method, path, headers, body, status, answerHeaders, answer });
    if (isLost) {
      request.socket.destroy();
      return;
    }
    if (isSilent) {
      // Time may advance: there is no traffic.
      response.off('close', ended);
      ended();
      return;
    }
    response.writeHead(status, {
      ...answerHeaders,
      'content-length': String(content.length),
      date: new Date(this.#clock.now()).toUTCString(),
    });
    response.end(content);
  }

  #answer(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string | Form,
  ): Reply {
    const { facts } = this;
    if (path.startsWith('/files/')) return this.#signedFile(path, headers);
    const { header, before } = facts.auth;
    if (this.isKeyBad || headers[header] !== before + this.key) {
      if (!this.isKeyBad) this.wrong.push(`${method} ${path} has another key`);
      return facts.keyRefused ?? { status: 401, body: {} };
    }
    for (const [name, value] of Object.entries(facts.headers ?? {})) {
      if (headers[name] !== value) this.wrong.push(`${path} has no ${name}`);
    }
    this.#count(this.#isGenerate(path));
    if (method === 'POST' && path === facts.upload?.path) return this.#upload(body);
    if (method === 'POST' && this.#isGenerate(path)) return this.#generate(path, body);
    if (method === 'GET' && path === facts.balance?.path) return this.#balance();
    if (method === facts.cancel?.method) {
      const video = this.videos.find(({ id }) => facts.cancel?.path(id) === path);
      if (video) return this.#cancel(video);
    }
    const video = this.videos.find(({ id }) => this.#pathsOf(id).includes(path));
    if (method !== 'GET' || video === undefined) {
      this.wrong.push(`${method} ${path} is no address of this service`);
      return { status: 404, body: {} };
    }
    const seen = this.#seen(video);
    if (path === facts.statusPath(video.id)) return this.statusReply?.(seen) ?? facts.status(seen);
    if (path === facts.linkPath?.(video.id)) {
      return facts.link?.(seen) ?? { status: 404, body: {} };
    }
    return { status: 200, body: this.file(video.number) };
  }

  #isGenerate(path: string): boolean {
    const { generatePath, otherGeneratePaths = [] } = this.facts;
    return [generatePath, ...otherGeneratePaths].includes(path);
  }

  #upload(body: string | Form): Reply {
    const { upload } = this.facts;
    const file = typeof body === 'string' || !upload ? undefined : body[upload.part];
    if (upload === undefined || file === undefined || typeof file === 'string') {
      this.wrong.push('An upload without its file');
      return { status: 400, body: {} };
    }
    this.uploads.push(file);
    return upload.accepted(this.uploads.length, file);
  }

  #generate(path: string, body: string | Form): Reply {
    const { facts, next } = this;
    const what = next.shift();
    if (what === 'limited') return facts.limited;
    if (typeof what === 'object') return what;
    if (this.generateReply) return this.generateReply;
    if (this.isUsedUp) return facts.usedUp ?? { status: 402, body: {} };
    const request = this.#requestIn(body);
    if (!facts.isComplete(request, path)) {
      this.wrong.push(`Something is missing in ${JSON.stringify(request)}`);
    }
    if (what === 'refused') return facts.refused;
    const running = this.videos.filter((video) => !isOver(this.#phaseOf(video))).length;
    if (running >= (facts.concurrent ?? Infinity)) this.wrong.push('Too many videos at a time');
    const number = this.videos.length + 1;
    const video: Video = {
      number,
      id: facts.newId(number),
      request,
      madeAt: this.#clock.monotonic(),
      createdAt: new Date(this.#clock.now()).toISOString(),
      signature: 1,
      isToFail: this.failing.has(number),
      isCancelled: false,
    };
    this.videos.push(video);
    const seen = this.#seen(video);
    return this.acceptedReply?.(seen) ?? facts.accepted(seen);
  }

  #balance(): Reply {
    const next = this.nextBalances.shift();
    if (typeof next === 'object') return next;
    return this.facts.balance?.answer(this.left) ?? { status: 404, body: {} };
  }

  #cancel(video: Video): Reply {
    const { cancel } = this.facts;
    if (!cancel) return { status: 404, body: {} };
    const status = this.nextCancels.shift();
    if (status !== undefined) return { status, body: { error: 'Not now.' } };
    if (isOver(this.#phaseOf(video))) {
      if (cancel.tooLate !== 'deletes') return cancel.tooLate;
      this.wrong.push(`The finished video ${video.number} was deleted`);
    }
    video.isCancelled = true;
    if (this.losesCancel) {
      this.losesCancel = false;
      return { status: 502, body: {} };
    }
    return cancel.cancelled(this.#seen(video));
  }

  #signedFile(path: string, headers: Readonly<Record<string, string>>): Reply {
    if (this.facts.auth.header in headers) this.wrong.push(`The key was sent to ${path}`);
    if (this.expiresLinksOnce) for (const video of this.videos) video.signature += 1;
    this.expiresLinksOnce = false;
    const video = this.videos.find((known) => this.#linkPathOf(known) === path);
    if (video === undefined) return { status: 403, body: { message: 'Expired' } };
    if (this.#phaseOf(video) !== 'done') this.wrong.push(`${path} was asked for too early`);
    return { status: 200, body: this.file(video.number) };
  }

  #pathsOf(id: string): (string | undefined)[] {
    const { facts } = this;
    return [facts.statusPath(id), facts.linkPath?.(id), facts.contentPath?.(id)];
  }

  #linkPathOf({ number, signature }: Video): string {
    return `/files/${number}.mp4?signature=s${signature}`;
  }

  #phaseOf({ madeAt, isToFail, isCancelled }: Video): FakeVideo['phase'] {
    if (isCancelled) return 'failed';
    const age = this.#clock.monotonic() - madeAt;
    if (age < Math.min(this.renderMs / 10, MAX_QUEUED_MS)) return 'queued';
    if (age < this.renderMs) return 'working';
    return isToFail ? 'failed' : 'done';
  }

  #seen(video: Video): FakeVideo {
    const { number, id, request, createdAt } = video;
    return {
      number,
      id,
      request,
      createdAt,
      phase: this.#phaseOf(video),
      link: this.origin + this.#linkPathOf(video),
      origin: this.origin,
    };
  }

  /** A request as JSON, or the fields of a form, which are texts and files. */
  #requestIn(body: string | Form): Readonly<Record<string, unknown>> {
    const isJson = typeof body === 'string';
    if (isJson !== (this.facts.body === 'json')) this.wrong.push('A body of another type');
    return isJson ? (JSON.parse(body) as Record<string, unknown>) : body;
  }

  #count(isGenerate: boolean): void {
    const { limit } = this.facts;
    const at = this.#clock.monotonic();
    this.#times.push({ isGenerate, at });
    if (limit === undefined || (limit.of === 'generate' && !isGenerate)) return;
    const counted = this.#times.filter(
      (time) => time.at > at - limit.perMs && (limit.of === 'all' || time.isGenerate),
    );
    if (counted.length > limit.count) this.wrong.push(`More than ${limit.count} requests`);
  }
}

/** The parts of a form. */
type Form = Readonly<Record<string, string | FormFile>>;

/** `null` for a body of another type. Throws for a form that is none. */
async function formIn(type: string, body: Buffer<ArrayBuffer>): Promise<Form | null> {
  if (!type.startsWith('multipart/form-data')) return null;
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  const parts = Array.from(form, async ([name, part]): Promise<[string, string | FormFile]> => {
    if (typeof part === 'string') return [name, part];
    const bytes = Buffer.from(await part.arrayBuffer());
    return [name, { name: part.name, type: part.type, bytes }];
  });
  return Object.fromEntries(await Promise.all(parts));
}

function isOver(phase: FakeVideo['phase']): boolean {
  return phase === 'done' || phase === 'failed';
}
