import { isIn, STATE_GROUPS } from '../../contract/job-states.ts';
import type { Wait } from '../../contract/job.ts';
import { userMessage } from '../../contract/user-message.ts';
import { backoff } from '../backoff.ts';
import type { JobRow } from '../jobs/job-row.ts';
import type { Store } from '../jobs/store.ts';
import { nextPoll } from '../pacing/polling.ts';
import type { Answer, RemoteStatus, StatusOutcome } from '../service/outcomes.ts';
import type { FlowContext } from './flow-context.ts';
import { beginRead } from './requests.ts';
import { LOOK_AGAIN_MS } from './wake-signal.ts';

/** The loop runs more often than that; a longer gap means that it was stopped. */
const LOST_SIGHT_MS = 2 * LOOK_AGAIN_MS;

/** Requests at a time, so that a slow service does not delay the others. */
const AT_ONCE = 4;

/**
 * A video that the service does not know is requested this often, for this long, before it fails:
 * it is paid for, and a misconfigured service, as behind a wrong address, knows no video at all. So
 * it gets much longer if the service has reported no other video meanwhile, or is asked with
 * another key, whose account may not be the video's.
 */
const MISSES = 5;
const MISSING_FOR_MS = 600_000;
const MISSING_OTHERWISE_FOR_MS = 86_400_000;

/**
 * A video that the service says it has deleted fails if the service repeats that after this time.
 */
const DELETED_FOR_MS = 600_000;

/** A video that the service is rendering. */
interface Target {
  readonly id: number;
  readonly remoteId: string;
  readonly preset: string;
  submittedAt: number;
  askedAt: number | null;
  /** False once its end may have been missed: then its time says nothing about renders. */
  isWatched: boolean;
  isAsking: boolean;
  /** Useless responses in a row, and why the next request waits; in memory, as is `askedAt`. */
  tries: number;
  wait: 'service-error' | 'not-found' | null;
  /** By the monotonic clock. */
  nextTryAt: number;
  /**
   * The service said before that it does not have the video, and the user asks again: one response
   * decides.
   */
  isDoubted: boolean;
  misses: number;
  /** Since when the service does not know it, by the monotonic clock. */
  missedSince: number | null;
  /** Since when the service says that it has deleted it, by the same clock. */
  deletedSince: number | null;
}

/**
 * Requests the status of videos, as often as the limit allows, first where a finished video would
 * otherwise stay unnoticed longest.
 */
