import type { Wait } from '../../contract/job.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import { backoff } from '../backoff.ts';
import { NO_WAIT, type JobChange, type JobOutline, type JobRow } from '../jobs/job-row.ts';
import { parseRateHeaders } from '../pacing/rate-headers.ts';
import { headerNamesOf } from '../pacing/service-limits.ts';
import type {
  HttpResponse,
  CancelOutcome,
  RemoteStatus,
  StatusOutcome,
} from '../service/outcomes.ts';
import type { FlowContext } from './flow-context.ts';
import { beginRead, type RequestTargets } from './requests.ts';

/** What it takes of a session. */
type CancellerContext = RequestTargets &
  Pick<FlowContext, 'service' | 'api' | 'wakeSignal' | 'trace' | 'flow'>;

/** Requests without a useful response before the canceller gives up: an hour of them. */
const MAX_TRIES = 12;

/**
 * A longer `Retry-After` is ignored. The render costs money meanwhile and will have ended by then,
 * and asking too early costs nothing: the request is repeated anyway when its response is lost.
 */
const MAX_WAIT_MS = 3_600_000;

/** `finished`: the video exists. `wanted`: the user wants it after all. */
type Outcome = CancelOutcome | { readonly kind: 'finished' | 'wanted' };

/**
 * Cancels renders at the service that their user abandoned, if the profile says how. Whether the
 * service gives back the unit is not known: the quota stays spent.
 *
 * One request at a time, counted against the limit of status requests: no profile says which limit
 * they count against. For the same reason, and since the key may lack permission for just this
 * request, a response says nothing about the limits or the key: all other requests would be
 * stopped.
 */
export class Canceller {
  readonly #context: CancellerContext;

  constructor(context: CancellerContext) {
    this.#context = context;
  }

  /** The change to store with a video that is abandoned, so that it is cancelled. */
  changeFor(job: Pick<JobRow, 'id' | 'remoteId'>): JobChange {
    if (this.#context.api.cancel === null || this.#isWantedElsewhere(job)) return {};
    return { waitReason: { kind: 'cancel' }, tries: 0, nextTryAt: this.#context.clock.now() };
  }

  /** What an abandoned job waits for; `null` when it waits for nothing. */
  waitOf({ waitReason, nextTryAt }: Pick<JobOutline, 'waitReason' | 'nextTryAt'>): Wait | null {
    if (waitReason?.kind !== 'cancel' || this.#context.api.cancel === null) return null;
    const isDue = (nextTryAt ?? 0) <= this.#context.clock.now();
    return { reason: 'cancelling', until: isDue ? null : nextTryAt };
  }

  /** Works until `stop` is aborted, which also aborts a running request. */
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
    const outcome = await this.#ask(job, stop);
    this.#context.trace?.({ of: 'cancel', job: job.id, outcome: outcome.kind }, 'outcome');
    // A request that was aborted says nothing.
    if (stop.aborted && outcome.kind === 'unusable') return;
    const { store } = this.#context;
    store.transactions.write(() => {
      const now = store.jobs.find(job.id);
      if (now && isToCancel(now)) this.#conclude(now, outcome);
    });
  }

  #conclude(job: JobRow, outcome: Outcome): void {
    const { store } = this.#context;
    switch (outcome.kind) {
      case 'cancelled':
        // There is no video that could be downloaded.
        this.#end(job.id, { remoteId: null });
        return;
      case 'finished':
        this.#end(job.id, {}, userMessage('finished-before-cancel'));
        return;
      case 'refused':
      case 'not-found':
      case 'expired':
        this.#end(job.id, {}, userMessage('cancel-refused'));
        return;
      case 'wanted':
        store.jobs.change(job.id, NO_WAIT);
        return;
      case 'unusable':
      case 'server-error':
      case 'rate-limited':
        this.#tryLater(job, outcome.response);
        return;
      // No further request until there is a connection, or another key.
      case 'unreachable':
      case 'key-refused':
    }
  }

  #tryLater({ id, tries }: JobRow, response: HttpResponse | null): void {
    const { store, clock, api } = this.#context;
    if (tries + 1 >= MAX_TRIES) {
      this.#end(id, {}, userMessage('cancel-unanswered'));
      return;
    }
    const names = headerNamesOf(api.limits, 'status');
    const { retryAfterMs } = parseRateHeaders((name) => response?.headers[name], undefined, {
      names,
      receivedAt: clock.now(),
    });
    const waitMs = Math.max(backoff('video', tries + 1), Math.min(retryAfterMs ?? 0, MAX_WAIT_MS));
    store.jobs.change(id, { tries: tries + 1, nextTryAt: clock.now() + waitMs });
  }

