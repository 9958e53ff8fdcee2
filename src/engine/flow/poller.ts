import { isIn, STATE_GROUPS } from '../../contract/job-states.ts';
import type { Wait } from '../../contract/job.ts';
import type { JobRow } from '../jobs/job-row.ts';
import { nextPoll } from '../pacing/polling.ts';
import type { StatusOutcome } from '../service/outcomes.ts';
import type { FlowContext } from './flow-context.ts';
import { beginRead, type SettleRead, type RequestTargets } from './requests.ts';
import { LOST_SIGHT_MS, TrackedVideo, type StatusWait } from './tracked-video.ts';

/** What it takes of a session. */
type PollerContext = RequestTargets &
  Pick<
    FlowContext,
    | 'service'
    | 'api'
    | 'feed'
    | 'statusOutage'
    | 'knownLinks'
    | 'renderTimes'
    | 'wakeSignal'
    | 'onDefect'
    | 'trace'
    | 'flow'
  >;

/** How often the progress of a video is requested that is known to be rendered now. */
const PROGRESS_EVERY_MS = 500;
/** And at most this often, so that the requests of each second suffice for all of them. */
const MIN_GAP_MS = 200;

/** Requests at a time, so that a slow service does not delay the others. */
const AT_ONCE = 4;

/**
 * Requests the status of videos, as often as the limit allows, first where a finished video would
 * otherwise stay unnoticed longest.
 */
export class Poller {
  readonly #context: PollerContext;
  readonly #videos = new Map<number, TrackedVideo>();
  readonly #asking = new Set<Promise<void>>();
  #lastAt: number | null = null;
  /** When the service last reported any video, by the monotonic clock. */
  #knewOneAt = -Infinity;
  /** When this loop last ran, by the wall clock. */
  #lookedAt: number;

  constructor(context: PollerContext) {
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

  /** The service renders videos in the order in which it accepted them. */
  #startNext(): void {
    const { renders, clock } = this.#context;
    if (renders.renderedAtOnce === null) return;
    const all = [...this.#videos.values()];
    const waiting = all
      .filter(({ startedAt }) => startedAt === null)
      .toSorted((one, other) => one.submittedAt - other.submittedAt || one.id - other.id);
    // The service may not have those that it does not answer about.
    const started = all.filter(({ startedAt, wait }) => startedAt !== null && wait === null);
    const free = Math.max(0, renders.renderedAtOnce - started.length);
    for (const video of waiting.slice(0, free)) video.startedAt = clock.now();
  }

  /** Its status is not requested: those before it would have to end first. */
  #isWaitingForItsTurn({ startedAt }: TrackedVideo): boolean {
    return this.#context.renders.renderedAtOnce !== null && startedAt === null;
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
    this.#startNext();
    const idle = [...this.#videos.values()].filter(
      (video) => !video.isAsking && !this.#isWaitingForItsTurn(video),
    );
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
        submittedAt: video.startedAt ?? video.submittedAt,
        askedAt: video.askedAt,
        isUnanswered: video.wait !== null,
        everyMs: api.status.everyMs ?? (video.startedAt === null ? 0 : MIN_GAP_MS),
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
    const { service, statusOutage, clock, wakeSignal, trace } = this.#context;
    const { remoteId } = video;
    const about = { endpoint: statusOutage, remoteId };
    const settle = beginRead(this.#context, { limit: 'status', about });
    this.#lastAt = clock.now();
    video.askedAt = this.#lastAt;
    video.isAsking = true;
    const asking = service
      .status(remoteId, stop)
      .then((outcome) => {
        this.#conclude(video, outcome, stop.aborted, settle);
        trace?.({ of: 'status', job: video.id, outcome: outcome.kind }, 'outcome');
      })
      .catch(this.#context.onDefect)
      .finally(() => {
        video.isAsking = false;
        this.#asking.delete(asking);
        wakeSignal.notify();
      });
    this.#asking.add(asking);
  }

  #conclude(
    video: TrackedVideo,
    outcome: StatusOutcome,
    isAborted: boolean,
    settle: SettleRead,
  ): void {
    const { store, key, clock } = this.#context;
    const now = clock.monotonic();
    // The user may have abandoned it meanwhile, or had it rendered again.
    const isTracked = this.#videos.get(video.id) === video;
    const job = isTracked ? store.jobs.get(video.id) : null;
    const hasItsKey = (key.status.since ?? -Infinity) <= video.submittedAt;
    const isGivenUp = isTracked && video.observe(outcome, now, hasItsKey, this.#knewOneAt);
    const isKnown = outcome.kind === 'status' || outcome.kind === 'refused';
    if (isTracked && isKnown) this.#knewOneAt = now;
    const answer = { to: 'status', outcome, isAborted, job, isGivenUp, at: clock.now() } as const;
    const { nextPoll: next } = settle(answer, job?.id, (endsOutage) => {
      if (endsOutage) this.tryNow();
      if (isTracked && outcome.kind === 'status') this.#learn(video, outcome);
    });
    if (next === 'in-turn') this.#endWait(video);
    else if (next !== null) this.#wait(video, next.wait, next.ms);
  }

  /** Learns from a status what does not concern the video's state. */
  #learn(video: TrackedVideo, { status, link }: StatusOutcome & { readonly kind: 'status' }): void {
    const { renders, renderTimes, knownLinks, clock } = this.#context;
    if (status.state !== null && link) knownLinks.remember(video.remoteId, link);
    if (status.state === 'working' && renders.renderedAtOnce !== null)
      video.startedAt ??= clock.now();
    if (status.state === 'done' && !status.isRemoved && video.isWatched)
      renderTimes.learn(video.preset, clock.now() - (video.startedAt ?? video.submittedAt));
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
}