export class Poller {
  readonly #context: FlowContext;
  readonly #targets = new Map<number, Target>();
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
      this.#targets.delete(job.id);
    } else if (this.#targets.get(job.id)?.remoteId !== job.remoteId) {
      // A clock that was set back since must not delay it.
      const now = this.#context.clock.now();
      const submittedAt = Math.min(job.submittedAt ?? job.addedAt, now);
      this.#targets.set(job.id, {
        id: job.id,
        remoteId: job.remoteId,
        preset: job.preset,
        submittedAt,
        askedAt: null,
        // A job that returned because it had no link, or whose video was found at the service
        // later, may have finished long ago.
        isWatched: job.readyAt === null && now - submittedAt <= LOST_SIGHT_MS,
        isAsking: false,
        tries: 0,
        wait: null,
        nextTryAt: 0,
        isDoubted: job.failure !== null,
        misses: 0,
        missedSince: null,
        deletedSince: null,
      });
    }
  }

  /** Why a video is not requested for a while; `null` when it is requested in its turn. */
  waitOf(jobId: number): Wait | null {
    const target = this.#targets.get(jobId);
    const ms = target ? this.#left(target) : 0;
    if (!target?.wait || ms === 0) return null;
    return { reason: target.wait, until: this.#context.clock.now() + ms };
  }

  /** Ends all waits. */
  tryNow(): void {
    for (const target of this.#targets.values()) this.#endWait(target);
  }

  /** Works until `stop` is aborted, which also aborts running requests. */
  async run(stop: AbortSignal): Promise<void> {
    await this.#context.wakeSignal.repeat(() => {
      const { ms, target } = this.#next();
      if (ms <= 0 && target) this.#ask(target, stop);
      return ms;
    }, stop);
    await Promise.all(this.#asking);
  }

  #next(): { ms: number; target: Target | null } {
    const { flow, statusOutage, limits, renders, renderTimes, clock } = this.#context;
    const blocked = Math.max(flow.waitToRead(), statusOutage.wait());
    this.#detectClockGap(clock.now(), blocked > 0);
    const idle = [...this.#targets.values()].filter(({ isAsking }) => !isAsking);
    if (idle.length === 0 || this.#asking.size >= AT_ONCE) return { ms: Infinity, target: null };
    if (blocked > 0) return { ms: blocked, target: null };
    const targets = idle.filter((target) => this.#left(target) === 0);
    if (targets.length === 0) {
      return { ms: Math.min(...idle.map((target) => this.#left(target))), target: null };
    }
    const now = clock.now();
    // Also checks whether the clock jumped, which the view alone would not.
    const wait = limits.wait('status');
    const { isAwaited } = renders;
    const poll = nextPoll(
      targets.map(({ submittedAt, askedAt, wait: waited, preset }) => ({
        submittedAt,
        askedAt,
        isUnanswered: waited !== null,
        isAwaited,
        renderTime: renderTimes.of(preset),
      })),
      limits.status.view(now),
      this.#lastAt,
      now,
    );
    if (!poll) return { ms: Infinity, target: null };
    const ms = Math.max(wait, poll.at - now);
    const target = targets[poll.index] ?? null;
    this.#context.trace?.(
      {
        of: 'status',
        waitMs: ms,
        job: target?.id ?? null,
        limitMs: wait,
        videos: targets.length,
        limit: limits.view('status'),
      },
      'decision',
    );
    return { ms, target };
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
    this.#lastAt = earlier(this.#lastAt, now);
    for (const target of this.#targets.values()) {
      target.submittedAt = Math.min(target.submittedAt, now);
      target.askedAt = earlier(target.askedAt, now);
    }
  }

  #forgetLastRequest(): void {
    for (const target of this.#targets.values()) target.isWatched = false;
  }

  #ask(target: Target, stop: AbortSignal): void {
    const { service, statusOutage, clock, wakeSignal } = this.#context;
    const { remoteId } = target;
    const about = { endpoint: statusOutage, remoteId };
    const settle = beginRead(this.#context, { limit: 'status', signal: stop, about });
    this.#lastAt = clock.now();
    target.askedAt = this.#lastAt;
    target.isAsking = true;
    const asking = service
      .status(remoteId, stop)
      .then((outcome) => {
        settle(outcome, (endsOutage) => {
          if (endsOutage) this.tryNow();
          this.#conclude(target, outcome);
        });
        this.#context.trace?.({ of: 'status', job: target.id, outcome: outcome.kind }, 'outcome');
      })
      .catch(this.#context.onDefect)
      .finally(() => {
        target.isAsking = false;
        this.#asking.delete(asking);
        wakeSignal.notify();
      });
    this.#asking.add(asking);
  }

  #conclude(target: Target, outcome: StatusOutcome): void {
    // The user may have abandoned it meanwhile, or had it rendered again.
    if (this.#targets.get(target.id) !== target) return;
    switch (outcome.kind) {
      case 'status':
        this.#record(target, outcome.answer);
        this.#applyStatus(target, outcome.status);
        if (outcome.link) this.#context.knownLinks.remember(target.remoteId, outcome.link);
        this.#endWait(target);
        return;
      case 'not-found':
        this.#record(target, outcome.answer);
        this.#recordMissing(target, outcome.failure);
        this.#wait(target, 'not-found');
        return;
      case 'expired':
        this.#record(target, outcome.answer);
        this.#deleted(target, outcome.failure);
        this.#wait(target, 'not-found', DELETED_FOR_MS);
        return;
      case 'unusable':
      case 'server-error':
        if (outcome.answer) this.#record(target, outcome.answer);
        this.#wait(target, 'service-error');
        return;
      case 'rate-limited':
      case 'key-refused':
      case 'unreachable':
    }
  }

  #record(target: Target, answer: Answer): void {
    this.#context.store.jobs.keepAnswer(target.id, answer.body, this.#context.clock.now());
  }

  /** @param ms until the next request; grows each time when left out */
  #wait(target: Target, reason: NonNullable<Target['wait']>, ms?: number): void {
    target.isWatched = false;
    target.wait = reason;
    target.tries += 1;
    target.nextTryAt = this.#context.clock.monotonic() + (ms ?? backoff('video', target.tries));
    this.#context.feed.job(target.id);
  }

  #endWait(target: Target): void {
    if (target.wait === null) return;
    target.tries = 0;
    target.wait = null;
    target.nextTryAt = 0;
    this.#context.feed.job(target.id);
  }

  /** Milliseconds until it may be requested; 0 is now. */
  #left({ nextTryAt }: Target): number {
    return Math.max(0, nextTryAt - this.#context.clock.monotonic());
  }

  #applyStatus(target: Target, status: RemoteStatus): void {
    const { store, renderTimes, clock } = this.#context;
    const at = clock.now();
    const job = store.jobs.get(target.id);
    target.misses = 0;
    target.missedSince = null;
    target.deletedSince = null;
    target.isDoubted = false;
    this.#knewOneAt = clock.monotonic();
    const news = {
      serviceWord: status.word,
      wordUnknown: status.state === null,
      progress: status.progress,
      failure: null,
    };
    switch (status.state) {
      case 'done':
        if (target.isWatched) renderTimes.learn(target.preset, at - target.submittedAt);
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
        this.#fail(job, at, {
          ...news,
          failure: {
            code: 'render-failed',
            ...userMessage('not-made', { word: status.word ?? status.state }),
            ...(status.error === null ? {} : { detail: status.error.slice(0, 2000) }),
          },
        });
        return;
      case 'working':
        if (job.state === 'submitted') store.jobs.move(job.id, 'render', at, news);
        else this.#update(job, news);
        return;
      case 'queued':
      case null:
        this.#update(job, news);
    }
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

  #fail(job: JobRow, at: number, change: Parameters<Store['jobs']['move']>[3]): void {
    this.#context.store.jobs.move(job.id, 'renderFailed', at, change, change?.failure ?? undefined);
  }

  /** A video that was just accepted may take a moment to be known on all servers of the service. */
  #recordMissing(target: Target, failure: NonNullable<JobRow['failure']>): void {
    const { store, key, clock } = this.#context;
    const now = clock.monotonic();
    target.misses += 1;
    target.missedSince ??= now;
    const hasItsKey = (key.status.since ?? -Infinity) <= target.submittedAt;
    const isLost = hasItsKey && this.#knewOneAt > target.missedSince;
    const patience = isLost ? MISSING_FOR_MS : MISSING_OTHERWISE_FOR_MS;
    const isConfirmed = target.misses >= MISSES && now - target.missedSince >= patience;
    if (!isConfirmed && !target.isDoubted) return;
    this.#fail(store.jobs.get(target.id), clock.now(), { failure });
  }

  /** A video that was paid for does not fail by a single response, which may be wrong. */
  #deleted(target: Target, failure: NonNullable<JobRow['failure']>): void {
    const { store, clock } = this.#context;
    const now = clock.monotonic();
    target.deletedSince ??= now;
    if (now - target.deletedSince < DELETED_FOR_MS && !target.isDoubted) return;
    this.#fail(store.jobs.get(target.id), clock.now(), { failure });
  }
}

function earlier(at: number | null, now: number): number | null {
  return at === null ? null : Math.min(at, now);
}