  /** @param note why it was not cancelled */
  #end(id: number, change: JobChange, note?: UserMessage): void {
    const { store, clock } = this.#context;
    store.jobs.move(id, 'endCancelling', clock.now(), { ...NO_WAIT, ...change }, note);
  }

  async #ask(job: JobRow, stop: AbortSignal): Promise<Outcome> {
    if (this.#isWantedElsewhere(job)) return { kind: 'wanted' };
    const remoteId = job.remoteId ?? '';
    if (this.#context.api.cancel?.method === 'DELETE') {
      // On a finished video, the same request could delete it, and it is paid for.
      const before = await this.#askStatus(remoteId, stop);
      if (before.kind !== 'status') return before;
      const end = endIn(before);
      if (end !== null) return end;
      const now = this.#context.store.jobs.find(job.id);
      if (!now || !isToCancel(now) || this.#isWantedElsewhere(now)) return { kind: 'wanted' };
    }
    const outcome = await this.#askToCancel(remoteId, stop);
    const { kind } = outcome;
    if (kind !== 'refused' && kind !== 'not-found' && kind !== 'key-refused') return outcome;
    // An earlier request, whose response was lost, may have cancelled it; and the key may lack
    // permission for just this request.
    const after = await this.#askStatus(remoteId, stop);
    return after.kind === 'status' ? (endIn(after) ?? { ...outcome, kind: 'refused' }) : after;
  }

  async #askStatus(remoteId: string, stop: AbortSignal): Promise<StatusOutcome> {
    const settle = beginRead(this.#context, { limit: 'status' });
    const outcome = await this.#context.service.status(remoteId, stop);
    settle({ to: 'other', outcome, isAborted: stop.aborted });
    // A render that was refused has ended.
    return outcome.kind === 'refused'
      ? { kind: 'status', status: REFUSED, response: outcome.response }
      : outcome;
  }

  async #askToCancel(remoteId: string, stop: AbortSignal): Promise<CancelOutcome> {
    const settle = beginRead(this.#context, { limit: 'status' });
    const outcome = await this.#context.service.cancel(remoteId, stop);
    settle({ to: 'cancel', outcome, isAborted: stop.aborted });
    return outcome;
  }

  /**
   * Whether a row of another batch has the same video and is not abandoned; true without a video.
   */
  #isWantedElsewhere({ id, remoteId }: Pick<JobRow, 'id' | 'remoteId'>): boolean {
    if (remoteId === null) return true;
    const others = this.#context.store.jobs.withRemoteId(remoteId).filter((job) => job.id !== id);
    return others.some(({ state }) => state !== 'abandoned');
  }
}

const REFUSED: RemoteStatus = { state: 'rejected', word: null, progress: null, error: null };

/** How a render has ended by its status; `null` if it has not, as far as is known. */
function endIn({ status, response }: StatusOutcome & { readonly kind: 'status' }): Outcome | null {
  switch (status.state) {
    case 'done':
      return { kind: 'finished' };
    case 'failed':
    case 'rejected':
    case 'cancelled':
      return { kind: 'cancelled', response };
    case 'queued':
    case 'working':
    case null:
      return null;
  }
}

function isToCancel({ state, waitReason }: Pick<JobOutline, 'state' | 'waitReason'>): boolean {
  return state === 'abandoned' && waitReason?.kind === 'cancel';
}
