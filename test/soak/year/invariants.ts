import type { History } from './history.ts';
import type {
  Endpoint,
  ModelRequest,
  ModelResponse,
  ModelService,
  Video,
} from './model-service.ts';
import type { Listener } from './network.ts';
import type { QueueReader, QueuedRow } from './queue-reader.ts';
import type { WorldTime } from './world-time.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A row that could be sent is sent within this time. */
const SEND_DEADLINE_MS = 2 * MINUTE;

/** A finished video is saved within this time, except during and shortly after a fault. */
const SAVE_DEADLINE_MS = 12 * MINUTE;
/**
 * During an endpoint's outage the engine tries it every ten minutes, and sends nothing until it
 * responds.
 */
const ENDPOINT_OUTAGE_MS = 11 * MINUTE;
const SAVE_AFTER_TROUBLE_MS = 30 * MINUTE;

/**
 * The error of a forecast is at most this share of its length, or the usual variation of a render.
 */
const FORECAST_SHARE = 0.05;

/** Milliseconds. A drifting clock changes by less between two responses. */
const CLOCK_SET_MS = 5 * SECOND;

/** After this many renders of a service, the engine knows their usual time. */
const RENDERS_TO_LEARN = 8;

/** After the first hour, backoff leaves a broken video one link in ten minutes. */
const MAX_LINKS_IN_FIVE_HOURS = 50;

/** Of 30 links an hour; the engine reached at most 23 with delays from none to minutes. */
const MAX_EARLY_LINKS = 27;

/** Longer than the time between two checks while the computer is awake. */
const MAX_CHECK_GAP_MS = MINUTE;

/** Milliseconds between two checks of the queue. */
const CHECK_INTERVAL_MS = 20 * SECOND;

/** Whether the history contains every exchange. */
const IS_TRACING = process.env.SPOOL_YEAR_TRACE === '1';

/** An invariant did not hold. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** A request that the user wants a service to accept, byte for byte. */
interface Wanted {
  readonly body: string;
  readonly title: string;
  /** How often the service may accept it: once, and again for each retry that the user chose. */
  allowed: number;
  accepted: number;
  /** False while it is held or cancelled. */
  isWanted: boolean;
}

/** One service's account, as far as its user and the engine can know it. */
class Account {
  readonly service: ModelService;
  readonly wanted = new Map<string, Wanted>();
  /** Videos that the engine knows and has not saved, with the milliseconds that each has waited. */
  readonly coming = new Map<Video, number>();
  /** Requests whose outcome the engine does not know, by body: when they were sent, true time. */
  readonly unknown = new Map<string, number>();
  /** Failed videos that the service has reported to the engine. */
  readonly reportedFailed = new Set<Video>();
  readonly linksAllowed = new Map<string, number>();
  /** The user's entry, as a difference to the engine's count, by cycle. */
  correction: { readonly cycle: number; readonly videos: number } | null = null;
  /** More requests were accepted than one window allows. */
  hasSeenReset = false;
  rendersSeen = 0;
  /** Requests for links that did not exist yet, within an hour; true time. */
  earlyLinks: number[] = [];
  /**
   * The error of the computer's clock at the last response with a date, and the gaps until then.
   */
  reported: { readonly errorMs: number; readonly gaps: number } | null = null;
  unknownStreak = 0;
  refusalStreak = 0;
  quotaRefusals = { cycle: 0, count: 0 };
  /** The engine reports that its key works, or has not received a response. */
  hasKey = true;
  /** Until then, true time, the engine need not send anything. */
  excusedUntil = 0;
  /**
   * Requests without a response that the service did not execute, and the engine counts; true time.
   */
  countedUnmade: number[] = [];
  /** The last time when no status or no link of any video was available. */
  endpointOutAt = -Infinity;
  waitingSince: number | null = null;
  /** A submission is running: only one may at a time. */
  isAsking = false;

  constructor(service: ModelService) {
    this.service = service;
  }
}

/** A forecast that was shown when rows were added. */
interface ShownForecast {
  readonly body: string;
  readonly madeAt: number;
  readonly sendAt: number | null;
  readonly savedAt: number | null;
  /** The value of `interference` at that time. */
  readonly interference: number;
  /** By how much a render of this service may differ from its median. */
  readonly renderSlackMs: number;
}

