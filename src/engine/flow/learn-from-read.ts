import type { LinkOutcome, StatusOutcome } from '../service/outcomes.ts';
import type { KeyRing } from './key-ring.ts';
import type { Outage } from './outage.ts';

/**
 * What a read says about the connection and the key, for whoever speaks to the service next.
 * @param isStopped it was broken off from here, which says nothing
 */
export function learnFromRead(
  outcome: StatusOutcome | LinkOutcome,
  outage: Pick<Outage, 'failed' | 'ended'>,
  heardOfKey: ReturnType<KeyRing['trial']>,
  isStopped: boolean,
): void {
  switch (outcome.kind) {
    case 'unreachable':
      if (!isStopped) outage.failed(outcome.failure);
      return;
    case 'key-refused':
      outage.ended();
      heardOfKey('refused');
      return;
    case 'status':
    case 'link':
    case 'not-ready':
    case 'not-found':
    case 'rate-limited':
      outage.ended();
      heardOfKey('accepted');
  }
}
