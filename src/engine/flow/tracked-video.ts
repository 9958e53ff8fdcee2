import { backoff } from '../backoff.ts';
import type { JobRow } from '../jobs/job-row.ts';
import type { StatusOutcome } from '../service/outcomes.ts';
import { LOOK_AGAIN_MS } from './wake-signal.ts';

/** The loop runs more often than that; a longer gap means that it was stopped. */
export const LOST_SIGHT_MS = 2 * LOOK_AGAIN_MS;

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
export const DELETED_FOR_MS = 600_000;

/** The user decides about a video whose status has had no known meaning for this time. */
const UNEXPLAINED_FOR_MS = 3_600_000;

/** Why the next request for a video's status waits. */
export type StatusWait = 'service-error' | 'not-found' | 'status-unknown';

/**
 * A video that the service is rendering, as the poller remembers it. In memory only. Unless stated
 * otherwise, `now` is by the monotonic clock.
 */
export class TrackedVideo {
  readonly id: number;
  readonly remoteId: string;
  readonly preset: string;
  /** By the wall clock, as `askedAt`. */
  submittedAt: number;
  askedAt: number | null = null;
  /**
   * When its render began, at a service that renders a known number of videos at a time; `null`
   * while it waits for its turn there.
   */
  startedAt: number | null = null;
  /** False once its end may have been missed: then its time says nothing about renders. */
  isWatched: boolean;
  isAsking = false;
  #wait: StatusWait | null = null;
  /** Useless responses in a row. */
  #tries = 0;
  #nextTryAt = 0;
  /**
   * The service said before that it does not have the video, and the user asks again: one response
   * decides.
   */
  #isDoubted: boolean;
  #misses = 0;
  /** Since when the service does not know it. */
  #missedSince: number | null = null;
  /** Since when the service says that it has deleted it. */
  #deletedSince: number | null = null;
  /** Since when its status has no known meaning. */
  #unexplainedSince: number | null = null;

  /** @param now by the wall clock */
  constructor(job: JobRow, remoteId: string, now: number) {
    this.id = job.id;
    this.remoteId = remoteId;
    this.preset = job.preset;
    // A clock that was set back since must not delay it.
    this.submittedAt = Math.min(job.submittedAt ?? job.addedAt, now);
    // A job that returned because it had no link, or whose video was found at the service later, may
    // have finished long ago.
    this.isWatched = job.readyAt === null && now - this.submittedAt <= LOST_SIGHT_MS;
    this.#isDoubted = job.failure !== null;
  }

  /** `null` when it is requested in its turn. */
  get wait(): StatusWait | null {
    return this.#wait;
  }

  /** Milliseconds until it may be requested; 0 is now. */
  left(now: number): number {
    return Math.max(0, this.#nextTryAt - now);
  }

  /** @param ms until the next request; grows each time when left out */
  beginWait(reason: StatusWait, now: number, ms?: number): void {
    this.isWatched = false;
    this.#wait = reason;
    this.#tries += 1;
    this.#nextTryAt = now + (ms ?? backoff('video', this.#tries));
  }

  endWait(): void {
    this.#tries = 0;
    this.#wait = null;
    this.#nextTryAt = 0;
  }

  /** The wall clock was set back to `now`: moments in the future are replaced by it. */
  withoutFuture(now: number): void {
    this.submittedAt = Math.min(this.submittedAt, now);
    if (this.askedAt !== null) this.askedAt = Math.min(this.askedAt, now);
    if (this.startedAt !== null) this.startedAt = Math.min(this.startedAt, now);
  }

  /**
   * Remembers what the service said about the video.
   * @param hasItsKey whether the key was entered before the video was requested
   * @param knewOneAt when the service last reported any video
   * @returns whether the user has to decide: the service has repeated for long enough that it does
   *   not have the video, or a status that has no known meaning
   */
  observe(outcome: StatusOutcome, now: number, hasItsKey: boolean, knewOneAt: number): boolean {
    switch (outcome.kind) {
      case 'status':
        if (outcome.status.state === null) return this.#unexplained(now);
        this.#found();
        return false;
      case 'not-found':
        return this.#missed(now, hasItsKey, knewOneAt);
      case 'expired':
        return this.#deleted(now);
      default:
        return false;
    }
  }

  #found(): void {
    this.#misses = 0;
    this.#missedSince = null;
    this.#deletedSince = null;
    this.#unexplainedSince = null;
    this.#isDoubted = false;
  }

  /** @returns whether the user has to decide */
  #unexplained(now: number): boolean {
    this.#unexplainedSince ??= now;
    return now - this.#unexplainedSince >= UNEXPLAINED_FOR_MS || this.#isDoubted;
  }

  /**
   * The service does not know the video. One that was just accepted may take a moment to be known
   * on all servers of the service.
   * @returns whether the video is lost
   */
  #missed(now: number, hasItsKey: boolean, knewOneAt: number): boolean {
    this.#misses += 1;
    this.#missedSince ??= now;
    const isLost = hasItsKey && knewOneAt > this.#missedSince;
    const graceMs = isLost ? MISSING_FOR_MS : MISSING_OTHERWISE_FOR_MS;
    const isConfirmed = this.#misses >= MISSES && now - this.#missedSince >= graceMs;
    return isConfirmed || this.#isDoubted;
  }

  /**
   * The service says that it has deleted the video. One that was paid for does not fail by a single
   * response, which may be wrong.
   * @returns whether the video is lost
   */
  #deleted(now: number): boolean {
    this.#deletedSince ??= now;
    return now - this.#deletedSince >= DELETED_FOR_MS || this.#isDoubted;
  }
}