/** The conditions at a moment that excuse the engine. */
export interface Circumstances {
  /** The engine is open for this service, and its process is awake. */
  readonly open: ModelService | null;
  readonly isPaused: 'no' | 'sending' | 'everything';
  readonly areTransfersPaused: boolean;
  readonly isStopBefore: (jobId: number) => boolean;
  /** The user's setting equals the service's plan. */
  readonly isPlanKnown: boolean;
  readonly canConnect: boolean;
  readonly canSave: boolean;
  readonly canWriteQueue: boolean;
  /** The computer's clock minus the true time, and the number of undetectable clock changes. */
  readonly clock: { readonly errorMs: number; readonly gaps: number };
  readonly savedAt: ReadonlyMap<string, number>;
}

/**
 * Checks invariants by the requests that the services received and by the user's actions, never by
 * what the engine reports about itself.
 */
export class Invariants implements Listener {
  /**
   * Counts events that a forecast cannot know: faults, clocks, restarts, actions of users and
   * others.
   */
  interference = 0;
  /** The user adds rows at this moment: they may be sent before the call returns. */
  isAdding = false;
  readonly stats = {
    accepted: 0,
    refused: 0,
    quotaRefused: 0,
    forecasts: 0,
    saved: 0,
    worstForecast: 0,
    earlyLinks: 0,
  };
  queue: QueueReader | null = null;
  failure: InvariantError | null = null;
  readonly #time: WorldTime;
  readonly #history: History;
  readonly #circumstances: () => Circumstances;
  readonly #accounts = new Map<string, Account>();
  readonly #forecasts: ShownForecast[] = [];
  #checkedAt: number;
  #troubledAt = 0;

  constructor(time: WorldTime, history: History, circumstances: () => Circumstances) {
    this.#time = time;
    this.#history = history;
    this.#circumstances = circumstances;
    this.#checkedAt = time.now;
  }

  account(service: ModelService): Account {
    let account = this.#accounts.get(service.origin);
    if (!account) {
      account = new Account(service);
      this.#accounts.set(service.origin, account);
    }
    return account;
  }

  /**
   * Stored rather than thrown: the engine, which is often the caller, would treat it as its own
   * error.
   */
  fail(what: string): void {
    this.failure ??= new InvariantError(what);
  }

  /** An event that no forecast could know. */
  recordInterference(what: string | null = null): void {
    this.interference += 1;
    if (what !== null) this.#history.note(what);
  }

  // The user's actions.

  addWanted(service: ModelService, { body, title }: Pick<QueuedRow, 'body' | 'title'>): void {
    const { wanted } = this.account(service);
    const known = wanted.get(body);
    if (known) known.allowed += 1;
    else wanted.set(body, { body, title, allowed: 1, accepted: 0, isWanted: true });
  }

  /** The user holds or cancels a row, or takes that back. */
  setWanted(service: ModelService, body: string, isWanted: boolean): void {
    const wanted = this.account(service).wanted.get(body);
    if (wanted) wanted.isWanted = isWanted;
  }

  /** The user lets a row be rendered again that has no video, or may have none. */
  allowAnother(service: ModelService, body: string, times = 1): void {
    const account = this.account(service);
    const wanted = account.wanted.get(body);
    if (!wanted) return;
    wanted.isWanted = true;
    wanted.allowed = Math.max(wanted.allowed, wanted.accepted + times);
    account.unknown.delete(body);
  }

  /** A request that was edited before it was sent is no longer wanted. */
  removeWanted(service: ModelService, body: string): void {
    const { wanted } = this.account(service);
    const known = wanted.get(body);
    if (!known) return;
    known.allowed -= 1;
    if (known.allowed <= 0) wanted.delete(body);
  }

  /** The user found the video of a request whose outcome was unknown. */
  videoFound(service: ModelService, body: string, video: Video): void {
    const account = this.account(service);
    account.unknown.delete(body);
    account.coming.set(video, 0);
  }

