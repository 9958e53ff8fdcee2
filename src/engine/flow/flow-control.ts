import { z } from 'zod';
import { failureSchema, type Failure } from '../../contract/failure.ts';
import { STATE_GROUPS } from '../../contract/job-states.ts';
import type { Wait } from '../../contract/job.ts';
import { pausedPartSchema, type Flow, type PausedPart } from '../../contract/summary.ts';
import { userMessage, joinMessages, type UserMessage } from '../../contract/user-message.ts';
import type { Clock } from '../clock.ts';
import { DISTRUST_NOTE } from '../jobs/distrust.ts';
import type { KeyValueStore } from '../jobs/key-value-store.ts';
import type { Store } from '../jobs/store.ts';
import type { ApiKey } from './api-key.ts';
import type { DiskSpace } from './disk-space.ts';
import type { EndpointOutage, Outage } from './outage.ts';
import type { QuotaTracker } from './quota-tracker.ts';
import type { SubmissionCircuitBreaker } from './submission-circuit-breaker.ts';

/** No event reports a cancelled sleep; after this long awake it counts as cancelled. */
const SLEEP_COMES_WITHIN_MS = 60_000;

const PAUSE_NOTE = 'paused';
const BREAKPOINT_NOTE = 'breakpoint';

/** Whether sending is paused when the engine starts. */
export type StartUp =
  | 'run'
  /** What was paused before stays paused. */
  | 'paused'
  | 'as-last-time'
  | { readonly pause: PausedPart };

/** Stores what is paused of a service, whether or not it has a session; `null`: nothing. */
export function rememberPause(
  notes: Pick<KeyValueStore, 'write' | 'remove'>,
  what: PausedPart | null,
): void {
  if (what === null) notes.remove(PAUSE_NOTE);
  else notes.write(PAUSE_NOTE, what);
}

/** What may prevent requests. */
interface FlowControlContext {
  readonly clock: Clock;
  readonly store: Store;
  readonly key: ApiKey;
  readonly isStopped?: boolean | undefined;
  readonly unavailable?: Failure | undefined;
  readonly outage: Outage;
  readonly statusOutage: EndpointOutage;
  readonly linkOutage: EndpointOutage;
  readonly circuitBreaker: SubmissionCircuitBreaker;
  readonly quota: QuotaTracker;
  readonly diskSpace: DiskSpace;
}

/**
 * What prevents requests: a pause, the key, the quota, the network, uncertain outcomes, the disk.
 */
export class FlowControl {
  readonly #context: FlowControlContext;
  #paused: PausedPart | null;
  #stopBefore: number | null;
  #sleepEndsAt = 0;
  #distrust: Failure | null;

  constructor(context: FlowControlContext) {
    this.#context = context;
    this.#paused = context.store.notes.read(PAUSE_NOTE, pausedPartSchema);
    this.#stopBefore = context.store.notes.read(BREAKPOINT_NOTE, z.int());
    this.#distrust = context.store.notes.read(DISTRUST_NOTE, failureSchema);
  }

  get paused(): PausedPart | null {
    return this.#paused;
  }

  /** Why rows cannot be made into requests; `null` where they can. */
  get profileFailure(): Failure | null {
    const { unavailable } = this.#context;
    return unavailable?.code === 'profile-unusable' ? unavailable : null;
  }

  /**
   * True while nothing is sent until the user does something about it. Plans that are made before a
   * key was entered assume that one is entered now.
   */
  get isStopped(): boolean {
    const { key } = this.#context;
    return this.#paused !== null || this.#distrust !== null || key.status.state === 'refused';
  }

  /** The job before which sending pauses automatically. */
  get stopBefore(): number | null {
    return this.#stopBefore;
  }

