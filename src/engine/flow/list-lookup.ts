import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import { backoff } from '../backoff.ts';
import type { Settling, Unsettled } from '../jobs/attempt-mark.ts';
import { sanitizeRemoteText } from '../sanitize-remote-text.ts';
import type { ListedVideo, ListOutcome } from '../service/outcomes.ts';
import type { FlowContext } from './flow-context.ts';
import { searchList, type ListReading } from './list-search.ts';
import { beginRead, type RequestTargets } from './requests.ts';
import { adopt, currentOf, report } from './settling-results.ts';
import { LOOKS_BEFORE_REPORT } from './settling-step.ts';

/** What it takes of a session. */
export type ListLookupContext = RequestTargets &
  Pick<FlowContext, 'service' | 'feed' | 'wakeSignal' | 'trace' | 'flow'>;

/** The service's clock may differ from what is known of it, and lists show rounded times. */
const CLOCK_UNCERTAINTY_MS = 600_000;

/** Looks for the videos of uncertain requests in the service's list of recent videos. */
export class ListLookup {
  readonly #context: ListLookupContext;
  /** Consecutive failures to read a page, and when the list is read again, monotonic. */
  #failures = 0;
  #readAgainAt = 0;

  constructor(context: ListLookupContext) {
    this.#context = context;
  }

  /** Milliseconds until the list may be read; 0 or less is now. */
  wait(): number {
    return Math.max(this.#waitForPage(), this.#readAgainAt - this.#context.clock.monotonic());
  }

  /** Reads the list once for all of these, and stores what was found out. */
  async run(looked: readonly Unsettled[], stop: AbortSignal): Promise<void> {
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
      store.transactions.write(() => this.#conclude(each, reading));
    }
    wakeSignal.notify();
  }

  #waitForPage(): number {
    const { flow, limits } = this.#context;
    return Math.max(flow.waitToRead(), limits.wait('status'));
  }

  /** One page, once limits, pauses and outages allow it. */
  async #page(cursor: string | null, stop: AbortSignal): Promise<ListOutcome | null> {
    const { store, service, wakeSignal } = this.#context;
    for (;;) {
      if (stop.aborted) return null;
      const seen = wakeSignal.version;
      const ms = this.#waitForPage();
      if (ms <= 0) break;
      // The user paused, or the service is unreachable: the pages read so far would be outdated.
      if (ms === Infinity || store.jobs.counts.total.uncertain === 0) return null;
      await wakeSignal.wait(seen, ms, stop);
    }
    const settle = beginRead(this.#context, { limit: 'status' });
    const outcome = await service.list(cursor, stop);
    settle({ to: 'other', outcome, isAborted: stop.aborted });
    return outcome;
  }

  #conclude(looked: Unsettled, reading: ListReading & { kind: 'read' }): void {
    const { store, clock, feed } = this.#context;
    const now = currentOf(looked, store);
    if (now === null) return;
    const [first, ...others] = reading.found.get(now.mark.ownId) ?? [];
    if (first) {
      adopt(now, first.remoteId, foundNote(others), this.#context);
      return;
    }
    const looks = now.settling.looks + 1;
    const settling: Settling = { ...now.settling, looks, lastLookAt: clock.now() };
    if (looks < LOOKS_BEFORE_REPORT || now.settling.isReported) {
      store.jobs.recordSettling(now.attemptId, settling);
      feed.job(now.jobId);
      return;
    }
    const message = reading.reachesBack
      ? userMessage('not-in-list', { count: looks })
      : userMessage('not-in-part-of-list', { count: reading.videos });
    report(now, settling, message, store);
  }
}

/** @param others videos with the same identifier of ours, none of which is used */
function foundNote(others: readonly ListedVideo[]): UserMessage {
  if (others.length === 0) return userMessage('found-in-list');
  const ids = others.slice(0, 5).map(({ remoteId }) => sanitizeRemoteText(remoteId));
  return userMessage('found-in-list-twice', { count: others.length + 1, others: ids.join(', ') });
}
