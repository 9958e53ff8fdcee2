import type { Failure } from '../../contract/failure.ts';
import { userMessage } from '../../contract/user-message.ts';
import type { Clock } from '../clock.ts';
import type { WaitReason } from '../downloads/request.ts';
import { backoff } from './backoff.ts';

/** A full disk is looked at this often; that costs neither a link nor a connection. */
const LOOK_AT_DISK_MS = 10_000;

/** For so long a job whose server is blocked holds up the jobs whose server is not known. */
const HOLD_MS = 600_000;

/** Why a job is left alone for a while. */
export interface Postponement {
  readonly reason:
    | WaitReason
    /** The service says so, although it said before that the video was ready. */
    | 'not-ready'
    /** The service's answer to the request was of no use. */
    | 'service-error'
    /** The service says that it does not have the video, and has not said so often enough. */
    | 'not-found';
  /** On the monotonic clock. */
  readonly until: number;
  /** The same moment on the wall clock. */
  readonly untilAt: number;
  /** Waits in a row. */
  readonly times: number;
  /** With `no-space`, where it is known: what the disk lacks, and must have free. Bytes. */
  readonly room: { readonly missing: number; readonly required: number } | null;
  /** With `address-blocked`: the name to look up first; `null` once DNS gave it another address. */
  readonly host: string | null;
}

/** A server whose address is not allowed, and how long other jobs are assumed to lead there. */
export interface Hold {
  readonly host: string;
  /** On the monotonic clock, as `until`. */
  readonly since: number;
  readonly until: number;
  /** The same moment on the wall clock. */
  readonly untilAt: number;
}

/**
 * Jobs whose file cannot be fetched now through no fault of theirs. In memory only.
 *
 * Where a link leads is not known before it is requested. A job whose server's address is not
 * allowed therefore holds up all jobs whose server is not known. Every ten minutes one of these
 * requests a link, and looks for another server. A link that leads to another server ends the hold.
 */
