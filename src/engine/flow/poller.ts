import type { Amount } from '../../contract/amount.ts';
import type { Failure } from '../../contract/failure.ts';
import { isIn, STATE_GROUPS } from '../../contract/job-states.ts';
import type { RemoteState, Wait } from '../../contract/job.ts';
import { userMessage } from '../../contract/user-message.ts';
import type { JobChange, JobRow } from '../jobs/job-row.ts';
import { nextPoll } from '../pacing/polling.ts';
import type { HttpResponse, RemoteStatus, StatusOutcome } from '../service/outcomes.ts';
import type { FlowContext } from './flow-context.ts';
import { refuseAccepted } from './refusals.ts';
import { beginRead } from './requests.ts';
import { DELETED_FOR_MS, LOST_SIGHT_MS, TrackedVideo, type StatusWait } from './tracked-video.ts';

type KnownStatus = RemoteStatus & { readonly state: RemoteState };

/** How often the progress of a video is requested that is known to be rendered now. */
const PROGRESS_EVERY_MS = 500;

/** Requests at a time, so that a slow service does not delay the others. */
const AT_ONCE = 4;

/**
 * Requests the status of videos, as often as the limit allows, first where a finished video would
 * otherwise stay unnoticed longest.
 */
export class Poller {
  readonly #context: FlowContext;
  readonly #videos = new Map<number, TrackedVideo>();
  readonly #asking = new Set<Promise<void>>();
  #lastAt: number | null = null;
  /** When the service last reported any video, by the monotonic clock. */
  #knewOneAt = -Infinity;
  /** When this loop last ran, by the wall clock. */
  #lookedAt: number;

  constructor(context: FlowContext) {
    this.#context = context;
    this.#lookedAt = context.clock.now();
    for (const state of STATE_GROUPS.atService) {
      for (const id of context.store.jobs.ids(state)) this.track(context.store.jobs.get(id));
    }
    this.#forgetLastRequest();
  }

