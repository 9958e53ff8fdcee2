import type { Failure } from '../../contract/failure.ts';
import type { Wait } from '../../contract/job.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import { backoff } from '../backoff.ts';
import type { Settling, Unsettled } from '../jobs/attempt-mark.ts';
import { untilWritten } from '../jobs/transactions.ts';
import type {
  GenerateConnection,
  GenerateOutcome,
  ListedVideo,
  ListOutcome,
} from '../service/outcomes.ts';
import { sanitizeRemoteText } from '../sanitize-remote-text.ts';
import type { FlowContext } from './flow-context.ts';
import { searchList, type ListReading } from './list-search.ts';
import { hasOwnIds, markedRequest } from './marked-request.ts';
import {
  beginRead,
  endAttempt,
  IN_USE,
  learnFromAnswer,
  sendRequest,
  withConnection,
} from './requests.ts';
import { LOOKS_BEFORE_REPORT, settlingStep, type SettlingStep } from './settling-step.ts';

/** The service's clock may differ from what is known of it, and lists show rounded times. */
const CLOCK_UNCERTAINTY_MS = 600_000;

type DueStep = Exclude<SettlingStep, { kind: 'none' }>;

/** A job whose request can be settled without the user, and the next step. */
interface Candidate {
  readonly unsettled: Unsettled;
  readonly step: DueStep;
}

/**
 * Settles uncertain requests if the service can say whether it accepted them: by sending one again
 * with the same idempotency key and the same bytes, or by searching its list of recent videos for
 * our identifier (docs/decisions/0014).
 *
 * A request is not sent again because its video is missing from a list: lists are late, and
 * limited. Only the user decides that.
 */
export class Settler {
  readonly #context: FlowContext;
  /** When each attempt was first seen to be uncertain, by the monotonic clock. */
  readonly #seenAt = new Map<number, number>();
  #repeating: number | null = null;
  /** Consecutive failures to read a page, and when the list is read again, monotonic. */
  #failures = 0;
  #readAgainAt = 0;

  constructor(context: FlowContext) {
    this.#context = context;
  }

  /** Whether the job's request is being sent again. */
  isRepeating(jobId: number): boolean {
    return this.#repeating === jobId;
  }

  /** What an uncertain job waits for; `null` when it waits for the user. */
  waitOf(jobId: number): Wait | null {
    const [candidate] = this.#candidates(jobId);
    if (!candidate || candidate.unsettled.settling.isReported) return null;
    const { step } = candidate;
    const now = this.#context.clock.now();
    const at = Math.max(step.at, now + this.#waitFor(step));
    const reason = step.kind === 'look' ? 'looked-for' : 'sent-again';
    return { reason, until: at === Infinity ? null : at };
  }

  /**
   * Works until `stop` is aborted, and then still waits for the response to a running request.
   * @param giveUp aborted when that response is not to be waited for any longer
   */
  async run(stop: AbortSignal, giveUp: AbortSignal): Promise<void> {
    await this.#context.wakeSignal.repeat(() => this.#step(stop, giveUp), stop);
  }

  async #step(stop: AbortSignal, giveUp: AbortSignal): Promise<number> {
    const { clock, store } = this.#context;
    if (store.jobs.counts.total.uncertain === 0) return Infinity;
    const now = clock.now();
    const candidates = this.#candidates();
    this.#reportUnsettled(candidates);
    const waits = candidates.map(({ step }) => Math.max(step.at - now, this.#waitFor(step)));
    const ms = Math.min(...waits, Infinity);
    const due = candidates.filter((_, index) => (waits[index] ?? 1) <= 0);
    const repeat = due.find(({ step }) => step.kind === 'repeat');
    if (repeat) {
      await this.#repeat(repeat.unsettled, stop, giveUp);
      return 0;
    }
    const looks = due.filter(({ step }) => step.kind === 'look');
    if (looks.length === 0) return ms;
    await this.#look(
      looks.map(({ unsettled }) => unsettled),
      stop,
    );
    return 0;
  }

  #candidates(jobId?: number): Candidate[] {
    const { store, api } = this.#context;
    if (!hasOwnIds(api)) return [];
    return store.jobs.unsettled(jobId).flatMap((unsettled) => {
      const step = this.#stepOf(unsettled);
      return step.kind === 'none' ? [] : [{ unsettled, step }];
    });
  }