  /** Call it before anything is sent. Clears no obstacle but a pause. */
  startUp(way: StartUp): void {
    switch (way) {
      case 'run':
        rememberPause(this.#context.store.notes, null);
        this.#paused = null;
        return;
      case 'paused':
        this.pause(this.#paused ?? 'sending');
        return;
      case 'as-last-time':
        return;
      default:
        this.pause(way.pause);
    }
  }

  pause(what: PausedPart): void {
    rememberPause(this.#context.store.notes, what);
    this.#paused = what;
  }

  /** The user has seen the reason and wants to continue. */
  resume(): void {
    rememberPause(this.#context.store.notes, null);
    this.#context.store.notes.remove(DISTRUST_NOTE);
    this.#paused = null;
    this.#distrust = null;
    this.#context.circuitBreaker.tryNow();
    this.#context.quota.tryNow();
    this.tryEndpointsNow();
  }

  /** Clears failures of endpoints: their cause may be gone. */
  tryEndpointsNow(): void {
    this.#context.statusOutage.usable();
    this.#context.linkOutage.usable();
  }

  /**
   * The queue may lack requests that were sent, so sending stops until the user has looked and
   * resumes.
   */
  suspendSending(failure: Failure): void {
    this.#context.store.notes.write(DISTRUST_NOTE, failure);
    this.#distrust = failure;
  }

  setStopBefore(id: number | null): void {
    if (id === null) this.#context.store.notes.remove(BREAKPOINT_NOTE);
    else this.#context.store.notes.write(BREAKPOINT_NOTE, id);
    this.#stopBefore = id;
  }

  /** The computer goes to sleep: the response to a request that leaves now might never arrive. */
  fallAsleep(): void {
    this.#sleepEndsAt = this.#context.clock.monotonic() + SLEEP_COMES_WITHIN_MS;
  }

  wake(): void {
    this.#sleepEndsAt = 0;
  }

  /** Milliseconds until a video may be requested, apart from limits. */
  waitToSend(): number {
    if (this.#isSendingHeld) return Infinity;
    return Math.max(this.#context.quota.wait(), this.pauseBeforeSending());
  }

  /**
   * The same for a request that may have been accepted before: its quota is held, and sending it
   * again finds out whether the service works.
   */
  waitToRepeat(): number {
    if (this.#isSendingHeld) return Infinity;
    return Math.max(this.#context.outage.wait(), this.#sleepWait());
  }

  /** For an unknown time: until the user acts, or the disk accepts writes again. */
  get #isSendingHeld(): boolean {
    const { key, store, unavailable } = this.#context;
    if (this.#paused || this.#distrust || unavailable) return true;
    return !key.isUsable || !store.reserve.isWhole;
  }

  /**
   * The part of that wait that has a known end and is not about the quota. Without such a wait, a
   * refusal because nothing is left counts as any other refusal.
   */
  pauseBeforeSending(): number {
    const { outage, statusOutage, linkOutage, circuitBreaker, quota } = this.#context;
    return Math.max(
      quota.per === null ? quota.wait() : 0,
      outage.wait(),
      statusOutage.wait(),
      linkOutage.wait(),
      circuitBreaker.wait(),
      this.#sleepWait(),
    );
  }

  /** Milliseconds until the service may be asked about existing videos. */
  waitToRead(): number {
    const { key, outage, unavailable } = this.#context;
    if (this.#paused === 'everything' || unavailable || !key.isUsable) return Infinity;
    return outage.wait();
  }

  /**
   * What prevents all videos from being sent, other than quota and limits; `null` when nothing
   * does.
   */
  sendWait(): Wait | null {
    const { store, circuitBreaker } = this.#context;
    if (this.#paused) return { reason: 'paused', until: null };
    if (this.#distrust) return { reason: 'queue-unconfirmed', until: null };
    if (store.transactions.isRefused || !store.reserve.isWhole)
      return { reason: 'queue-unwritable', until: null };
    const suspended = this.#endpointFailure() ?? this.#nothingLeft() ?? circuitBreaker.failure;
    return (
      this.#serviceWait() ??
      (suspended && { reason: 'sending-suspended', until: suspended.retryAt ?? null })
    );
  }

  /** What prevents all requests about existing videos; `null` when nothing does. */
  readWait(): Wait | null {
    return this.#paused === 'everything' ? { reason: 'paused', until: null } : this.#serviceWait();
  }

  view(): Flow {
    const failure = this.#obstacle();
    if (this.#paused) return { state: 'paused', what: this.#paused, failure };
    return failure ? { state: 'blocked', failure } : { state: 'running' };
  }

  #serviceWait(): Wait | null {
    const { key, outage, unavailable, isStopped } = this.#context;
    if (isStopped === true) return { reason: 'not-running', until: null };
    if (unavailable) return { reason: 'offline', until: null };
    if (key.status.state === 'absent') return { reason: 'key-missing', until: null };
    if (key.status.state === 'refused') return { reason: 'key-refused', until: null };
    if (outage.failure === null) return null;
    // A request that tests the service is running: the end is unknown until its response.
    return {
      reason: 'offline',
      until: outage.wait() > 0 ? (outage.failure.retryAt ?? null) : null,
    };
  }

  #obstacle(): Failure | null {
    if (this.#distrust) return this.#distrust;
    if (!this.#context.store.reserve.isWhole)
      return this.#context.store.reserve.fullError().failure;
    if (this.#context.store.transactions.isRefused) return UNWRITABLE;
    const { store, key, unavailable, quota, outage, circuitBreaker } = this.#context;
    if (unavailable) return unavailable;
    switch (key.status.state) {
      case 'absent':
        return { code: 'key-missing', ...keyMissing(key.status.trouble) };
      case 'refused':
        return {
          code: 'key-refused',
          ...userMessage('key-refused-enter'),
        };
      default:
    }
    const endpointFailure = this.#endpointFailure();
    if (outage.failure) return outage.failure;
    if (endpointFailure) return endpointFailure;
    if (store.jobs.counts.total.queued > 0) {
      if (quota.isUsedUp) return this.#quotaUsedUp();
      if (circuitBreaker.failure) return circuitBreaker.failure;
    }
    return this.#context.diskSpace.failure;
  }

  /** A service without a quota said that nothing is left. */
  #nothingLeft(): Failure | null {
    const { quota } = this.#context;
    return quota.per === null && quota.isUsedUp ? this.#quotaUsedUp() : null;
  }

  /** Why no video is sent, in words that fit the unit of the service's quota. */
  #quotaUsedUp(): Failure {
    const { quota, clock } = this.#context;
    const retryAt = clock.now() + quota.wait();
    const view = quota.view();
    if (view === null) return { code: 'nothing-left', ...userMessage('nothing-left'), retryAt };
    const { per, limit, refused } = view;
    if (per === 'day') {
      const message = refused
        ? userMessage('daily-quota-refused')
        : userMessage('daily-quota-all-used', { limit });
      return { code: 'daily-quota-used-up', ...message, retryAt };
    }
    const message = refused
      ? userMessage('quota-refused')
      : userMessage('quota-all-used', { limit });
    return { code: 'quota-used-up', ...message, retryAt };
  }

  /** An endpoint's outage matters only while there are videos to ask it about. */
  #endpointFailure(): Failure | null {
    const { store, statusOutage, linkOutage } = this.#context;
    const { counts } = store.jobs;
    const rendering = counts.sum(STATE_GROUPS.atService);
    return (
      (rendering > 0 ? statusOutage.failure : null) ??
      (counts.total.ready > 0 ? linkOutage.failure : null)
    );
  }

  #sleepWait(): number {
    return Math.max(0, this.#sleepEndsAt - this.#context.clock.monotonic());
  }
}

const UNWRITABLE: Failure = {
  code: 'disk-full',
  ...userMessage('queue-unwritable'),
};

function keyMissing(trouble: UserMessage | null): UserMessage {
  const needed = userMessage('key-needed');
  return trouble === null ? needed : joinMessages(needed, trouble);
}