  /** The user retries a failed row: earlier waits of its video no longer apply. */
  retried(service: ModelService, remoteId: string | null): void {
    const video = service.videos.get(remoteId ?? '');
    const { coming } = this.account(service);
    if (video && coming.has(video)) coming.set(video, 0);
  }

  /** The user entered what the service's dashboard shows. */
  corrected(service: ModelService, used: number): void {
    const account = this.account(service);
    const { start } = service.cycleAt(this.#time.now);
    account.correction = { cycle: start, videos: used - this.#charged(account) };
    account.quotaRefusals = { cycle: start, count: 0 };
    account.excusedUntil = Math.min(account.excusedUntil, this.#time.now);
  }

  /** The user resumes, retries or decides: the engine's own pauses end. */
  resumed(service: ModelService): void {
    const account = this.account(service);
    account.excusedUntil = Math.min(account.excusedUntil, this.#time.now);
    this.allowMoreLinks(service);
  }

  /** Waits that are only in memory are lost, and so are running requests. */
  restarted(service: ModelService): void {
    this.account(service).isAsking = false;
    this.allowMoreLinks(service);
  }

  allowMoreLinks(service: ModelService): void {
    const account = this.account(service);
    for (const [id, links] of account.linksAllowed) account.linksAllowed.set(id, links + 10);
  }

  excuse(service: ModelService, ms: number): void {
    const account = this.account(service);
    account.excusedUntil = Math.max(account.excusedUntil, this.#time.now + ms);
  }

  /**
   * A forecast was shown; its times are true time. Ignored while the engine has not yet seen how
   * the service's limit resets, and how long its renders take.
   */
  recordForecast(service: ModelService, promised: Omit<ShownForecast, 'interference'>): void {
    const { hasSeenReset, rendersSeen, reported } = this.account(service);
    if (!hasSeenReset || !this.#isTimeKnown(reported)) return;
    const savedAt = rendersSeen < RENDERS_TO_LEARN ? null : promised.savedAt;
    this.#forecasts.push({ ...promised, savedAt, interference: this.interference });
  }

  /**
   * Whether the engine can know the service's clock. If the computer's clock jumped ahead of its
   * timers, it was set or the computer slept: forecasts assume the latter, and until the service
   * responds nothing distinguishes the two. A clock that was set during such a gap, in either
   * direction, cannot be detected either. One that was set back while a program was running can.
   */
  #isTimeKnown(reported: Account['reported']): boolean {
    if (reported === null) return false;
    const { errorMs, gaps } = this.#circumstances().clock;
    const setMs = errorMs - reported.errorMs;
    return Math.abs(setMs) < CLOCK_SET_MS || (setMs < 0 && gaps === reported.gaps);
  }

  // Requests and responses.

  onSend(service: ModelService, { to, body }: ModelRequest): void {
    if (to !== 'generate' || body === null) return;
    const account = this.account(service);
    account.waitingSince = null;
    account.isAsking = true;
    let wanted = account.wanted.get(body);
    if (!wanted && this.isAdding) {
      const row = this.queue?.rows(service.origin).find((each) => each.body === body);
      if (row) this.addWanted(service, row);
      wanted = account.wanted.get(body);
    }
    if (!wanted) {
      this.fail(`A request was sent for a row that the user did not add: ${body.slice(0, 80)}`);
      return;
    }
    this.#history.note(`sends “${wanted.title}” to ${service.origin}`);
    if (!wanted.isWanted) this.fail(`“${wanted.title}” was sent although it is held or cancelled.`);
    account.unknown.set(body, this.#time.now);
  }

  onArrival(service: ModelService, request: ModelRequest, response: ModelResponse | null): void {
    if (request.to === 'download' && request.id !== null) {
      this.#checkLinks(service, request.id);
      if (response?.status === 409) this.#checkEarlyLinks(service, request.id);
    }
    if (request.to !== 'generate' || request.body === null) return;
    const now = this.#time.now;
    const account = this.account(service);
    if (response?.status !== 200) {
      if (response) this.#history.note(`${service.origin} answers ${response.status}`);
      const isQuota =
        response !== null && (response.status === 402 || response.body.includes('QUOTA'));
      if (isQuota) this.#checkBeyondQuota(account, 'was asked for');
      return;
    }
    this.stats.accepted += 1;
    const { generatePerHour: perWindow, limiter } = service.traits;
    const oldest = [...service.videos.values()].at(-1 - perWindow)?.acceptedAt ?? -Infinity;
    // The engine recognises a window with fixed starts when it resets earlier than expected.
    account.hasSeenReset ||= now - oldest < (limiter === 'fixed' ? 50 * MINUTE : 2 * HOUR);
    this.#checkSendForecast(request.body);
    const wanted = account.wanted.get(request.body);
    if (!wanted) return;
    wanted.accepted += 1;
    if (wanted.accepted > wanted.allowed) {
      this.fail(
        `“${wanted.title}” was accepted ${wanted.accepted} times and may be ${wanted.allowed}.`,
      );
    }
    if (service.usedAt(now) > service.limit) this.#checkBeyondQuota(account, 'was paid for');
  }

  onResponse(service: ModelService, request: ModelRequest, response: ModelResponse | null): void {
    if (IS_TRACING) {
      const limits = JSON.stringify(response?.headers ?? {});
      this.#history.note(`${request.to} ${request.id ?? ''} → ${response?.status ?? 0} ${limits}`);
    }
    const account = this.account(service);
    if (response) account.reported = this.#circumstances().clock;
    if (response?.status === 401) account.hasKey = false;
    if (request.to === 'status' && response && request.id !== null) {
      const video = service.videos.get(request.id);
      if (video && response.body.includes(service.traits.words.failed)) {
        account.reportedFailed.add(video);
        account.coming.delete(video);
        this.recordInterference(`the render of ${video.id} failed`);
      }
    }
    if (request.to === 'generate' && request.body !== null) {
      this.#generateAnswered(account, request.body, response);
    }
    if (response === null || response.status >= 400) this.interference += 1;
  }

  #generateAnswered(account: Account, body: string, response: ModelResponse | null): void {
    const { service } = account;
    const now = this.#time.now;
    account.isAsking = false;
    const status = response?.status ?? 0;
    if (status === 200) {
      const video = service.byBody.get(body)?.at(-1);
      if (video && response?.body.includes(video.id)) {
        account.unknown.delete(body);
        account.coming.set(video, 0);
        account.unknownStreak = 0;
        account.refusalStreak = 0;
        return;
      }
    }
    if (status === 402 || (status >= 400 && response?.body.includes('QUOTA'))) {
      this.stats.quotaRefused += 1;
      account.unknown.delete(body);
      account.unknownStreak = 0;
      account.refusalStreak = 0;
      this.#quotaRefused(account, response);
      return;
    }
    if (status === 429) {
      this.stats.refused += 1;
      account.unknown.delete(body);
      account.unknownStreak = 0;
      account.refusalStreak = 0;
      return;
    }
    if (status === 401) {
      account.unknown.delete(body);
      return;
    }
    if (status === 400 && response?.body.startsWith('{')) {
      account.unknown.delete(body);
      account.unknownStreak = 0;
      account.refusalStreak = 0;
      return;
    }
    if (status >= 400 && status < 500 && status !== 408) {
      account.unknown.delete(body);
      account.refusalStreak += 1;
      if (account.refusalStreak < 3) return;
    }
    // The outcome is unknown, or all requests are refused: the engine pauses for 1, 4, 16, then 60
    // minutes.
    account.unknownStreak += 1;
    this.#history.note(`its outcome is unknown, or it was refused like all others (${status})`);
    const pauseMs = Math.min(HOUR, MINUTE * 4 ** (account.unknownStreak - 1));
    account.excusedUntil = Math.max(account.excusedUntil, now + pauseMs);
    // The lost response may have been a refusal; the engine counts the request anyway.
    if (status === 0 && !service.byBody.has(body)) account.countedUnmade.push(now);
  }

  /** The engine retries when the service said, else after 1, 4, 16 … minutes, at least daily. */
  #quotaRefused(account: Account, response: ModelResponse | null): void {
    const { service } = account;
    const now = this.#time.now;
    const { start, end } = service.cycleAt(now);
    const count = account.quotaRefusals.cycle === start ? account.quotaRefusals.count + 1 : 1;
    account.quotaRefusals = { cycle: start, count };
    const isReported = service.traits.quotaRefusal.startsWith('code-with');
    const pause = (times: number): number => Math.min(DAY, MINUTE * 4 ** (times - 1));
    const unreported = now + pause(count);
    const reported = Math.max(end, count > 1 ? now + pause(count - 1) : 0);
    const until = Math.min(isReported && response ? reported : unreported, now + DAY);
    this.#history.note(`the quota is used up, says ${service.origin}`);
    // The engine waits for some time after a cycle's first moment.
    account.excusedUntil = Math.max(account.excusedUntil, Math.min(until, end) + 10 * SECOND);
  }

  /**
   * Fails if the engine exceeded a quota that it could know: no other client used it, and the
   * engine knew its size.
   */
  #checkBeyondQuota(account: Account, how: string): void {
    const { service } = account;
    const now = this.#time.now;
    const { start, end } = service.cycleAt(now);
    if (service.othersUsedAt(now) > 0 || !this.#circumstances().isPlanKnown) return;
    // A cycle may begin late at the service, and clocks differ, so the engine may send too early.
    if (now - start < 3 * MINUTE || end - now < 2 * service.traits.lateQuotaMs) return;
    this.fail(`A video ${how} beyond the quota of ${service.limit} at ${service.origin}.`);
  }

  #checkLinks(service: ModelService, id: string): void {
    const video = service.videos.get(id);
    if (!video) return;
    const account = this.account(service);
    const allowed = account.linksAllowed.get(id) ?? MAX_LINKS_IN_FIVE_HOURS;
    account.linksAllowed.set(id, allowed);
    const since = this.#time.now - 5 * HOUR;
    const recent = video.linksAsked.filter((at) => at >= since).length;
    if (recent > allowed) {
      this.fail(`${recent} links were asked for one video (${id}) in five hours.`);
    }
  }

  /** Early requests must not use up an hour's links if links exist only minutes after “done”. */
  #checkEarlyLinks(service: ModelService, id: string): void {
    const video = service.videos.get(id);
    if (!video || this.#isTroubled(service, video)) return;
    const account = this.account(service);
    const { now } = this.#time;
    account.earlyLinks = [...account.earlyLinks.filter((at) => at > now - HOUR), now];
    const { length } = account.earlyLinks;
    this.stats.earlyLinks = Math.max(this.stats.earlyLinks, length);
    if (length > MAX_EARLY_LINKS) this.fail(`${length} links were asked for too early in an hour.`);
  }

  // The queue and its videos.

  /** Checks the queue and its videos if enough time has passed. Call it after every step. */
  check(): void {
    const now = this.#time.now;
    const passedMs = now - this.#checkedAt;
    if (passedMs < CHECK_INTERVAL_MS) return;
    this.#checkedAt = now;
    const circumstances = this.#circumstances();
    const isWell = circumstances.canConnect && circumstances.canSave && circumstances.canWriteQueue;
    if (!isWell || (circumstances.open?.troubles.size ?? 0) > 0) this.#troubledAt = now;
    if (!circumstances.open || passedMs > MAX_CHECK_GAP_MS) {
      for (const account of this.#accounts.values()) account.waitingSince = null;
      return;
    }
    const account = this.account(circumstances.open);
    this.#checkQueue(account, circumstances);
    this.#checkVideos(account, circumstances, passedMs);
  }

  #checkQueue(account: Account, circumstances: Circumstances): void {
    const now = this.#time.now;
    const { service } = account;
    if (this.#isEndpointOut(service)) account.endpointOutAt = now;
    const isExcused =
      now < account.excusedUntil ||
      now - account.endpointOutAt < ENDPOINT_OUTAGE_MS ||
      this.#isWindowCountedFull(account) ||
      account.isAsking ||
      circumstances.isPaused !== 'no' ||
      !circumstances.isPlanKnown ||
      !circumstances.canConnect ||
      !circumstances.canWriteQueue ||
      !account.hasKey;
    if (isExcused || !this.#wouldAccept(service) || this.#counted(account) >= service.limit) {
      account.waitingSince = null;
      return;
    }
    const first = this.queue?.firstQueued(service.origin) ?? null;
    if (first === null || circumstances.isStopBefore(first)) {
      account.waitingSince = null;
      return;
    }
    account.waitingSince ??= now;
    if (now - account.waitingSince > SEND_DEADLINE_MS + CHECK_INTERVAL_MS) {
      this.fail(
        `Job ${first} waits since ${new Date(account.waitingSince).toISOString()}, although ` +
          `${service.origin} would accept it (${service.usedAt(now)} of ${service.limit} used).`,
      );
    }
  }

  /** Whether the window is full if requests count that were never executed. */
  #isWindowCountedFull(account: Account): boolean {
    const since = this.#time.now - HOUR;
    account.countedUnmade = account.countedUnmade.filter((at) => at > since);
    if (account.countedUnmade.length === 0) return false;
    const { service } = account;
    if (service.othersUsedAt(this.#time.now) > 0) return true;
    const made = [...service.videos.values()].filter(({ acceptedAt }) => acceptedAt > since);
    return made.length + account.countedUnmade.length >= service.traits.generatePerHour;
  }

  /** Whether no status or no link of any video is available: then sending waits (decision 10). */
  #isEndpointOut(service: ModelService): boolean {
    return [...service.troubles].some((trouble) =>
      (['status', 'download'] as const).some((to) =>
        trouble.applies({ to, id: null, body: null, key: service.key }),
      ),
    );
  }

  #wouldAccept(service: ModelService): boolean {
    const now = this.#time.now;
    const isTroubled = [...service.troubles].some((trouble) =>
      trouble.applies({ to: 'generate', id: null, body: '{}', key: service.key }),
    );
    return (
      !isTroubled &&
      service.opensAt('generate', now) <= now &&
      (service.usedAt(now) < service.limit || service.traits.quotaRefusal === 'bills')
    );
  }

  /** Videos of this cycle by a correct count, from the responses that the engine has received. */
  #counted(account: Account): number {
    const { start } = account.service.cycleAt(this.#time.now);
    const correction = account.correction?.cycle === start ? account.correction.videos : 0;
    let open = 0;
    for (const [body, at] of account.unknown) {
      const known = account.service.byBody.get(body)?.some(({ cycle }) => cycle === start) ?? false;
      if (at >= start && !known) open += 1;
    }
    open += this.#uncertainAndUnsent(account);
    return this.#charged(account) + open + correction + this.#chargedLate(account);
  }

  /**
   * Rows that were stored as sending but never sent, because the program was killed in between.
   * They count even if the user has abandoned them.
   */
  #uncertainAndUnsent({ service, unknown }: Account): number {
    const counts = this.queue?.counts(service.origin);
    const { start } = service.cycleAt(this.#time.now);
    if (!counts?.get('uncertain') && !counts?.get('abandoned')) return 0;
    return (this.queue?.rows(service.origin) ?? []).filter(
      ({ state, attempts, remoteId, body }) =>
        (state === 'uncertain' || state === 'abandoned') &&
        attempts > 0 &&
        remoteId === null &&
        !service.byBody.get(body)?.some(({ cycle }) => cycle === start) &&
        !unknown.has(body),
    ).length;
  }

  /** Videos that the engine counts for the new cycle, because the service's quota resets late. */
  #chargedLate({ service }: Account): number {
    const { start } = service.cycleAt(this.#time.now);
    const from = start - service.traits.lateQuotaMs - 10 * SECOND;
    const own = [...service.videos.values()];
    return own.filter(({ acceptedAt }) => acceptedAt >= from && acceptedAt < start).length;
  }

  #charged(account: Account): number {
    const now = this.#time.now;
    const { service } = account;
    const used = service.usedAt(now) - service.othersUsedAt(now);
    const { start } = service.cycleAt(now);
    // The engine never learns that an abandoned video failed: it no longer requests its status.
    let unreported = 0;
    for (const video of service.videos.values()) {
      const isRefunded = video.cycle === start && video.fails && video.endsAt <= now;
      if (isRefunded && !account.reportedFailed.has(video)) unreported += 1;
    }
    return used + unreported;
  }

  #checkVideos(account: Account, circumstances: Circumstances, passedMs: number): void {
    const now = this.#time.now;
    const { service } = account;
    const isUnhindered =
      account.hasKey &&
      circumstances.isPaused !== 'everything' &&
      !circumstances.areTransfersPaused &&
      circumstances.canConnect &&
      circumstances.canSave &&
      circumstances.canWriteQueue &&
      service.opensAt('download', now) <= now &&
      service.opensAt('status', now) <= now;
    for (const [video, waitedMs] of account.coming) {
      const savedAt = circumstances.savedAt.get(video.id);
      if (savedAt !== undefined) {
        account.coming.delete(video);
        this.#saved(account, video, savedAt);
        continue;
      }
      if (now < video.linkFrom || !isUnhindered || this.#isTroubled(service, video)) continue;
      const waited = waitedMs + passedMs;
      account.coming.set(video, waited);
      if (waited > this.#saveDeadlineMs(service, video)) this.#checkForgotten(account, video);
    }
  }

  #saveDeadlineMs(service: ModelService, video: Video): number {
    const now = this.#time.now;
    // A video that is not found may still exist: the engine keeps trying for a day.
    if (!service.isKept(video, now)) return DAY + SAVE_DEADLINE_MS;
    return now - this.#troubledAt < 2 * HOUR ? SAVE_AFTER_TROUBLE_MS : SAVE_DEADLINE_MS;
  }

  #isTroubled(service: ModelService, { id }: Video): boolean {
    const asks = (to: Endpoint) => ({ to, id, body: null, key: service.key });
    return [...service.troubles].some(
      (trouble) => trouble.applies(asks('status')) || trouble.applies(asks('download')),
    );
  }

  /**
   * Fails if a video that was rendered long ago is not saved, unless it was abandoned.
   */
  #checkForgotten(account: Account, video: Video): void {
    const { service } = account;
    const row = this.queue?.rows(service.origin).find(({ remoteId }) => remoteId === video.id);
    account.coming.delete(video);
    const isWanted = ['submitted', 'rendering', 'ready', 'downloading', 'verifying'];
    if (row && isWanted.includes(row.state)) {
      const since = new Date(video.linkFrom).toISOString();
      this.fail(`“${row.title}” is finished since ${since} and still ${row.state}.`);
    }
  }

