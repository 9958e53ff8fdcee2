import type { Wait } from '../../contract/job.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import { backoff } from '../backoff.ts';
import { NO_WAIT, type JobChange, type JobOutline, type JobRow } from '../jobs/job-row.ts';
import type { CancelOutcome, Service } from '../service/outcomes.ts';
import type { FlowContext } from './flow-context.ts';
import { learnFromAnswer } from './learn-from-answer.ts';

/** Requests without a usable answer after which nothing more is asked: an hour of them. */
const MAX_TRIES = 12;

interface CancellerContext extends Pick<
  FlowContext,
  'store' | 'flow' | 'limits' | 'key' | 'outage' | 'wakeSignal' | 'clock' | 'api' | 'trace'
> {
  readonly service: Pick<Service, 'status' | 'cancel'>;
}

type Outcome = CancelOutcome | { readonly kind: 'finished' };

/**
 * Has the service cancel renders that their user abandoned, where its profile says how. What that
 * gives back is the service's business: the quota stays spent.
 *
 * One after the other, and out of the limit of questions about videos: no profile says which limit
 * these requests count against.
 */
export class Canceller {
  readonly #context: CancellerContext;

  constructor(context: CancellerContext) {
    this.#context = context;
  }

  /** What is written down with a video that is abandoned, so that it is cancelled. */
  changeFor({ remoteId }: Pick<JobRow, 'remoteId'>): JobChange {
    if (this.#context.api.cancel === null || remoteId === null) return {};
    return { waitReason: { kind: 'cancel' }, tries: 0, nextTryAt: this.#context.clock.now() };
  }

  /** What an abandoned job waits for; `null` when it waits for nothing. */
  waitOf({ waitReason, nextTryAt }: Pick<JobOutline, 'waitReason' | 'nextTryAt'>): Wait | null {
    if (waitReason?.kind !== 'cancel' || this.#context.api.cancel === null) return null;
    const isDue = (nextTryAt ?? 0) <= this.#context.clock.now();
    return { reason: 'cancelling', until: isDue ? null : nextTryAt };
  }

  /** Works until `stop` is aborted, which also ends the request under way. */
  async run(stop: AbortSignal): Promise<void> {
    await this.#context.wakeSignal.repeat(() => this.#step(stop), stop);
  }

  async #step(stop: AbortSignal): Promise<number> {
    const { store, flow, limits, clock } = this.#context;
    if (store.jobs.counts.total.abandoned === 0) return Infinity;
    const [next] = store.jobs
      .waiting()
      .filter(isToCancel)
      .toSorted((one, other) => (one.nextTryAt ?? 0) - (other.nextTryAt ?? 0));
    if (next === undefined) return Infinity;
    const blockedMs = Math.max(flow.waitToRead(), limits.wait('status'));
    const ms = Math.max(blockedMs, (next.nextTryAt ?? 0) - clock.now());
    if (ms > 0) return ms;
    await this.#cancel(store.jobs.get(next.id), stop);
    return 0;
  }

  async #cancel(job: JobRow, stop: AbortSignal): Promise<void> {
    const outcome = await this.#ask(job.remoteId ?? '', stop);
    this.#context.trace?.({ of: 'cancel', job: job.id, outcome: outcome.kind }, 'outcome');
    if (stop.aborted) return;
    const { store } = this.#context;
    store.transactions.write(() => {
      // The user may want the video after all.
      const now = store.jobs.find(job.id);
      if (now && isToCancel(now)) this.#conclude(now, outcome);
    });
  }

  #conclude({ id, tries }: JobRow, outcome: Outcome): void {
    const { store, clock } = this.#context;
    switch (outcome.kind) {
      case 'cancelled':
        this.#end(id);
        return;
      case 'finished':
        this.#end(id, userMessage('finished-before-cancel'));
        return;
      case 'refused':
      case 'not-found':
      case 'expired':
        this.#end(id, userMessage('cancel-refused'));
        return;
      case 'unusable':
      case 'server-error': {
        if (tries + 1 >= MAX_TRIES) {
          this.#end(id, userMessage('cancel-unanswered'));
          return;
        }
        const nextTryAt = clock.now() + backoff('video', tries + 1);
        store.jobs.change(id, { tries: tries + 1, nextTryAt });
        return;
      }
      case 'rate-limited':
      case 'key-refused':
      case 'unreachable':
    }
  }

  /** @param note why it was not cancelled */
  #end(id: number, note?: UserMessage): void {
    const { store, clock } = this.#context;
    store.jobs.move(id, 'endCancelling', clock.now(), NO_WAIT, note);
  }

  async #ask(remoteId: string, stop: AbortSignal): Promise<Outcome> {
    const { service, api } = this.#context;
    if (api.cancel?.method === 'DELETE') {
      // It may have been finished, and paid for, since it was last asked about.
      const before = await this.#request(() => service.status(remoteId, stop), stop);
      if (before.kind !== 'status') return before;
      if (before.status.state === 'done') return { kind: 'finished' };
    }
    return this.#request(() => service.cancel(remoteId, stop), stop);
  }

  /** One request, which counts against the limit of questions about videos. */
  async #request<T extends CancelOutcome | Awaited<ReturnType<Service['status']>>>(
    send: () => Promise<T>,
    stop: AbortSignal,
  ): Promise<T> {
    const { store, limits, key, outage } = this.#context;
    const charges = store.transactions.write(() => limits.reserve('status'));
    const reportKey = key.beginUse();
    const outcome = await send();
    store.transactions.write(() => limits.settleRead('status', charges, outcome));
    learnFromAnswer(outcome, { outage, reportKey, isStopped: stop.aborted });
    return outcome;
  }
}

function isToCancel({ state, waitReason }: Pick<JobOutline, 'state' | 'waitReason'>): boolean {
  return state === 'abandoned' && waitReason?.kind === 'cancel';
}
