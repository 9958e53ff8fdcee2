import type { Changed, RetryPlan } from '../../contract/contract.ts';
import type { JobState } from '../../contract/job-states.ts';
import { userMessage } from '../../contract/user-message.ts';
import type { Clock } from '../clock.ts';
import type { SettledName } from '../downloads/naming.ts';
import { NotPossibleNowError } from '../engine-error.ts';
import { UNMADE, type JobChange, type JobRow } from '../jobs/job-row.ts';
import { canMove } from '../jobs/lifecycle.ts';
import type { Store } from '../jobs/store.ts';
import { changeEach } from './change-each.ts';
import { mayHaveVideo, retryKindOf, type RetryKind } from './made-videos.ts';
import type { Serial } from './serial.ts';
import { settleInFolder } from './settle-in-folder.ts';

export interface RetryCommandParts {
  readonly store: Store;
  readonly clock: Clock;
  /** Gives a damaged file another name. */
  readonly setAside: (file: string) => Promise<void>;
  readonly yieldToEventLoop: () => Promise<void>;
  /** Shared with everything else that gives names to jobs. */
  readonly naming: Serial;
}

/** A job whose video is to be downloaded. */
const NOT_DOWNLOADED: JobChange = {
  failure: null,
  filePath: null,
  fileBytes: null,
  fileSha256: null,
  fileSeconds: null,
  savedAt: null,
};

export interface RetryOptions {
  /** Also renders videos that were paid for and that the service no longer has. */
  readonly payAgain?: boolean;
}

/** States that `retryFailed` is for: a job that its owner cancelled did not fail. */
const FAILED: readonly JobState[] = ['failed', 'rejected'];

/** Rows read at a time for a plan. */
const PAGE = 1000;

/**
 * Gets a file for jobs that ended without one: downloads the video if the service may have it, and
 * renders it again otherwise. Names are settled before anything is spent, since they may be taken.
 */
export class RetryCommands {
  readonly #parts: RetryCommandParts;

  constructor(parts: RetryCommandParts) {
    this.#parts = parts;
  }

  /** What a retry of these jobs would do. Jobs that cannot be retried are left out. */
  async plan(ids: readonly string[]): Promise<RetryPlan> {
    const { store, yieldToEventLoop } = this.#parts;
    const kinds: RetryKind[] = [];
    const numbers = ids.map(Number).filter(Number.isSafeInteger);
    for (let start = 0; start < numbers.length; start += PAGE) {
      if (start > 0) await yieldToEventLoop();
      const jobs = store.jobs.pick(numbers.slice(start, start + PAGE));
      kinds.push(...this.#kindsOf(jobs.filter(({ state }) => canMove('retry', state))));
    }
    return planOf(kinds);
  }

  /** The same for all jobs that failed or were rejected. */
  async planFailed(batchId: number | undefined): Promise<RetryPlan> {
    const { store, yieldToEventLoop } = this.#parts;
    const kinds: RetryKind[] = [];
    for (let offset = 0; ; offset += PAGE) {
      const { rows } = store.jobs.page({ batchId, states: FAILED, offset, limit: PAGE });
      kinds.push(...this.#kindsOf(rows));
      if (rows.length < PAGE) return planOf(kinds);
      await yieldToEventLoop();
    }
  }

  retry(ids: readonly string[], { payAgain = false }: RetryOptions = {}): Promise<Changed> {
    const { store, clock } = this.#parts;
    return this.#withNames(ids, (job, nameOf) => {
      if (!canMove('retry', job.state))
        throw new NotPossibleNowError(userMessage('retry-only-ended'));
      const fileName = nameOf(job);
      const kind = retryKindOf(job, store.jobs);
      if (kind === 'download') this.#download(job, fileName);
      else if (kind === 'render' || payAgain) {
        store.jobs.move(job.id, 'retry', clock.now(), { ...UNMADE, fileName });
      } else store.jobs.move(job.id, 'askAgain', clock.now(), { fileName });
    });
  }

  retryFailed(
    batchId: number | undefined,
    limit: number,
    options: RetryOptions = {},
  ): Promise<Changed> {
    const { rows } = this.#parts.store.jobs.page({ batchId, states: FAILED, offset: 0, limit });
    return this.retry(
      rows.map(({ id }) => String(id)),
      options,
    );
  }

  async fetch(ids: readonly string[]): Promise<Changed> {
    const { store } = this.#parts;
    for (const id of ids) await this.#makeWay(id);
    return this.#withNames(ids, (job, nameOf) => {
      if (!canMove('fetchAgain', job.state) || !mayHaveVideo(job, store.jobs)) {
        throw new NotPossibleNowError(userMessage('nothing-to-fetch'));
      }
      this.#download(job, nameOf(job));
    });
  }

  #kindsOf(jobs: readonly JobRow[]): RetryKind[] {
    return jobs.map((job) => retryKindOf(job, this.#parts.store.jobs));
  }

  /** A damaged file gives its name to the one that is downloaded in its place. */
  async #makeWay(id: string): Promise<void> {
    const job = this.#parts.store.jobs.find(Number(id));
    if (job?.state !== 'missing' || job.failure?.code !== 'file-damaged') return;
    if (job.filePath !== null) await this.#parts.setAside(job.filePath);
  }

  #download(job: JobRow, fileName: string): void {
    const { store, clock } = this.#parts;
    store.jobs.move(job.id, 'fetchAgain', clock.now(), { ...NOT_DOWNLOADED, fileName });
  }

  #withNames(
    ids: readonly string[],
    act: (job: JobRow, nameOf: (job: JobRow) => string) => void,
  ): Promise<Changed> {
    return this.#parts.naming.run(async () => {
      const names = await this.#settleNames(ids);
      const nameOf = (job: JobRow): string => {
        const settled = names.get(job.id);
        const name = settled?.name ?? wishOf(job);
        if (settled?.kind === 'skipped')
          throw new NotPossibleNowError(userMessage('name-kept', { name }));
        return name;
      };
      return changeEach(ids, this.#parts, (job) => act(job, nameOf));
    });
  }

  /** By the ids of jobs. Those of one batch come in queue order. */
  async #settleNames(ids: readonly string[]): Promise<ReadonlyMap<number, SettledName>> {
    const { store } = this.#parts;
    const jobs = store.jobs
      .pick(ids.map(Number).filter(Number.isSafeInteger))
      .filter(({ state }) => canMove('retry', state) || canMove('fetchAgain', state));
    const settled = new Map<number, SettledName>();
    const namesIn = new Map<string, readonly string[]>();
    for (const [batchId, ofBatch] of Map.groupBy(jobs, (job) => job.batchId)) {
      const { folder, onCollision } = store.batches.get(batchId);
      const wishes = ofBatch.map((job) => ({ id: String(job.id), name: wishOf(job) }));
      const givenUpBy = ofBatch.map(({ id }) => id);
      const reserved = namesIn.get(folder) ?? [];
      const wanted = { folder, wishes, onCollision, givenUpBy, reserved };
      const names = await settleInFolder(wanted, store.files);
      for (const [id, name] of names) settled.set(Number(id), name);
      namesIn.set(folder, [...reserved, ...[...names.values()].map(({ name }) => name)]);
    }
    return settled;
  }
}

function planOf(kinds: readonly RetryKind[]): RetryPlan {
  const count = (kind: RetryKind): number => kinds.filter((each) => each === kind).length;
  return { downloads: count('download'), renders: count('render'), gone: count('gone') };
}

function wishOf({ id, fileName }: JobRow): string {
  return fileName ?? `${id}.mp4`;
}