export class TransferWaits {
  readonly #clock: Clock;
  readonly #waits = new Map<number, Postponement>();
  #hold: Hold | null = null;
  /** Whether links also lead to servers that are not blocked. */
  #leadsElsewhere = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#waits.size;
  }

  of(jobId: number): Postponement | undefined {
    return this.#waits.get(jobId);
  }

  /** Milliseconds until it may be tried again; 0 is now. */
  left(jobId: number): number {
    const until = (this.of(jobId) ?? this.#hold)?.until ?? 0;
    return Math.max(0, until - this.#clock.monotonic());
  }

  /** What holds up a job that has no wait; `null` when nothing does. */
  holdOn(jobId: number): Hold | null {
    return this.of(jobId) || this.left(jobId) === 0 ? null : this.#hold;
  }

  /** @param until milliseconds since the epoch; `null`: longer each time */
  begin(
    jobId: number,
    reason: Exclude<Postponement['reason'], 'address-blocked'>,
    until: number | null,
  ): void {
    const times = this.#timesMore(jobId);
    const wait = until === null ? backoff(times) : Math.max(1000, until - this.#clock.now());
    this.#set(jobId, { reason, times, room: null, host: null }, wait);
  }

  /** The service gives links later than this job could ask for its own. Counts as no failure. */
  postpone(jobId: number, ms: number): void {
    const times = this.of(jobId)?.times ?? 0;
    this.#set(jobId, { reason: 'not-ready', times, room: null, host: null }, ms);
  }

  /** @param host a name that resolves to an address that is not allowed */
  beginForAddress(jobId: number, host: string): void {
    const times = this.#timesMore(jobId);
    this.#set(jobId, { reason: 'address-blocked', times, room: null, host }, backoff(times));
  }

  /** A link has led to a server whose address is not allowed. */
  foundBlocked(jobId: number, host: string): void {
    if (!this.#someBlocked(jobId)) this.#leadsElsewhere = false;
    if (!this.#leadsElsewhere) this.#holdOthers(host);
    this.beginForAddress(jobId, host);
  }

  /**
   * A job that was held up requests a link; the others wait for its result.
   * @returns false when nothing holds others up
   */
  beginProbe(): boolean {
    if (this.#hold) this.#holdOthers(this.#hold.host);
    return this.#hold !== null;
  }

  /**
   * Bytes came from a server that a link led to.
   * @param since when the transfer began: one from before the hold may use a connection to the
   *   blocked server from before it was blocked
   * @returns true when this ends the hold on others
   */
  reached(host: string, since: number): boolean {
    if (this.#hold === null) return false;
    if (host === this.#hold.host && since < this.#hold.since) return false;
    this.#leadsElsewhere = host !== this.#hold.host;
    this.#hold = null;
    return true;
  }

  /**
   * The job may be tried now, because DNS has another answer. Its wait is kept, so that a name whose
   * address changes back and forth is tried ever less often.
   */
  unblock(jobId: number): void {
    const wait = this.of(jobId);
    if (wait) this.#set(jobId, { ...wait, host: null }, 0);
  }

  /**
   * @param free bytes on the disk now
   * @param required bytes that must be free for it to fit
   */
  beginForRoom(jobId: number, free: number, required: number): void {
    if (free < required) {
      const room = { missing: required - free, required };
      this.#set(jobId, { reason: 'no-space', times: 1, room, host: null }, LOOK_AT_DISK_MS);
    } else {
      // The disk says that there is room and takes nothing all the same: somebody's quota is used up.
      this.begin(jobId, 'no-space', null);
    }
  }

  end(jobId: number): void {
    this.#waits.delete(jobId);
  }

  /** @param reason of the waits to end; all of them when left out */
  endAll(reason?: Postponement['reason']): void {
    for (const [jobId, wait] of this.#waits) {
      if (reason === undefined || wait.reason === reason) this.#waits.delete(jobId);
    }
    if (reason === undefined || reason === 'address-blocked') this.#hold = null;
  }

  /** Everything is tried now; names whose address is not allowed are looked up again before that. */
  tryAll(): void {
    for (const [jobId, wait] of this.#waits) {
      if (wait.host === null) this.#waits.delete(jobId);
    }
    this.lookUpNow();
  }

  /** Names whose address is not allowed are looked up again now. */
  lookUpNow(): void {
    for (const [jobId, wait] of this.#waits) {
      if (wait.host !== null) this.#set(jobId, wait, 0);
    }
  }

  /** What to say of the disk, when any job waits for one. */
  ofDisk(): Failure | null {
    const waits = [...this.#waits.values()];
    const missing = waits.flatMap(({ room }) => room?.missing ?? []);
    if (missing.length === 0) {
      if (waits.some(({ reason }) => reason === 'no-space')) return DISK_FULL;
      return waits.some(({ reason }) => reason === 'cannot-write') ? FOLDER_UNUSABLE : null;
    }
    // The smallest one goes on first.
    const missingBytes = Math.min(...missing);
    return {
      code: 'disk-full',
      ...userMessage('disk-needs-room', { missing: missingBytes }),
      missingBytes,
    };
  }

  #someBlocked(except?: number): boolean {
    return [...this.#waits].some(([jobId, { host }]) => jobId !== except && host !== null);
  }

  #holdOthers(host: string): void {
    const since = this.#clock.monotonic();
    this.#hold = { host, since, until: since + HOLD_MS, untilAt: this.#clock.now() + HOLD_MS };
  }

  #timesMore(jobId: number): number {
    return (this.of(jobId)?.times ?? 0) + 1;
  }

  #set(jobId: number, wait: Omit<Postponement, 'until' | 'untilAt'>, ms: number): void {
    const { monotonic, now } = { monotonic: this.#clock.monotonic(), now: this.#clock.now() };
    this.#waits.set(jobId, { ...wait, until: monotonic + ms, untilAt: now + ms });
  }
}

const DISK_FULL: Failure = {
  code: 'disk-full',
  ...userMessage('disk-full'),
};

const FOLDER_UNUSABLE: Failure = {
  code: 'folder-unusable',
  ...userMessage('folder-unwritable'),
};
