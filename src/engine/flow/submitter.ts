import type { Failure } from '../../contract/failure.ts';
import { tell, type Told } from '../../contract/told.ts';
import type { Clock } from '../clock.ts';
import type { InstanceLock } from '../jobs/instance-lock.ts';
import type { JobRow } from '../jobs/job-row.ts';
import type { Store } from '../jobs/store.ts';
import type { Charge } from '../pacing/rate-window.ts';
import type { GenerateOutcome, Service } from '../service/outcomes.ts';
import type { Bell } from './bell.ts';
import type { Doubt } from './doubt.ts';
import type { FlowControl } from './flow-control.ts';
import type { KeyRing } from './key-ring.ts';
import type { Outage } from './outage.ts';
import type { QuotaBook } from './quota-book.ts';
import type { RateLimits } from './rate-limits.ts';
import { untilWritten } from './until-written.ts';

/** However long the wait, look again this often: the computer may have slept. */
const LOOK_AGAIN_MS = 30_000;

export interface SubmitterParts {
  readonly store: Store;
  readonly service: Pick<Service, 'generate'>;
  readonly limits: RateLimits;
  readonly flow: FlowControl;
  readonly quota: QuotaBook;
  readonly folder: Pick<InstanceLock, 'isOurs'>;
  readonly key: KeyRing;
  readonly outage: Outage;
  readonly doubt: Doubt;
  readonly bell: Bell;
  readonly clock: Clock;
}

/** A request that is about to leave, as it was written down. */
interface Attempt {
  readonly id: number;
  readonly job: JobRow;
  readonly body: string;
  readonly charge: Charge;
}

/**
 * Sends requests for videos, one at a time, in queue order. Each step is on disk before the next
 * one begins, so that wherever the process ends, no request is sent twice.
 */
export class Submitter {
  readonly #parts: SubmitterParts;
  /** A request that may have left and whose outcome a defect kept from being written down. */
  #unrecorded: Attempt | null = null;

  constructor(parts: SubmitterParts) {
    this.#parts = parts;
  }

  /**
   * Works until `stop` is aborted, and then still waits for the answer to a request under way.
   * @param giveUp aborted when that answer is not to be waited for any longer
   */
  async run(stop: AbortSignal, giveUp: AbortSignal): Promise<void> {
    const { bell } = this.#parts;
    while (!stop.aborted) {
      const heard = bell.rings;
      const next = this.#next();
      if (next.kind === 'wait') {
        await bell.wait(heard, Math.min(next.ms, LOOK_AGAIN_MS), stop);
      } else {
        await this.#submit(next.job, giveUp);
      }
    }
  }

  #next(): { kind: 'wait'; ms: number } | { kind: 'send'; job: JobRow } {
    const { store, flow, limits } = this.#parts;
    this.#doubtUnrecorded();
    this.#takeBackReserved();
    const [job] = store.jobs.first(['queued'], 1);
    if (!job) return { kind: 'wait', ms: Infinity };
    if (flow.stopBefore === job.id) {
      store.transactions.write(() => {
        flow.pause('sending');
        flow.setStopBefore(null);
        store.transactions.afterCommit(() => this.#parts.bell.ring());
      });
    }
    const ms = Math.max(flow.waitToSend(), limits.wait('generate'));
    return ms > 0 ? { kind: 'wait', ms } : { kind: 'send', job };
  }

  async #submit(job: JobRow, giveUp: AbortSignal): Promise<void> {
    const attempt = this.#writeDown(job);
    if (!this.#parts.folder.isOurs) {
      this.#giveWay(attempt);
      return;
    }
    const heardOfKey = this.#parts.key.trial();
    let outcome: GenerateOutcome;
    try {
      outcome = await this.#parts.service.generate(attempt.body, giveUp);
    } catch (error) {
      // A defect of the client: the request may have left, and that is what counts.
      outcome = unexpected(String(error).slice(0, 2000));
    }
    this.#unrecorded = attempt;
    const believed = this.#believed(job, outcome);
    await untilWritten(() => this.#conclude(attempt, believed), this.#parts.clock, giveUp);
    this.#unrecorded = null;
    this.#learn(believed, heardOfKey);
  }

  /**
   * Another computer works this queue as well. Looked for once the attempt is on disk: whoever takes
   * the folder later finds it there, and takes the video for one that may have been made.
   */
  #giveWay(attempt: Attempt): void {
    const { store, flow } = this.#parts;
    store.transactions.write(() => {
      // Before the rest, which fails where the other one has moved the job.
      flow.distrust(IN_USE);
      this.#conclude(attempt, { kind: 'not-sent', failure: IN_USE });
      store.transactions.afterCommit(() => this.#parts.bell.ring());
    });
  }

