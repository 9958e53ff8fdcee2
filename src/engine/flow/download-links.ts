import type { LinkAnswer } from '../downloads/request.ts';
import type { Store } from '../jobs/store.ts';
import type { LinkOutcome, Service } from '../service/outcomes.ts';
import type { WakeSignal } from './wake-signal.ts';
import type { Clock } from '../clock.ts';
import type { EndpointOutage, Outage } from './outage.ts';
import type { ApiKey } from './api-key.ts';
import { learnFromAnswer } from './learn-from-answer.ts';
import type { RateLimits } from './rate-limits.ts';
import type { DownloadWaits } from './download-waits.ts';

export interface DownloadLinksParts {
  readonly store: Store;
  readonly service: Pick<Service, 'link'>;
  readonly limits: RateLimits;
  readonly key: ApiKey;
  readonly outage: Outage;
  readonly endpoint: EndpointOutage;
  readonly waits: Pick<DownloadWaits, 'end'>;
  readonly wakeSignal: WakeSignal;
  readonly clock: Clock;
}

/** Asks for links: each lives for an hour and is one of thirty an hour (service-api.md §8.1, §8.5). */
export class DownloadLinks {
  readonly #parts: DownloadLinksParts;

  constructor(parts: DownloadLinksParts) {
    this.#parts = parts;
  }

  async ask(remoteId: string, signal: AbortSignal): Promise<LinkOutcome> {
    const { store, service, limits, outage, endpoint, key, waits, wakeSignal } = this.#parts;
    const reportKey = key.beginUse();
    const charge = store.transactions.write(() => limits.reserve('download'));
    const outcome = await service.link(remoteId, signal);
    store.transactions.write(() => limits.settleRead('download', charge, outcome));
    const isStopped = signal.aborted;
    const learners = { outage, reportKey, endpoint, remoteId, isStopped };
    if (learnFromAnswer(outcome, learners)) waits.end('service-error');
    wakeSignal.notify();
    return outcome;
  }

  /** A new link for a transfer whose own has expired or is refused. */
  async renew(remoteId: string, signal: AbortSignal): Promise<LinkAnswer> {
    const { limits, endpoint, clock } = this.#parts;
    const wait = Math.max(limits.wait('download'), endpoint.wait());
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
