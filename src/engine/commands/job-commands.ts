import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Changed } from '../../contract/contract.ts';
import type { PausedPart } from '../../contract/summary.ts';
import { tell, type Told } from '../../contract/told.ts';
import type { Clock } from '../clock.ts';
import { EngineError, JobUnknownError, NotPossibleNowError } from '../engine-error.ts';
import type { Doubt } from '../flow/doubt.ts';
import type { Fetcher } from '../flow/fetcher.ts';
import type { FlowControl } from '../flow/flow-control.ts';
import type { TransferWaits } from '../flow/transfer-waits.ts';
import { UNMADE, type JobChange, type JobRow } from '../jobs/job-row.ts';
import { canMove, UNSENT, type MoveName } from '../jobs/lifecycle.ts';
import type { Store } from '../jobs/store.ts';

/** Rows changed in one transaction: enough to be quick, few enough that nobody waits for it. */
const AT_A_TIME = 2000;

/** Its owner's word on a job whose submission had an unknown outcome. */
export type Resolution = {
  readonly id: string;
  /** The job's as its owner saw it; the word is on the last of them and on no later one. */
  readonly attempts: number;
} & ({ readonly as: 'made'; readonly remoteId: string } | { readonly as: 'send-again' | 'let-go' });

/** A change to a job that has not been sent. */
export interface JobEdit {
  readonly id: string;
  readonly title?: string | undefined;
  /** JSON; sent as it is. */
  readonly request?: Readonly<Record<string, unknown>> | undefined;
}

export interface JobCommandParts {
  readonly store: Store;
  readonly flow: FlowControl;
  readonly doubt: Pick<Doubt, 'clear'>;
  readonly fetcher: Pick<Fetcher, 'stop' | 'stopAll'>;
  readonly waits: Pick<TransferWaits, 'end'>;
  readonly clock: Clock;
  /** Gives a damaged file another name. */
  readonly setAside: (file: string) => Promise<void>;
  /** Lets other work go on between two parts of a long one. */
  readonly breathe: () => Promise<void>;
  /** Rows moved in the queue. */
  readonly onReorder: () => void;
}

/** A job whose video exists and is to be fetched. */
const UNFETCHED: JobChange = {
  failure: null,
  filePath: null,
  fileBytes: null,
  fileSha256: null,
  fileSeconds: null,
  savedAt: null,
};

/** Reads an id as UIs have it. @throws {JobUnknownError} */
export function jobIdOf(id: string): number {
  const parsed = z.coerce.number().int().positive().safeParse(id);
  if (!parsed.success) throw new JobUnknownError();
  return parsed.data;
}

/** What a job's owner may do with it. Each call says how many jobs it changed and why not others. */
export class JobCommands {
  readonly #parts: JobCommandParts;

  constructor(parts: JobCommandParts) {
    this.#parts = parts;
  }