  #doubtUnrecorded(): void {
    const attempt = this.#unrecorded;
    if (attempt === null) return;
    if (this.#parts.store.jobs.get(attempt.job.id).state === 'sending') {
      this.#conclude(attempt, unexpected());
    }
    this.#unrecorded = null;
  }

  /**
   * An identifier that another video has is not this one's, unless both are the same request: to go
   * by it would save one video under two names. It is what a cache on the way would answer.
   */
  #believed(job: JobRow, outcome: GenerateOutcome): GenerateOutcome {
    if (outcome.kind !== 'accepted') return outcome;
    const other = this.#parts.store.jobs
      .withRemoteId(outcome.remoteId)
      .find(({ bodySha256 }) => bodySha256 !== job.bodySha256);
    if (!other) return outcome;
    const doubt = tell('identifier-of-another', { title: other.title });
    return {
      kind: 'unknown',
      failure: { code: 'outcome-unknown', ...doubt, detail: outcome.remoteId },
      answer: outcome.answer,
    };
  }

  /** One that was reserved and whose attempt could not be written down, because the disk was full. */
  #takeBackReserved(): void {
    const { store, clock } = this.#parts;
    for (const job of store.jobs.first(['reserved'], 1)) {
      store.transactions.write(() => {
        store.ledger.release(job.id);
        store.jobs.move(job.id, 'unreserve', clock.now());
      });
    }
  }

  /** The slot and the hold, then the attempt: both on disk before the first byte. */
  #writeDown(job: JobRow): Attempt {
    const { store, limits, clock } = this.#parts;
    const { body } = store.jobs.request(job.id);
    const charge = store.transactions.write(() => {
      store.ledger.hold(job.id, clock.now());
      store.jobs.move(job.id, 'reserve', clock.now());
      return limits.reserve('generate');
    });
    try {
      const at = clock.now();
      store.journal.append({ at, job: job.id });
      const id = store.transactions.write(() => {
        store.jobs.move(job.id, 'send', at);
        return store.record.begin(job.id, at);
      });
      return { id, job, body, charge };
    } catch (error) {
      limits.generate.release(charge);
      throw error;
    }
  }

  /** Everything that an outcome means, in one transaction. */
  #conclude(attempt: Attempt, outcome: GenerateOutcome): void {
    const { store, clock, limits } = this.#parts;
    const { job, charge } = attempt;
    const at = clock.now();
    store.transactions.write(() => {
      store.record.end(attempt.id, outcome.kind, at);
      if (outcome.kind === 'not-sent') {
        limits.release('generate', charge);
      } else {
        limits.settle('generate', charge, outcome.answer);
        if (outcome.answer) store.record.answer(job.id, outcome.answer.body, at);
      }
      this.#move(job, outcome, at);
      this.#weigh(outcome);
    });
  }

  #move(job: JobRow, outcome: GenerateOutcome, at: number): void {
    const { store, quota } = this.#parts;
    switch (outcome.kind) {
      case 'accepted':
        store.ledger.charge(job.id);
        store.jobs.move(job.id, 'accept', at, {
          remoteId: outcome.remoteId,
          submittedAt: at,
          failure: null,
        });
        return;
      case 'rejected':
        store.ledger.release(job.id);
        store.jobs.move(job.id, 'reject', at, { failure: outcome.failure }, outcome.failure);
        return;
      case 'unknown':
        store.jobs.move(job.id, 'doubt', at, { failure: outcome.failure }, outcome.failure);
        return;
      case 'quota-used-up':
        quota.refuse();
        this.#putBack(job, at, outcome.failure);
        return;
      case 'rate-limited':
        this.#putBack(job, at, tell('too-early'));
        return;
      case 'not-sent':
      case 'key-refused':
        this.#putBack(job, at, outcome.failure);
    }
  }

  #putBack(job: JobRow, at: number, note: Told): void {
    const { store } = this.#parts;
    store.ledger.release(job.id);
    store.jobs.move(job.id, 'putBack', at, {}, note);
  }

  /** Whether the next request would fare as this one did. */
  #weigh(outcome: GenerateOutcome): void {
    const { doubt } = this.#parts;
    switch (outcome.kind) {
      case 'not-sent':
      case 'key-refused':
        return;
      case 'unknown':
        doubt.unknown(outcome.failure);
        return;
      case 'rejected':
        if (outcome.isAboutVideo) doubt.clear();
        else doubt.refused(outcome.answer.status, outcome.failure);
        return;
      case 'accepted':
      case 'rate-limited':
      case 'quota-used-up':
        doubt.clear();
    }
  }

  /** What an outcome says about the connection and the key, for whoever speaks to the service. */
  #learn(outcome: GenerateOutcome, heardOfKey: ReturnType<KeyRing['trial']>): void {
    const { outage, bell } = this.#parts;
    switch (outcome.kind) {
      case 'not-sent':
        outage.failed(outcome.failure);
        break;
      case 'unknown':
        break;
      case 'key-refused':
        outage.ended();
        heardOfKey('refused');
        break;
      case 'rejected':
        outage.ended();
        // What refuses whatever it is asked for may not have looked at the key.
        if (outcome.isAboutVideo) heardOfKey('accepted');
        break;
      case 'accepted':
      case 'rate-limited':
      case 'quota-used-up':
        outage.ended();
        heardOfKey('accepted');
    }
    bell.ring();
  }
}

const IN_USE: Failure = { code: 'in-use', ...tell('queue-in-use-elsewhere') };

function unexpected(detail?: string): GenerateOutcome & { readonly kind: 'unknown' } {
  return {
    kind: 'unknown',
    failure: {
      code: 'outcome-unknown',
      ...tell('sent-unexpectedly'),
      ...(detail === undefined ? {} : { detail }),
    },
    answer: null,
  };
}
