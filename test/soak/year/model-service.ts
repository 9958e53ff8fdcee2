import {
  RATE_DIALECTS,
  rateResponse,
  rateServer,
  type InstantFormat,
  type RateDialect,
  type RateServer,
  type RateServerKind,
} from '../../rigs/rate-servers.ts';
import type { SeededRandom } from '../../rigs/seeded-random.ts';
import { BillingCalendar, type BillingCycle, type CivilDate } from './billing-calendar.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** service-api.md §8.3. */
export const VIDEOS_A_MONTH = {
  free: 3,
  starter: 15,
  creator: 50,
  pro: 150,
  business: 500,
} as const;

export type PlanName = keyof typeof VIDEOS_A_MONTH;

export type Endpoint = 'generate' | 'status' | 'download';

/** Details that the document leaves open (“not shown”), or that differ at a real service. */
export interface ServiceTraits {
  readonly plan: PlanName;
  readonly billingDate: CivilDate;
  /** IANA name of the zone in which billing days begin. */
  readonly zone: string;
  readonly limiter: RateServerKind;
  readonly dialect: RateDialect;
  readonly format: InstantFormat;
  /** Requests per hour, if negotiated (§8.5). */
  readonly generatePerHour: number;
  /** Its clock, minus the true time. */
  readonly clockErrorMs: number;
  /** Limits reset this much later than the headers say; a 429's `Retry-After` is right. */
  readonly lateResetMs: number;
  /** The quota of a new cycle is available this long after the cycle's first moment. */
  readonly lateQuotaMs: number;
  /**
   * The response when the quota is used up, which the document does not show; `bills` accepts and
   * charges.
   */
  readonly quotaRefusal: 'code' | 'code-with-reset' | 'code-with-retry' | 'payment' | 'bills';
  readonly idAt: 'id' | 'data.id' | 'videoId' | 'projectId';
  readonly words: { readonly working: string; readonly done: string; readonly failed: string };
  /** Replicas: all know an accepted video only after this time. */
  readonly replicationMs: number;
  /** Median of the render times, and the standard deviation of their logarithm. */
  readonly renderMs: number;
  readonly renderDeviation: number;
  /** From “done” until the first link. */
  readonly linkAfterMs: number;
  readonly keepsVideosMs: number;
}

/** A video that the service accepted. Moments are true time. */
export interface Video {
  readonly id: string;
  readonly body: string;
  readonly acceptedAt: number;
  /** When its render ends, also if it fails. */
  readonly endsAt: number;
  readonly linkFrom: number;
  readonly fails: boolean;
  /** The cycle it was charged to, by its start. */
  readonly cycle: number;
  /** When links were requested, in true time. */
  readonly linksAsked: number[];
}

export interface ModelRequest {
  readonly to: Endpoint;
  readonly id: string | null;
  readonly body: string | null;
  readonly key: string | undefined;
}

export interface ModelResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A fault at the service or on the way to it, for the requests that it applies to. */
export interface Trouble {
  readonly name: string;
  readonly applies: (request: ModelRequest) => boolean;
  /** Whether the service executes the request nevertheless. */
  readonly executes: boolean;
  /** The result: a response instead of the service's, nothing, a reset, or half of the response. */
  readonly answer: { readonly status: number; readonly body: string } | 'silence' | 'reset' | 'cut';
  /** The number of requests that it still applies to; `Infinity`: until it is removed. */
  times: number;
}

/**
 * The service of service-api.md, implemented from the document only: it shares no code with the
 * engine or the local service. It has no clock: every call passes the time.
 */
export class ModelService {
  readonly origin: string;
  readonly traits: ServiceTraits;
  readonly videos = new Map<string, Video>();
  readonly byBody = new Map<string, Video[]>();
  readonly troubles = new Set<Trouble>();
  key: string;
  plan: PlanName;
  /** By the start of the cycle that they are charged to. */
  readonly #byCycle = new Map<number, Video[]>();
  /** Videos that the web studio and other clients requested, by the same key. */
  readonly #madeByOthers = new Map<number, number>();
  readonly #random: SeededRandom;
  readonly #calendar: BillingCalendar;
  readonly #limiters: Readonly<Record<Endpoint, RateServer>>;

