import { seededVideo, type SeededVideo } from '../../../rigs/seeded-video.ts';
import { rateResponse, rateServer, type RateServerKind } from '../../../rigs/rate-servers.ts';

export const GOOD_KEY = 'svc_live_0123456789abcdef';

const HOUR = 3_600_000;

/** A link contains its expiry, so the file server stores none. */
const FILES = 'https://files.example';

/** An accepted video. Its bytes differ from every other video's. */
export interface SimulatedVideo {
  readonly id: string;
  readonly body: string;
  /** The job whose request it was. */
  readonly job: number;
  readonly acceptedAt: number;
  readonly file: SeededVideo;
  /** Its status once the render time is over. */
  word: 'done' | 'failed';
}

/** A response as it leaves the service. */
export interface Response {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type ServiceRequest =
  | { readonly to: 'generate'; readonly body: string; readonly job: number }
  | { readonly to: 'status' | 'download'; readonly id: string };

/** The documented service without a network: its state, and its responses without faults. */
export class SimulatedService {
  readonly origin: string;
  readonly videos: SimulatedVideo[] = [];
  /** The only accepted key. */
  key = GOOD_KEY;
  isQuotaUsedUp = false;
  renderMs = 90_000;
  readonly #now: () => number;
  readonly #limiters;

  /** @param now the service's clock, milliseconds since the epoch; the reference for all others */
  constructor(origin: string, kind: RateServerKind, now: () => number) {
    this.origin = origin;
    this.#now = now;
    this.#limiters = {
      generate: rateServer(kind, 10, HOUR),
      status: rateServer(kind, 60, 60_000),
      download: rateServer(kind, 30, HOUR),
    };
  }

  get now(): number {
    return this.#now();
  }

  /** Executes a request that has arrived. */
  answer(request: ServiceRequest, key: string | null): Response {
    if (key !== this.key)
      return this.respond(401, errorBody('UNAUTHORIZED', 'A valid key, please.'));
    const now = this.#now();
    const verdict = this.#limiters[request.to].ask(now);
    const { status, headers, body } = rateResponse(verdict, now, 'seconds-floor');
    if (status === 429) return { status, headers, body: JSON.stringify(body) };
    const response = request.to === 'generate' ? this.#generate(request) : this.#read(request);
    return { ...response, headers: { ...response.headers, ...headers } };
  }

  /** A response with the service's time and without rate limits. */
  respond(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response {
    const date = new Date(this.#now()).toUTCString();
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return { status, headers: { date, ...headers }, body: text };
  }

  /** The file of a link; `null` once the link has expired. */
  fileAt(url: string): SeededVideo | null {
    const { pathname, searchParams } = new URL(url);
    if (Number(searchParams.get('until')) <= this.#now()) return null;
    return this.videos.find(({ id }) => pathname === `/${id}.mp4`)?.file ?? null;
  }

  linkTo(id: string, livesMs = HOUR): { downloadUrl: string; expiresAt: string } {
    const until = this.#now() + livesMs;
    const downloadUrl = `${FILES}/${id}.mp4?until=${until}`;
    return { downloadUrl, expiresAt: new Date(until).toISOString() };
  }

  #generate({ body, job }: Extract<ServiceRequest, { to: 'generate' }>): Response {
    if (this.isQuotaUsedUp) {
      return this.respond(403, errorBody('QUOTA_EXCEEDED', 'The monthly quota is used up.'));
    }
    const number = this.videos.length + 1;
    const id = `video-${number}`;
    const file = seededVideo(number + this.origin.length * 1000, 2000 + number);
    this.videos.push({ id, body, job, acceptedAt: this.#now(), file, word: 'done' });
    return this.respond(200, { id, status: 'queued' });
  }

  #read({ to, id }: Extract<ServiceRequest, { id: string }>): Response {
    const video = this.videos.find((each) => each.id === id);
    if (!video) return this.respond(404, errorBody('NOT_FOUND', 'There is no such video.'));
    const isOver = this.#now() - video.acceptedAt >= this.renderMs;
    if (to === 'status')
      return this.respond(200, { id, status: isOver ? video.word : 'rendering' });
    return isOver && video.word === 'done'
      ? this.respond(200, this.linkTo(id))
      : this.respond(409, errorBody('NOT_READY', 'It is not finished.'));
  }
}

export function errorBody(code: string, message: string, details?: object): object {
  return { success: false, message, code, ...(details && { details }) };
}
