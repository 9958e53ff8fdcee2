import type { Failure } from '../../contract/failure.ts';
import { tell } from '../../contract/told.ts';
import type { Clock } from '../clock.ts';
import type { WaitReason } from '../downloads/request.ts';

/** A file that cannot be fetched now is tried again after 5 s, then twice as long, up to 10 min. */
const FIRST_WAIT_MS = 5000;
const LONGEST_WAIT_MS = 600_000;

/** A full disk is looked at this often; that costs neither a link nor a connection. */
const LOOK_AT_DISK_MS = 10_000;

/** Why a job is left alone for a while. */
export interface Postponement {
  /** `not-ready`: the service says so, although it said before that the video was. */
  readonly reason: WaitReason | 'not-ready';
  /** On the monotonic clock. */
  readonly until: number;
  /** The same moment on the wall clock. */
  readonly untilAt: number;
  /** Waits in a row. */
  readonly times: number;
  /** With `no-space`, where it is known: what the disk lacks, and must have free. Bytes. */
  readonly room: { readonly missing: number; readonly required: number } | null;
}

/** Jobs whose file cannot be fetched now through no fault of theirs. In memory only. */
export class TransferWaits {
  readonly #clock: Clock;
  readonly #waits = new Map<number, Postponement>();

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
    return Math.max(0, (this.of(jobId)?.until ?? 0) - this.#clock.monotonic());
  }

  /** @param until milliseconds since the epoch; longer and longer when `null` */
  begin(jobId: number, reason: Postponement['reason'], until: number | null) {
    const times = (this.of(jobId)?.times ?? 0) + 1;
    const backoff = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (times - 1));
    const wait = until === null ? backoff : Math.max(1000, until - this.#clock.now());
    this.#set(jobId, { reason, times, room: null }, wait);
  }

  /**
   * @param free bytes on the disk now
   * @param required bytes that must be free for it to fit
   */
  beginForRoom(jobId: number, free: number, required: number): void {
    if (free < required) {
      const room = { missing: required - free, required };
      this.#set(jobId, { reason: 'no-space', times: 1, room }, LOOK_AT_DISK_MS);
    } else {
      // The disk says that there is room and takes nothing all the same: somebody's quota is used up.
      this.begin(jobId, 'no-space', null);
    }
  }

  end(jobId: number): void {
    this.#waits.delete(jobId);
  }

  /** Their owner wants all of them tried now. */
  endAll(): void {
    this.#waits.clear();
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
      ...tell('disk-needs-room', { missing: missingBytes }),
      missingBytes,
    };
  }

  #set(jobId: number, wait: Pick<Postponement, 'reason' | 'times' | 'room'>, ms: number): void {
    const { monotonic, now } = { monotonic: this.#clock.monotonic(), now: this.#clock.now() };
    this.#waits.set(jobId, { ...wait, until: monotonic + ms, untilAt: now + ms });
  }
}

const DISK_FULL: Failure = {
  code: 'disk-full',
  ...tell('disk-full'),
};

const FOLDER_UNUSABLE: Failure = {
  code: 'folder-unusable',
  ...tell('folder-unwritable'),
};
