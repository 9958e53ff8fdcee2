import { userMessage } from '../../src/contract/user-message.ts';
import { DOCUMENTED_API } from '../../src/contract/service-profile.ts';
import { Endpoints } from '../../src/engine/service/endpoints.ts';
import type {
  HttpResponse,
  BalanceOutcome,
  CancelOutcome,
  ConnectOutcome,
  GenerateOutcome,
  KeyCheckOutcome,
  LinkOutcome,
  ListOutcome,
  ReadTrouble,
  RemoteStatus,
  Service,
  StatusOutcome,
} from '../../src/engine/service/outcomes.ts';
import type { FilePart } from '../../src/engine/service/upload.ts';
import type { Clock } from '../../src/engine/clock.ts';
import { ResponseClassifier, type Reading } from '../../src/engine/service/response-classifier.ts';
import { usualRules } from '../../src/engine/service/vocabularies.ts';
import { rateResponse, type RateDialect, type RateServer } from './rate-servers.ts';

interface FakeVideo {
  readonly id: string;
  readonly body: string;
  /** By the monotonic clock: the service does not share the computer’s wall clock. */
  readonly madeAt: number;
  /** When its render begins and ends; left out unless videos wait for their turn. */
  readonly turn?: { readonly startsAt: number; readonly endsAt: number } | undefined;
  askedFor: number;
}

/** The service's response about one video. */
export interface ScriptedResponse {
  readonly status: number;
  readonly body: unknown;
}

/** As the local service answers (docs/service-conformance.md). */
export const VIDEO_EXPIRED: ScriptedResponse = {
  status: 410,
  body: { success: false, code: 'VIDEO_EXPIRED', message: 'This video is deleted.' },
};

export const NO_SUCH_VIDEO: ScriptedResponse = {
  status: 404,
  body: { success: false, code: 'NOT_FOUND', message: 'There is no such video.' },
};

const TOO_MANY_AT_ONCE = JSON.stringify({ message: 'Too many renders at the same time.' });

/**
 * A service in memory that renders each video for `renderMs`. Its clock is independent of the
 * computer's, which tests may set, and it has no limits unless a test sets some. A test makes it
 * fail by putting outcomes into its queues: each is used once, before it works normally again.
 */
