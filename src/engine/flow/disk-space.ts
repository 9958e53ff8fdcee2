import type { Failure } from '../../contract/failure.ts';
import { userMessage } from '../../contract/user-message.ts';
import type { Clock } from '../clock.ts';
import type { JobOutline } from '../jobs/job-row.ts';
import type { JobStore } from '../jobs/job-store.ts';

/** How often a full disk is checked; that needs neither a link nor a connection. */
const LOOK_AGAIN_MS = 10_000;

type Waiting = Pick<JobOutline, 'batchId' | 'waitReason'>;

/** The space that the disks of batches lack for the files that wait for it. In memory only. */
export class DiskSpace {
  readonly #jobs: Pick<JobStore, 'waiting'>;
  readonly #clock: Clock;
  /** By batch: bytes that were free when its folder was last checked, on the monotonic clock. */
  readonly #seen = new Map<number, { readonly free: number; readonly at: number }>();

  constructor(jobs: Pick<JobStore, 'waiting'>, clock: Clock) {
    this.#jobs = jobs;
    this.#clock = clock;
  }

  /** @param free bytes on the disk of a batch's folder now */
  saw(batchId: number, free: number): void {
    this.#seen.set(batchId, { free, at: this.#clock.monotonic() });
  }

  /** Bytes that a job's disk lacks; 0 if it has enough, or if that is not known. */
  missing({ batchId, waitReason: wait }: Waiting): number {
    const required = wait?.kind === 'no-space' ? wait.required : null;
    const free = this.#seen.get(batchId)?.free;
    return required === null || free === undefined ? 0 : Math.max(0, required - free);
  }

  /** Milliseconds until the disk should be checked again for a job. */
  left(job: Waiting): number {
    if (this.missing(job) === 0) return 0;
    const { at = -Infinity } = this.#seen.get(job.batchId) ?? {};
    return Math.max(0, at + LOOK_AGAIN_MS - this.#clock.monotonic());
  }

  /** The failure to show while any job waits for space. */
  get failure(): Failure | null {
    const waiting = this.#jobs.waiting().filter(({ state }) => state === 'ready');
    const missing = waiting.map((job) => this.missing(job)).filter((bytes) => bytes > 0);
    if (missing.length > 0) {
      // The smallest file can continue first.
      const missingBytes = Math.min(...missing);
      return {
        code: 'disk-full',
        ...userMessage('disk-needs-room', { missing: missingBytes }),
        missingBytes,
      };
    }
    for (const { waitReason: wait } of waiting) {
      if (wait?.kind === 'no-space' && wait.required === null) return DISK_FULL;
    }
    return waiting.some(({ waitReason: wait }) => wait?.kind === 'cannot-write')
      ? FOLDER_UNUSABLE
      : null;
  }
}

const DISK_FULL: Failure = { code: 'disk-full', ...userMessage('disk-full') };

const FOLDER_UNUSABLE: Failure = { code: 'folder-unusable', ...userMessage('folder-unwritable') };