  // Forecasts.

  #saved(account: Account, video: Video, at: number): void {
    this.stats.saved += 1;
    account.rendersSeen += 1;
    const index = this.#forecasts.findIndex(({ body }) => body === video.body);
    const [forecast] = index < 0 ? [] : this.#forecasts.splice(index, 1);
    if (!forecast || forecast.interference !== this.interference) return;
    if (forecast.savedAt === null) return;
    this.#checkForecast(video.body, 'saved', forecast, forecast.savedAt, at);
  }

  #checkSendForecast(body: string): void {
    const forecast = this.#forecasts.find((each) => each.body === body);
    if (!forecast || forecast.interference !== this.interference) return;
    if (forecast.sendAt === null) {
      this.#history.note('a row is sent that was forecast not to fit');
      return;
    }
    const noRender = { ...forecast, renderSlackMs: 0 };
    this.#checkForecast(body, 'sent', noRender, forecast.sendAt, this.#time.now);
  }

  #checkForecast(
    body: string,
    what: string,
    { madeAt, renderSlackMs }: ShownForecast,
    promisedAt: number,
    at: number,
  ): void {
    this.stats.forecasts += 1;
    const errorMs = Math.abs(at - promisedAt);
    const allowedMs = FORECAST_SHARE * (promisedAt - madeAt) + renderSlackMs + 30 * SECOND;
    this.stats.worstForecast = Math.max(this.stats.worstForecast, errorMs / allowedMs);
    if (errorMs > allowedMs) {
      const iso = (moment: number): string => new Date(moment).toISOString().slice(5, 19);
      this.fail(
        `Forecast at ${iso(madeAt)} that ${messageIn(body)} is ${what} at ${iso(promisedAt)}; ` +
          `it was at ${iso(at)}.`,
      );
    }
  }
}

/** The part that distinguishes a row's request from all others. */
export function messageIn(body: string): string {
  return /(?:fine|unlucky|unacceptable)[a-z ]* \d+/.exec(body)?.[0] ?? body;
}