  constructor(origin: string, traits: ServiceTraits, random: SeededRandom) {
    this.origin = origin;
    this.traits = traits;
    this.plan = traits.plan;
    this.key = newKey(random);
    this.#random = random;
    this.#calendar = new BillingCalendar(traits.billingDate, traits.zone);
    const limiter = (limit: number, windowMs: number): RateServer =>
      rateServer(traits.limiter, limit, windowMs, random.next());
    this.#limiters = {
      generate: limiter(traits.generatePerHour, HOUR),
      status: limiter(60, MINUTE),
      download: limiter(30, HOUR),
    };
  }

  get limit(): number {
    return VIDEOS_A_MONTH[this.plan];
  }

  /** The service's clock at a moment of true time. */
  clockAt(at: number): number {
    return at + this.traits.clockErrorMs;
  }

  /** The cycle that a video is charged to at a moment. Its bounds are true time. */
  cycleAt(at: number): BillingCycle {
    const { clockErrorMs, lateQuotaMs } = this.traits;
    const { start, end } = this.#calendar.cycleAt(this.clockAt(at) - lateQuotaMs);
    return { start: start - clockErrorMs + lateQuotaMs, end: end - clockErrorMs + lateQuotaMs };
  }

  /** The end of the cycle as the dashboard shows it, by the service's clock. */
  resetShownAt(at: number): number {
    return this.#calendar.cycleAt(this.clockAt(at)).end;
  }

  usedAt(at: number): number {
    const { start } = this.cycleAt(at);
    const made = this.#byCycle.get(start) ?? [];
    const refunded = made.filter((video) => video.fails && video.endsAt <= at).length;
    return made.length - refunded + (this.#madeByOthers.get(start) ?? 0);
  }

  /** How many of this cycle's videos others requested. */
  othersUsedAt(at: number): number {
    return this.#madeByOthers.get(this.cycleAt(at).start) ?? 0;
  }

  /** The studio, or another client, requests videos. */
  useQuota(at: number, videos: number): void {
    const { start } = this.cycleAt(at);
    this.#madeByOthers.set(start, (this.#madeByOthers.get(start) ?? 0) + videos);
  }

  /** Another client with the same key makes a request. */
  requestAsOther(to: Endpoint, at: number): void {
    this.#limiters[to].ask(this.#limiterClockAt(at));
  }

  /** Limiters that reset late use another clock than the one that they report. */
  #limiterClockAt(at: number): number {
    return this.clockAt(at) - this.traits.lateResetMs;
  }

  /**
   * When a request to an endpoint would pass its rate limit, if no other client sends one before.
   */
  opensAt(to: Endpoint, at: number): number {
    const delay = this.#limiterClockAt(at) - at;
    return this.#limiters[to].opensAt(at + delay) - delay;
  }

  /** The user revokes the key and creates another one. */
  replaceKey(): void {
    this.key = newKey(this.#random);
  }

  troubleWith(request: ModelRequest): Trouble | undefined {
    for (const trouble of this.troubles) {
      if (!trouble.applies(request)) continue;
      trouble.times -= 1;
      if (trouble.times <= 0) this.troubles.delete(trouble);
      return trouble;
    }
    return undefined;
  }

  /** Executes a request that has arrived. */
  handle(request: ModelRequest, at: number): ModelResponse {
    if (request.key !== this.key) {
      return this.answer(401, errorBody('UNAUTHORIZED', 'A valid key is needed.'), at);
    }
    const verdict = this.#limiters[request.to].ask(this.#limiterClockAt(at));
    const { dialect, format } = this.traits;
    const limited = rateResponse(verdict, this.clockAt(at), format, dialect);
    if (!verdict.accepted) {
      return { status: 429, headers: limited.headers, body: JSON.stringify(limited.body) };
    }
    const { status, headers, body } = this.#respond(request, at);
    return { status, headers: { ...headers, ...limited.headers }, body };
  }

  answer(status: number, body: object | string, at: number): ModelResponse {
    const date = new Date(this.clockAt(at)).toUTCString();
    return {
      status,
      headers: { date, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    };
  }

  /** The video that a link leads to at a moment. */
  fileAt(url: string, at: number): Video | null {
    const { pathname, searchParams } = new URL(url);
    if (Number(searchParams.get('until')) <= this.clockAt(at)) return null;
    return this.#find(pathname.slice(1).replace(/\.mp4$/, ''), at);
  }

  isKept(video: Video, at: number): boolean {
    return at < video.acceptedAt + this.traits.keepsVideosMs;
  }

  #respond({ to, id, body }: ModelRequest, at: number): ModelResponse {
    if (to === 'generate') return this.#generate(body ?? '', at);
    const video = this.#find(id ?? '', at);
    if (!video || at < video.acceptedAt + this.traits.replicationMs) {
      return this.answer(404, errorBody('NOT_FOUND', 'There is no such video.'), at);
    }
    return to === 'status' ? this.#status(video, at) : this.#link(video, at);
  }

  #find(id: string, at: number): Video | null {
    const video = this.videos.get(id);
    return video && this.isKept(video, at) ? video : null;
  }

  #generate(body: string, at: number): ModelResponse {
    if (!isJsonObject(body) || body.includes('unacceptable')) {
      return this.answer(400, errorBody('INVALID_PAYLOAD', 'This cannot be rendered.'), at);
    }
    if (this.traits.quotaRefusal !== 'bills' && this.usedAt(at) >= this.limit) {
      return this.#refuseForQuota(at);
    }
    const { renderMs, renderDeviation, linkAfterMs } = this.traits;
    const endsAt = at + this.#random.logNormal(renderMs, renderDeviation);
    const video: Video = {
      id: `prj_${this.videos.size + 1}_${Math.floor(this.#random.next() * 1e9).toString(36)}`,
      body,
      acceptedAt: at,
      endsAt,
      linkFrom: endsAt + linkAfterMs * this.#random.next(),
      fails: body.includes('unlucky') && this.#random.next() < 0.7,
      cycle: this.cycleAt(at).start,
      linksAsked: [],
    };
    this.videos.set(video.id, video);
    this.byBody.set(body, [...(this.byBody.get(body) ?? []), video]);
    this.#byCycle.set(video.cycle, [...(this.#byCycle.get(video.cycle) ?? []), video]);
    return this.answer(200, this.#identified(video.id), at);
  }

  #identified(id: string): object {
    switch (this.traits.idAt) {
      case 'id':
        return { success: true, id, status: 'queued' };
      case 'data.id':
        return { success: true, data: { id, state: 'queued' } };
      case 'videoId':
        return { videoId: id };
      case 'projectId':
        return { success: true, projectId: id, message: 'Video generation started.' };
    }
  }

  #refuseForQuota(at: number): ModelResponse {
    const { end } = this.cycleAt(at);
    const message = 'The monthly video quota is used up.';
    switch (this.traits.quotaRefusal) {
      case 'payment':
        return this.answer(402, errorBody('PAYMENT_REQUIRED', message), at);
      case 'code-with-reset': {
        const resetAt = new Date(this.clockAt(end)).toISOString();
        return this.answer(
          403,
          { ...errorBody('QUOTA_EXCEEDED', message), details: { resetAt } },
          at,
        );
      }
      case 'code-with-retry': {
        const { headers, ...rest } = this.answer(429, errorBody('QUOTA_EXCEEDED', message), at);
        const retryAfter = String(Math.ceil((end - at) / SECOND));
        return { ...rest, headers: { ...headers, 'retry-after': retryAfter } };
      }
      case 'code':
      case 'bills':
        return this.answer(403, errorBody('QUOTA_EXCEEDED', message), at);
    }
  }

  #status(video: Video, at: number): ModelResponse {
    const { words } = this.traits;
    if (at < video.endsAt) return this.answer(200, { id: video.id, status: words.working }, at);
    return video.fails
      ? this.answer(200, { id: video.id, status: words.failed, error: 'Out of memory.' }, at)
      : this.answer(200, { id: video.id, status: words.done }, at);
  }

  #link(video: Video, at: number): ModelResponse {
    video.linksAsked.push(at);
    if (at < video.linkFrom || video.fails) {
      return this.answer(409, errorBody('NOT_READY', 'The video is not ready.'), at);
    }
    const until = this.clockAt(at) + HOUR;
    const downloadUrl = `https://files.example/${video.id}.mp4?until=${until}&sig=${video.id}`;
    return this.answer(200, { downloadUrl, expiresAt: new Date(until).toISOString() }, at);
  }
}