export class FakeService implements Service {
  readonly videos: FakeVideo[] = [];
  /** The files of each request. */
  readonly askedFiles: (readonly FilePart[])[] = [];
  /** Decides about requests for videos, in the service's time; `null` accepts them all. */
  rateLimit: RateServer | null = null;
  rateDialect: RateDialect = 'documented';
  /** Requests that `rateLimit` refused. */
  tooEarly = 0;
  /** Videos that it renders at a time; more are refused. Others use `othersRendering` of them. */
  slots = Infinity;
  /** Of the accepted videos, how many it renders at a time, in order; the others wait. */
  rendersAtOnce = Infinity;
  /** How long a video takes where they wait; `renderMs` when left out. */
  renderMsOf: (body: string) => number = () => this.renderMs;
  othersRendering = 0;
  slotRefusals = 0;
  /** The largest number of our videos that it rendered at a time. */
  mostRendering = 0;
  /** Videos in a calendar month by its own clock; more are refused. */
  monthlyQuota = Infinity;
  /** Whether such a refusal says when the month ends. */
  tellsReset = true;
  quotaRefusals = 0;
  /** Whether its responses have a `Date`. */
  tellsTime = true;
  /** By how much its clock was ahead of the computer's when the service was created. */
  aheadMs = 0;
  /** Bodies of all requests for videos, accepted or not. */
  readonly asked: string[] = [];
  readonly links: string[] = [];
  /** The host of download links. */
  fileHost = 'files.example';
  /** Other hosts for single videos, by their identifier. */
  readonly fileHosts = new Map<string, string>();
  /** Videos whose status was requested, one entry per request. */
  readonly statuses: string[] = [];
  readonly nextGenerate: GenerateOutcome[] = [];
  readonly nextStatus: (StatusOutcome | RemoteStatus)[] = [];
  readonly nextLink: LinkOutcome[] = [];
  readonly nextBalance: BalanceOutcome[] = [];
  /** The account's balance, and how often it was requested. */
  left = 500;
  balanceReads = 0;
  /** Outcomes of the next requests to cancel; each gets the signal that aborts it. */
  readonly nextCancel: ((stop: AbortSignal | undefined) => Promise<CancelOutcome>)[] = [];
  /** Videos that it was asked to cancel, one entry per request. */
  readonly cancels: string[] = [];
  /** Responses about single videos, by their identifier, until a test removes them. */
  readonly statusResponses = new Map<string, ScriptedResponse>();
  readonly linkResponses = new Map<string, ScriptedResponse>();
  /** Returned for every read while it is set. */
  trouble: ReadTrouble | null = null;
  keyIs: 'accepted' | 'refused' = 'accepted';
  renderMs = 60_000;
  /** Time from “done” until there is a link. */
  linkAfterMs = 0;
  latencyMs = 100;
  readonly #clock: Clock;
  readonly #epoch: number;
  readonly #classifier = new ResponseClassifier(
    new Endpoints('https://service.example', DOCUMENTED_API),
    usualRules,
  );

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#epoch = clock.now() - clock.monotonic();
  }

  /** Epoch milliseconds by the service's own clock. */
  now(): number {
    return this.#epoch + this.#clock.monotonic() + this.aheadMs;
  }

  async connect(): Promise<ConnectOutcome> {
    if (this.trouble?.kind === 'unreachable') {
      await this.#clock.sleep(this.latencyMs);
      return { kind: 'not-connected', failure: this.trouble.failure };
    }
    return {
      kind: 'connected',
      connection: {
        generate: (body, _signal, _idempotencyKey, files = []) => {
          this.askedFiles.push(files);
          return this.#generate(body);
        },
        close: () => undefined,
      },
    };
  }

  async #generate(body: string): Promise<GenerateOutcome> {
    this.asked.push(body);
    await this.#clock.sleep(this.latencyMs);
    const scripted = this.nextGenerate.shift();
    if (scripted) return scripted;
    if (this.trouble?.kind === 'unreachable') {
      return { kind: 'not-sent', failure: this.trouble.failure };
    }
    if (this.keyIs === 'refused') return { ...keyRefused, response: this.response(401) };
    const { status, headers } = this.#limited();
    if (status === 429) {
      this.tooEarly += 1;
      return { kind: 'rate-limited', response: this.response(429, headers) };
    }
    const rendering = this.#rendering();
    if (rendering + this.othersRendering >= this.slots) {
      this.slotRefusals += 1;
      return { kind: 'rate-limited', response: { ...this.response(429), body: TOO_MANY_AT_ONCE } };
    }
    this.mostRendering = Math.max(this.mostRendering, rendering + 1);
    if (this.#usedThisMonth() >= this.monthlyQuota) {
      this.quotaRefusals += 1;
      return this.#quotaUsedUp();
    }
    const id = `video-${this.videos.length + 1}`;
    const madeAt = this.#clock.monotonic();
    this.videos.push({ id, body, madeAt, turn: this.#turnOf(body), askedFor: 0 });
    return { kind: 'accepted', remoteId: id, response: this.response(200, headers) };
  }

  #turnOf(body: string): FakeVideo['turn'] {
    if (this.rendersAtOnce === Infinity) return undefined;
    const ends = this.videos.flatMap(({ turn }) => turn?.endsAt ?? []).toSorted((a, b) => b - a);
    const startsAt = Math.max(this.#clock.monotonic(), ends[this.rendersAtOnce - 1] ?? 0);
    return { startsAt, endsAt: startsAt + this.renderMsOf(body) };
  }

  #endOf({ madeAt, turn }: FakeVideo): number {
    return turn?.endsAt ?? madeAt + this.renderMs;
  }

  #rendering(): number {
    const now = this.#clock.monotonic();
    return this.videos.filter((video) => now < this.#endOf(video)).length;
  }

  async status(remoteId: string): Promise<StatusOutcome> {
    await this.#clock.sleep(this.latencyMs);
    if (this.trouble) return this.trouble;
    if (this.keyIs === 'refused') return { ...keyRefused, response: this.response(401) };
    const scripted = this.nextStatus.shift();
    if (scripted) {
      if ('kind' in scripted) return scripted;
      return { kind: 'status', status: scripted, response: this.response(200) };
    }
    this.statuses.push(remoteId);
    const raw = this.statusResponses.get(remoteId);
    if (raw) return this.#classifier.ofStatus(this.#read(raw));
    const video = this.videos.find(({ id }) => id === remoteId);
    if (!video) return this.#classifier.ofStatus(this.#read(NO_SUCH_VIDEO));
    video.askedFor += 1;
    const now = this.#clock.monotonic();
    const isWaiting = video.turn !== undefined && now < video.turn.startsAt;
    const state = now >= this.#endOf(video) ? 'done' : isWaiting ? 'queued' : 'working';
    const status = { state, word: state, progress: null, error: null } as const;
    return { kind: 'status', status, response: this.response(200) };
  }

  knownLink(): null {
    return null;
  }

  list(): Promise<ListOutcome> {
    return Promise.reject(new Error('This service has no list.'));
  }

  async link(remoteId: string): Promise<LinkOutcome> {
    await this.#clock.sleep(this.latencyMs);
    if (this.trouble) return this.trouble;
    if (this.keyIs === 'refused') return { ...keyRefused, response: this.response(401) };
    this.links.push(remoteId);
    const raw = this.linkResponses.get(remoteId);
    if (raw) return this.#classifier.ofLink(this.#read(raw));
    const host = this.fileHosts.get(remoteId) ?? this.fileHost;
    const video = this.videos.find(({ id }) => id === remoteId);
    if (!video) return this.#classifier.ofLink(this.#read(NO_SUCH_VIDEO));
    if (this.#clock.monotonic() < this.#endOf(video) + this.linkAfterMs) {
      return this.#classifier.ofLink(this.#read(NOT_READY));
    }
    const link = { url: `https://${host}/${remoteId}`, expiresAt: null };
    return this.nextLink.shift() ?? { kind: 'link', link, response: this.response(200) };
  }

  cancel(remoteId: string, stop?: AbortSignal): Promise<CancelOutcome> {
    this.cancels.push(remoteId);
    const next = this.nextCancel.shift();
    return next?.(stop) ?? Promise.reject(new Error('This service cancels nothing.'));
  }

  async balance(): Promise<BalanceOutcome> {
    this.balanceReads += 1;
    await this.#clock.sleep(this.latencyMs);
    if (this.trouble) return this.trouble;
    return (
      this.nextBalance.shift() ?? {
        kind: 'balance',
        amount: this.left,
        response: this.response(200),
      }
    );
  }

  async checkKey(): Promise<KeyCheckOutcome> {
    await this.#clock.sleep(this.latencyMs);
    if (this.trouble?.kind === 'unreachable') return this.trouble;
    const response = this.response(this.keyIs === 'accepted' ? 404 : 401);
    return this.keyIs === 'accepted'
      ? { kind: 'accepted', response }
      : { kind: 'key-refused', failure: keyRefused.failure, response };
  }

  #read({ status, body }: ScriptedResponse): Reading {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.#classifier.ofRead({
      kind: 'answered',
      response: { ...this.response(status), body: text },
    });
  }

  /** A response of this moment, with a `Date` and other headers. */
  response(status: number, headers: Readonly<Record<string, string>> = {}): HttpResponse {
    const now = this.#clock.now();
    const date = this.tellsTime ? { date: new Date(this.now()).toUTCString() } : {};
    return {
      status,
      headers: { ...date, ...headers },
      body: JSON.stringify({ status }),
      sentAt: now - this.latencyMs,
      receivedAt: now,
    };
  }

  #usedThisMonth(): number {
    const today = new Date(this.now());
    const month = Date.UTC(today.getUTCFullYear(), today.getUTCMonth());
    const ahead = this.now() - this.#clock.monotonic();
    return this.videos.filter(({ madeAt }) => madeAt + ahead >= month).length;
  }

  #quotaUsedUp(): GenerateOutcome {
    const today = new Date(this.now());
    const end = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1));
    const details = this.tellsReset ? { resetAt: end.toISOString() } : {};
    const body = JSON.stringify({ success: false, code: 'QUOTA_EXCEEDED', details });
    const failure = {
      code: 'quota-used-up',
      ...userMessage('verbatim', { text: 'No videos are left.' }),
    } as const;
    return { kind: 'quota-used-up', failure, response: { ...this.response(403), body } };
  }

  #limited(): { status: number; headers: Readonly<Record<string, string>> } {
    if (this.rateLimit === null) return { status: 200, headers: {} };
    return rateResponse(this.rateLimit.ask(this.now()), this.now(), 'millis', this.rateDialect);
  }
}

const NOT_READY: ScriptedResponse = {
  status: 409,
  body: { success: false, code: 'NOT_READY', message: 'The video is not ready.' },
};

const keyRefused = {
  kind: 'key-refused',
  failure: { code: 'key-refused', ...userMessage('verbatim', { text: 'The key is not valid.' }) },
} as const;

export const offline: ReadTrouble = {
  kind: 'unreachable',
  failure: {
    code: 'service-unreachable',
    ...userMessage('verbatim', { text: 'The service cannot be reached.' }),
  },
  response: null,
};
