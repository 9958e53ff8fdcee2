import type { Wait } from '../../contract/job.ts';
import { userMessage } from '../../contract/user-message.ts';
import type { Unsettled } from '../jobs/attempt-mark.ts';
import { untilWritten } from '../jobs/transactions.ts';
import type { GenerateConnection, GenerateOutcome } from '../service/outcomes.ts';
import type { Attached, FlowContext } from './flow-context.ts';
import { ListLookup, type ListLookupContext } from './list-lookup.ts';
import { hasOwnIds, markedRequest } from './marked-request.ts';
import { sendRequest, settleAttempt, withConnection, type RequestTargets } from './requests.ts';
import { adopt, currentOf, report } from './settling-results.ts';
import { settlingStep, type SettlingStep } from './settling-step.ts';

/** What it takes of a session. */
type SettlerContext = RequestTargets &
  Pick<
    FlowContext,
    'lock' | 'service' | 'api' | 'wakeSignal' | 'trace' | 'flow' | 'attachPictures'
  > &
  ListLookupContext;

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
  readonly #context: SettlerContext;
  /** When each attempt was first seen to be uncertain, by the monotonic clock. */
  readonly #seenAt = new Map<number, number>();
  readonly #lookup: ListLookup;
  #repeating: number | null = null;

  constructor(context: SettlerContext) {
    this.#context = context;
    this.#lookup = new ListLookup(context);
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
    const reason = step.kind === 'look' ? 'searching' : 'repeating';
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
    const unsettled = store.jobs.unsettled();
    this.#forgetSettled(unsettled);
    this.#reportUnsettled(unsettled, candidates);
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
    await this.#lookup.run(
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
    const { flow, limits } = this.#context;
    return kind === 'repeat'
      ? Math.max(flow.waitToRepeat(), limits.wait('generate'))
      : this.#lookup.wait();
  }

  async #repeat(unsettled: Unsettled, stop: AbortSignal, giveUp: AbortSignal): Promise<void> {
    const { store, attachPictures } = this.#context;
    const row = store.jobs.row(unsettled.jobId);
    const attached = (await attachPictures?.(row, stop, true)) ?? null;
    if (attached !== null && attached.kind !== 'ready') {
      // Other bytes could make a second video: the user decides.
      const { settling, attemptId } = unsettled;
      store.transactions.write(() =>
        store.jobs.recordSettling(attemptId, { ...settling, isOver: true }),
      );
      return;
    }
    await withConnection(this.#context, stop, async (connection) => {
      // The user may have decided meanwhile, or the idempotency key may have expired.
      const [now] = this.#candidates(unsettled.jobId);
      const isDue = now?.unsettled.attemptId === unsettled.attemptId && now.step.kind === 'repeat';
      if (stop.aborted || !isDue || this.#waitFor(now.step) > 0) return;
      this.#repeating = unsettled.jobId;
      try {
        await this.#sendAgain(unsettled, connection, giveUp, attached);
      } finally {
        this.#repeating = null;
      }
    });
  }

  async #sendAgain(
    unsettled: Unsettled,
    connection: GenerateConnection,
    giveUp: AbortSignal,
    attached: Extract<Attached, { kind: 'ready' }> | null,
  ): Promise<void> {
    const { store, api, limits, key, clock, lock, wakeSignal } = this.#context;
    const { jobId, mark, settling } = unsettled;
    const stored = attached?.body ?? store.jobs.requestBody(jobId);
    const { body, idempotencyKey } = markedRequest(stored, mark.ownId, api);
    const request = { body, idempotencyKey, files: attached?.files ?? [] };
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
    lock.assertOurs();
    const reportKey = key.beginUse();
    const outcome = await sendRequest(connection, request, giveUp);
    const sent = { attemptId, jobId, charges };
    const settle = (): void =>
      settleAttempt(sent, 'repeat', outcome, reportKey, this.#context, () =>
        this.#concludeRepeat(unsettled, outcome),
      );
    await untilWritten(settle, clock, giveUp);
    this.#context.trace?.({ of: 'repeat', job: unsettled.jobId, outcome: outcome.kind }, 'outcome');
    wakeSignal.notify();
  }

  #concludeRepeat(unsettled: Unsettled, outcome: GenerateOutcome): void {
    const { store, renders } = this.#context;
    const now = currentOf(unsettled, store);
    if (now === null) return;
    if (outcome.kind === 'accepted') {
      renders.accepted();
      adopt(now, outcome.remoteId, userMessage('accepted-again'), this.#context);
    } else if (outcome.kind === 'rejected') {
      // A conflict, or a refusal of a request that may have been accepted before: no other key is
      // tried.
      store.jobs.recordSettling(now.attemptId, { ...now.settling, isRepeatRefused: true });
    }
  }

  /** Reports requests that were sent again without a result, at services without a list. */
  #reportUnsettled(all: readonly Unsettled[], candidates: readonly Candidate[]): void {
    const { store } = this.#context;
    const left = all.filter(
      ({ attemptId, settling }) =>
        settling.repeats > 0 &&
        !settling.isReported &&
        !candidates.some(({ unsettled }) => unsettled.attemptId === attemptId),
    );
    for (const unsettled of left) {
      const message = unsettled.settling.isRepeatRefused
        ? userMessage('repeat-refused')
        : userMessage('repeats-over');
      store.transactions.write(() => report(unsettled, unsettled.settling, message, store));
    }
  }

  #forgetSettled(unsettled: readonly Unsettled[]): void {
    const ids = new Set(unsettled.map(({ attemptId }) => attemptId));
    for (const id of this.#seenAt.keys()) if (!ids.has(id)) this.#seenAt.delete(id);
  }
}