/** The bytes of a video, which differ for each video. */
export function bytesOf(video: Video): Buffer {
  return Buffer.from(`${video.id}\n${video.body}\n`);
}

export function errorBody(code: string, message: string): object {
  return { success: false, message, code };
}

function newKey(random: SeededRandom): string {
  return `svc_live_${Math.floor(random.next() * 1e15).toString(36)}abcdef`;
}

function isJsonObject(text: string): boolean {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null;
  } catch {
    return false;
  }
}

const WORDS: readonly ServiceTraits['words'][] = [
  { working: 'rendering', done: 'done', failed: 'failed' },
  { working: 'processing', done: 'completed', failed: 'error' },
  { working: 'IN_PROGRESS', done: 'succeeded', failed: 'failed' },
];

/** Billing days begin at midnight; in two of these zones the clocks skip it once a year. */
const ZONES = [
  ...(['UTC', 'UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'] as const),
  ...(['Australia/Lord_Howe', 'Asia/Beirut', 'America/Havana', 'Pacific/Auckland'] as const),
];

/** Random properties of a service. @param startAt of the year; its account is some months older */
export function randomTraits(plan: PlanName, startAt: number, random: SeededRandom): ServiceTraits {
  const opened = new Date(startAt - random.between(30, 300) * DAY);
  const isLate = random.next() < 0.2;
  return {
    plan,
    billingDate: {
      year: opened.getUTCFullYear(),
      // A month with 31 days.
      month: 1,
      day: random.next() < 0.6 ? random.integer(28, 31) : random.integer(1, 27),
    },
    zone: random.pick(ZONES),
    limiter: random.pick([
      ...([
        'fixed',
        'anchored',
        'sliding-next',
        'sliding-empty',
        'bucket-next',
        'bucket-full',
      ] as const),
    ]),
    dialect:
      random.next() < 0.6
        ? 'documented'
        : random.pick(RATE_DIALECTS.filter((dialect) => dialect !== 'documented')),
    format: random.pick(['millis', 'seconds-floor', 'seconds-ceil']),
    generatePerHour: random.next() < 0.85 ? 10 : random.integer(12, 40),
    clockErrorMs: random.next() < 0.5 ? 0 : Math.round(random.between(-90, 90) * SECOND),
    lateResetMs: isLate ? Math.round(random.between(1, 20) * SECOND) : 0,
    lateQuotaMs: random.next() < 0.2 ? Math.round(random.between(1, 90) * SECOND) : 0,
    quotaRefusal: random.pick(['code', 'code-with-reset', 'code-with-retry', 'payment', 'bills']),
    idAt: random.pick(['id', 'data.id', 'videoId', 'projectId']),
    words: random.pick(WORDS),
    replicationMs: random.next() < 0.3 ? Math.round(random.between(1, 20) * SECOND) : 0,
    renderMs: random.logBetween(20 * SECOND, 10 * MINUTE),
    renderDeviation: random.between(0.05, 0.4),
    linkAfterMs: random.next() < 0.2 ? random.between(1, 3) * MINUTE : 0,
    keepsVideosMs: random.pick([7, 30, 400]) * DAY,
  };
}
