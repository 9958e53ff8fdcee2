import type { LinkAnswer } from '../downloads/request.ts';
import type { LinkOutcome, Service } from '../service/outcomes.ts';
import type { DownloadWaits } from './download-waits.ts';
import type { FlowContext } from './flow-context.ts';
import { learnFromAnswer } from './learn-from-answer.ts';

export interface DownloadLinksContext extends Pick<
  FlowContext,
  'store' | 'key' | 'limits' | 'outage' | 'linkOutage' | 'wakeSignal' | 'clock'
> {
  readonly service: Pick<Service, 'link'>;
}

/** Asks for links: each lives for an hour and is one of thirty an hour (service-api.md §8.1, §8.5). */
export class DownloadLinks {
  readonly #context: DownloadLinksContext;
  readonly #waits: Pick<DownloadWaits, 'end'>;

  constructor(context: DownloadLinksContext, waits: Pick<DownloadWaits, 'end'>) {
    this.#context = context;
    this.#waits = waits;
  }

  async ask(remoteId: string, signal: AbortSignal): Promise<LinkOutcome> {
    const { store, service, limits, outage, linkOutage, key, wakeSignal } = this.#context;
    const reportKey = key.beginUse();
    const charge = store.transactions.write(() => limits.reserve('download'));
    const outcome = await service.link(remoteId, signal);
    store.transactions.write(() => limits.settleRead('download', charge, outcome));
    const isStopped = signal.aborted;
    const learners = { outage, reportKey, endpoint: linkOutage, remoteId, isStopped };
    if (learnFromAnswer(outcome, learners)) this.#waits.end('service-error');
    wakeSignal.notify();
    return outcome;
  }

  /** A new link for a transfer whose own has expired or is refused. */
  async renew(remoteId: string, signal: AbortSignal): Promise<LinkAnswer> {
    const { limits, linkOutage, clock } = this.#context;
    const wait = Math.max(limits.wait('download'), linkOutage.wait());
    if (wait > 0) return { kind: 'wait', reason: 'link-limit', until: clock.now() + wait };
    const outcome = await this.ask(remoteId, signal);
    switch (outcome.kind) {
      case 'link':
        return { kind: 'link', link: outcome.link };
      case 'rate-limited':
        return {
          kind: 'wait',
          reason: 'link-limit',
          until: clock.now() + limits.wait('download'),
        };
      case 'not-ready':
      case 'not-found':
      case 'expired':
      case 'key-refused':
      case 'unusable':
      case 'server-error':
      case 'unreachable':
        return { kind: 'wait', reason: 'no-link', until: null };
    }
  }
}