  #stepOf(unsettled: Unsettled): SettlingStep {
    const { store, key, clock, api } = this.#context;
    const { startedAt, mark, settling, attemptId, jobId } = unsettled;
    const seenAt = this.#seenAt.get(attemptId) ?? clock.monotonic();
    this.#seenAt.set(attemptId, seenAt);
    const body = store.jobs.requestBody(jobId);
    const request = {
      startedAt,
      mark,
      settling,
      sha256: markedRequest(body, mark.ownId, api).mark.sha256,
      hasItsKey: (key.status.since ?? -Infinity) <= startedAt,
      knownForMs: clock.monotonic() - seenAt,
    };
    return settlingStep(request, api.once, clock.now());
  }

  /** Milliseconds until limits, pauses and outages allow it. */
  #waitFor({ kind }: DueStep): number {
    const { flow, limits, clock } = this.#context;
    return kind === 'repeat'
      ? Math.max(flow.waitToRepeat(), limits.wait('generate'))
      : Math.max(flow.waitToRead(), limits.wait('status'), this.#readAgainAt - clock.monotonic());
  }

  // Sending again with the same idempotency key

  async #repeat(unsettled: Unsettled, stop: AbortSignal, giveUp: AbortSignal): Promise<void> {
    await withConnection(this.#context, stop, async (connection) => {
      // The user may have decided meanwhile, or the idempotency key may have expired.
      const [now] = this.#candidates(unsettled.jobId);
      const isDue = now?.unsettled.attemptId === unsettled.attemptId && now.step.kind === 'repeat';
      if (stop.aborted || !isDue || this.#waitFor(now.step) > 0) return;
      this.#repeating = unsettled.jobId;
      try {
        await this.#sendAgain(unsettled, connection, giveUp);
      } finally {
        this.#repeating = null;
      }
    });
  }

  async #sendAgain(
    unsettled: Unsettled,
    connection: GenerateConnection,
    giveUp: AbortSignal,
  ): Promise<void> {
    const { store, api, limits, key, clock, lock, wakeSignal } = this.#context;
    const { jobId, mark, settling } = unsettled;
    const request = markedRequest(store.jobs.requestBody(jobId), mark.ownId, api);
    const { charges, attemptId } = store.transactions.write(() => {
      const at = clock.now();
      store.jobs.recordSettling(unsettled.attemptId, {
        ...settling,
        repeats: settling.repeats + 1,
        lastRepeatAt: at,
      });
      return {
        charges: limits.reserve('generate'),
        attemptId: store.jobs.beginAttempt(jobId, at, mark, unsettled.attemptId),
      };
    });
    const reportKey = key.beginUse();
    const { isOurs } = lock;
    const outcome: GenerateOutcome = isOurs
      ? await sendRequest(connection, request, giveUp)
      : { kind: 'not-sent', failure: IN_USE };
    const conclude = (): void =>
      this.#concludeRepeat(unsettled, { attemptId, jobId, charges }, outcome);
    await untilWritten(conclude, clock, giveUp);
    this.#context.trace?.({ of: 'repeat', job: unsettled.jobId, outcome: outcome.kind }, 'outcome');
    if (isOurs) learnFromAnswer(this.#context, reportKey, outcome);
    wakeSignal.notify();
  }

  #concludeRepeat(
    unsettled: Unsettled,
    sent: Parameters<typeof endAttempt>[1],
    outcome: GenerateOutcome,
  ): void {
    const { store, renders, clock } = this.#context;
    store.transactions.write(() => {
      endAttempt(this.#context, sent, outcome, clock.now());
      const now = this.#current(unsettled);
      if (now === null) return;
      if (outcome.kind === 'accepted') {
        renders.accepted();
        this.#adopt(now, outcome.remoteId, userMessage('accepted-again'));
      } else if (outcome.kind === 'rejected') {
        // A conflict, or a refusal of a request that may have been accepted before: no other key is
        // tried.
        store.jobs.recordSettling(now.attemptId, { ...now.settling, isRepeatRefused: true });
      }
    });
  }

  // Looking in the list of recent videos

  /** Reads the list once for all of these. */
  async #look(looked: readonly Unsettled[], stop: AbortSignal): Promise<void> {
    const { limits, clock, store, wakeSignal } = this.#context;
    const startedAt = Math.min(...looked.map((each) => each.startedAt), clock.now());
    const since = startedAt + Math.min(0, limits.serviceAheadMs) - CLOCK_UNCERTAINTY_MS;
    const ownIds = new Set(looked.map(({ mark }) => mark.ownId));
    const reading = await searchList(ownIds, since, (cursor) => this.#page(cursor, stop));
    this.#context.trace?.({ of: 'list', outcome: reading.kind }, 'outcome');
    if (reading.kind === 'stopped') return;
    if (reading.kind !== 'read') {
      this.#failures += 1;
      this.#readAgainAt = clock.monotonic() + backoff('video', this.#failures);
      return;
    }
    this.#failures = 0;
    this.#readAgainAt = 0;
    for (const each of looked) {
      store.transactions.write(() => this.#concludeLook(each, reading));
    }
    wakeSignal.notify();
  }

  /** One page, once limits, pauses and outages allow it. */
  async #page(cursor: string | null, stop: AbortSignal): Promise<ListOutcome | null> {
    const { store, service, limits, flow, wakeSignal } = this.#context;
    for (;;) {
      if (stop.aborted) return null;
      const seen = wakeSignal.version;
      const ms = Math.max(flow.waitToRead(), limits.wait('status'));
      if (ms <= 0) break;
      // The user paused, or the service is unreachable: the pages read so far would be outdated.
      if (ms === Infinity || store.jobs.counts.total.uncertain === 0) return null;
      await wakeSignal.wait(seen, ms, stop);
    }
    const settle = beginRead(this.#context, { limit: 'status', signal: stop });
    const outcome = await service.list(cursor, stop);
    settle(outcome);
    return outcome;
  }

  #concludeLook(looked: Unsettled, reading: ListReading & { kind: 'read' }): void {
    const { store, clock } = this.#context;
    const now = this.#current(looked);
    if (now === null) return;
    const [first, ...others] = reading.found.get(now.mark.ownId) ?? [];
    if (first) {
      this.#adopt(now, first.remoteId, foundNote(others));
      return;
    }
    const looks = now.settling.looks + 1;
    const settling: Settling = { ...now.settling, looks, lastLookAt: clock.now() };
    if (looks < LOOKS_BEFORE_REPORT || now.settling.isReported) {
      store.jobs.recordSettling(now.attemptId, settling);
      this.#context.feed.job(now.jobId);
      return;
    }
    const message = reading.reachesBack
      ? userMessage('not-in-list', { count: looks })
      : userMessage('not-in-part-of-list', { count: reading.videos });
    this.#report(now, settling, message);
  }

  // Results

  /** `null` if the user has decided, or another request was sent: nothing is concluded then. */
  #current({ jobId, attemptId }: Unsettled): Unsettled | null {
    const [now] = this.#context.store.jobs.unsettled(jobId);
    return now?.attemptId === attemptId ? now : null;
  }

  /** Joins the caller's transaction. */
  #adopt(unsettled: Unsettled, remoteId: string, note: UserMessage): void {
    const { store, quota, circuitBreaker, clock } = this.#context;
    // Each request has a separate identifier, so two requests are not one video.
    const [other] = store.jobs.withRemoteId(remoteId);
    if (other) {
      const message = userMessage('identifier-of-another', { title: other.title });
      this.#report(unsettled, { ...unsettled.settling, isOver: true }, message, remoteId);
      return;
    }
    store.ledger.charge(unsettled.jobId);
    quota.accepted();
    circuitBreaker.clear();
    const submittedAt = Math.min(unsettled.startedAt, clock.now());
    const change = { remoteId, submittedAt, failure: null };
    store.jobs.move(unsettled.jobId, 'confirmAccepted', clock.now(), change, note);
    this.#seenAt.delete(unsettled.attemptId);
  }

  /** Reports what was found out, and that the user decides. Joins the caller's transaction. */
  #report(unsettled: Unsettled, settling: Settling, message: UserMessage, detail?: string): void {
    const { store } = this.#context;
    const known = detail ?? store.jobs.get(unsettled.jobId).failure?.detail;
    const failure: Failure = {
      code: 'outcome-unknown',
      ...message,
      ...(known === undefined ? {} : { detail: known }),
    };
    store.jobs.recordSettling(unsettled.attemptId, { ...settling, isReported: true });
    store.jobs.change(unsettled.jobId, { failure });
  }

  /** Reports requests that were sent again without a result, at services without a list. */
  #reportUnsettled(candidates: readonly Candidate[]): void {
    const { store } = this.#context;
    const left = store.jobs
      .unsettled()
      .filter(
        ({ attemptId, settling }) =>
          settling.repeats > 0 &&
          !settling.isReported &&
          !candidates.some(({ unsettled }) => unsettled.attemptId === attemptId),
      );
    for (const unsettled of left) {
      const message = unsettled.settling.isRepeatRefused
        ? userMessage('repeat-refused')
        : userMessage('repeats-over');
      store.transactions.write(() => this.#report(unsettled, unsettled.settling, message));
    }
  }
}

/** @param others videos with the same identifier of ours, none of which is used */
function foundNote(others: readonly ListedVideo[]): UserMessage {
  if (others.length === 0) return userMessage('found-in-list');
  const ids = others.slice(0, 5).map(({ remoteId }) => sanitizeRemoteText(remoteId));
  return userMessage('found-in-list-twice', { count: others.length + 1, others: ids.join(', ') });
}
