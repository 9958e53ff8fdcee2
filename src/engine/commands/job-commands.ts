import { isIn } from '../../contract/job-states.ts';
import { createHash } from 'node:crypto';
import type { Changed } from '../../contract/contract.ts';
import type { PausedPart } from '../../contract/summary.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import type { Clock } from '../clock.ts';
import { NotPossibleNowError } from '../engine-error.ts';
import type { SubmissionCircuitBreaker } from '../flow/submission-circuit-breaker.ts';
import type { Fetcher } from '../flow/fetcher.ts';
import type { FlowControl } from '../flow/flow-control.ts';
import { UNMADE, type JobChange, type JobRow } from '../jobs/job-row.ts';
import { canMove, type MoveName } from '../jobs/lifecycle.ts';
import type { Store } from '../jobs/store.ts';
import { changeEach } from './change-each.ts';
import { jobIdOf } from './job-id.ts';

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
  readonly circuitBreaker: Pick<SubmissionCircuitBreaker, 'clear'>;
  readonly fetcher: Pick<Fetcher, 'stop' | 'stopAll'>;
  readonly clock: Clock;
  /** Lets other work go on between two parts of a long one. */
  readonly yieldToEventLoop: () => Promise<void>;
  /** Rows moved in the queue. */
  readonly onReorder: () => void;
}

/** What a job's owner may do with it. Each call says how many jobs it changed and why not others. */
export class JobCommands {
  readonly #parts: JobCommandParts;

  constructor(parts: JobCommandParts) {
    this.#parts = parts;
  }

  hold(ids: readonly string[]): Promise<Changed> {
    return this.#each(ids, (job) => {
      this.#move(job, 'hold', userMessage('hold-too-late'));
    });
  }

  resume(ids: readonly string[]): Promise<Changed> {
    return this.#each(ids, (job) => {
      const move = job.state === 'draft' ? 'confirm' : 'release';
      this.#move(job, move, userMessage('not-held'));
    });
  }

  async cancel(ids: readonly string[]): Promise<Changed> {
    await this.#parts.fetcher.stop(ids.map(Number));
    return this.#each(ids, (job) => {
      if (job.state === 'uncertain') {
        throw new NotPossibleNowError(userMessage('decide-first'));
      }
      if (job.state === 'sending') {
        throw new NotPossibleNowError(userMessage('sending-now'));
      }
      const move = canMove('cancel', job.state) ? 'cancel' : 'letGo';
      this.#move(job, move, userMessage('nothing-to-withdraw'));
    });
  }

  async move(ids: readonly string[], before: string | null): Promise<Changed> {
    const { store } = this.#parts;
    const target = before === null ? null : store.jobs.get(jobIdOf(before)).id;
    const moving: number[] = [];
    const changed = await this.#each(ids, (job) => {
      assertUnsent(job, userMessage('place-too-late'));
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
      assertUnsent(job, userMessage('priority-too-late'));
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
      assertUnsent(store.jobs.get(jobId), userMessage('edit-too-late'));
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
    const { store, circuitBreaker, clock } = this.#parts;
    const id = jobIdOf(resolution.id);
    const at = clock.now();
    return store.transactions.write(() => {
      const { state, attempts } = store.jobs.get(id);
      if (state !== 'uncertain') {
        throw new NotPossibleNowError(userMessage('outcome-known'));
      }
      if (attempts !== resolution.attempts) {
        throw new NotPossibleNowError(userMessage('sent-again-meanwhile'));
      }
      circuitBreaker.clear();
      switch (resolution.as) {
        case 'made': {
          const { remoteId } = resolution;
          const [other] = store.jobs.withRemoteId(remoteId);
          if (other) {
            throw new NotPossibleNowError(userMessage('identifier-taken', { title: other.title }));
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
    assertUnsent(job, userMessage('sent-already'));
    flow.setStopBefore(job.id);
  }

  #move(job: JobRow, move: MoveName, otherwise: UserMessage, change?: JobChange): void {
    if (!canMove(move, job.state)) throw new NotPossibleNowError(otherwise);
    this.#parts.store.jobs.move(job.id, move, this.#parts.clock.now(), change);
  }

  #each(ids: readonly string[], act: (job: JobRow) => void): Promise<Changed> {
    return changeEach(ids, this.#parts, act);
  }
}

function assertUnsent(job: JobRow, otherwise: UserMessage): void {
  if (!isIn('unsent', job.state)) throw new NotPossibleNowError(otherwise);
}
