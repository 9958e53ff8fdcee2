import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ServiceApi } from '../../src/contract/service-profile.ts';
import type { Clock } from '../../src/engine/clock.ts';
import type { TestCertificate } from './certificates.ts';
import { seededVideo } from './seeded-video.ts';

export const ANY_SERVICE_KEY = 'key-0123456789abcdefghij';

/** A request as a server received it. */
export interface SeenRequest {
  readonly method: string;
  /** Path with query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A fault in one request for a video. */
export type GenerateFault =
  | 'rate-limited'
  | 'refused'
  /** It is accepted, and the connection ends without a response. */
  | 'lost'
  /** It is accepted, and fails later. */
  | 'fails'
  /** The address of its status has another origin. */
  | 'status-elsewhere';

/** A fault in one request for a status, a link or a file. */
export type ReadFault = 'rate-limited' | 'server-error' | 'no-json' | 'cut' | 'expired-link';

interface Video {
  readonly id: string;
  readonly request: Record<string, unknown>;
  readonly madeAt: number;
  readonly fails: boolean;
  readonly bytes: Buffer;
}

export interface AnyServiceOptions {
  readonly api: ServiceApi;
  readonly clock: Clock;
  readonly certificate: TestCertificate;
  /** Validity of links in responses, in milliseconds. */
  readonly linkLifeMs?: number;
}

const VIDEO_BYTES = 300_000;

/**
 * A service that a profile describes: its paths, authentication, encoding of requests and
 * downloads. It answers with the words `queued`, `working`, `done` and `failed`, the identifier at
 * `id`, the word at `status` and the link at `url`. A request that does not follow the profile is
 * answered with 404, 401 or 400. Files that need no key are on a separate server.
 */
export class AnyService {
  readonly api: ServiceApi;
  readonly requests: SeenRequest[] = [];
  /** Requests to the file server. */
  readonly fileRequests: SeenRequest[] = [];
  readonly videos: Video[] = [];
  /** Each is used once, in order. */
  readonly generateFaults: GenerateFault[] = [];
  readonly statusFaults: ReadFault[] = [];
  readonly fileFaults: ReadFault[] = [];
  /** Duration of each render, in milliseconds. */
  renderMs = 5000;
  /** Whether a file at an authorised path redirects to the file server. */
  redirectsFiles = false;
  /** Whether each status contains the address of another one. */
  namesOtherStatus = false;
  /** Holds back the end of every file until it resolves. */
  holdFiles: Promise<unknown> | null = null;
  readonly #options: AnyServiceOptions;
  readonly #service: Server;
  readonly #files: Server;
  #links = 0;

