import { hash } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { jsonAnswer, ScriptedService, type ServiceRequest } from '../rigs/scripted-service.ts';
import { seededVideo, type SeededVideo } from '../rigs/seeded-video.ts';
import { UPLOAD_PATH } from '../rigs/uploading-profile.ts';
import type { Clock } from '../../src/engine/clock.ts';

/** Moments of an exchange at which the service can kill its client. */
export const SERVICE_MOMENTS = [
  /** The client has connected; no byte of the request has arrived. */
  'connected',
  /** The request has arrived and is not executed yet. */
  'request-before',
  /** The request is executed; no byte of the response has been sent. */
  'request-after',
  'answer-half-sent',
  'answer-sent',
  'link-sent',
  'file-half-sent',
] as const;

/** The same for the upload of a row's picture, before the request that names it. */
export const UPLOAD_MOMENTS = [
  /** The file has arrived and is not stored yet. */
  'upload-before',
  /** The file is stored; no byte of the response has been sent. */
  'upload-after',
  'upload-answered',
] as const;

export type ServiceMoment = (typeof SERVICE_MOMENTS)[number] | (typeof UPLOAD_MOMENTS)[number];

/** Kills the client's process at a moment of its exchange with a service. */
export class KillSwitch {
  /** Ends the process; set before each run. */
  kill: () => void = () => undefined;
  /** When to call `kill`: at the nth time of this moment. */
  moment: { readonly at: ServiceMoment; left: number } | null = null;

  /** Kills the client if this is the planned moment; returns whether it is. */
  killAt(at: ServiceMoment): boolean {
    if (this.moment?.at !== at) return false;
    this.moment.left -= 1;
    if (this.moment.left > 0) return false;
    this.moment = null;
    this.kill();
    return true;
  }

  /** Writes a response to a request for a video, as long as the client is running. */
  write(answer: string, socket: TLSSocket): void {
    if (this.moment?.at === 'answer-half-sent') {
      socket.write(answer.slice(0, answer.length / 2));
      if (this.killAt('answer-half-sent')) return;
      socket.write(answer.slice(answer.length / 2));
    } else socket.write(answer);
    this.killAt('answer-sent');
  }
}

/** A service on a real socket that can kill its client. */
export interface KillableService {
  readonly url: string;
  readonly ca: string;
  readonly killSwitch: KillSwitch;
  stop(): Promise<void>;
}

const VIDEO_BYTES = 40_000;

/**
 * The documented service on a real TLS socket. It counts requests, and can kill its client at an
 * exact moment.
 */
export class KillingService implements KillableService {
  /** How often each row's video was requested, by title. */
  readonly posts = new Map<string, number>();
  /** Titles of videos that were accepted, and their ids. */
  readonly accepted = new Map<string, string>();
  /** SHA-256 of the picture in each accepted request, by title. */
  readonly pictures = new Map<string, string>();
  /** SHA-256 of each uploaded file, by its id. */
  readonly uploads = new Map<number, string>();
  readonly killSwitch = new KillSwitch();
  readonly #clock: Pick<Clock, 'now'>;
  readonly #wire: ScriptedService;
  readonly #polls = new Map<string, number>();
  readonly #videos = new Map<string, SeededVideo>();
  readonly #videoBytes: readonly number[];

  /** @param videoBytes sizes of videos, in turn */
  constructor(
    clock: Pick<Clock, 'now'>,
    wire: ScriptedService,
    videoBytes: readonly number[] = [VIDEO_BYTES],
  ) {
    this.#clock = clock;
    this.#wire = wire;
    this.#videoBytes = videoBytes;
    wire.script = (request, socket) => this.#answer(request, socket);
    wire.onSecure = () => void this.killSwitch.killAt('connected');
  }

  get url(): string {
    return this.#wire.url;
  }

  get ca(): string {
    return this.#wire.ca;
  }

  /** SHA-256 of the file that is downloaded for a row; different for each row. */
  sha256Of(title: string): string | undefined {
    return this.#videos.get(this.accepted.get(title) ?? '')?.sha256;
  }

  stop(): Promise<void> {
    return this.#wire.stop();
  }

