import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JobRow } from '../jobs/job-row.ts';
import { untilWritten } from '../jobs/transactions.ts';
import type { FilePart } from '../service/upload.ts';
import { hasPictures } from '../../contract/picture-value.ts';
import type { GenerateConnection } from '../service/outcomes.ts';
import type { FlowContext } from './flow-context.ts';
import { hasOwnIds, markedRequest, newOwnId } from './marked-request.ts';
import {
  checkedOutcome,
  sendRequest,
  settleAttempt,
  unexpectedOutcome,
  withConnection,
  type Attempt,
  type RequestTargets,
} from './requests.ts';

/** What it takes of a session. */
type SubmitterContext = RequestTargets &
  Pick<
    FlowContext,
    'random' | 'lock' | 'service' | 'api' | 'wakeSignal' | 'trace' | 'flow' | 'attachPictures'
  >;

/** If the service does not answer, it is asked for its time this often at most. */
const ASK_TIME_EVERY_MS = 60_000;

/** A shorter wait for a rate window is not worth a separate request. */
const LONG_WAIT_MS = 60_000;

/** What a job's request has besides what is stored. */
interface Content {
  readonly id: number;
  readonly bodySha256: string;
  readonly hasPictures: boolean;
  /** With its pictures; left out for a job without any. */
  readonly body?: string;
  readonly files: readonly FilePart[];
}

/**
 * Sends requests for videos, one at a time, in queue order. Each step is on disk before the next
 * one begins, so that no request is sent twice, wherever the process ends.
 */
export class Submitter {
  readonly #context: SubmitterContext;
  readonly #checkKey: () => Promise<void>;
  /** A request that may have left, but whose outcome could not be stored because of a defect. */
  #unrecorded: Attempt | null = null;
  /** By the monotonic clock. */
  #askedTimeAt = -Infinity;

  /**
   * @param checkKey makes a request that uses no quota; the response contains the service's time
   */
  constructor(context: SubmitterContext, checkKey: () => Promise<void>) {
    this.#context = context;
    this.#checkKey = checkKey;
  }

  /**
   * Works until `stop` is aborted, and then still waits for the response to a running request.
   * @param giveUp aborted when that response is not to be waited for any longer
   */
  run(stop: AbortSignal, giveUp: AbortSignal): Promise<void> {
    const { refusedBatches, clock, wakeSignal } = this.#context;
    return wakeSignal.repeat(async () => {
      if (refusedBatches.areAny) {
        refusedBatches.holdNext(clock.now());
        await nextTurn();
        return 0;
      }
      if (this.#shouldAskTime()) {
        this.#askedTimeAt = clock.monotonic();
        await this.#checkKey();
      }
      const next = this.#next();
      if (typeof next === 'number') return next;
      const content = await this.#contentOf(next, stop);
      if (content === null) return 0;
      await this.#submit(content, stop, giveUp);
      return 0;
    }, stop);
  }