  private constructor(options: AnyServiceOptions) {
    const { cert, key } = options.certificate;
    this.api = options.api;
    this.#options = options;
    this.#service = createServer({ cert, key }, (request, response) => {
      void this.#serve(request, response, this.requests, this.#answer);
    });
    this.#files = createServer({ cert, key }, (request, response) => {
      void this.#serve(request, response, this.fileRequests, this.#answerFile);
    });
  }

  static async start(options: AnyServiceOptions): Promise<AnyService> {
    const service = new AnyService(options);
    for (const server of [service.#service, service.#files]) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }
    return service;
  }

  get origin(): string {
    return `https://${hostOf(this.#service)}`;
  }

  /** Host and port of the file server. */
  get filesHost(): string {
    return hostOf(this.#files);
  }

  async stop(): Promise<void> {
    for (const server of [this.#service, this.#files]) {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  }

  /** Requests whose method and path are those of the profile's endpoint. */
  seen(endpoint: 'generate' | 'status' | 'file'): SeenRequest[] {
    return this.requests.filter((request) => this.#match(request)?.endpoint === endpoint);
  }

  async #serve(
    incoming: IncomingMessage,
    response: ServerResponse,
    seen: SeenRequest[],
    answer: (request: SeenRequest, response: ServerResponse) => Promise<void>,
  ): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const { method = '', url = '', headers } = incoming;
    const request = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
    seen.push(request);
    await answer(request, response);
  }

  readonly #answer = async (request: SeenRequest, response: ServerResponse): Promise<void> => {
    const { auth, headers } = this.api;
    const matched = this.#match(request);
    const expected = [auth.scheme, ANY_SERVICE_KEY].filter((part) => part !== '').join(' ');
    if (request.headers[auth.header] !== expected) {
      json(response, 401, { error: 'The key is wrong.' });
    } else if (Object.entries(headers).some(([name, value]) => request.headers[name] !== value)) {
      json(response, 400, { error: 'A header is missing.' });
    } else if (matched === null) {
      json(response, 404, { error: 'There is nothing here.' });
    } else if (matched.endpoint === 'generate') {
      this.#generate(request, response);
    } else {
      const { endpoint, id } = matched;
      const faults = endpoint === 'status' ? this.statusFaults : this.fileFaults;
      const isFile = endpoint === 'file' && this.api.file.kind !== 'link-endpoint';
      const fault = faults.shift();
      const video = this.videos.find((each) => each.id === id);
      if (fault === 'rate-limited') {
        json(response, 429, { error: 'Slow down.' }, { 'Retry-After': '1' });
      } else if (fault === 'server-error') {
        json(response, 503, { error: 'Not now.' });
      } else if (fault === 'expired-link') {
        response.writeHead(403).end();
      } else if (fault === 'no-json') {
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Hello</h1>');
      } else if (video === undefined) {
        json(response, 404, { error: 'There is no such video.' });
      } else if (endpoint === 'status') {
        json(response, 200, this.#statusOf(video));
      } else if (this.#wordOf(video) !== 'done') {
        json(response, 409, { error: 'It is not finished.' });
      } else if (!isFile) {
        json(response, 200, { url: this.#linkTo(video) });
      } else if (this.redirectsFiles) {
        response.writeHead(302, { Location: this.#linkTo(video) }).end();
      } else {
        await this.#sendFile(request, response, video, fault);
      }
    }
  };

  readonly #answerFile = async (request: SeenRequest, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url, 'https://files.example');
    const fault = this.fileFaults.shift();
    const video = this.videos.find(({ id }) => url.searchParams.get('video') === id);
    const isOver = Number(url.searchParams.get('until')) <= this.#options.clock.now();
    if (video === undefined || isOver || fault === 'expired-link') {
      response.writeHead(403).end('The link has expired.');
    } else {
      await this.#sendFile(request, response, video, fault);
    }
  };

  #generate(request: SeenRequest, response: ServerResponse): void {
    const fault = this.generateFaults.shift();
    if (fault === 'rate-limited') {
      json(response, 429, { error: 'Slow down.' }, { 'Retry-After': '1' });
      return;
    }
    const fields = fieldsOf(request, this.api.generate.body);
    if (fields === null || fault === 'refused') {
      json(response, 422, { error: 'This cannot be rendered.' });
      return;
    }
    // An identifier that must be encoded in an address.
    const id = `v/${this.videos.length + 1} ?&`;
    const { bytes } = seededVideo(this.videos.length + 1, VIDEO_BYTES);
    const madeAt = this.#options.clock.now();
    const video = { id, request: fields, madeAt, fails: fault === 'fails', bytes };
    this.videos.push(video);
    if (fault === 'lost') {
      response.destroy();
      return;
    }
    const { status } = this.api;
    const answer: Record<string, unknown> = { id, status: 'queued' };
    if ('addressAt' in status) {
      const origin = fault === 'status-elsewhere' ? `https://${this.filesHost}` : this.origin;
      put(answer, status.addressAt, `${origin}${status.under}${encodeURI(addressName(id))}`);
    }
    json(response, 201, answer);
  }

  #statusOf(video: Video): Record<string, unknown> {
    const word = this.#wordOf(video);
    const answer: Record<string, unknown> = { id: video.id, status: word, url: null };
    const { status } = this.api;
    if (this.namesOtherStatus && 'addressAt' in status) {
      put(answer, status.addressAt, `${this.origin}${status.under}another`);
    }
    if (word === 'failed') answer.error = 'The picture could not be read.';
    if (word !== 'done') return answer;
    const { file } = this.api;
    if (file.kind === 'in-status') answer.url = this.#linkTo(video);
    if (file.kind === 'content-in-status') {
      put(answer, file.addressAt, `${this.origin}${file.under}${addressName(video.id)}`);
    }
    return answer;
  }

  #wordOf({ madeAt, fails }: Video): 'queued' | 'working' | 'done' | 'failed' {
    const { clock } = this.#options;
    const age = clock.now() - madeAt;
    if (age < this.renderMs / 2) return 'queued';
    if (age < this.renderMs) return 'working';
    return fails ? 'failed' : 'done';
  }

  #linkTo({ id }: Video): string {
    const { clock, linkLifeMs = 3_600_000 } = this.#options;
    this.#links += 1;
    const query = new URLSearchParams({
      video: id,
      until: String(clock.now() + linkLifeMs),
      link: String(this.#links),
    });
    return `https://${this.filesHost}/film.mp4?${query.toString()}`;
  }

  async #sendFile(
    { headers }: SeenRequest,
    response: ServerResponse,
    { id, bytes }: Video,
    fault: ReadFault | undefined,
  ): Promise<void> {
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    const rest = bytes.subarray(from);
    response.writeHead(headers.range === undefined ? 200 : 206, {
      'Content-Type': 'video/mp4',
      'Content-Length': rest.length,
      ETag: `"${Buffer.from(id).toString('hex')}"`,
      ...(headers.range === undefined
        ? {}
        : { 'Content-Range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
    });
    const half = Math.floor(rest.length / 2);
    response.write(rest.subarray(0, half));
    if (fault === 'cut') {
      response.socket?.destroySoon();
      return;
    }
    if (this.holdFiles) await this.holdFiles;
    response.end(rest.subarray(half));
  }

  /** The meaning of a request, by the profile's paths. */
  #match({
    method,
    url,
  }: SeenRequest): { endpoint: 'generate' } | { endpoint: 'status' | 'file'; id: string } | null {
    const { generate, status, file } = this.api;
    if (method === generate.method && url === generate.path) return { endpoint: 'generate' };
    if (method !== 'GET') return null;
    for (const [endpoint, place] of [
      ['status', status],
      ['file', file],
    ] as const) {
      const id = idIn(url, place);
      if (id !== null) return { endpoint, id };
    }
    return null;
  }
}

/** A video's name in addresses, which differs from its identifier. */
function addressName(id: string): string {
  return `name-${Buffer.from(id).toString('hex')}`;
}

function idIn(
  url: string,
  place: { readonly path: string } | { readonly under: string } | object,
): string | null {
  if ('path' in place) {
    const [before = '', after = ''] = place.path.split('{id}');
    if (!url.startsWith(before) || !url.endsWith(after)) return null;
    const id = url.slice(before.length, url.length - after.length);
    return id === '' || /[/?&#]/.test(id) ? null : decodeURIComponent(id);
  }
  if (!('under' in place) || !url.startsWith(`${place.under}name-`)) return null;
  return Buffer.from(url.slice(place.under.length + 'name-'.length), 'hex').toString('utf8');
}

/** The fields of a request, if it is encoded as the profile says. */
function fieldsOf(
  { headers, body }: SeenRequest,
  encoding: 'json' | 'multipart',
): Record<string, unknown> | null {
  const type = headers['content-type'] ?? '';
  if (encoding === 'json') {
    return type === 'application/json' ? (JSON.parse(body) as Record<string, unknown>) : null;
  }
  const boundary = /^multipart\/form-data; boundary=([\w-]{1,70})$/.exec(type)?.[1];
  if (boundary === undefined || !body.endsWith(`--${boundary}--\r\n`)) return null;
  const parts = body.split(`--${boundary}`).slice(1, -1);
  return Object.fromEntries(
    parts.map((part) => {
      const [, name = '', value = ''] =
        /^\r\nContent-Disposition: form-data; name="([^"]*)"\r\n\r\n(.*)\r\n$/s.exec(part) ?? [];
      return [name, value];
    }),
  );
}

/** Sets a value at a path of names. */
function put(into: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let object = into;
  for (const name of names) object = (object[name] ??= {}) as Record<string, unknown>;
  object[last] = value;
}

function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

function hostOf(server: Server): string {
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