  hold(ids: readonly string[]): Promise<Changed> {
    return this.#each(ids, (job) => {
      this.#move(job, 'hold', tell('hold-too-late'));
    });
  }

  resume(ids: readonly string[]): Promise<Changed> {
    return this.#each(ids, (job) => {
      const move = job.state === 'draft' ? 'confirm' : 'release';
      this.#move(job, move, tell('not-held'));
    });
  }

  async cancel(ids: readonly string[]): Promise<Changed> {
    await this.#parts.fetcher.stop(ids.map(Number));
    return this.#each(ids, (job) => {
      if (job.state === 'uncertain') {
        throw new NotPossibleNowError(tell('decide-first'));
      }
      if (job.state === 'sending') {
        throw new NotPossibleNowError(tell('sending-now'));
      }
      const move = canMove('cancel', job.state) ? 'cancel' : 'letGo';
      this.#move(job, move, tell('nothing-to-withdraw'));
    });
  }

  retry(ids: readonly string[]): Promise<Changed> {
    return this.#each(ids, (job) => {
      if (job.state === 'failed' && job.remoteId !== null && job.readyAt !== null) {
        this.#fetchAgain(job);
      } else {
        this.#move(job, 'retry', tell('retry-only-ended'), UNMADE);
      }
    });
  }

  retryFailed(batchId: number | undefined, limit: number): Promise<Changed> {
    const { rows } = this.#parts.store.list.page({
      batchId,
      states: ['failed', 'rejected'],
      offset: 0,
      limit,
    });
    return this.retry(rows.map(({ id }) => String(id)));
  }

  async fetch(ids: readonly string[]): Promise<Changed> {
    for (const id of ids) await this.#makeWay(id);
    return this.#each(ids, (job) => {
      const neverMade = job.state === 'failed' && job.readyAt === null;
      if (job.remoteId === null || neverMade || !canMove('fetchAgain', job.state)) {
        throw new NotPossibleNowError(tell('nothing-to-fetch'));
      }
      this.#fetchAgain(job);
    });
  }

  async move(ids: readonly string[], before: string | null): Promise<Changed> {
    const { store } = this.#parts;
    const target = before === null ? null : store.jobs.get(jobIdOf(before)).id;
    const moving: number[] = [];
    const changed = await this.#each(ids, (job) => {
      assertUnsent(job, tell('place-too-late'));
      if (job.id !== target) moving.push(job.id);
    });
    store.order.move(moving, target);
    this.#parts.onReorder();
    return changed;
  }

  async prioritise(ids: readonly string[], priority: number): Promise<Changed> {
    const { store } = this.#parts;
    const rising: number[] = [];
    const changed = await this.#each(ids, (job) => {
      assertUnsent(job, tell('priority-too-late'));
      rising.push(job.id);
    });
    store.order.setPriority(rising, priority);
    this.#parts.onReorder();
    return changed;
  }

  edit({ id, title, request }: JobEdit): JobRow {
    const { store } = this.#parts;
    const jobId = jobIdOf(id);
    return store.transactions.write(() => {
      assertUnsent(store.jobs.get(jobId), tell('edit-too-late'));
      if (title !== undefined) store.jobs.change(jobId, { title });
      if (request !== undefined) {
        const body = JSON.stringify(request);
        const sha256 = createHash('sha256').update(body).digest('hex');
        store.jobs.replaceRequest(jobId, body, sha256);
      }
      return store.jobs.get(jobId);
    });
  }

  resolve(resolution: Resolution): JobRow {
    const { store, doubt, clock } = this.#parts;
    const id = jobIdOf(resolution.id);
    const at = clock.now();
    return store.transactions.write(() => {
      const { state, attempts } = store.jobs.get(id);
      if (state !== 'uncertain') {
        throw new NotPossibleNowError(tell('outcome-known'));
      }
      if (attempts !== resolution.attempts) {
        throw new NotPossibleNowError(tell('sent-again-meanwhile'));
      }
      doubt.clear();
      switch (resolution.as) {
        case 'made': {
          const { remoteId } = resolution;
          const [other] = store.jobs.withRemoteId(remoteId);
          if (other) {
            throw new NotPossibleNowError(tell('identifier-taken', { title: other.title }));
          }
          store.ledger.charge(id);
          return store.jobs.move(id, 'foundMade', at, { remoteId, submittedAt: at, failure: null });
        }
        case 'send-again':
          store.ledger.release(id);
          return store.jobs.move(id, 'sendAgain', at, UNMADE);
        case 'let-go':
          store.ledger.charge(id);
          return store.jobs.move(id, 'giveUp', at);
      }
    });
  }

  async pause(what: PausedPart): Promise<void> {
    this.#parts.flow.pause(what);
    if (what === 'everything') await this.#parts.fetcher.stopAll();
  }

  stopBefore(id: string | null): void {
    const { store, flow } = this.#parts;
    if (id === null) {
      flow.setStopBefore(null);
      return;
    }
    const job = store.jobs.get(jobIdOf(id));
    assertUnsent(job, tell('sent-already'));
    flow.setStopBefore(job.id);
  }

  /** A damaged file gives its name to the one that is fetched in its place. */
  async #makeWay(id: string): Promise<void> {
    const job = this.#parts.store.jobs.find(Number(id));
    if (job?.state !== 'missing' || job.failure?.code !== 'file-damaged') return;
    if (job.filePath !== null) await this.#parts.setAside(job.filePath);
  }

  #fetchAgain(job: JobRow): void {
    const { store, waits, clock } = this.#parts;
    store.jobs.move(job.id, 'fetchAgain', clock.now(), UNFETCHED);
    waits.end(job.id);
  }

  #move(job: JobRow, move: MoveName, otherwise: Told, change?: JobChange): void {
    if (!canMove(move, job.state)) throw new NotPossibleNowError(otherwise);
    this.#parts.store.jobs.move(job.id, move, this.#parts.clock.now(), change);
  }

  /** Does the same to each job; one that refuses does not stop the others. */
  async #each(ids: readonly string[], act: (job: JobRow) => void): Promise<Changed> {
    const { store, breathe } = this.#parts;
    const refused: Changed['refused'] = [];
    for (let start = 0; start < ids.length; start += AT_A_TIME) {
      if (start > 0) await breathe();
      store.transactions.write(() => {
        for (const id of ids.slice(start, start + AT_A_TIME)) {
          try {
            act(store.jobs.get(jobIdOf(id)));
          } catch (error) {
            if (!(error instanceof EngineError)) throw error;
            refused.push({ id, failure: error.failure });
          }
        }
      });
    }
    return { changed: ids.length - refused.length, refused };
  }
}

function assertUnsent(job: JobRow, otherwise: Told): void {
  if (!UNSENT.some((state) => state === job.state)) throw new NotPossibleNowError(otherwise);
}
