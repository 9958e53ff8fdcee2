import { toldBy } from '../../contract/told.ts';
import type { LinkAnswer } from '../downloads/request.ts';
import type { Store } from '../jobs/store.ts';
import type { LinkOutcome, Service } from '../service/outcomes.ts';
import type { Bell } from './bell.ts';
import type { Clock } from '../clock.ts';
import type { KeyRing } from './key-ring.ts';
import { learnFromRead } from './learn-from-read.ts';
import type { Outage } from './outage.ts';
import type { RateLimits } from './rate-limits.ts';

/** When to ask again after a renewal that had no answer to speak of. */
const ASK_AGAIN_MS = 5000;

export interface LinkDeskParts {
  readonly store: Store;
  readonly service: Pick<Service, 'link'>;
  readonly limits: RateLimits;
  readonly key: KeyRing;
  readonly outage: Outage;
  readonly bell: Bell;
  readonly clock: Clock;
}

/** Asks for links: each lives for an hour and is one of thirty an hour (service-api.md §8.1, §8.5). */
export class LinkDesk {
  readonly #parts: LinkDeskParts;

  constructor(parts: LinkDeskParts) {
    this.#parts = parts;
  }

  async ask(remoteId: string, signal: AbortSignal): Promise<LinkOutcome> {
    const { store, service, limits, outage, key, bell } = this.#parts;
    const heardOfKey = key.trial();
    const charge = store.transactions.write(() => limits.reserve('download'));
    const outcome = await service.link(remoteId, signal);
    store.transactions.write(() => limits.settle('download', charge, outcome.answer));
    learnFromRead(outcome, outage, heardOfKey, signal.aborted);
    bell.ring();
    return outcome;
  }

  /** A new link for a transfer whose own has expired or is refused. */
  async renew(remoteId: string, signal: AbortSignal): Promise<LinkAnswer> {
    const { limits, clock } = this.#parts;
    const wait = limits.wait('download');
    if (wait > 0) return { kind: 'wait', until: clock.now() + wait };
    const outcome = await this.ask(remoteId, signal);
    switch (outcome.kind) {
      case 'link':
        return { kind: 'link', link: outcome.link };
      case 'not-found':
        return { kind: 'gone', ...toldBy(outcome.failure) };
      default:
        return {
          kind: 'wait',
          until: clock.now() + Math.max(ASK_AGAIN_MS, limits.wait('download')),
        };
    }
  }
}