  /**
   * A quota cycle begins by the service's clock. Near its edges, the submitter asks the service for
   * its time before it sends, if this computer was off or asleep or its clock was set since the
   * last response. It does the same for the end of a rate window: if the clock was set back while
   * Spool was closed, it would otherwise wait for a whole window.
   */
  #shouldAskTime(): boolean {
    const { store, limits, flow, quota, clock } = this.#context;
    return (
      store.jobs.counts.total.queued > 0 &&
      !limits.isTimeKnown &&
      flow.paused === null &&
      flow.waitToRead() === 0 &&
      clock.monotonic() - this.#askedTimeAt >= ASK_TIME_EVERY_MS &&
      (quota.dependsOnTime || limits.wait('generate') > LONG_WAIT_MS) &&
      limits.wait('status') === 0
    );
  }

  /**
   * Connects first and stores the attempt after that, so that hours offline leave no attempts. The
   * job is chosen once the connection is open: a pause, an edit or a new order may have come while
   * it was being opened.
   */
  #submit(content: Content, stop: AbortSignal, giveUp: AbortSignal): Promise<void> {
    return withConnection(this.#context, stop, async (connection) => {
      const next = this.#next();
      if (stop.aborted || typeof next === 'number') return;
      // Another job is next, or this one was edited: its pictures are read first.
      const { id, bodySha256, hasPictures } = content;
      const isSame = next.id === id && next.bodySha256 === bodySha256;
      if (!isSame && (hasPictures || this.#hasPictures(next))) return;
      await this.#send(next, connection, giveUp, isSame ? content : null);
    });
  }

  #hasPictures({ id }: JobRow): boolean {
    const { store, attachPictures } = this.#context;
    return attachPictures !== undefined && hasPictures(store.jobs.row(id).values);
  }

  /**
   * Reads the pictures of a job, and uploads those that the service takes before a request. Holds a
   * job whose pictures changed. Nothing of this makes a video, so a kill here costs nothing.
   * @returns `null` if the job cannot be sent now
   */
  async #contentOf(job: JobRow, stop: AbortSignal): Promise<Content | null> {
    const { store, clock, outage, attachPictures } = this.#context;
    const { id, bodySha256 } = job;
    const attached = (await attachPictures?.(store.jobs.row(id), stop)) ?? null;
    if (attached === null) return { id, bodySha256, hasPictures: false, files: [] };
    switch (attached.kind) {
      case 'ready':
        return { id, bodySha256, hasPictures: true, body: attached.body, files: attached.files };
      case 'unusable': {
        const { failure } = attached;
        store.transactions.write(() => {
          const now = store.jobs.get(id);
          if (now.state !== 'queued' || now.bodySha256 !== bodySha256) return;
          store.jobs.move(id, 'hold', clock.now(), { failure }, failure);
        });
        return null;
      }
      case 'unavailable':
        if (!stop.aborted) outage.failed(attached.failure);
        return null;
      case 'impossible':
        throw new Error('Only a request that was sent before must have the same bytes.');
    }
  }

  /** The job that may be sent now, or the milliseconds until there may be one. */
  #next(): JobRow | number {
    const { store, flow, limits, renders, quota, trace } = this.#context;
    this.#markUnrecordedUncertain();
    this.#takeBackReserved();
    if (store.jobs.counts.total.queued === 0) return Infinity;
    // A video of a batch that is being held must not be the next one.
    if (this.#context.refusedBatches.areAny) return 0;
    this.#pauseAtItsTurn();
    // If this has to use some of the reserve, nothing is sent.
    store.reserve.makeRoom();
    const flowMs = flow.waitToSend();
    const limitMs = limits.wait('generate');
    const slotMs = renders.wait();
    const waitMs = Math.max(flowMs, limitMs, slotMs);
    const [job] = waitMs > 0 ? [] : store.jobs.first(['queued'], 1);
    trace?.(
      {
        of: 'generate',
        waitMs,
        job: job?.id ?? null,
        flowMs,
        limitMs,
        slotMs,
        blockedBy: flow.sendWait()?.reason ?? null,
        quotaLeft: quota.left,
        limit: limits.view('generate'),
      },
      'decision',
    );
    return waitMs > 0 ? waitMs : (job ?? Infinity);
  }

  /** Pauses before the job that the user selected. */
  #pauseAtItsTurn(): void {
    const { store, flow } = this.#context;
    if (flow.stopBefore === null || store.jobs.ids('queued', 1)[0] !== flow.stopBefore) return;
    store.transactions.write(() => {
      flow.pause('sending');
      flow.setStopBefore(null);
      store.transactions.afterCommit(() => this.#context.wakeSignal.notify());
    });
  }

  async #send(
    job: JobRow,
    connection: GenerateConnection,
    giveUp: AbortSignal,
    content: Content | null,
  ): Promise<void> {
    const attempt = this.#writeDown(job, content);
    // Once the attempt is on disk: a process that takes the folder later finds it there, and marks the
    // job uncertain.
    this.#context.lock.assertOurs();
    const { key, clock, wakeSignal } = this.#context;
    const reportKey = key.beginUse();
    const outcome = await sendRequest(connection, attempt, giveUp);
    this.#unrecorded = attempt;
    const checked = checkedOutcome(job, outcome, this.#context.store);
    const settle = (): void => settleAttempt(attempt, 'submit', checked, reportKey, this.#context);
    await untilWritten(settle, clock, giveUp);
    this.#unrecorded = null;
    this.#context.trace?.({ of: 'generate', job: job.id, outcome: checked.kind }, 'outcome');
    wakeSignal.notify();
  }

  #markUnrecordedUncertain(): void {
    const attempt = this.#unrecorded;
    if (attempt === null) return;
    const { store, key } = this.#context;
    if (store.jobs.get(attempt.jobId).state === 'sending') {
      settleAttempt(attempt, 'submit', unexpectedOutcome(), key.beginUse(), this.#context);
    }
    this.#unrecorded = null;
  }

  /** A job that was reserved, but whose attempt could not be stored because the disk was full. */
  #takeBackReserved(): void {
    const { store, clock } = this.#context;
    if (store.jobs.counts.total.reserved === 0) return;
    for (const job of store.jobs.first(['reserved'], 1)) {
      store.transactions.write(() => {
        store.ledger.release(job.id);
        store.jobs.move(job.id, 'unreserve', clock.now());
      });
    }
  }

  /**
   * Stores the slot and the hold, then the attempt: both are on disk before the first byte leaves.
   */
  #writeDown(job: JobRow, content: Content | null): Attempt {
    const { store, limits, quota, clock, api, random } = this.#context;
    const stored = store.jobs.requestBody(job.id);
    const marked = hasOwnIds(api) ? markedRequest(stored, newOwnId(random), api) : null;
    const { body: withPictures, files = [] } = content ?? {};
    const body =
      withPictures === undefined
        ? (marked?.body ?? stored)
        : marked === null
          ? withPictures
          : markedRequest(withPictures, marked.mark.ownId, api).body;
    const charges = store.transactions.write(() => {
      store.ledger.hold(job.id, clock.now(), quota.serviceNow());
      store.jobs.move(job.id, 'reserve', clock.now());
      return limits.reserve('generate');
    });
    try {
      const at = clock.now();
      const { id, bodySha256 } = job;
      const entry = { at, job: id, body: bodySha256, ...(marked && { mark: marked.mark }) };
      store.journal.append(entry);
      const attemptId = store.transactions.write(() => {
        store.jobs.move(id, 'send', at);
        return store.jobs.beginAttempt(id, at, marked?.mark);
      });
      // Last: what the witness has and the database has not was lost with a part of the folder.
      store.witness?.append(entry);
      const { idempotencyKey } = marked ?? {};
      return { attemptId, jobId: id, body, files, idempotencyKey, charges };
    } catch (error) {
      limits.generate.release(charges);
      throw error;
    }
  }
}