  #answer({ method, path, headers, body, bytes }: ServiceRequest, socket: TLSSocket): void {
    const id = path.split('/').at(-1) ?? '';
    if (path === UPLOAD_PATH) this.#upload(bytes, socket);
    else if (method === 'POST') this.#generate(body, bytes, socket);
    else if (path.includes('/status/')) socket.write(this.#status(id));
    else if (path.includes('/download/')) {
      const downloadUrl = `${this.url}/files/${id}`;
      const expiresAt = new Date(this.#clock.now() + 3_600_000).toISOString();
      socket.write(this.#json(200, { downloadUrl, expiresAt }));
      this.killSwitch.killAt('link-sent');
    } else this.#file(id, headers.get('range'), socket);
  }

  #generate(body: string, bytes: Buffer, socket: TLSSocket): void {
    const title = /Row \d+/.exec(body)?.[0] ?? '';
    this.posts.set(title, (this.posts.get(title) ?? 0) + 1);
    if (this.killSwitch.killAt('request-before')) return;
    const count = this.accepted.size;
    const id = `video-${count + 1}`;
    const length = this.#videoBytes[count % this.#videoBytes.length] ?? VIDEO_BYTES;
    this.accepted.set(title, id);
    const picture = this.#pictureIn(body, bytes);
    if (picture !== undefined) this.pictures.set(title, picture);
    this.#videos.set(id, seededVideo(count, length));
    if (this.killSwitch.killAt('request-after')) return;
    const answer = this.#json(200, { id, status: 'queued' });
    this.killSwitch.write(answer, socket);
  }

  /** SHA-256 of the picture that a request names, has as base64 or as a part. */
  #pictureIn(body: string, bytes: Buffer): string | undefined {
    const [, named] = /"picture":(\d+)/.exec(body) ?? [];
    if (named !== undefined) return this.uploads.get(Number(named));
    const [, base64] = /"data:image\/png;base64,([\w+/=]+)"/.exec(body) ?? [];
    if (base64 !== undefined) return hash('sha256', Buffer.from(base64, 'base64'));
    const head = 'Content-Type: image/png\r\n\r\n';
    const start = bytes.indexOf(head);
    if (start < 0) return undefined;
    return hash('sha256', bytes.subarray(start + head.length, bytes.lastIndexOf('\r\n--spool-')));
  }

  /** The body is the file. */
  #upload(bytes: Buffer, socket: TLSSocket): void {
    if (this.killSwitch.killAt('upload-before')) return;
    const id = this.uploads.size + 1;
    this.uploads.set(id, hash('sha256', bytes));
    if (this.killSwitch.killAt('upload-after')) return;
    socket.write(this.#json(200, { id }));
    this.killSwitch.killAt('upload-answered');
  }

  #status(id: string): string {
    const polls = (this.#polls.get(id) ?? 0) + 1;
    this.#polls.set(id, polls);
    return this.#json(200, { id, status: polls > 1 ? 'done' : 'rendering' });
  }

  #file(id: string, range: string | undefined, socket: TLSSocket): void {
    const bytes = this.#videos.get(id)?.bytes ?? Buffer.alloc(0);
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    const head = [
      from > 0 ? 'HTTP/1.1 206 Partial Content' : 'HTTP/1.1 200 OK',
      'Content-Type: video/mp4',
      `ETag: "${id}"`,
      `Content-Length: ${bytes.length - from}`,
      ...(from > 0 ? [`Content-Range: bytes ${from}-${bytes.length - 1}/${bytes.length}`] : []),
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    const half = Math.floor((from + bytes.length) / 2);
    socket.write(bytes.subarray(from, half), () => {
      if (!this.killSwitch.killAt('file-half-sent')) socket.write(bytes.subarray(half));
    });
  }

  #json(status: number, body: unknown): string {
    return jsonAnswer(status, body, {
      Date: new Date(this.#clock.now()).toUTCString(),
      'X-RateLimit-Remaining': '1000',
      'X-RateLimit-Reset': new Date(this.#clock.now() + 3_600_000).toISOString(),
    });
  }
}