  /** Handles a job that changed. */
  track(job: JobRow): void {
    if (!isIn('atService', job.state) || job.remoteId === null) {
      if (!this.#videos.delete(job.id)) return;
    } else if (this.#videos.get(job.id)?.remoteId !== job.remoteId) {
      const video = new TrackedVideo(job, job.remoteId, this.#context.clock.now());
      this.#videos.set(job.id, video);
    } else {
      return;
    }
    this.#startNext();
  }

  /**
   * When the render of an accepted video began; `null` while it waits for its turn at the service,
   * `undefined` if that is not known of this service.
   */
  startOf(jobId: number): number | null | undefined {
    const isKnown = this.#context.renders.renderedAtOnce !== null;
    return isKnown ? (this.#videos.get(jobId)?.startedAt ?? null) : undefined;
  }

  /** When its render began, as far as is known: not before it was last reported as waiting. */
  #startedAt({ startedAt, submittedAt, askedAt }: TrackedVideo): number {
    if (startedAt !== null) return startedAt;
    const isWaiting = this.#context.renders.renderedAtOnce !== null && askedAt !== null;
    return isWaiting ? Math.max(submittedAt, askedAt) : submittedAt;
  }

  /** The service renders videos in the order in which it accepted them. */
  #startNext(): void {
    const { renders, clock } = this.#context;
    if (renders.renderedAtOnce === null) return;
    const waiting = [...this.#videos.values()]
      .filter(({ startedAt }) => startedAt === null)
      .toSorted((one, other) => one.submittedAt - other.submittedAt || one.id - other.id);
    const free = renders.renderedAtOnce - (this.#videos.size - waiting.length);
    for (const video of waiting.slice(0, Math.max(0, free))) video.startedAt = clock.now();
  }

  /** Why a video is not requested for a while; `null` when it is requested in its turn. */
  waitOf(jobId: number): Wait | null {
    const { clock } = this.#context;
    const video = this.#videos.get(jobId);
    const ms = video?.left(clock.monotonic()) ?? 0;
    if (!video?.wait || ms === 0) return null;
    return { reason: video.wait, until: clock.now() + ms };
  }

  /** Ends all waits. */
  tryNow(): void {
    for (const video of this.#videos.values()) this.#endWait(video);
  }

  /** Works until `stop` is aborted, which also aborts running requests. */
  async run(stop: AbortSignal): Promise<void> {
    await this.#context.wakeSignal.repeat(() => {
      const { ms, video } = this.#next();
      if (ms <= 0 && video) this.#ask(video, stop);
      return ms;
    }, stop);
    await Promise.all(this.#asking);
  }

  #next(): { ms: number; video: TrackedVideo | null } {
    const { flow, statusOutage, limits, renders, renderTimes, clock, api } = this.#context;
    const blocked = Math.max(flow.waitToRead(), statusOutage.wait());
    this.#detectClockGap(clock.now(), blocked > 0);
    const idle = [...this.#videos.values()].filter(({ isAsking }) => !isAsking);
    if (idle.length === 0 || this.#asking.size >= AT_ONCE) return { ms: Infinity, video: null };
    if (blocked > 0) return { ms: blocked, video: null };
    const left = idle.map((each) => each.left(clock.monotonic()));
    const videos = idle.filter((_, index) => left[index] === 0);
    if (videos.length === 0) return { ms: Math.min(...left), video: null };
    const now = clock.now();
    // Also checks whether the clock jumped, which the view alone would not.
    const wait = limits.wait('status');
    const { isAwaited } = renders;
    const poll = nextPoll(
      videos.map((video) => ({
        submittedAt: this.#startedAt(video),
        askedAt: video.askedAt,
        isUnanswered: video.wait !== null,
        everyMs: api.status.everyMs ?? 0,
        maxGapMs: video.startedAt === null ? Infinity : PROGRESS_EVERY_MS,
        isAwaited,
        renderTime: renderTimes.of(video.preset),
      })),
      limits.status.view(now),
      this.#lastAt,
      now,
    );
    if (!poll) return { ms: Infinity, video: null };
    const ms = Math.max(wait, poll.at - now);
    const video = videos[poll.index] ?? null;
    this.#context.trace?.(
      {
        of: 'status',
        waitMs: ms,
        job: video?.id ?? null,
        limitMs: wait,
        videos: videos.length,
        limit: limits.view('status'),
      },
      'decision',
    );
    return { ms, video };
  }

  /**
   * Detects that time passed without any check: the computer slept, the clock was set, the service
   * was unreachable. Moments that are in the future after the clock was set back are replaced by
   * now, or else nothing would be requested until then.
   */
  #detectClockGap(now: number, isBlocked: boolean): void {
    const since = now - this.#lookedAt;
    this.#lookedAt = now;
    if (isBlocked || since > LOST_SIGHT_MS) this.#forgetLastRequest();
    if (since >= 0) return;
    this.#forgetLastRequest();
    if (this.#lastAt !== null) this.#lastAt = Math.min(this.#lastAt, now);
    for (const video of this.#videos.values()) video.withoutFuture(now);
  }

  #forgetLastRequest(): void {
    for (const video of this.#videos.values()) video.isWatched = false;
  }

  #ask(video: TrackedVideo, stop: AbortSignal): void {
    const { service, statusOutage, clock, wakeSignal } = this.#context;
    const { remoteId } = video;
    const about = { endpoint: statusOutage, remoteId };
    const settle = beginRead(this.#context, { limit: 'status', signal: stop, about });
    this.#lastAt = clock.now();
    video.askedAt = this.#lastAt;
    video.isAsking = true;
    const asking = service
      .status(remoteId, stop)
      .then((outcome) => {
        settle(outcome, (endsOutage) => {
          if (endsOutage) this.tryNow();
          this.#conclude(video, outcome);
        });
        this.#context.trace?.({ of: 'status', job: video.id, outcome: outcome.kind }, 'outcome');
      })
      .catch(this.#context.onDefect)
      .finally(() => {
        video.isAsking = false;
        this.#asking.delete(asking);
        wakeSignal.notify();
      });
    this.#asking.add(asking);
  }

  #conclude(video: TrackedVideo, outcome: StatusOutcome): void {
    // The user may have abandoned it meanwhile, or had it rendered again.
    if (this.#videos.get(video.id) !== video) return;
    const { key, clock, knownLinks } = this.#context;
    const now = clock.monotonic();
    switch (outcome.kind) {
      case 'status':
        this.#storeResponse(video, outcome.response);
        this.#storeCost(video, outcome.cost);
        if (outcome.status.state === null) {
          this.#applyUnknownStatus(video, outcome.status);
          return;
        }
        this.#applyStatus(video, { ...outcome.status, state: outcome.status.state });
        if (outcome.link) knownLinks.remember(video.remoteId, outcome.link);
        this.#endWait(video);
        return;
      case 'refused':
        this.#storeResponse(video, outcome.response);
        this.#knewOneAt = now;
        refuseAccepted(this.#context, video.id, { failure: outcome.failure });
        return;
      case 'not-found': {
        this.#storeResponse(video, outcome.response);
        const hasItsKey = (key.status.since ?? -Infinity) <= video.submittedAt;
        const isLost = video.missed(now, hasItsKey, this.#knewOneAt);
        if (isLost) this.#fail(video, { failure: outcome.failure });
        this.#wait(video, 'not-found');
        return;
      }
      case 'expired':
        this.#storeResponse(video, outcome.response);
        if (video.deleted(now)) this.#fail(video, { failure: outcome.failure });
        this.#wait(video, 'not-found', DELETED_FOR_MS);
        return;
      case 'unusable':
      case 'server-error':
        if (outcome.response) this.#storeResponse(video, outcome.response);
        this.#wait(video, 'service-error');
        return;
      case 'rate-limited':
      case 'key-refused':
      case 'unreachable':
    }
  }

  #storeResponse({ id }: TrackedVideo, response: HttpResponse): void {
    this.#context.store.jobs.storeResponse(id, response.body, this.#context.clock.now());
  }

  #storeCost({ id }: TrackedVideo, cost: Amount | undefined): void {
    const { jobs } = this.#context.store;
    const known = jobs.get(id).cost;
    const isNews = cost?.amount !== known?.amount || cost?.unit !== known?.unit;
    if (cost !== undefined && isNews) jobs.change(id, { cost });
  }

  /** @param ms until the next request; grows each time when left out */
  #wait(video: TrackedVideo, reason: StatusWait, ms?: number): void {
    video.beginWait(reason, this.#context.clock.monotonic(), ms);
    this.#context.feed.job(video.id);
  }

  #endWait(video: TrackedVideo): void {
    if (video.wait === null) return;
    video.endWait();
    this.#context.feed.job(video.id);
  }

  #applyStatus(video: TrackedVideo, status: KnownStatus): void {
    const { store, renders, renderTimes, clock } = this.#context;
    const at = clock.now();
    const job = store.jobs.get(video.id);
    video.found();
    this.#knewOneAt = clock.monotonic();
    const news = {
      serviceWord: status.word,
      wordUnknown: false,
      progress: status.progress,
      failure: null,
    };
    switch (status.state) {
      case 'done':
        if (status.isRemoved) {
          const message = userMessage('video-deleted-there');
          this.#fail(video, { ...news, failure: { code: 'video-expired', ...message } });
          return;
        }
        if (video.isWatched)
          renderTimes.learn(video.preset, at - (video.startedAt ?? video.submittedAt));
        store.jobs.move(job.id, 'finish', at, {
          ...news,
          progress: null,
          readyAt: job.readyAt ?? at,
        });
        return;
      case 'failed':
      case 'rejected':
      case 'cancelled':
        store.ledger.refund(job.id);
        this.#fail(video, {
          ...news,
          failure: {
            code: 'render-failed',
            ...userMessage('not-made', { word: status.word ?? status.state }),
            ...(status.error === null ? {} : { detail: status.error.slice(0, 2000) }),
          },
        });
        return;
      case 'working':
        if (renders.renderedAtOnce !== null) video.startedAt ??= at;
        if (job.state === 'submitted') store.jobs.move(job.id, 'render', at, news);
        else this.#update(job, news);
        return;
      case 'queued':
        this.#update(job, news);
    }
  }

  /** Requests it less and less often, and leaves it to the user after a time. */
  #applyUnknownStatus(video: TrackedVideo, { word, progress }: RemoteStatus): void {
    const { store, clock } = this.#context;
    const news = { serviceWord: word, wordUnknown: true, progress };
    this.#knewOneAt = clock.monotonic();
    if (video.unexplained(clock.monotonic())) {
      const message =
        word === null ? userMessage('status-missing') : userMessage('status-unknown', { word });
      this.#fail(video, { ...news, failure: { code: 'status-unknown', ...message } });
      return;
    }
    this.#update(store.jobs.get(video.id), { ...news, failure: null });
    this.#wait(video, 'status-unknown');
  }

  #update(
    job: JobRow,
    news: Pick<JobRow, 'serviceWord' | 'wordUnknown' | 'progress' | 'failure'>,
  ): void {
    const isNews =
      (job.failure !== null && news.failure === null) ||
      job.serviceWord !== news.serviceWord ||
      job.wordUnknown !== news.wordUnknown ||
      job.progress !== news.progress;
    if (isNews) this.#context.store.jobs.change(job.id, news);
  }

  #fail({ id }: TrackedVideo, change: JobChange & { readonly failure: Failure }): void {
    const { store, clock } = this.#context;
    store.jobs.move(id, 'renderFailed', clock.now(), change, change.failure);
  }
}
