import { inEnglish } from '../../src/contract/told.ts';
import type {
  Answer,
  GenerateOutcome,
  KeyCheckOutcome,
  LinkOutcome,
  ReadTrouble,
  RemoteStatus,
  Service,
  StatusOutcome,
} from '../../src/engine/service/outcomes.ts';
import type { Clock } from '../../src/engine/clock.ts';

interface FakeVideo {
  readonly id: string;
  readonly body: string;
  /** By the monotonic clock: the service does not share the computer’s wall clock. */
  readonly madeAt: number;
  askedFor: number;
}

/**
 * A service in memory that renders each video for `renderMs` and has no limits of its own. A test
 * makes it misbehave by putting outcomes into its queues: each is given once, before it goes on as
 * usual.
 */
export class FakeService implements Service {
  readonly videos: FakeVideo[] = [];
  /** Bodies of every request to make a video, accepted or not. */
  readonly asked: string[] = [];
  readonly links: string[] = [];
  readonly nextGenerate: GenerateOutcome[] = [];
  readonly nextStatus: (StatusOutcome | RemoteStatus)[] = [];
  readonly nextLink: LinkOutcome[] = [];
  /** Given to every read while it is set. */
  trouble: ReadTrouble | null = null;
  keyIs: 'accepted' | 'refused' = 'accepted';
  renderMs = 60_000;
  latencyMs = 100;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async generate(body: string): Promise<GenerateOutcome> {
    this.asked.push(body);
    await this.#clock.sleep(this.latencyMs);
    const scripted = this.nextGenerate.shift();
    if (scripted) return scripted;
    if (this.trouble?.kind === 'unreachable') {
      return { kind: 'not-sent', failure: this.trouble.failure };
    }
    if (this.keyIs === 'refused') return { ...keyRefused, answer: this.answer(401) };
    const id = `video-${this.videos.length + 1}`;
    this.videos.push({ id, body, madeAt: this.#clock.monotonic(), askedFor: 0 });
    return { kind: 'accepted', remoteId: id, answer: this.answer(200) };
  }

  async status(remoteId: string): Promise<StatusOutcome> {
    await this.#clock.sleep(this.latencyMs);
    if (this.trouble) return this.trouble;
    if (this.keyIs === 'refused') return { ...keyRefused, answer: this.answer(401) };
    const scripted = this.nextStatus.shift();
    if (scripted) {
      if ('kind' in scripted) return scripted;
      return { kind: 'status', status: scripted, answer: this.answer(200) };
    }
    const video = this.videos.find(({ id }) => id === remoteId);
    if (!video) {
      const failure = { code: 'service-refused' as const, ...inEnglish('There is no such video.') };
      return { kind: 'not-found', failure, answer: this.answer(404) };
    }
    video.askedFor += 1;
    const isDone = this.#clock.monotonic() - video.madeAt >= this.renderMs;
    const state = isDone ? 'done' : 'working';
    const status = { state, word: state, progress: null, error: null } as const;
    return { kind: 'status', status, answer: this.answer(200) };
  }

  async link(remoteId: string): Promise<LinkOutcome> {
    await this.#clock.sleep(this.latencyMs);
    if (this.trouble) return this.trouble;
    if (this.keyIs === 'refused') return { ...keyRefused, answer: this.answer(401) };
    this.links.push(remoteId);
    const link = { url: `https://files.example/${remoteId}`, expiresAt: null };
    return this.nextLink.shift() ?? { kind: 'link', link, answer: this.answer(200) };
  }

  async checkKey(): Promise<KeyCheckOutcome> {
    await this.#clock.sleep(this.latencyMs);
    if (this.trouble?.kind === 'unreachable') return this.trouble;
    const answer = this.answer(this.keyIs === 'accepted' ? 404 : 401);
    return this.keyIs === 'accepted'
      ? { kind: 'accepted', answer }
      : { kind: 'refused', failure: keyRefused.failure, answer };
  }

  /** An answer of now, with a `Date` and whatever other headers. */
  answer(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
    const now = this.#clock.now();
    const date = new Date(now).toUTCString();
    return {
      status,
      headers: { date, ...headers },
      body: JSON.stringify({ status }),
      sentAt: now - this.latencyMs,
      receivedAt: now,
    };
  }
}

const keyRefused = {
  kind: 'key-refused',
  failure: { code: 'key-refused', ...inEnglish('The key is not valid.') },
} as const;

export const offline: ReadTrouble = {
  kind: 'unreachable',
  failure: { code: 'service-unreachable', ...inEnglish('The service cannot be reached.') },
  answer: null,
};
